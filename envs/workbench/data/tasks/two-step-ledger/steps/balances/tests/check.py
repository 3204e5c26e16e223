import sys

sys.path.insert(0, "/tests")
from grader import Grader
grader = Grader()
CASES = {
    "2024-01-02 ada bob 12.50\n2024-01-03 bob cid 2.50\n": "ada -12.50\nbob 10.00\ncid 2.50",
    "": "",
    "\n2024-01-02 z a 0.10\n\n2024-01-02 z a 0.20\n2024-01-01 a a 5.00\n": "a 0.30\nz -0.30",
    "2024-01-02 x y 99999999999999999.99\n2024-01-02 y x 0.01\n": "x -99999999999999999.98\ny 99999999999999999.98",
}
for number, (data, expected) in enumerate(CASES.items()):
    done = grader.run(["python3", "ledger.py"], data)
    grader.check("case %d" % number, done.code == 0 and done.out.strip() == expected)
grader.finish()
