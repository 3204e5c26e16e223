"""Times PyTorch, and measures the floors: the best rates of the device, in the same run."""

import time

import torch
from reference import DEVICE

ON_GPU = DEVICE.type == "cuda"


def seconds(calls, times, rounds=3, graph=True):
    """Returns seconds per call in the fastest round. calls: functions called in turn; graph: whether to capture them"""
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
    """Captures the calls in a graph; without it, small kernels wait for Python."""
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
    """Returns seconds per call of any work, by the host's clock, waiting for PyTorch's work."""
    wait = torch.cuda.synchronize if ON_GPU else lambda: None
    wait()
    began = time.perf_counter()
    for _ in range(times):
        step()
    wait()
    return (time.perf_counter() - began) / times


def matmul_rate(size):
    """Returns FLOP/s of size^3 bf16 products of random matrices."""
    a, b, c = (torch.randn(size, size, device=DEVICE, dtype=torch.bfloat16) for _ in range(3))
    return 2 * size**3 / seconds([lambda: torch.matmul(a, b, out=c)], 20)


def copy_rate(size):
    """Returns bytes/s, reads and writes together, of copies of that size on the device."""
    source, target = (torch.empty(size, device=DEVICE, dtype=torch.uint8) for _ in range(2))
    # In a graph a copy is slower than a kernel: 2.8 instead of 4.3 TB/s on an H200.
    return 2 * size / seconds([lambda: target.copy_(source)], 20, graph=False)


def free_memory():
    """Frees the memory that PyTorch caches."""
    if ON_GPU:
        torch.cuda.synchronize()
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()


def peak_memory():
    """Returns the peak bytes of PyTorch's tensors since `free_memory`."""
    return torch.cuda.max_memory_allocated() if ON_GPU else 0
