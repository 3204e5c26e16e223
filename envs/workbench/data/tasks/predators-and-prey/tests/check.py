import sys

sys.path.insert(0, "/tests")
from grader import Grader
import json
import math
import tempfile

CASES = [
    dict(a=1.1, b=0.4, c=0.1, d=0.4, x=10, y=10, step=0.01, steps=1000),
    dict(a=0.7, b=0.05, c=0.02, d=0.9, x=30, y=4, step=0.05, steps=777),
    dict(a=2, b=1, c=1, d=3, x=1.5, y=0.25, step=0.001, steps=5000),
    dict(a=1, b=1, c=1, d=1, x=3, y=2, step=0.1, steps=0),
]


def simulate(a, b, c, d, x, y, step, steps):
    def slope(x, y):
        return a * x - b * x * y, c * x * y - d * y

    most, at = x, 0.0
    for number in range(1, steps + 1):
        k1 = slope(x, y)
        k2 = slope(x + step / 2 * k1[0], y + step / 2 * k1[1])
        k3 = slope(x + step / 2 * k2[0], y + step / 2 * k2[1])
        k4 = slope(x + step * k3[0], y + step * k3[1])
        x += step / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0])
        y += step / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1])
        if x > most:
            most, at = x, number * step
    return {"x": x, "y": y, "most": most, "at": at}


grader = Grader()
for number, case in enumerate(CASES):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(case, file)
        file.flush()
        done = grader.run(["python3", "simulate.py", file.name], seconds=20)
    try:
        received = json.loads(done.out)
        close = all(math.isclose(received[name], value, rel_tol=1e-9, abs_tol=1e-12) for name, value in simulate(**case).items())
    except (ValueError, KeyError, TypeError):
        close = False
    grader.check("case %d" % number, done.code == 0 and close)
grader.finish()
