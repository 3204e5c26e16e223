import sys

needs = {}
for line in sys.stdin:
    name, others = line.split(":")
    needs[name] = others.split()


def visit(name):
    for other in needs[name]:
        visit(other)
    print(name)


for name in needs:
    visit(name)
