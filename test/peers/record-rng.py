"""Records test/fixtures/rng/{pcg64,mersenne-twister}.json from numpy and from CPython's own random module.

Run from anywhere, with CPython 3.11 and numpy: python test/peers/record-rng.py
"""

import hashlib
import json
import platform
import random
from pathlib import Path

import numpy

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures" / "rng"
SEEDS = [0, 1, 2, 42, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**32 + 1, 2**53 - 1, 2**53, 2**63, 2**64 - 1, 2**64, 2**200 + 7]
LONG = 100_000


def plain(value):
    """Converts integers that a double cannot represent to strings."""
    if isinstance(value, list):
        return [plain(each) for each in value]
    if isinstance(value, int) and abs(value) > 2**53:
        return str(value)
    return value


def digest(values):
    return hashlib.sha256(",".join(str(value) for value in values).encode()).hexdigest()


def mixed_calls(catalogue, count, plan_seed):
    plan = random.Random(plan_seed)
    return [plan.choice(catalogue) for _ in range(count)]


PCG64_CALLS = [
    ["integers", 0, 1],
    ["integers", 0, 2],
    ["integers", 0, 3],
    ["integers", 0, 4],
    ["integers", -5, 17],
    ["integers", 7, 1000007],
    ["integers", 0, 2**31 - 1],
    ["integers", 0, 2**31],
    ["integers", 0, 2**31 + 1],
    ["integers", -(2**31), 2**31 - 1],
    ["integers", 0, 2**32 - 1],
    ["integers", 0, 2**32],
    ["integers", 0, 2**32 + 1],
    ["integers", 0, 2**32 + 5],
    ["integers", 0, 2**40 + 3],
    ["integers", -(2**52), 2**52],
    ["integers", 0, 2**53 - 1],
    ["integers", 0, 3 * 2**51],
    ["random"],
    ["random"],
    ["uniform", 0, 1],
    ["uniform", -3.5, 8.25],
    ["choice", 1],
    ["choice", 5],
    ["shuffle", 0],
    ["shuffle", 1],
    ["shuffle", 2],
    ["shuffle", 6],
    ["shuffle", 33],
]


def call_numpy(generator, name, *args):
    if name == "choice":
        return int(generator.choice(list(range(args[0]))))
    if name == "shuffle":
        items = list(range(args[0]))
        generator.shuffle(items)
        return items
    result = getattr(generator, name)(*args)
    return float(result) if isinstance(result, float) else int(result)


def record_pcg64():
    calls = mixed_calls(PCG64_CALLS, 300, 64)
    runs = []
    for seed in SEEDS:
        sequence = numpy.random.SeedSequence(seed)
        generator = numpy.random.default_rng(seed)
        results = [plain(call_numpy(generator, *call)) for call in calls]
        generator = numpy.random.default_rng(seed)
        runs.append(
            {
                "seed": str(seed),
                "pool": [int(word) for word in sequence.pool],
                "words": [int(word) for word in sequence.generate_state(8)],
                "raw": [str(int(word)) for word in numpy.random.default_rng(seed).bit_generator.random_raw(4)],
                "results": results,
                "integersDigest": digest(int(generator.integers(0, 1 + i % 1000)) for i in range(LONG)),
                "wideDigest": digest(int(generator.integers(0, 2**31 + 1 + i)) for i in range(LONG)),
                "random53Digest": digest(int(generator.random() * 2**53) for i in range(LONG)),
            }
        )
    return {"recordedFrom": f"numpy {numpy.__version__}", "long": LONG, "calls": calls, "runs": runs}


PYTHON_CALLS = [
    ["random"],
    ["random"],
    ["getrandbits", 0],
    ["getrandbits", 1],
    ["getrandbits", 5],
    ["getrandbits", 31],
    ["getrandbits", 32],
    ["getrandbits", 33],
    ["getrandbits", 64],
    ["getrandbits", 100],
    ["_randbelow", 1],
    ["_randbelow", 2],
    ["_randbelow", 3],
    ["_randbelow", 1000],
    ["_randbelow", 2**31],
    ["_randbelow", 2**31 + 1],
    ["_randbelow", 2**32 - 1],
    ["_randbelow", 2**32],
    ["_randbelow", 2**32 + 5],
    ["_randbelow", 2**52 + 1],
    ["_randbelow", 2**53],
    ["randint", -3, 3],
    ["randint", 5, 5],
    ["randrange", 10],
    ["randrange", -7, 12],
    ["randrange", 3, 50, 7],
    ["randrange", 50, 3, -6],
    ["uniform", -2.5, 10],
    ["choice", 1],
    ["choice", 9],
    ["shuffle", 0],
    ["shuffle", 1],
    ["shuffle", 2],
    ["shuffle", 31],
    ["sample", 0, 0],
    ["sample", 1, 1],
    ["sample", 5, 5],
    ["sample", 21, 3],
    ["sample", 22, 3],
    ["sample", 22, 5],
    ["sample", 85, 6],
    ["sample", 86, 6],
    ["sample", 277, 21],
    ["sample", 278, 21],
    ["sample", 277, 22],
    ["sample", 278, 22],
    ["sample", 500, 10],
]


def call_python(generator, name, *args):
    if name == "choice":
        return generator.choice(range(args[0]))
    if name == "shuffle":
        items = list(range(args[0]))
        generator.shuffle(items)
        return items
    if name == "sample":
        return generator.sample(range(args[0]), args[1])
    return getattr(generator, name)(*args)


def record_mersenne_twister():
    calls = mixed_calls(PYTHON_CALLS, 300, 19937)
    runs = []
    for seed in [*SEEDS, -1, -(2**40)]:
        generator = random.Random(seed)
        results = [plain(call_python(generator, *call)) for call in calls]
        generator = random.Random(seed)
        runs.append(
            {
                "seed": str(seed),
                "results": results,
                "wordsDigest": digest(generator.getrandbits(32) for _ in range(LONG)),
                "randbelowDigest": digest(generator._randbelow(1 + i % 1000) for i in range(LONG)),
                "random53Digest": digest(int(generator.random() * 2**53) for _ in range(LONG)),
            }
        )
    return {"recordedFrom": f"CPython {platform.python_version()}", "long": LONG, "calls": calls, "runs": runs}


def write(name, recording):
    runs = ",\n".join(json.dumps(run, separators=(",", ":")) for run in recording.pop("runs"))
    head = json.dumps(recording, separators=(",", ":"))
    (FIXTURES / name).write_text(f'{head[:-1]},"runs":[\n{runs}\n]}}\n')


if __name__ == "__main__":
    FIXTURES.mkdir(parents=True, exist_ok=True)
    write("pcg64.json", record_pcg64())
    write("mersenne-twister.json", record_mersenne_twister())
