import sys

sys.path.insert(0, "/tests")
from grader import Grader
import json

EXPECTED = {"R-2023-017": 165755, "R-2023-034": 55064, "R-2023-051": 131350, "R-2023-068": 71580, "R-2023-085": 356728, "R-2023-002": 311632, "R-2023-019": 160934}

grader = Grader()
try:
    received = json.loads(grader.text("/app/totals.json") or "")
except ValueError:
    received = None
grader.check("totals.json has every invoice", received == EXPECTED)
grader.finish()
