"""Loads the models that test/peers/saved-models.ts wrote with `transformers`, and compares ids and log-probabilities.

Usage: saved-models.py FOLDER

Needs PyPI `torch` and `transformers`. Prints a line for each model, and ends with status 1 where one differs.
"""

import json
import sys
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

# Log-probabilities of both programs in float32.
TOLERANCE = 5e-4


def logprobs(model, tokens):
    """Log-probability of each token given those before it, with 0 for the first."""
    ids = torch.tensor([tokens])
    with torch.no_grad():
        scores = model(ids).logits[0, :-1].log_softmax(-1)
    return [0.0, *scores.gather(1, ids[0, 1:, None])[:, 0].tolist()]


def check(folder):
    expected = json.loads((folder / "expected.json").read_text())
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    model.eval()
    faults = []
    if all(one.get("text") is not None for one in expected["recorded"]):
        tokenizer = AutoTokenizer.from_pretrained(folder)
        for one in expected["recorded"]:
            ids = tokenizer.encode(one["text"])
            if ids != one["tokens"]:
                faults.append(f"ids {ids} instead of {one['tokens']}")
            if tokenizer.decode(ids) != tokenizer.decode(one["tokens"]):
                faults.append("decoded text")
        ends = model.generation_config.eos_token_id
        if sorted(ends if isinstance(ends, list) else [ends]) != sorted(expected["endTokens"]):
            faults.append(f"end tokens {ends} instead of {expected['endTokens']}")
    worst = 0.0
    for one in expected["recorded"]:
        pairs = zip(logprobs(model, one["tokens"]), one["logprob"], strict=True)
        worst = max(worst, *(abs(a - b) for a, b in pairs))
    if not worst <= TOLERANCE:
        faults.append(f"log-probabilities differ by {worst}")
    print(f"{folder.name}: {type(model).__name__}, largest difference {worst:.1e}, {'; '.join(faults) or 'equal'}")
    return not faults


if __name__ == "__main__":
    results = [check(folder) for folder in sorted(Path(sys.argv[1]).glob("model-*"))]
    sys.exit(0 if results and all(results) else 1)
