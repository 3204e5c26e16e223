import sys

sys.path.insert(0, "/tests")
from grader import Grader
CASES = {
    "app: lib config\nlib: core\n\ndocs: app\n": ("config core lib app docs", 0),
    "b: a\nc: a\na:\n": ("a b c", 0),
    "z:\ny:\nx: z\n": ("y z x", 0),
    "a: b\nb: c\nc: a\nd:\n": ("circle", 1),
    "a: a\n": ("circle", 1),
    "a: b\na: c\nb: d\n": ("c d b a", 0),
    "": ("", 0),
    "m: n\nn: k j\nj: q\nb: m\na: n\n": ("k q j n a m b", 0),
}

grader = Grader()
for number, (data, (expected, code)) in enumerate(CASES.items()):
    done = grader.run(["python3", "order.py"], data)
    grader.check("case %d" % number, done.code == code and done.out.split() == expected.split())
chain = "".join("n%05d: n%05d\n" % (number, number + 1) for number in range(20000))
done = grader.run(["python3", "order.py"], chain, seconds=20)
grader.check("a chain of 20,000 names", done.code == 0 and done.out.split() == ["n%05d" % number for number in range(20000, -1, -1)])
grader.finish()
