"""Predicts a run and explains the figures, for comparison with the first run on a device: gpu-check --predict

The time of a kernel is a latency plus the longer of two: its arithmetic at a share of the matrix rate, or its memory
traffic at a share of the bandwidth. The shares are reasoned guesses from before the first run on a GPU.
"""

from dataclasses import dataclass
from math import ceil

import op
from shape import BF16_BYTES


@dataclass(frozen=True)
class Machine:
    """FLOP/s of large bf16 products and bytes/s of copies."""

    rate: float
    bandwidth: float
    multiprocessors: int = 132


# Reached by an H100 SXM, of its 989 TFLOP/s and 3.35 TB/s.
H100 = Machine(790e12, 3.0e12)

# Time in a graph from the end of a kernel until the next one runs at full width; and the same for two own kernels,
# whose launches overlap.
LATENCY, OVERLAPPED = 4e-6, 2.5e-6
# Time of a warp's 256 positions, one after the other.
POSITIONS = 4e-6
# Time for the engine's thread to queue work and wait for a result: between chunks of a head, and between steps.
ROUND_TRIP = 40e-6
# Shares of the rate. cuBLAS sets it; the own wgmma kernels have a simpler epilogue; mma.sync reaches 0.6 of wgmma.
CUBLAS, WGMMA, MMA_SYNC = 1.0, 0.85, 0.55
# Length of k whose products cost as much as filling the pipeline and writing the tile.
TILE_OVERHEAD = 192
TILE = 128 * 256
# Attention by wgmma, heads of 64 and 128, as native/lab/README.md calculates. Backward computes the scores
# twice: 7 products, counted as 5.
FLASH = {64: 0.42, 128: 0.57}
FLASH_GRADIENT = {64: 0.40, 128: 0.50}
# Shares of the bandwidth: long rows; pages, which are found through tables; weights for a few rows.
ROWS, PAGES, WEIGHTS = 0.85, 0.7, 0.8
LOGITS_BYTES = 2 << 30
# Number of rows from which cuBLAS does linear maps, when own launches overlap.
CUBLAS_ROWS = 192


def of_op(case, machine, share):
    """Returns seconds per call. share: of the matrix rate, for products"""
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
    """Counts whole waves of tiles. Fewer tiles than multiprocessors are cut into slices of k, at 0.8 of their rate."""
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
    """Tiles on the diagonal are computed in full: about 128 keys more than needed."""
    share = (FLASH_GRADIENT if is_gradient else FLASH)[size]
    return flops * (length + 128) / length / (share * machine.rate) + 2 * OVERLAPPED


def paged_attention(moved, machine):
    """A second kernel merges the results of several warps for a row."""
    return moved / (PAGES * machine.bandwidth) + POSITIONS + 2 * OVERLAPPED


def head(rows, vocabulary, width, machine, share, wait=0.0):
    """Each chunk of logits is written, read for statistics, turned into a bf16 gradient, and read by two products."""
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
    """Returns PyTorch's (seconds, peak bytes): three products, and passes over all logits in bf16 and in float32."""
    forward = 2 + (2 + 4) + (8 + 4) + (4 + 4) + (8 + 4) + 4
    backward = (8 + 8) + (8 + 4) + 12 + (4 + 12) + (8 + 4) + (4 + 2)
    logits = rows * vocabulary
    products = 6 * logits * width / (machine.rate * 0.85)
    # Logits, log-probabilities and probabilities, and three gradients of that size.
    return products + (forward + backward) * logits / (ROWS * machine.bandwidth), (2 + 6 * 4) * logits


def head_bytes(rows, vocabulary, width):
    """x, dx and w in bf16, the gradient of w in float32, a chunk of logits."""
    operands = BF16_BYTES * (2 * rows + vocabulary) * width + 4 * vocabulary * width
    return operands + min(LOGITS_BYTES, 4 * rows * vocabulary)


def training(shape, lengths, machine, share):
    """Returns seconds by part of a step."""
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
    # gradients, the rotation, the bias, the data that attention keeps. Counts the reads and writes of each width.
    hidden, heads, inner = 8 + 4 + 8, 2 + 3, 3 + 6
    moved = BF16_BYTES * rows * (hidden * shape.hidden + heads * width + inner * shape.intermediate)
    passing = moved / (ROWS * machine.bandwidth) + 13 * LATENCY
    # AdamW's 30 bytes, 4 for the norm, 4 to zero the gradient; a tied head's gradient is added to the embedding's.
    optimised = 38 * shape.multiplied + 12 * shape.vocabulary * shape.hidden * shape.tied
    return {
        "products of the layers": layers * products,
        "attention": layers * attending,
        "row-wise kernels": layers * passing,
        "head": head(rows, shape.vocabulary, shape.hidden, machine, share, wait=ROUND_TRIP),
        "optimiser": optimised / (ROWS * machine.bandwidth),
    }


def maps_of(shape):
    """Returns (out, in) of a layer's linear maps."""
    attended = shape.heads * shape.head_size
    heads = attended + 2 * shape.kv_heads * shape.head_size
    return [
        (heads, shape.hidden),
        (shape.hidden, attended),
        (2 * shape.intermediate, shape.hidden),
        (shape.hidden, shape.intermediate),
    ]


def decoding(shape, sequences, positions, machine):
    """Returns seconds by part of a step. positions: total over all sequences"""
    share, latency = (MMA_SYNC, OVERLAPPED) if sequences < CUBLAS_ROWS else (CUBLAS, LATENCY)
    products = sum(product(op.product("linear", sequences, *sizes), machine, share) for sizes in maps_of(shape))
    keys_values = paged_attention(positions * shape.position_bytes / shape.layers, machine)
    logits = product(op.product("linear", sequences, shape.vocabulary, shape.hidden), machine, share)
    # Logits are written, then read for the maximum, the sum and the draw.
    drawing = 4 * 4 * sequences * shape.vocabulary / (ROWS * machine.bandwidth) + 4 * OVERLAPPED
    return {
        "products of the layers": shape.layers * products,
        "keys and values": shape.layers * keys_values,
        "norms, heads, SwiGLU": shape.layers * 4 * latency,
        "logits and draw": logits + drawing,
        "host": ROUND_TRIP + 0.3e-6 * sequences,
    }
