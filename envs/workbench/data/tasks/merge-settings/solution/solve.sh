#!/bin/bash
set -e
cd /app
cat > merge.py <<'END'
import json, os, sys

def merge(old, layer):
    new = dict(old)
    for key, value in layer.items():
        if value is None:
            new.pop(key, None)
        elif isinstance(value, dict):
            there = new.get(key)
            new[key] = merge(there if isinstance(there, dict) else {}, value)
        else:
            new[key] = value
    return new

folder = sys.argv[1]
with open(os.path.join(folder, "base.json")) as file:
    settings = json.load(file)
layers = os.path.join(folder, "layers")
for name in sorted(os.listdir(layers)) if os.path.isdir(layers) else []:
    if name.endswith(".json"):
        with open(os.path.join(layers, name)) as file:
            settings = merge(settings, json.load(file))
print(json.dumps(settings))
END
