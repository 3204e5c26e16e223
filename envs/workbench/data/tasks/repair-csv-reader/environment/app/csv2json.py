import json
import sys

rows = [line.split(",") for line in sys.stdin.read().split("\n")]
print(json.dumps(rows))
