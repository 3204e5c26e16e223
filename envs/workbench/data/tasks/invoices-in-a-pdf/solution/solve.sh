#!/bin/bash
set -e
cd /app
python3 - <<'END'
import json, re, zlib
data = open("invoices.pdf", "rb").read()
totals = {}
for stream in re.findall(rb"stream\n(.*?)\nendstream", data, re.S):
    text = zlib.decompress(stream).decode("latin-1")
    lines = [re.sub(r"\\(.)", r"\1", line) for line in re.findall(r"^\((.*)\) Tj", text, re.M)]
    total = 0
    for line in lines:
        if match := re.fullmatch(r"Invoice number: (\S+)", line):
            number = match[1]
        if match := re.fullmatch(r"(\d+) x .* at (\d+)\.(\d\d)", line):
            total += int(match[1]) * (int(match[2]) * 100 + int(match[3]))
        if match := re.fullmatch(r"Discount: (\d+)\.(\d\d)", line):
            total -= int(match[1]) * 100 + int(match[2])
    totals[number] = total
json.dump(totals, open("totals.json", "w"))
END
