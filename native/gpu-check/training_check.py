"""Checks a trainer against PyTorch: log-probabilities, entropies, every gradient, an AdamW step, LoRA."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from adapters import read_adapters
from check import LIMITS, Check, relative_error, unequal_bits
from engine import Pack
from reference import Reference, adamw

RULE = {"lr": 0.01, "beta1": 0.9, "beta2": 0.95, "epsilon": 0.01, "weight_decay": 0.1, "clip_norm": 1.0}
LORA = {"lora_rank": 5, "lora_alpha": 10.0, "lora_targets": 0b1111111, "lora_seed": 7}
# The optimiser computes in float32 for every type of activations.
STEP_LIMIT = 1e-4


@dataclass
class Subject:
    """A model under test and its weights, with the reference and the peer."""

    label: str
    device: str
    dtype: str
    own_kernels: bool
    shape: object
    model: object
    weights: dict
    truth: Reference
    peer: Reference
    sequences: list
    folder: Path

    def check(self, what, values, truth, peer=None, limit=None, measure=relative_error):
        error = measure(values, truth)
        theirs = None if peer is None else measure(peer, truth)
        return Check(self.label, self.shape.name, what, error, limit or LIMITS[self.dtype], theirs)

    def same_bits(self, what, values, others):
        return Check(self.label, self.shape.name, what, unequal_bits(values, others), 0.0)

    @property
    def max_tokens(self):
        return sum(map(len, self.sequences))


def check_training(subject):
    """Yields checks. Restores the model's weights at the end."""
    with subject.model.trainer(subject.max_tokens) as trainer:
        yield from scores(subject, trainer)
        if subject.own_kernels:
            yield batch_invariance(subject, trainer)
        yield from gradients(subject, trainer)
        yield from step(subject, trainer)
    subject.model.read(in_files(subject.weights), subject.folder)
    yield from lora(subject)


def scores(subject, trainer, temperature=0.7):
    with torch.no_grad():
        truth, peer = (numpy_of(each.scores(subject.sequences, temperature)) for each in (subject.truth, subject.peer))
    ours = trainer.score(Pack.of(subject.sequences), temperature)
    for what, values, of_truth, of_peer in zip(("log-probabilities", "entropies"), ours, truth, peer, strict=True):
        yield subject.check(what, values, of_truth, of_peer)


def batch_invariance(subject, trainer):
    together, _ = trainer.score(Pack.of(subject.sequences))
    alone = [trainer.score(Pack.of([each]))[0] for each in subject.sequences]
    return subject.same_bits("packed and separate sequences: different bits", together, np.concatenate(alone))


def given_gradients(count):
    """Returns gradients of log-probabilities and entropies with both signs, as in a policy's loss."""
    random = np.random.default_rng(3)
    return (random.standard_normal(count).astype(np.float32) / count for _ in range(2))


def gradients(subject, trainer, temperature=0.9, what="gradients"):
    pack = Pack.of(subject.sequences)
    given = list(given_gradients(len(pack.tokens)))
    truth, peer = (each.gradients(subject.sequences, *given, temperature) for each in (subject.truth, subject.peer))
    trainer.accumulate_gradients(pack, *given, temperature)
    prefix = "base_model.model." if subject.truth.adapters else ""
    ours = {name: trainer.gradient(prefix + name, values.shape) for name, values in truth.items()}
    yield subject.check(f"{what}, all", *(flat(each, truth) for each in (ours, truth, peer)))
    worst = max(truth, key=lambda name: relative_error(ours[name], truth[name]))
    yield subject.check(f"{what}, worst: {brief(worst)}", ours[worst], truth[worst], peer[worst])


def step(subject, trainer):
    """Applies AdamW to the accumulated gradients, then scores with the new weights."""
    before = subject.weights
    of_trainer = {name: trainer.gradient(name, values.shape) for name, values in before.items()}
    norm = trainer.step(**RULE)
    truth_norm = float(np.sqrt(sum((each.astype(np.float64) ** 2).sum() for each in of_trainer.values())))
    yield subject.check("norm of all gradients", [norm], [truth_norm], limit=1e-5)
    after = {name: subject.model.get(name, values.shape).astype(np.float64) for name, values in before.items()}
    changes = {name: after[name] - values.numpy() for name, values in before.items()}
    expected = adamw(before, of_trainer, truth_norm, RULE)
    yield subject.check("AdamW's step", flat(changes, before), flat(expected, before), limit=STEP_LIMIT)
    met = {name: rounded(values, subject.dtype) for name, values in after.items()}
    for each in (subject.truth, subject.peer):
        each.load(met)
    for check in scores(subject, trainer):
        yield Check(check.engine, check.model, f"{check.what} after a step", check.error, check.limit, check.peer)
    for each in (subject.truth, subject.peer):
        each.load(subject.weights)


def lora(subject):
    """Makes a step first, because b starts at zero, which makes the gradient of a zero."""
    pack = Pack.of(subject.sequences)
    with subject.model.trainer(subject.max_tokens, **LORA) as trainer:
        trainer.accumulate_gradients(pack, *given_gradients(len(pack.tokens)))
        trainer.step(**{**RULE, "lr": 0.05, "epsilon": 1e-8})
        trainer.save(subject.folder / "adapters")
        adapters = read_adapters(subject.folder / "adapters", LORA["lora_rank"])
        met = {name: tuple(rounded(each, subject.dtype) for each in pair) for name, pair in adapters.items()}
        beside = {"truth": Reference(subject.shape, subject.weights, "f64"),
                  "peer": Reference(subject.shape, subject.weights, subject.dtype)}  # fmt: skip
        for each in beside.values():
            each.adapt(met, LORA["lora_alpha"] / LORA["lora_rank"])
        adapted = Subject(**{**vars(subject), **beside})
        for check in scores(adapted, trainer):
            yield Check(check.engine, check.model, f"{check.what} with LoRA", check.error, check.limit, check.peer)
        yield from gradients(adapted, trainer, what="LoRA's gradients")


def in_files(weights):
    """Returns weights as in a file: matrices as bf16, without loss, and vectors as float32."""
    return {
        name: values.bfloat16().view(torch.int16).numpy() if values.ndim == 2 else values.float().numpy()
        for name, values in weights.items()
    }


def rounded(values, dtype):
    """Returns weights in the type of the activations."""
    values = torch.tensor(np.asarray(values))
    return values.bfloat16().double() if dtype == "bf16" else values.double()


def numpy_of(tensors):
    return [each.double().cpu().numpy() for each in tensors]


def flat(arrays, order):
    return np.concatenate([np.asarray(arrays[name], np.float64).ravel() for name in order])


def brief(name):
    """Shortens `model.layers.1.self_attn.q_proj.weight` to `1.self_attn.q_proj.weight`."""
    return name.removeprefix("model.").removeprefix("layers.")
