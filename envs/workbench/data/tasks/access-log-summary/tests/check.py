import sys

sys.path.insert(0, "/tests")
from grader import Grader
EXPECTED = {200: 274, 304: 43, 404: 51, 500: 15, 503: 17}

grader = Grader()
text = grader.text("/app/summary.txt")
wanted = ["%d %d" % pair for pair in sorted(EXPECTED.items())]
grader.check("summary.txt counts every status", text is not None and [line.rstrip() for line in text.strip().split("\n")] == wanted)
grader.finish()
