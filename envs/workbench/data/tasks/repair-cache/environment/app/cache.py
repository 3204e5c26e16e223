class Cache:
    def __init__(self, size):
        self.size = size
        self.entries = {}
        self.order = []

    def put(self, key, value):
        self.entries[key] = value
        self.order.append(key)
        if len(self.entries) > self.size:
            del self.entries[self.order.pop(0)]

    def get(self, key, default=None):
        if not self.entries.get(key):
            return default
        self.order.remove(key)
        self.order.append(key)
        return self.entries[key]

    def peek(self, key, default=None):
        return self.get(key, default)

    def keys(self):
        return list(self.entries)

    def __len__(self):
        return len(self.entries)
