import sys

sys.path.insert(0, "/tests")
from grader import Grader
import heapq
import random


def graph(seed, places, roads, questions, most):
    rng = random.Random(seed)
    pairs = lambda count: [(rng.randint(1, places), rng.randint(1, places)) for _ in range(count)]
    return places, [(one, two, rng.randint(0, most)) for one, two in pairs(roads)], pairs(questions)


def text(places, roads, questions):
    lines = ["%d %d %d" % (places, len(roads), len(questions))]
    lines += ["%d %d %d" % road for road in roads] + ["%d %d" % pair for pair in questions]
    return "\n".join(lines) + "\n"


def answer(places, roads, start, goal):
    """Distances to the goal, and then the smallest next place on the way."""
    into = {}
    for one, two, length in roads:
        into.setdefault(two, []).append((one, length))
    best, heap = {goal: (0, 1)}, [(0, 1, goal)]
    while heap:
        far, count, place = heapq.heappop(heap)
        if (far, count) > best[place]:
            continue
        for before, length in into.get(place, ()):
            reached = (far + length, count + 1)
            if before not in best or reached < best[before]:
                best[before] = reached
                heapq.heappush(heap, (*reached, before))
    if start not in best:
        return "none"
    out = {}
    for one, two, length in roads:
        out.setdefault(one, []).append((two, length))
    route, place = [start], start
    while place != goal:
        far, count = best[place]
        place = min(two for two, length in out[place] if two in best and (best[two][0] + length, best[two][1] + 1) == (far, count))
        route.append(place)
    return " ".join(str(number) for number in [best[start][0], *route])


CASES = [(4, [(1, 2, 1), (2, 3, 1), (1, 3, 2), (3, 4, 0), (1, 4, 2)], [(1, 3), (1, 4), (4, 1)]), (1, [(1, 1, 5)], [(1, 1)])]
CASES += [graph(seed, 9, 22, 12, 3) for seed in range(6)] + [graph(7, 300, 1500, 10, 2), graph(8, 5000, 25000, 2, 50)]

grader = Grader()
for number, (places, roads, questions) in enumerate(CASES):
    done = grader.run(["python3", "routes.py"], text(places, roads, questions), seconds=15)
    wanted = [] if grader.failed else [answer(places, roads, *pair) for pair in questions]
    grader.check("case %d" % number, done.code == 0 and done.out.strip().split("\n") == wanted)
grader.finish()
