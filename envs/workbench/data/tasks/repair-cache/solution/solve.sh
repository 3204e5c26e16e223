#!/bin/bash
set -e
cd /app
cat > cache.py <<'END'
class Cache:
    def __init__(self, size):
        if size < 1:
            raise ValueError("expected a size of at least 1, but received %r" % size)
        self.size = size
        self.entries = {}

    def put(self, key, value):
        self.entries.pop(key, None)
        self.entries[key] = value
        if len(self.entries) > self.size:
            del self.entries[next(iter(self.entries))]

    def get(self, key, default=None):
        if key not in self.entries:
            return default
        value = self.entries.pop(key)
        self.entries[key] = value
        return value

    def peek(self, key, default=None):
        return self.entries.get(key, default)

    def keys(self):
        return list(self.entries)

    def __len__(self):
        return len(self.entries)
END
# Python's dict finds its first key slowly after many removals.
python3 - <<'END'
text = open("cache.py").read()
text = text.replace("self.entries = {}", "self.entries = OrderedDict()").replace("del self.entries[next(iter(self.entries))]", "self.entries.popitem(last=False)")
open("cache.py", "w").write("from collections import OrderedDict\n\n\n" + text)
END
