#!/bin/bash
cd /app
cat > csv2json.py <<'END'
import csv, json, sys
print(json.dumps(list(csv.reader(sys.stdin))))
END
