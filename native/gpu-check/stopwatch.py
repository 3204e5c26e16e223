"""PyTorch's side of timings, and the floors: what the device does at best, measured in the same run."""

import time

import torch
from reference import DEVICE

ON_GPU = DEVICE.type == "cuda"


def seconds(calls, times, rounds=3, graph=True):
    """Of one call in the quickest round. calls: what takes turns; graph: whether they may be captured"""
    run = _repeated(calls, times)
    run()
    if graph and ON_GPU:
        run = _captured(run)
    return min(_seconds_of(run) for _ in range(rounds)) / times


def _repeated(calls, times):
    def run():
        for i in range(times):
            calls[i % len(calls)]()

    return run


def _captured(run):
    """Without it small kernels wait for Python."""
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        run()
    graph.replay()
    return graph.replay


def _seconds_of(run):
    if not ON_GPU:
        return elapsed(run, 1)
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    run()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / 1e3


def elapsed(step, times):
    """Seconds of one of so many, whoever does the work: by the host's clock, and PyTorch's work is waited for."""
    wait = torch.cuda.synchronize if ON_GPU else lambda: None
    wait()
    began = time.perf_counter()
    for _ in range(times):
        step()
    wait()
    return (time.perf_counter() - began) / times


def matmul_rate(size):
    """FLOP a second of size^3 bf16 products of random matrices."""
    a, b, c = (torch.randn(size, size, device=DEVICE, dtype=torch.bfloat16) for _ in range(3))
    return 2 * size**3 / seconds([lambda: torch.matmul(a, b, out=c)], 20)


def copy_rate(size):
    """Bytes a second, read and written ones together, of copies of so many bytes on the device."""
    source, target = (torch.empty(size, device=DEVICE, dtype=torch.uint8) for _ in range(2))
    return 2 * size / seconds([lambda: target.copy_(source)], 20)


def free_memory():
    """Gives back what PyTorch keeps for itself."""
    if ON_GPU:
        torch.cuda.synchronize()
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()


def peak_memory():
    """Bytes of PyTorch's tensors at most, since `free_memory`."""
    return torch.cuda.max_memory_allocated() if ON_GPU else 0
