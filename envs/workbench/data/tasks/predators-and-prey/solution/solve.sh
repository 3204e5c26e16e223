#!/bin/bash
set -e
cd /app
cat > simulate.py <<'END'
import json
import sys

with open(sys.argv[1]) as file:
    given = json.load(file)
a, b, c, d, x, y, step = (given[name] for name in ("a", "b", "c", "d", "x", "y", "step"))


def slope(x, y):
    return a * x - b * x * y, c * x * y - d * y


most, at = x, 0
for number in range(1, given["steps"] + 1):
    p1, q1 = slope(x, y)
    p2, q2 = slope(x + step * p1 / 2, y + step * q1 / 2)
    p3, q3 = slope(x + step * p2 / 2, y + step * q2 / 2)
    p4, q4 = slope(x + step * p3, y + step * q3)
    x += step * (p1 + 2 * p2 + 2 * p3 + p4) / 6
    y += step * (q1 + 2 * q2 + 2 * q3 + q4) / 6
    if x > most:
        most, at = x, number * step
print(json.dumps({"x": x, "y": y, "most": most, "at": at}))
END
