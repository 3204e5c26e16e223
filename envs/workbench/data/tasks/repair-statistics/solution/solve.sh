#!/bin/bash
set -e
cd /app
cat > stats.py <<'END'
import sys

numbers = sorted(float(line) for line in sys.stdin if line.strip())
if not numbers:
    print("no numbers")
else:
    count = len(numbers)
    median = (numbers[(count - 1) // 2] + numbers[count // 2]) / 2
    mode = max(numbers, key=lambda value: (numbers.count(value), -value))
    print("mean %.2f" % (sum(numbers) / count))
    print("median %.2f" % median)
    print("mode %.2f" % mode)
END
