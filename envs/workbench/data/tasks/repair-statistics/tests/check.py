import sys

sys.path.insert(0, "/tests")
from grader import Grader
CASES = {
    "3\n1\n2\n2\n": "mean 2.00\nmedian 2.00\nmode 2.00",
    "5\n\n1.5\n-2\n\n5\n1.5\n": "mean 2.20\nmedian 1.50\nmode 1.50",
    "10\n-10\n4\n1\n": "mean 1.25\nmedian 2.50\nmode -10.00",
    "7": "mean 7.00\nmedian 7.00\nmode 7.00",
    "": "no numbers",
    "\n\n": "no numbers",
}

grader = Grader()
for number, (data, expected) in enumerate(CASES.items()):
    done = grader.run(["python3", "stats.py"], data)
    grader.check("case %d" % number, done.code == 0 and done.out.strip() == expected)
grader.finish()
