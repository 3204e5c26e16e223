"""What a run should find, and why, so that the first one on a device can be held against it: gpu-check --predict

A kernel takes what its arithmetic takes at a share of the matrix rate, or what it moves at a share of the bandwidth,
whichever is longer, and a latency. The shares are guesses with a reason, written before any of it ran on a GPU.
"""

from dataclasses import dataclass
from math import ceil

import op
from shape import BF16_BYTES


@dataclass(frozen=True)
class Machine:
    """FLOP a second of large bf16 products, bytes a second of copies."""

    rate: float
    bandwidth: float
    multiprocessors: int = 132


# What an H100 SXM reaches of its 989 TFLOP/s and 3.35 TB/s.
H100 = Machine(790e12, 3.0e12)

# From the end of a kernel to the work of the next at full width, in a graph; and where both are own kernels, the
# second's launch done while the first runs.
LATENCY, OVERLAPPED = 4e-6, 2.5e-6
# A warp's 256 positions, one after the other.
POSITIONS = 4e-6
# The engine's thread asks, waits for a result, and goes on: between the chunks of a head, between two steps.
ROUND_TRIP = 40e-6
# Of the rate. cuBLAS sets it; own kernels by wgmma have a plainer epilogue; mma.sync gets at most six tenths of wgmma.
CUBLAS, WGMMA, MMA_SYNC = 1.0, 0.85, 0.55
# Of k: what filling the pipeline and writing the tile cost beside the products of a tile.
TILE_OVERHEAD = 192
TILE = 128 * 256
# FlashAttention 2 on mma.sync, heads of 64 and 128. Backward forms the scores twice: 7 products where 5 are counted.
FLASH = {64: 0.28, 128: 0.36}
FLASH_GRADIENT = {64: 0.18, 128: 0.22}
# Of the bandwidth: long rows; pages, whose vectors come by tables; weights for a few rows.
ROWS, PAGES, WEIGHTS = 0.85, 0.7, 0.8
LOGITS_BYTES = 2 << 30
# Rows from which on cuBLAS has linear maps, where own launches overlap.
CUBLAS_ROWS = 192


def of_op(case, machine, share):
    """Seconds of a call. share: of the rate, for products"""
    fields = case.fields
    if case.kind == "linear" and fields["rows"] < CUBLAS_ROWS:
        share = min(share, MMA_SYNC)
    if case.kind in ("linear", "input gradient", "weight gradient"):
        return product(case, machine, share)
    if case.kind == "head":
        return head(fields["rows"], fields["out"], fields["in"], machine, share)
    if case.kind.startswith("attention"):
        return attention(case.flops, fields["length"], fields["head_size"], case.kind != "attention", machine)
    if case.kind == "paged attention":
        return paged_attention(case.moved, machine)
    return case.moved / (ROWS * machine.bandwidth) + OVERLAPPED


def product(case, machine, share):
    """Whole waves of tiles; fewer tiles than multiprocessors are cut in slices of k, at four fifths of their rate."""
    rows, out, inner = (case.fields[name] for name in ("rows", "out", "in"))
    m, n, k = {"linear": (rows, out, inner), "input gradient": (rows, inner, out)}.get(case.kind, (out, inner, rows))
    tiles = ceil(m / 128) * ceil(n / 256)
    filled = m * n / TILE / (ceil(tiles / machine.multiprocessors) * machine.multiprocessors)
    if tiles < machine.multiprocessors:
        filled = 0.8
    arithmetic = case.flops / (machine.rate * share * filled * k / (k + TILE_OVERHEAD))
    latency = LATENCY if share == CUBLAS else OVERLAPPED
    return max(arithmetic, case.moved / (WEIGHTS * machine.bandwidth)) + latency


def attention(flops, length, size, is_gradient, machine):
    """Tiles on the diagonal are computed whole: some 128 keys more than are seen."""
    share = (FLASH_GRADIENT if is_gradient else FLASH)[size]
    return flops * (length + 128) / length / (share * machine.rate) + 2 * OVERLAPPED


def paged_attention(moved, machine):
    """What several warps have of a row is merged by a second kernel."""
    return moved / (PAGES * machine.bandwidth) + POSITIONS + 2 * OVERLAPPED


