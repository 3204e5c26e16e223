"""Times a training step from tokens to new weights: the engine on a pack, transformers on sequences of one length."""

from dataclasses import dataclass

import numpy as np
import stopwatch
import torch
import transformers
from engine import Engine, Pack
from reference import DEVICE
from shape import QWEN2_5_05B, SMOLLM2_135M, TOYS

STEPS = 5
WARM_STEPS = 2


@dataclass(frozen=True)
class TrainingTiming:
    """Tokens and FLOPs of a step, with the causal half of attention; gemm: name of the matrix kernels"""

    model: str
    who: str
    gemm: str
    tokens: int
    flops: float
    seconds: float
    peak_bytes: int

    @property
    def tokens_per_second(self):
        return self.tokens / self.seconds

    def utilisation(self, rate):
        """MFU relative to a rate in FLOP/s."""
        return self.flops / self.seconds / rate

    def told(self, rate):
        used = f"{100 * self.utilisation(rate):.0f} % of the measured rate, {self.peak_bytes / 1e9:.1f} GB"
        return f"{self.model}, {self.who}: {self.tokens_per_second:,.0f} tokens/s, {used}"


def time_all(library, device, budget):
    """Yields timings: with cuBLAS, with own kernels, and of PyTorch."""
    is_toy = device == "cpu"
    tokens, longest, shapes = (192, 64, TOYS[:1]) if is_toy else (16_384, 2_048, [SMOLLM2_135M, QWEN2_5_05B])
    for shape in shapes:
        for deterministic in (False,) if is_toy else (False, True):
            what = f"training {shape.name}"
            if budget.allows(what, seconds=15):
                with budget.dropping(what):
                    yield time_engine(library, device, shape, tokens, longest, deterministic)
        if budget.allows(f"training {shape.name} by PyTorch", seconds=20):
            yield from time_peer(shape, tokens, longest // 2)


def lengths_of(tokens, shortest, longest):
    """Returns evenly drawn lengths of sequences with `tokens` in total; the last one takes the rest."""
    random = np.random.default_rng(4)
    lengths = []
    while (left := tokens - sum(lengths)) > 0:
        length = int(random.integers(shortest, longest + 1))
        lengths.append(left if left - length < shortest else length)
    return lengths


def time_engine(library, device, shape, tokens, longest, deterministic):
    lengths = lengths_of(tokens, longest // 4, longest)
    random = np.random.default_rng(5)
    pack = Pack.of([random.integers(0, shape.vocabulary, length) for length in lengths])
    with Engine(library, device, deterministic=deterministic) as engine, engine.model(shape) as model:
        model.initialise(1)
        with model.trainer(tokens) as trainer:

            def step():
                trainer.accumulate(pack)
                trainer.step()

            seconds = seconds_of(step)
        info = engine.describe()
    who = "palestra, own kernels" if deterministic else "palestra"
    return TrainingTiming(
        shape.name, who, info["gemm"], tokens, shape.training_flops(lengths), seconds, info["memory_highest"]
    )


def time_peer(shape, tokens, length):
    """
    Times bf16, also for weights and AdamW's moments. All sequences have one length, about the engine's mean, and no
    mask. Yields nothing when no part of them fits.
    """
    for parts in (1, 2, 4, 8):
        try:
            stopwatch.free_memory()
            seconds = seconds_of(peer_step(shape, tokens // length, length, parts))
        except torch.OutOfMemoryError:
            continue
        who = f"PyTorch {torch.__version__}, eager" + (f", in {parts} parts" if parts > 1 else "")
        flops = shape.training_flops([length] * (tokens // length))
        yield TrainingTiming(shape.name, who, "cuBLAS", tokens, flops, seconds, stopwatch.peak_memory())
        return


def peer_step(shape, count, length, parts):
    options = {"dtype": torch.bfloat16, "attn_implementation": "sdpa"}
    with DEVICE:
        model = transformers.AutoModelForCausalLM.from_config(shape.hugging_face(), **options)
    model.config.use_cache = False
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-5, fused=True)
    ids = torch.randint(shape.vocabulary, (count, length), device=DEVICE)

    def step():
        for part in ids.chunk(parts):
            (model(input_ids=part, labels=part).loss / parts).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)

    return step


def seconds_of(step):
    """Returns the mean time of some steps, after warm-up steps that allocate workspaces and choose kernels."""
    for _ in range(WARM_STEPS):
        step()
    return stopwatch.elapsed(step, STEPS)
