import sys

sys.path.insert(0, "/tests")
from grader import Grader
GOOD = {
    "# squares\nn = 1\nwhile n < 4\n  print n * n\n  n = n + 1\nend\n": "1 4 9",
    "print 2+3*4-1": "13",
    "print -7/2\nprint -7%3\nprint 7/-2\nprint 7 % -3": "-4 2 -4 -2",
    "print 2 - 3 - 4\nprint 100/10/5\nprint 7-(2-1)": "-5 2 6",
    "print 1 < 2 < 1\nprint 3 = 3 = 1\nprint 1 + 1 = 2": "0 1 1",
    "print --5\nprint -(2+3)*2\nprint 3--2": "5 -10 5",
    "a = 1\nif a = 1\nif a < 0\nprint 1\nend\nprint 2\nend\nprint 3": "2 3",
    "a = 99999999999999999999\nprint a * a": "9999999999999999999800000000000000000001",
    "i = 0\nwhile i < 3\nj = 0\nwhile j < i\nprint i * 10 + j\nj = j + 1\nend\ni = i + 1\nend": "10 20 21",
    "": "",
    "   #x\n\n  print    ( 1 )": "1",
    "printer = 3\nending = 4\nprint printer*ending": "12",
    "while 0\nprint nothing\nend\nprint 1": "1",
    "a=27\nn=0\nwhile 1 < a\nb=0\nif a%2=0\na=a/2\nb=1\nend\nif b=0\na=3*a+1\nend\nn=n+1\nend\nprint n": "111",
}
BAD = ["print 1\nprint (2", "end", "while 1\nprint 1", "print 1 2", "1 = a", "while = 3", "A = 1", "print", "print 1\na = 2 +", "a == 1", "print 1\nfoo", "print 3 > 2", "print 1;", "if\nend"]
STOPS = {"print 1\nprint x\nprint 2": "1", "a = 0\nprint 5\nprint 1 / a": "5", "print 3 % 0": ""}

grader = Grader()
for number, (program, expected) in enumerate(GOOD.items()):
    done = grader.run(["python3", "run.py"], program)
    grader.check("program %d" % number, done.code == 0 and done.out.split() == expected.split())
for program in BAD:
    done = grader.run(["python3", "run.py"], program)
    grader.check("no program: %r" % program, done.code == 2 and done.out == "")
for program, expected in STOPS.items():
    done = grader.run(["python3", "run.py"], program)
    grader.check("a run that stops: %r" % program, done.code == 3 and done.out.split() == expected.split())
grader.finish()
