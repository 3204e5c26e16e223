#!/bin/bash
set -e
cd /app
cat > csv2json.py <<'END'
import json
import sys

text = sys.stdin.buffer.read().decode()
rows, row, at = [], [], 0
while at < len(text) or row:
    field = ""
    if text[at : at + 1] == '"':
        at += 1
        while True:
            end = text.find('"', at)
            if end < 0:
                sys.exit(3)
            field += text[at:end]
            at = end + 1
            if text[at : at + 1] != '"':
                break
            field += '"'
            at += 1
    while at < len(text) and text[at] not in ",\n" and text[at : at + 2] != "\r\n":
        field += text[at]
        at += 1
    row.append(field)
    if text[at : at + 1] == ",":
        at += 1
        if at == len(text):
            row.append("")
            rows.append(row)
            row = []
        continue
    at += 2 if text[at : at + 2] == "\r\n" else 1
    rows.append(row)
    row = []
print(json.dumps(rows))
END
