"""Records test/fixtures/trainer/distillation.json: what TRL's own functions make of fixed logits.

`sampled` is the loss of IWOPDTrainer with iw_opd_gamma 0 and its gradient in the logits: the reverse KL by one sample of
each token, as a mean over tokens. `whole` is the gradient of GKDTrainer's generalized_jsd_loss with beta 1, the reverse KL
over the whole vocabulary, which the gradient by samples must have as its expectation. All numbers are float64.

Run with CPython 3.11 and trl 1.16.0: python test/peers/trl-distillation.py
"""

import json
from pathlib import Path
from types import SimpleNamespace

import torch
import torch.nn.functional as F
import trl
from trl.experimental.gkd import GKDTrainer
from trl.experimental.iw_opd import IWOPDTrainer

OUT = Path(__file__).resolve().parent.parent / "fixtures" / "trainer" / "distillation.json"
ROWS, LENGTH, VOCABULARY = 3, 7, 9
# 0: observations and padding.
MASK = torch.tensor([[1, 1, 0, 1, 1, 0, 0], [1, 1, 1, 1, 1, 1, 1], [0, 0, 1, 0, 0, 1, 0]])


def trainer(temperature):
    """Returns the attributes that IWOPDTrainer's loss reads."""
    metrics = {"train": {f"iw_opd/{name}": [] for name in
                         ("mean_advantage", "mean_abs_advantage", "mean_weight", "min_weight", "max_weight")}}
    model = SimpleNamespace(training=True)
    return SimpleNamespace(temperature=temperature, iw_opd_gamma=0.0, iw_opd_epsilon=1e-8, model=model, _metrics=metrics)


def record(temperature):
    generator = torch.Generator().manual_seed(7)
    shape = (ROWS, LENGTH, VOCABULARY)
    student = torch.randn(shape, generator=generator, dtype=torch.float64).requires_grad_()
    teacher = 1.5 * torch.randn(shape, generator=generator, dtype=torch.float64)
    tokens = torch.randint(0, VOCABULARY, (ROWS, LENGTH), generator=generator)
    labels = torch.where(MASK == 1, tokens, -100)
    of_teacher = F.log_softmax(teacher / temperature, dim=-1)
    of_tokens = of_teacher.gather(-1, tokens.unsqueeze(-1)).squeeze(-1)
    loss = IWOPDTrainer._compute_iw_opd_loss(trainer(temperature), student, tokens, labels, of_tokens)
    (gradient,) = torch.autograd.grad(loss, student)
    whole = GKDTrainer.generalized_jsd_loss(student, teacher, labels, beta=1.0, temperature=temperature)
    (of_whole,) = torch.autograd.grad(whole, student)
    return {
        "temperature": temperature,
        "mask": MASK.tolist(),
        "tokens": tokens.tolist(),
        "student": student.tolist(),
        "teacher": teacher.tolist(),
        "sampled": {"loss": loss.item(), "gradient": gradient.tolist()},
        "whole": {"loss": whole.item(), "gradient": of_whole.tolist()},
    }


cases = [record(temperature) for temperature in (1.0, 0.7)]
OUT.write_text(json.dumps({"trl": trl.__version__, "cases": cases}, separators=(",", ":")) + "\n")
print(f"{len(cases)} cases, {OUT.stat().st_size} bytes")
