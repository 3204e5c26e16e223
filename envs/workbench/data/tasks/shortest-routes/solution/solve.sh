#!/bin/bash
set -e
cd /app
cat > routes.py <<'END'
import heapq
import sys

numbers = iter(map(int, sys.stdin.buffer.read().split()))
places, roads, questions = next(numbers), next(numbers), next(numbers)
out = [[] for _ in range(places + 1)]
into = [[] for _ in range(places + 1)]
for _ in range(roads):
    one, two, length = next(numbers), next(numbers), next(numbers)
    out[one].append((two, length))
    into[two].append((one, length))


def route(start, goal):
    best = {goal: (0, 0)}
    heap = [(0, 0, goal)]
    while heap:
        far, count, place = heapq.heappop(heap)
        if (far, count) != best[place]:
            continue
        for before, length in into[place]:
            reached = (far + length, count + 1)
            if before not in best or reached < best[before]:
                best[before] = reached
                heapq.heappush(heap, (*reached, before))
    if start not in best:
        return ["none"]
    steps = [best[start][0], start]
    while steps[-1] != goal:
        place = steps[-1]
        far, count = best[place]
        steps.append(min(two for two, length in out[place] if best.get(two) == (far - length, count - 1)))
    return steps


for _ in range(questions):
    print(*route(next(numbers), next(numbers)))
END
