"""Writes the table of printable characters behind Python's repr(): envs/textcraft/data/printable.json.

    python3.11 test/peers/textcraft-printable.py > envs/textcraft/data/printable.json

Lengths of the runs of code points that are in turn unprintable and printable, from U+0000.
"""

import json
import unicodedata

lengths, printable = [0], False
for code in range(0x110000):
    if chr(code).isprintable() != printable:
        printable = not printable
        lengths.append(0)
    lengths[-1] += 1
print(json.dumps({"unicode": unicodedata.unidata_version, "runLengths": lengths}, separators=(",", ":")))
