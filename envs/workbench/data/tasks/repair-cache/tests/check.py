import sys

sys.path.insert(0, "/tests")
from grader import Grader
import json
import random

DRIVER = """
import json, sys
from cache import Cache
cache, answers = None, []
for name, *given in json.load(sys.stdin):
    if name == "new":
        try:
            cache = Cache(*given)
            answers.append("made")
        except ValueError:
            answers.append("ValueError")
    elif name == "len":
        answers.append(len(cache))
    else:
        answers.append(getattr(cache, name)(*given))
print(json.dumps(answers))
"""
FAST = """
from cache import Cache
cache = Cache(50000)
for number in range(100000):
    cache.put(number * 7919 % 75000, number)
    cache.get(number * 104729 % 75000)
print(len(cache))
"""


def expected(calls):
    size, entries, answers = 0, {}, []
    for name, *given in calls:
        if name == "new":
            answers.append("made" if given[0] >= 1 else "ValueError")
            size, entries = given[0], {}
        elif name == "put":
            entries.pop(given[0], None)
            entries[given[0]] = given[1]
            if len(entries) > size:
                del entries[next(iter(entries))]
            answers.append(None)
        elif name == "len":
            answers.append(len(entries))
        elif name == "keys":
            answers.append(list(entries))
        else:
            default = given[1] if len(given) > 1 else None
            answers.append(entries.get(given[0], default))
            if name == "get" and given[0] in entries:
                entries[given[0]] = entries.pop(given[0])
    return answers


def script(seed):
    rng = random.Random(seed)
    calls = [["new", rng.randint(1, 5)]]
    for _ in range(120):
        key = rng.randint(0, 8)
        calls.append(rng.choice([["put", key, rng.choice([None, 0, "", rng.randint(1, 99)])], ["get", key], ["get", key, "none"], ["peek", key, "none"], ["keys"], ["len"]]))
    return calls


grader = Grader()
for seed in range(6):
    calls = script(seed)
    done = grader.run(["python3", "-c", DRIVER], json.dumps(calls))
    grader.check("script %d" % seed, done.code == 0 and done.out.strip() == json.dumps(expected(calls)))
for size in (0, -1):
    done = grader.run(["python3", "-c", DRIVER], json.dumps([["new", size]]))
    grader.check("a size of %d is refused" % size, done.out.strip() == '["ValueError"]')
grader.check("200,000 operations", grader.run(["python3", "-c", FAST], seconds=15).out.strip() == "50000")
grader.finish()
