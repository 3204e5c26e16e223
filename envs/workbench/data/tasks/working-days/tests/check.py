import sys

sys.path.insert(0, "/tests")
from grader import Grader
import datetime
import os
import shutil
import tempfile

HOLIDAYS = "# some\n2024-01-01\n\n2024-01-01\n2024-03-29\n2024-06-01\n0001-01-01\n"
FREE = {datetime.date(2024, 1, 1), datetime.date(2024, 3, 29), datetime.date(1, 1, 1)}
GOOD = [("2024-01-01", "2024-01-07"), ("2024-01-06", "2024-01-07"), ("2024-02-01", "2024-04-30"), ("2023-12-29", "2024-01-02"), ("2024-03-29", "2024-03-29"), ("2024-05-30", "2024-06-03"), ("0001-01-01", "9999-12-31"), ("1900-02-27", "1900-03-02")]
BAD = [("2024-01-02", "2024-01-01"), ("2024-02-30", "2024-03-01"), ("today", "2024-03-01"), ("2024-01-01", ""), ("2024-1-1", "2024-01-02"), ("20240101", "20240102")]


def count(first, last):
    one, two = (datetime.date.fromisoformat(text).toordinal() for text in (first, last))
    # The day with the ordinal 1 is a Monday.
    whole = lambda end: end // 7 * 5 + min(end % 7, 5)
    return whole(two) - whole(one - 1) - sum(one <= day.toordinal() <= two for day in FREE)


grader = Grader()
with tempfile.TemporaryDirectory() as folder:
    program = grader.text("/app/days.py")
    with open(folder + "/days.py", "w") as file:
        file.write(program or "raise SystemExit(9)")
    with open(folder + "/holidays.txt", "w") as file:
        file.write(HOLIDAYS)
    for pair in GOOD:
        done = grader.run(["python3", folder + "/days.py", *pair], folder="/")
        grader.check("from %s to %s" % pair, done.code == 0 and done.out.strip() == str(count(*pair)))
    for pair in BAD:
        done = grader.run(["python3", folder + "/days.py", *pair], folder="/")
        grader.check("from %r to %r" % pair, done.code == 1 and done.out.strip() == "error")
grader.finish()
