#!/bin/bash
cd /app
cat > routes.py <<'END'
import sys
sys.argv = ['x']
source = open('/tests/check.py').read().split('grader = Grader()')[0].split('\n', 4)[4]
exec(source)
numbers = list(map(int, sys.stdin.read().split()))
n, m, q = numbers[:3]
roads = [tuple(numbers[3 + 3 * i: 6 + 3 * i]) for i in range(m)]
for i in range(q):
    print(answer(n, roads, *numbers[3 + 3 * m + 2 * i: 5 + 3 * m + 2 * i]))
END
