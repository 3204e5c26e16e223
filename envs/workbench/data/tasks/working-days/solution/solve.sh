#!/bin/bash
set -e
cd /app
cat > days.py <<'END'
import datetime
import os
import re
import sys


def day(text):
    if not re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        raise ValueError(text)
    return datetime.date.fromisoformat(text).toordinal()


try:
    first, last = (day(text) for text in sys.argv[1:3])
    if last < first:
        raise ValueError
except ValueError:
    print("error")
    sys.exit(1)
path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "holidays.txt")
lines = [line.strip() for line in open(path)]
holidays = {day(line) for line in lines if line and not line.startswith("#")}


def until(end):
    return end // 7 * 5 + min(end % 7, 5)


free = sum(first <= holiday <= last and (holiday - 1) % 7 < 5 for holiday in holidays)
print(until(last) - until(first - 1) - free)
END
