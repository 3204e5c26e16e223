"""Loads the models that test/peers/saved-models.ts wrote with `transformers`, and compares ids and log-probabilities.

Usage: saved-models.py FOLDER

Needs PyPI `torch`, `transformers`, `peft`, `accelerate` and `gguf`. Prints a line for each model, and ends with status 1 where one differs.
"""

import json
import sys
from pathlib import Path

import torch
from peft import PeftModel
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

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
    distances = {"safetensors": distance(model, expected)}
    if (folder / "model.gguf").exists():
        # transformers does not read the size of heads from GGUF, so it gets the config.
        config = AutoConfig.from_pretrained(folder)
        other = AutoModelForCausalLM.from_pretrained(
            folder, gguf_file="model.gguf", config=config, dtype=torch.float32
        )
        distances["gguf"] = distance(other.eval(), expected)
    return told(folder, distances, faults)


def check_adapters(folder):
    base = json.loads((folder / "adapter_config.json").read_text())["base_model_name_or_path"]
    model = AutoModelForCausalLM.from_pretrained(base, dtype=torch.float32)
    adapted = PeftModel.from_pretrained(model, folder).eval()
    expected = json.loads((folder / "expected.json").read_text())
    return told(folder, {"peft": distance(adapted, expected)}, [])


def distance(model, expected):
    """Largest difference between the log-probabilities of a model and the recorded ones."""
    pairs = [
        pair
        for one in expected["recorded"]
        for pair in zip(logprobs(model, one["tokens"]), one["logprob"], strict=True)
    ]
    return max(abs(a - b) for a, b in pairs)


def told(folder, distances, faults):
    faults = faults + [f"{name} differs" for name, worst in distances.items() if not worst <= TOLERANCE]
    largest = ", ".join(f"{name} {worst:.1e}" for name, worst in distances.items())
    print(f"{folder.name}: largest differences: {largest}; {'; '.join(faults) or 'equal'}")
    return not faults


if __name__ == "__main__":
    results = [check(folder) for folder in sorted(Path(sys.argv[1]).glob("model-*"))]
    results.append(check_adapters(Path(sys.argv[1]) / "adapters"))
    sys.exit(0 if results and all(results) else 1)
