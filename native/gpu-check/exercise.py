"""Calls every function of the engine once or twice, for compute-sanitizer. Compares nothing.

Usage: exercise.py LIBRARY DEVICE small|toy

Does not use PyTorch, because its kernels would be watched, too.
"""

import sys

import numpy as np
from abi import Library
from engine import Engine, Pack
from shape import SMALL, TOYS

MEMORY_BYTES = 1 << 29
LENGTHS = {"small": [65, 2, 129, 33], "toy": [33, 2, 36]}


def exercise(library, device, size):
    shapes = {"small": SMALL, "toy": TOYS[:2]}[size]
    for dtype in ("f32",) if device == "cpu" else ("bf16", "f32"):
        with Engine(library, device, dtype, deterministic=True, memory_bytes=MEMORY_BYTES) as engine:
            for shape in shapes:
                print(f"{dtype}: {shape.name}", flush=True)
                with engine.model(shape) as model:
                    model.initialise(1)
                    train(model, shape, LENGTHS[size])
                    generate(model, shape, fp8=device != "cpu")


def train(model, shape, lengths):
    random = np.random.default_rng(1)
    pack = Pack.of([random.integers(0, shape.vocabulary, length) for length in lengths])
    for options in ({}, {"recompute": 1}, {"lora_rank": 3, "lora_alpha": 6.0, "lora_targets": 127}):
        with model.trainer(len(pack.tokens), **options) as trainer:
            trainer.score(pack)
            trainer.accumulate(pack)
            trainer.step()


def generate(model, shape, fp8):
    random = np.random.default_rng(2)
    for keys_values in (0, 1) if fp8 else (0,):
        options = {"max_sequences": 8, "max_rows": 24, "kv_bytes": 1 << 22, "keys_values": keys_values}
        with model.generator(**options) as generator:
            names = generator.submit(random.integers(0, shape.vocabulary, 37), 5, count=4, temperature=1.0)
            names += generator.submit([1], 4, temperature=0.8, top_k=9, top_p=0.9, min_p=0.01)
            names += generator.submit([2, 3], 3)
            generator.collect(names)


if __name__ == "__main__":
    exercise(Library(sys.argv[1]), sys.argv[2], sys.argv[3])
