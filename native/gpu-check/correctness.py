"""Checks every kind of model on every path of the engine against PyTorch in float64."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from check import Check
from decoding_check import check_decoding
from engine import Engine
from reference import Reference, random_weights
from shape import SMALL, TOYS
from training_check import Subject, check_training, in_files

MEMORY_BYTES = 1 << 29


class Sizes:
    """The checks to make: few when kernels are emulated."""

    def __init__(self, emulated):
        self.shapes = TOYS if emulated else SMALL
        self.lengths = [131, 2, 75] if emulated else [65, 2, 129, 33, 300]
        self.prompts = [5, 1, 34] if emulated else [18, 1, 100]
        self.new_tokens = 8 if emulated else 40


@dataclass(frozen=True)
class Variant:
    """A path of the engine: kernels and type of activations."""

    label: str
    dtype: str
    own_kernels: bool


def variants(device):
    if device == "cpu":
        return [Variant("cpu f32", "f32", True)]
    return [
        Variant("bf16, own kernels", "bf16", True),
        Variant("bf16, cuBLAS", "bf16", False),
        Variant("f32, own kernels", "f32", True),
    ]


def check_variant(library, device, variant, emulated, budget):
    """Yields the checks."""
    sizes = Sizes(emulated)
    for shape in sizes.shapes:
        if not budget.allows(f"correctness of {shape.name} on {variant.label}"):
            continue
        weights = random_weights(shape, seed=1)
        truth = Reference(shape, weights, "f64")
        try:
            yield from check_model(library, device, sizes, variant, shape, weights, truth)
        except RuntimeError as error:
            yield Check(variant.label, shape.name, f"came to no end: {error}", float("inf"), 0.0)


def check_model(library, device, sizes, variant, shape, weights, truth):
    random = np.random.default_rng(2)
    sequences, prompts = (
        [random.integers(0, shape.vocabulary, length) for length in lengths]
        for lengths in (sizes.lengths, sizes.prompts)
    )
    with (
        tempfile.TemporaryDirectory() as folder,
        Engine(library, device, variant.dtype, variant.own_kernels, MEMORY_BYTES) as engine,
        engine.model(shape) as model,
    ):
        model.read(in_files(weights), folder)
        peer = Reference(shape, weights, variant.dtype)
        about = variant.label, device, variant.dtype, variant.own_kernels, shape, model
        subject = Subject(*about, weights, truth, peer, sequences, Path(folder))
        yield from check_training(subject)
        yield from check_decoding(subject, prompts, sizes.new_tokens)
