"""Predicts the tables of a run on an H100, and shows the parts of each figure."""

import op_timing
import prediction
from prediction import CUBLAS, H100, MMA_SYNC, WGMMA
from report import DATASHEET_RATE, mega, micro, percent, table
from shape import QWEN2_5_05B, SMOLLM2_135M
from training_timing import lengths_of

PATHS = {"cuBLAS": CUBLAS, "own wgmma": WGMMA, "own mma.sync": MMA_SYNC}
SHAPES = SMOLLM2_135M, QWEN2_5_05B


def markdown():
    assumed = f"{H100.rate / 1e12:.0f} TFLOP/s for large bf16 products, {H100.bandwidth / 1e12:.1f} TB/s for copies"
    return "\n\n".join([f"Assumed of the device: {assumed}.", training(), decoding(), heads(), ops()]) + "\n"


def training():
    rows = []
    for shape in SHAPES:
        lengths = lengths_of(16_384, 512, 2_048)
        flops = shape.training_flops(lengths)
        for path, share in PATHS.items():
            parts = prediction.training(shape, lengths, H100, share)
            seconds = sum(parts.values())
            used = percent(flops / seconds / H100.rate), percent(flops / seconds / DATASHEET_RATE)
            rates = f"{sum(lengths) / seconds:,.0f}", *used, f"{1e3 * seconds:.0f}"
            rows.append((shape.name, path, *rates, *milli(parts)))
    head = ("model", "products", "tokens/s", "MFU of the measured rate", "of 989 TFLOP/s", "ms", *parts)
    return table("Training steps of 16 k tokens: milliseconds by part", head, rows)


def decoding():
    rows = []
    for shape in SHAPES:
        for sequences in (1, 64, 256):
            parts = prediction.decoding(shape, sequences, 768 * sequences, H100)
            seconds = sum(parts.values())
            share = percent(shape.decode_bytes(768 * sequences) / H100.bandwidth / seconds)
            rates = f"{sequences / seconds:,.0f}", share, f"{1e3 * seconds:.2f}"
            rows.append((shape.name, str(sequences), *rates, *milli(parts)))
    head = ("model", "sequences", "tokens/s", "of the memory roofline", "ms", *parts)
    return table("Decoding at 512 to 1024 positions: milliseconds by part of a step", head, rows)


def heads():
    rows = []
    for shape, count in ((QWEN2_5_05B, 8_192), (SMOLLM2_135M, 16_384)):
        sizes = count, shape.vocabulary, shape.hidden
        seconds, size = prediction.head(*sizes, H100, CUBLAS), prediction.head_bytes(*sizes)
        peer_seconds, peer_size = prediction.eager_head(*sizes, H100)
        times = f"{1e3 * seconds:.1f}", f"{1e3 * peer_seconds:.1f}", f"{peer_seconds / seconds:.1f}"
        rows.append((shape.name, str(count), *times, mega(size), mega(peer_size), f"{peer_size / size:.0f}"))
    head = "model", "rows", "ms", "PyTorch's ms", "ratio of times", "peak MB", "PyTorch's peak MB", "ratio of memory"
    return table("The output head, compared with PyTorch's logits", head, rows)


def ops():
    rows = []
    for case in op_timing.ops():
        times = [prediction.of_op(case, H100, share) for share in PATHS.values()]
        rows.append((case.kind, case.shape, *map(micro, [*times, case.floor(H100.rate, H100.bandwidth)])))
    return table("Ops", ("op", "shape", *(f"{path} µs" for path in PATHS), "floor µs"), rows)


def milli(parts):
    return [f"{1e3 * seconds:.2f}" for seconds in parts.values()]
