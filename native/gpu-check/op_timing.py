"""Times the engine's operations on the shapes of models, against PyTorch and the device's limits."""

import re
from dataclasses import dataclass

import op
import prediction
import stopwatch
import torch
from engine import Engine, environment
from shape import QWEN2_5_05B, SMOLLM2_135M

# Seconds of a round: long enough that the one wait at its end does not count.
ROUND_SECONDS = 0.02


@dataclass(frozen=True)
class Timing:
    """Seconds per call (predicted ones for the faster path) and peak bytes; None for a missing value, see `reason`."""

    op: str
    shape: str
    floor: float
    predicted: float
    own: float
    # The own kernels by mma.sync, where the engine may use wgmma instead.
    mma_sync: float | None
    cublas: float | None
    peer: float | None
    own_bytes: int
    peer_bytes: int | None
    reason: str = ""

    def told(self):
        seconds = {"own": self.own, "mma.sync": self.mma_sync, "cuBLAS": self.cublas, "PyTorch": self.peer}
        seconds |= {"predicted": self.predicted, "floor": self.floor}
        each = ", ".join(f"{who} {1e6 * value:.1f}" for who, value in seconds.items() if value is not None)
        return f"{self.op} {self.shape}: µs {each} {self.reason}"


def ops():
    """Operations of a training step of both models with 16 k tokens, of their decoding, and one square product."""
    qwen, smol = QWEN2_5_05B, SMOLLM2_135M
    width = (qwen.heads + 2 * qwen.kv_heads) * qwen.head_size
    heads = qwen.heads, qwen.kv_heads, qwen.head_size
    yield op.product("linear", 8_192, 8_192, 8_192)
    for rows in (16_384, 256, 64, 1):
        yield op.product("linear", rows, 2 * qwen.intermediate, qwen.hidden)
    yield op.product("linear", 16_384, qwen.hidden, qwen.intermediate)
    yield op.product("linear", 16_384, width, qwen.hidden)
    yield op.product("linear", 16_384, 2 * smol.intermediate, smol.hidden)
    for kind in ("input gradient", "weight gradient"):
        yield op.product(kind, 16_384, 2 * qwen.intermediate, qwen.hidden)
        yield op.product(kind, 16_384, 2 * smol.intermediate, smol.hidden)
    for kind in ("attention", "attention gradient"):
        yield op.attention(kind, 16_384, 1_024, *heads)
        yield op.attention(kind, 16_384, 2_048, smol.heads, smol.kv_heads, smol.head_size)
        yield op.attention(kind, 16_384, 2_048, 16, 8, 128)
    yield op.head(8_192, qwen.vocabulary, qwen.hidden)
    yield op.head(16_384, smol.vocabulary, smol.hidden)
    for sequences in (1, 64, 256):
        yield op.paged_attention(sequences, 1_024, *heads)
    yield op.paged_attention(256, 1_024, *heads, fp8=True)
    yield op.paged_attention(256, 1_024, *heads, shared=768, group=8)
    yield op.paged_attention(64, 1_024, 16, 8, 128)
    yield op.rms_norm(16_384, qwen.hidden)
    yield op.rms_norm(64, qwen.hidden)
    yield op.adamw(1 << 26)


def toy_ops():
    """One operation of each kind, for trying this script without a GPU."""
    for kind in ("linear", "input gradient", "weight gradient"):
        yield op.product(kind, 96, 160, 64)
    for kind in ("attention", "attention gradient"):
        yield op.attention(kind, 128, 64, 4, 2, 64)
    yield op.head(64, 1_000, 64)
    yield op.paged_attention(4, 64, 4, 2, 64, shared=32, group=2)
    yield op.rms_norm(64, 64)
    yield op.adamw(1 << 12)


def time_all(library, device, floors, pattern, budget):
    """Yields timings. floors: (FLOP/s, bytes/s); pattern: a regular expression that kinds and shapes match"""
    for case in toy_ops() if device == "cpu" else ops():
        if not re.search(pattern, f"{case.kind} {case.shape}"):
            continue
        what = f"timing of {case.kind} {case.shape}"
        if budget.allows(what, seconds=5):
            with budget.dropping(what):
                yield time_one(library, device, case, *floors)


def time_one(library, device, case, rate, bandwidth):
    floor = case.floor(rate, bandwidth)
    calls = case.sets * round(min(50, max(1, ROUND_SECONDS / max(floor, 1e-6) / case.sets)))
    stopwatch.free_memory()
    own, own_bytes = time_engine(library, device, case, calls, deterministic=True)
    mma_sync = cublas = None
    if case.kind.startswith("attention") and device != "cpu":
        with environment("ENGINE_WGMMA=0"):
            mma_sync, _ = time_engine(library, device, case, calls, deterministic=True)
    if case.has_products and device != "cpu":
        cublas, _ = time_engine(library, device, case, calls, deterministic=False)
    peer, peer_bytes, reason = time_peer(case, calls)
    predicted = prediction.of_op(case, prediction.Machine(rate, bandwidth), prediction.CUBLAS)
    return Timing(case.kind, case.shape, floor, predicted, own, mma_sync, cublas, peer, own_bytes, peer_bytes, reason)


def time_engine(library, device, case, calls, deterministic):
    """Returns seconds, and the bytes of one set of operands."""
    with Engine(library, device, deterministic=deterministic) as engine:
        engine.time(case.kind, calls=1, rounds=1, **case.fields)
        most = engine.describe()["memory_highest"]
        return engine.time(case.kind, calls=calls, sets=case.sets, **case.fields), most


def time_peer(case, calls):
    """Returns seconds, the bytes of one set of operands, and the reason when they are missing."""
    try:
        stopwatch.free_memory()
        case.peer()()
        most = stopwatch.peak_memory()
        peers = [case.peer() for _ in range(case.sets)]
        return stopwatch.seconds(peers, calls, graph=case.is_captured), most, ""
    except torch.OutOfMemoryError:
        return None, None, "PyTorch is out of memory"
    except RuntimeError as error:
        return None, None, f"PyTorch: {str(error).splitlines()[0]}"
