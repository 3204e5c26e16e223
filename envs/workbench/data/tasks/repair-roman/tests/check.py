import sys

sys.path.insert(0, "/tests")
from grader import Grader
GOOD = {"1": "I", "4": "IV", "90": "XC", "1994": "MCMXCIV", "3999": "MMMCMXCIX", "3888": "MMMDCCCLXXXVIII"}
BAD = ["0", "4000", "IIII", "VX", "iv", "", "IC", "MMMM", "-3", "\u0663"]

grader = Grader()
for number, numeral in GOOD.items():
    for given, expected in ((number, numeral), (numeral, number)):
        done = grader.run(["python3", "roman.py", given])
        grader.check("roman.py " + given, done.code == 0 and done.out.strip() == expected)
for given in BAD:
    done = grader.run(["python3", "roman.py", given])
    grader.check("roman.py %r is refused" % given, done.code == 1 and done.out.strip() == "error")
grader.finish()
