"""The sections of a run, each of which may be lost: generators of results that return the work the budget dropped."""

import correctness
import decoding_timing
import op_timing
import stopwatch
import training_timing
from abi import Library


def check(library, device, variant, emulated, budget):
    yield from correctness.check_variant(Library(library), device, variant, emulated, budget)
    return budget.dropped


def measure_floors(library, device, budget):
    """FLOP/s and bytes/s."""
    matrix, copied = (512, 1 << 24) if device == "cpu" else (8_192, 1 << 32)
    yield stopwatch.matmul_rate(matrix), stopwatch.copy_rate(copied)
    return budget.dropped


def time_ops(library, device, floors, pattern, budget):
    yield from op_timing.time_all(Library(library), device, floors, pattern, budget)
    return budget.dropped


def time_training(library, device, budget):
    yield from training_timing.time_all(Library(library), device, budget)
    return budget.dropped


def time_decoding(library, device, chosen, budget):
    yield from decoding_timing.time_all(Library(library), device, chosen, budget)
    return budget.dropped
