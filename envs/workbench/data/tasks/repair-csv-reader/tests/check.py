import sys

sys.path.insert(0, "/tests")
from grader import Grader
import json

CASES = {
    'name,note\nAda,"first, and best"\nBob,"said ""no"""\n': [["name", "note"], ["Ada", "first, and best"], ["Bob", 'said "no"']],
    "a,b\r\nc,\r\n": [["a", "b"], ["c", ""]],
    '"x\r\ny",2\n': [["x\r\ny", "2"]],
    "": [],
    "\n": [[""]],
    "a\n\nb": [["a"], [""], ["b"]],
    'in "the" middle,5" wide': [['in "the" middle', '5" wide']],
    '"",""""\n': [["", '"']],
    ",,\n,": [["", "", ""], ["", ""]],
}
CUT = ['"open', 'a,"b""', 'x\n"y\n']

grader = Grader()
for number, (data, expected) in enumerate(CASES.items()):
    done = grader.run(["python3", "csv2json.py"], data)
    try:
        received = json.loads(done.out)
    except ValueError:
        received = "no JSON"
    grader.check("case %d" % number, done.code == 0 and received == expected)
for number, data in enumerate(CUT):
    done = grader.run(["python3", "csv2json.py"], data)
    grader.check("cut text %d" % number, done.code == 3 and done.out == "")
source = grader.text("/app/csv2json.py")
guarded = grader.run(["python3", "-c", "import sys; sys.modules['csv'] = None; sys.modules['_csv'] = None; sys.argv = ['csv2json.py']; exec(open('csv2json.py').read())"], "a,b\n")
grader.check("without the csv module", source is not None and guarded.code == 0 and guarded.out.strip() == '[["a", "b"]]')
grader.finish()
