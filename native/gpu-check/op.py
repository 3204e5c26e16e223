"""One operation at one shape: its amount of work, the engine's call and PyTorch's call."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from reference import DEVICE
from torch.nn.attention import SDPBackend, sdpa_kernel

# Several times the size of a device's caches.
OUT_OF_CACHES = 256 << 20
MOST_SETS = 16
TYPE = torch.bfloat16 if DEVICE.type == "cuda" else torch.float32
FLASH = [SDPBackend.FLASH_ATTENTION, SDPBackend.CUDNN_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]


@dataclass
class Op:
    """
    flops, moved: minimum number of floating-point operations and of bytes
    peer: makes PyTorch's call, with its own operands
    has_products: whether the engine can also use cuBLAS for it
    is_captured: whether PyTorch's call can be recorded in a graph, as the engine's is; autograd cannot
    """

    kind: str
    shape: str
    fields: dict
    flops: float
    moved: float
    peer: object
    has_products: bool = False
    is_captured: bool = True

    @property
    def sets(self):
        return int(min(MOST_SETS, max(1, OUT_OF_CACHES // self.moved)))

    def floor(self, rate, bandwidth):
        return max(self.flops / rate, self.moved / bandwidth)


def random(*sizes):
    return torch.rand(*sizes, device=DEVICE, dtype=TYPE) * 2 - 1


def product(kind, rows, out, inner, packed=0):
    """kind: linear, input gradient or weight gradient"""

    def peer():
        x, y, w = random(rows, inner), random(rows, out), random(out, inner)
        if kind == "linear":
            return lambda: torch.matmul(x, w.T, out=y)
        if kind == "input gradient":
            return lambda: torch.matmul(y, w, out=x)
        return lambda: torch.matmul(y.T, x, out=w)

    elements = rows * inner + rows * out + out * inner
    fields = {"rows": rows, "out": out, "in": inner, "packed": packed}
    # The engine reads and writes gradients in float32; PyTorch's are bf16.
    wide = 6 * out * inner if kind == "weight gradient" else 0
    flops, moved = 2 * rows * out * inner, 2 * elements + wide
    return Op(kind, f"({rows}, {inner}) x {out}", fields, flops, moved, peer, has_products=True)


def attention(kind, rows, length, heads, kv_heads, size):
    """kind: attention or attention gradient. rows: a multiple of `length`, the rows of one sequence"""
    count = rows // length

    def peer():
        q, k, v = (random(count, n, length, size) for n in (heads, kv_heads, kv_heads))
        if kind == "attention":
            return lambda: sdpa(q, k, v, is_causal=True)
        inputs = [each.requires_grad_() for each in (q, k, v)]
        out = sdpa(*inputs, is_causal=True)
        dout = random(*out.shape)
        return lambda: torch.autograd.grad(out, inputs, dout, retain_graph=True)

    # Two products over half of length^2 scores. Backward recomputes the scores and has four more.
    flops = 4 * count * heads * size * length * length / 2 * (1 if kind == "attention" else 2.5)
    elements = rows * size * (2 * heads + 2 * kv_heads) * (1 if kind == "attention" else 2)
    fields = {"rows": rows, "length": length, "query_heads": heads, "kv_heads": kv_heads, "head_size": size}
    shape = f"{count} sequences of length {length}, {heads} query and {kv_heads} key heads of size {size}"
    return Op(kind, shape, fields, flops, 2 * elements, peer, is_captured=kind == "attention")


def sdpa(q, k, v, **options):
    with sdpa_kernel(FLASH, set_priority=True):
        return F.scaled_dot_product_attention(q, k, v, enable_gqa=True, **options)


def paged_attention(sequences, length, heads, kv_heads, size, shared=0, group=1, fp8=False):
    def peer():
        q, k, v = random(sequences, heads, 1, size), *(random(sequences, kv_heads, length, size) for _ in range(2))
        return lambda: sdpa(q, k, v)

    # The shared positions of each group count once.
    positions = sequences * (length - shared) + sequences // group * shared
    fields = {"rows": sequences, "length": length, "shared": shared, "group": group, "keys_values": int(fp8)}
    fields |= {"query_heads": heads, "kv_heads": kv_heads, "head_size": size}
    moved = positions * 2 * kv_heads * size * (1 if fp8 else 2)
    shape = f"{sequences} sequences of length {length}, {heads} query and {kv_heads} key heads of size {size}"
    shape += f", {shared} positions shared by {group} sequences" if shared else ""
    shape += ", fp8" if fp8 else ""
    return Op("paged attention", shape, fields, 4 * sequences * heads * size * length, moved, peer)


def head(rows, vocabulary, width):
    def peer():
        x, w = random(rows, width).requires_grad_(), random(vocabulary, width).requires_grad_()
        targets = torch.randint(vocabulary, (rows, 1), device=DEVICE)
        return lambda: eager_head(x, w, targets)

    # Three products. The logits between them need not be moved.
    fields = {"rows": rows, "out": vocabulary, "in": width}
    flops = 6 * rows * vocabulary * width
    moved = 2 * (2 * rows * width + vocabulary * width) + 8 * vocabulary * width
    shape = f"{rows} rows of width {width}, vocabulary of {vocabulary}"
    return Op("head", shape, fields, flops, moved, peer, has_products=True, is_captured=False)


def eager_head(x, w, targets):
    """All logits at once, as usual in a PyTorch trainer."""
    log_p = torch.log_softmax(F.linear(x, w).float(), -1)
    logprob = log_p.gather(1, targets)
    entropy = -(log_p.exp() * log_p).sum(-1)
    (logprob.mean() + 0.01 * entropy.mean()).backward()


def rms_norm(rows, width):
    def peer():
        x, w = random(rows, width), random(width)
        return lambda: F.rms_norm(x, (width,), w, 1e-6)

    return Op("rms norm", f"({rows}, {width})", {"rows": rows, "in": width}, 4 * rows * width, 4 * rows * width, peer)


def adamw(count):
    def peer():
        parameter = torch.nn.Parameter(torch.randn(count, device=DEVICE))
        parameter.grad = torch.randn(count, device=DEVICE)
        return torch.optim.AdamW([parameter], lr=1e-5, fused=True).step

    # Reads weight, gradient and two moments; writes all but the gradient, and also the weight as bf16.
    return Op("adamw", f"{count} parameters", {"rows": count}, 12 * count, 30 * count, peer, is_captured=False)
