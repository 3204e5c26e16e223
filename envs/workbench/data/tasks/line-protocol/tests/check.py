import sys

sys.path.insert(0, "/tests")
from grader import Grader
import os
import random
import re
import select
import subprocess
import time


def expected(lines):
    stock, done, answers = {}, [], []
    for line in lines:
        words = line.split()
        if not re.fullmatch(r" *(?:(?:add|take) +[A-Za-z0-9-]+ +0*[1-9][0-9]*|count +[A-Za-z0-9-]+|undo|list) *", line) or (len(words) == 3 and int(words[2]) > 1000000):
            answers.append("wrong")
        elif words[0] == "count":
            answers.append("ok %d" % stock.get(words[1], 0))
        elif words[0] == "list":
            answers.append(" ".join(["ok"] + ["%s=%d" % (name, stock[name]) for name in sorted(stock) if stock[name]]))
        elif words[0] == "undo" and not done:
            answers.append("nothing")
        elif words[0] == "undo":
            name, change = done.pop()
            stock[name] -= change
            answers.append("ok")
        else:
            change = int(words[2]) * (1 if words[0] == "add" else -1)
            there = stock.get(words[1], 0)
            if there + change < 0:
                answers.append("short %d" % there)
                continue
            stock[words[1]] = there + change
            done.append((words[1], change))
            answers.append("ok %d" % stock[words[1]])
    return answers


def script(seed):
    rng = random.Random(seed)
    lines = ["list", "undo", "add pen 5", "take pen 6", "take pen 5", "list", "add  a-b   3 ", " count a-b", "add pen 0", "add pen 1000001", "add pen 1000000", "count", "", "add pen -1", "add p_n 1", "list x", "ADD pen 1", "add pen 1.0", "undo", "undo", "undo", "undo", "undo"]
    for _ in range(60):
        name, count = rng.choice(["pen", "Cup", "x-1"]), rng.randint(1, 9)
        lines.append(rng.choice(["add %s %d" % (name, count), "take %s %d" % (name, count), "count " + name, "undo", "list"]))
    return lines


def talk(lines):
    # One line is sent when the one before it is answered.
    environment = {"PATH": "/usr/bin:/bin", "HOME": "/nowhere"}
    child = subprocess.Popen(["python3", "stock.py"], cwd="/app", env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)
    answers, rest, until = [], b"", time.monotonic() + 6
    try:
        for line in lines:
            child.stdin.write(line.encode() + b"\n")
            child.stdin.flush()
            while b"\n" not in rest:
                if not select.select([child.stdout], [], [], max(0, until - time.monotonic()))[0]:
                    return None, answers
                data = os.read(child.stdout.fileno(), 65536)
                if not data:
                    return None, answers
                rest += data
            answer, rest = rest.split(b"\n", 1)
            answers.append(answer.decode("utf-8", "replace"))
        child.stdin.close()
        return child.wait(5), answers
    except (OSError, subprocess.TimeoutExpired):
        return None, answers


grader = Grader()
grader._hide_tests()
for seed in range(4):
    if grader.failed:
        break
    lines = script(seed)
    grader.check("conversation %d" % seed, talk(lines) == (0, expected(lines)))
grader.finish()
