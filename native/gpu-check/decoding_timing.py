"""Times decoding of many sequences: the engine's generator, and a loop over transformers' own cache."""

from dataclasses import dataclass

import numpy as np
import stopwatch
import torch
import transformers
from engine import Engine, environment
from reference import DEVICE
from shape import QWEN2_5_05B, SMOLLM2_135M, TOYS


@dataclass(frozen=True)
class DecodingTiming:
    """seconds: duration of a step, one token of every sequence; moved: bytes that the step must read"""

    model: str
    who: str
    sequences: int
    seconds: float
    moved: float
    # Why steps were launched kernel by kernel; empty when they were graphs.
    no_graphs: str = ""

    @property
    def tokens_per_second(self):
        return self.sequences / self.seconds

    def share(self, bandwidth):
        """Fraction of the memory roofline."""
        return self.moved / bandwidth / self.seconds

    def told(self, bandwidth):
        share = f"{100 * self.share(bandwidth):.0f} % of the memory roofline"
        told = f"{self.model} x {self.sequences}, {self.who}: {self.tokens_per_second:,.0f} tokens/s, {share}"
        return told + (f"; NO GRAPHS: {self.no_graphs}" if self.no_graphs else "")


@dataclass(frozen=True)
class Chosen:
    """
    What to time of decoding.

    models: parts of names; empty: all
    sequences: numbers of sequences
    variants: settings of environment variables, such as "ENGINE_PDL=0,ENGINE_WGMMA=0", timed one after the other
    """

    models: tuple = ()
    sequences: tuple = (1, 64, 256)
    variants: tuple = ("",)
    has_peer: bool = True

    def has(self, name):
        return not self.models or any(part.lower() in name.lower() for part in self.models)


def time_all(library, device, chosen, budget):
    """Yields timings for prompts of one length and as many new tokens; fp8 when keys and values dominate the reads."""
    is_toy = device == "cpu"
    prompt, shapes = (16, TOYS[:1]) if is_toy else (512, [SMOLLM2_135M, QWEN2_5_05B])
    counts = [4] if is_toy else chosen.sequences
    for shape in shapes:
        if not is_toy and not chosen.has(shape.name):
            continue
        for sequences in counts:
            for keys_values in (0, 1) if sequences >= 256 and not is_toy else (0,):
                for variant in chosen.variants:
                    what = f"decoding {sequences} sequences by {shape.name}" + (f", {variant}" if variant else "")
                    if budget.allows(what, seconds=10):
                        with budget.dropping(what), environment(variant):
                            yield time_engine(library, device, shape, sequences, prompt, prompt, keys_values, variant)
            if chosen.has_peer and budget.allows(f"decoding {sequences} sequences by {shape.name} on PyTorch", seconds=15):
                yield from time_peer(shape, sequences, prompt * 3 // 2)


def time_engine(library, device, shape, sequences, prompt, new_tokens, keys_values, variant=""):
    """
    Times sampling at temperature 1. Only steps in which every sequence decodes count.

    variant: the settings of the environment, for the name
    """
    random = np.random.default_rng(6)
    # Twice the memory needed, because a CPU stores float32.
    kv_bytes = 2 * sequences * (prompt + new_tokens + 16) * shape.position_bytes
    with Engine(library, device) as engine, engine.model(shape) as model:
        model.initialise(1)
        options = {"max_sequences": sequences, "max_rows": max(2_048, sequences), "kv_bytes": kv_bytes}
        with model.generator(**options, keys_values=keys_values) as generator:
            names = []
            generator.pause()
            for i in range(sequences):
                tokens = random.integers(0, shape.vocabulary, prompt)
                names += generator.submit(tokens, new_tokens, temperature=1.0, seed=i)
            generator.resume()
            _, times = generator.collect(names)
            no_graphs = engine.describe()["no_graphs"]
    whole = [when for when, count in times if count == sequences]
    seconds = (whole[-1] - whole[0]) / (len(whole) - 1)
    who = ", ".join(filter(None, ("palestra", "fp8 keys and values" if keys_values else "", variant)))
    positions = sequences * (prompt + new_tokens / 2) / (2 if keys_values else 1)
    return DecodingTiming(shape.name, who, sequences, seconds, shape.decode_bytes(positions), no_graphs)


def time_peer(shape, sequences, context, steps=16):
    """Times greedy decoding at the mean length of the engine's sequences. Yields nothing when memory is too small."""
    stopwatch.free_memory()
    try:
        with DEVICE, torch.no_grad():
            step = peer_step(shape, sequences, context)
            for _ in range(4):
                step()
            seconds = stopwatch.elapsed(step, steps)
    except torch.OutOfMemoryError:
        return
    who = f"transformers {transformers.__version__}, eager"
    yield DecodingTiming(shape.name, who, sequences, seconds, shape.decode_bytes(sequences * context))


def peer_step(shape, sequences, context):
    """Returns a function that decodes one token of each sequence, after a prompt of `context` tokens."""
    options = {"dtype": torch.bfloat16, "attn_implementation": "sdpa"}
    model = transformers.AutoModelForCausalLM.from_config(shape.hugging_face(), **options).eval()
    cache = transformers.DynamicCache()
    tokens = None
    for part in torch.randint(shape.vocabulary, (sequences, context)).split(64, dim=1):
        tokens = model(input_ids=part, past_key_values=cache, logits_to_keep=1).logits[:, -1].argmax(-1)

    def step():
        nonlocal tokens
        tokens = model(input_ids=tokens[:, None], past_key_values=cache).logits[:, -1].argmax(-1)

    return step
