import sys

sys.path.insert(0, "/tests")
from grader import Grader
import os

EXPECTED = {"docs/plan.txt": b"plan of week 3\n", "docs/new.txt": b"new in week 10\n", "photo.bin": b"again", "a/b/c.txt": b"c10\n", "a/b/d.txt": b"d\n"}

grader = Grader()
found = {}
for folder, _, names in os.walk("/app/restored"):
    for name in names:
        path = os.path.join(folder, name)
        found[os.path.relpath(path, "/app/restored")] = open(path, "rb").read(1 << 20) if os.path.isfile(path) else None
grader.check("restored has the newest version of every file", found == EXPECTED)
grader.finish()
