#!/bin/bash
set -e
cd /app
cat > order.py <<'END'
import heapq
import sys

needs = {}
for line in sys.stdin:
    if not line.strip():
        continue
    name, others = line.split(":")
    needs.setdefault(name.strip(), set()).update(others.split())
    for other in others.split():
        needs.setdefault(other, set())
users = {name: [] for name in needs}
for name, others in needs.items():
    for other in others:
        users[other].append(name)
left = {name: len(others) for name, others in needs.items()}
ready = [name for name, count in left.items() if count == 0]
heapq.heapify(ready)
order = []
while ready:
    name = heapq.heappop(ready)
    order.append(name)
    for user in users[name]:
        left[user] -= 1
        if left[user] == 0:
            heapq.heappush(ready, user)
if len(order) < len(needs):
    print("circle")
    sys.exit(1)
print("\n".join(order))
END