def head(rows, vocabulary, width, machine, share, wait=0.0):
    """Of a chunk, logits are written, read for statistics, turned into a bf16 gradient, and read by two products."""
    chunk = min(rows, LOGITS_BYTES // (4 * vocabulary))
    logits = chunk * vocabulary
    forward, to_input, to_weight = (
        op.product(kind, chunk, vocabulary, width) for kind in ("linear", "input gradient", "weight gradient")
    )
    rate = WEIGHTS * machine.bandwidth
    products = max(product(forward, machine, share), 4 * logits / rate)
    products += product(to_input, machine, share) + product(to_weight, machine, share)
    passes = (4 + 4 + 2) * logits / (ROWS * machine.bandwidth) + 2 * LATENCY
    return rows / chunk * (products + passes + wait)


def eager_head(rows, vocabulary, width, machine):
    """(seconds, bytes at most) of PyTorch's: three products, and passes over all logits, as bf16 and as float32."""
    forward = 2 + (2 + 4) + (8 + 4) + (4 + 4) + (8 + 4) + 4
    backward = (8 + 8) + (8 + 4) + 12 + (4 + 12) + (8 + 4) + (4 + 2)
    logits = rows * vocabulary
    products = 6 * logits * width / (machine.rate * 0.85)
    # Logits, their logarithms, the probabilities; three gradients of that size.
    return products + (forward + backward) * logits / (ROWS * machine.bandwidth), (2 + 6 * 4) * logits


def head_bytes(rows, vocabulary, width):
    """x, dx and w in bf16, the gradient of w in float32, a chunk of logits."""
    operands = BF16_BYTES * (2 * rows + vocabulary) * width + 4 * vocabulary * width
    return operands + min(LOGITS_BYTES, 4 * rows * vocabulary)


def training(shape, lengths, machine, share):
    """By part of a step, seconds."""
    rows, layers = sum(lengths), shape.layers
    attended = shape.heads * shape.head_size
    width = attended + 2 * shape.kv_heads * shape.head_size
    products = sum(
        product(op.product(kind, rows, *sizes), machine, share)
        for sizes in maps_of(shape)
        for kind in ("linear", "input gradient", "weight gradient")
    )
    seen = 2 * attended * sum(length * length for length in lengths)
    mean = sum(lengths) / len(lengths)
    attending = attention(seen, mean, shape.head_size, False, machine)
    attending += attention(2.5 * seen, mean, shape.head_size, True, machine)
    # Forward: 2 norms, 2 copies, heads, SwiGLU. Backward: SwiGLU's gradient and SwiGLU again, 2 norms and their
    # gradients, the rotation, the bias, what attention keeps. In streams of each width, read or written.
    hidden, heads, inner = 8 + 4 + 8, 2 + 3, 3 + 6
    moved = BF16_BYTES * rows * (hidden * shape.hidden + heads * width + inner * shape.intermediate)
    passing = moved / (ROWS * machine.bandwidth) + 13 * LATENCY
    # AdamW's 30 bytes, 4 for the norm, 4 to zero the gradient; a tied head's gradient joins the embedding's.
    optimised = 38 * shape.multiplied + 12 * shape.vocabulary * shape.hidden * shape.tied
    return {
        "products of the layers": layers * products,
        "attention": layers * attending,
        "passes over rows": layers * passing,
        "head": head(rows, shape.vocabulary, shape.hidden, machine, share, wait=ROUND_TRIP),
        "optimiser": optimised / (ROWS * machine.bandwidth),
    }


def maps_of(shape):
    """(out, in) of a layer's linear maps."""
    attended = shape.heads * shape.head_size
    heads = attended + 2 * shape.kv_heads * shape.head_size
    return [
        (heads, shape.hidden),
        (shape.hidden, attended),
        (2 * shape.intermediate, shape.hidden),
        (shape.hidden, shape.intermediate),
    ]


def decoding(shape, sequences, positions, machine):
    """By part of a step, seconds. positions: of all sequences together"""
    share, latency = (MMA_SYNC, OVERLAPPED) if sequences < CUBLAS_ROWS else (CUBLAS, LATENCY)
    products = sum(product(op.product("linear", sequences, *sizes), machine, share) for sizes in maps_of(shape))
    keys_values = paged_attention(positions * shape.position_bytes / shape.layers, machine)
    logits = product(op.product("linear", sequences, shape.vocabulary, shape.hidden), machine, share)
    # Logits are written, and read by the maximum, the sum and the draw.
    drawing = 4 * 4 * sequences * shape.vocabulary / (ROWS * machine.bandwidth) + 4 * OVERLAPPED
    return {
        "products of the layers": shape.layers * products,
        "keys and values": shape.layers * keys_values,
        "norms, heads, SwiGLU": shape.layers * 4 * latency,
        "logits and draw": logits + drawing,
        "host": ROUND_TRIP + 0.3e-6 * sequences,
    }
