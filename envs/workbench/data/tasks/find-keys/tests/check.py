import sys

sys.path.insert(0, "/tests")
from grader import Grader
EXPECTED = ["config/prod.env:2:AKQ3GXVH6FPRDKKAHQUP", "docs/old notes.md:2:AKQQ4WN7MFCHBGNSFG73", "docs/old notes.md:2:AKQQG9Y36HU62PHA7VEX", "src/.hidden.cfg:1:AKQQG9Y36HU62PHA7VEX", "src/app.py:3:AKQ3M2YMZ46Q68YTL29C", "src/lib/util.js:3:AKQKLB7FGWRDD67XZAEN"]

grader = Grader()
text = grader.text("/app/keys.txt") or ""
grader.check("keys.txt lists every key", sorted(line.rstrip() for line in text.split("\n") if line.strip()) == EXPECTED)
grader.finish()
