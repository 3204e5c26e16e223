#!/bin/bash
set -e
cd /app
cat > stock.py <<'END'
import re
import sys

stock = {}
done = []


def change(name, count):
    there = stock.get(name, 0)
    if there + count < 0:
        return "short %d" % there
    stock[name] = there + count
    done.append((name, count))
    return "ok %d" % stock[name]


def answer(line):
    words = line.strip(" ").split(" ")
    words = [word for word in words if word]
    named = len(words) > 1 and re.fullmatch("[A-Za-z0-9-]+", words[1])
    if len(words) == 3 and words[0] in ("add", "take") and named and re.fullmatch("[0-9]+", words[2]):
        count = int(words[2])
        if 1 <= count <= 1000000:
            return change(words[1], count if words[0] == "add" else -count)
    if len(words) == 2 and words[0] == "count" and named:
        return "ok %d" % stock.get(words[1], 0)
    if words == ["list"]:
        return " ".join(["ok"] + ["%s=%d" % (name, stock[name]) for name in sorted(stock) if stock[name]])
    if words == ["undo"]:
        if not done:
            return "nothing"
        name, count = done.pop()
        stock[name] -= count
        return "ok"
    return "wrong"


for line in sys.stdin:
    print(answer(line.rstrip("\n")), flush=True)
END
