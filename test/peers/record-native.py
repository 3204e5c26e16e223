"""Records test/fixtures/native/: small random checkpoints, and what native_reference.py makes of them.

Run from anywhere: python test/peers/record-native.py

Needs numpy and PyPI `gguf`. The same numpy gives the same files. record-native-training.py goes on from them.
"""

import json
import platform
import tempfile
from pathlib import Path

import numpy
from native_gguf import from_folder
from native_reference import SAFETENSORS_TYPES, read_model

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures" / "native"
LENGTHS = [2, 3, 17, 40]
TEMPERATURES = [1.0, 0.6]

BASE = {
    "hidden_act": "silu",
    "hidden_size": 32,
    "intermediate_size": 44,
    "max_position_embeddings": 128,
    "num_attention_heads": 4,
    "num_hidden_layers": 2,
    "num_key_value_heads": 2,
    "rms_norm_eps": 1e-5,
    "rope_theta": 10000.0,
    "tie_word_embeddings": False,
    "vocab_size": 97,
}
LLAMA = {**BASE, "architectures": ["LlamaForCausalLM"], "model_type": "llama", "attention_bias": False}
QWEN2 = {**BASE, "architectures": ["Qwen2ForCausalLM"], "model_type": "qwen2", "use_sliding_window": False}
QWEN3 = {**BASE, "architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "attention_bias": False}

# With these factors, some of the four frequencies are kept, some blended and some interpolated.
LLAMA3_SCALING = {
    "rope_type": "llama3",
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 64,
}
CHECKPOINTS = {
    "llama": ("F32", 1, {**LLAMA, "rope_theta": 100.0, "rope_scaling": LLAMA3_SCALING}),
    "llama-linear": (
        "F16",
        2,
        {**LLAMA, "tie_word_embeddings": True, "rope_scaling": {"rope_type": "linear", "factor": 2.5}},
    ),
    "qwen2": ("BF16", 1, {**QWEN2, "tie_word_embeddings": True, "num_key_value_heads": 1}),
    "qwen3": ("F32", 1, {**QWEN3, "head_dim": 16, "rms_norm_eps": 1e-6}),
}
# Blocks of 32 divide the width of every matrix.
GGUF_SOURCES = {
    "llama-blocks": ("F32", {**LLAMA, "intermediate_size": 64}),
    "qwen3-half": ("F16", {**QWEN3, "head_dim": 16, "intermediate_size": 64, "tie_word_embeddings": True}),
}
BLOCKS = {"attn_q": "Q4_0", "attn_k": "Q4_1", "attn_v": "Q8_0", "attn_output": "F16", "token_embd": "Q8_0"}
BLOCKS |= {"ffn_gate": "Q4_0", "ffn_up": "Q4_1", "ffn_down": "Q4_1", "output": "F32"}


def shapes(config):
    hidden, wide, vocabulary = config["hidden_size"], config["intermediate_size"], config["vocab_size"]
    heads, kv_heads = config["num_attention_heads"], config["num_key_value_heads"]
    head_size = config.get("head_dim") or hidden // heads
    yield "model.embed_tokens.weight", (vocabulary, hidden)
    for layer in range(config["num_hidden_layers"]):
        module = f"model.layers.{layer}"
        yield f"{module}.input_layernorm.weight", (hidden,)
        for name, rows in (("q", heads * head_size), ("k", kv_heads * head_size), ("v", kv_heads * head_size)):
            yield f"{module}.self_attn.{name}_proj.weight", (rows, hidden)
            if config["model_type"] == "qwen2":
                yield f"{module}.self_attn.{name}_proj.bias", (rows,)
        if config["model_type"] == "qwen3":
            yield f"{module}.self_attn.q_norm.weight", (head_size,)
            yield f"{module}.self_attn.k_norm.weight", (head_size,)
        yield f"{module}.self_attn.o_proj.weight", (hidden, heads * head_size)
        yield f"{module}.post_attention_layernorm.weight", (hidden,)
        yield f"{module}.mlp.gate_proj.weight", (wide, hidden)
        yield f"{module}.mlp.up_proj.weight", (wide, hidden)
        yield f"{module}.mlp.down_proj.weight", (hidden, wide)
    yield "model.norm.weight", (hidden,)
    if not config["tie_word_embeddings"]:
        yield "lm_head.weight", (vocabulary, hidden)


def random_tensors(config, rng):
    """Returns random weights that are large enough for each part of the model to affect the scores."""
    tensors = {}
    for name, shape in shapes(config):
        values = rng.standard_normal(shape)
        if name.endswith("norm.weight"):
            tensors[name] = 1 + 0.3 * values
        elif name.endswith("bias"):
            tensors[name] = 0.5 * values
        else:
            tensors[name] = values * (0.5 if "embed" in name or "lm_head" in name else 1.4 / numpy.sqrt(shape[-1]))
    return tensors


def encoded(values, kind):
    """Returns the values as bytes. BF16 is rounded to the nearest, ties to even."""
    if kind != "BF16":
        return values.astype(SAFETENSORS_TYPES[kind]).tobytes()
    bits = values.astype("<f4").view("<u4").astype(numpy.uint64)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype("<u2").tobytes()


def write_safetensors(path, tensors, kind):
    header, blobs, at = {"__metadata__": {"format": "pt"}}, [], 0
    for name, values in tensors.items():
        blobs.append(encoded(values, kind))
        offsets = [at, at + len(blobs[-1])]
        header[name] = {"dtype": kind, "shape": list(values.shape), "data_offsets": offsets}
        at = offsets[1]
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(len(text).to_bytes(8, "little") + text + b"".join(blobs))


def write_folder(folder, config, tensors, kind, shards=1):
    folder.mkdir(parents=True, exist_ok=True)
    types = {"F32": "float32", "F16": "float16", "BF16": "bfloat16"}
    config = {**config, "torch_dtype": types[kind]}
    (folder / "config.json").write_text(json.dumps(config, indent=2, sort_keys=True) + "\n")
    if shards == 1:
        write_safetensors(folder / "model.safetensors", tensors, kind)
        return
    names = list(tensors)
    weight_map = {}
    for shard in range(shards):
        file = f"model-{shard + 1:05}-of-{shards:05}.safetensors"
        part = {name: tensors[name] for name in names[shard::shards]}
        write_safetensors(folder / file, part, kind)
        weight_map.update({name: file for name in part})
    index = {"metadata": {}, "weight_map": weight_map}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index, indent=2, sort_keys=True) + "\n")


def write_checkpoints(scratch):
    for seed, (name, (kind, shards, config)) in enumerate(CHECKPOINTS.items()):
        tensors = random_tensors(config, numpy.random.default_rng(seed))
        write_folder(FIXTURES / name, config, tensors, kind, shards)
    for seed, (name, (kind, config)) in enumerate(GGUF_SOURCES.items(), 100):
        write_folder(scratch / name, config, random_tensors(config, numpy.random.default_rng(seed)), "F32")
        types = BLOCKS if name == "llama-blocks" else {}
        from_folder(scratch / name, FIXTURES / f"{name}.gguf", lambda tensor: types.get(tensor.split(".")[-2], kind))


def scored(name):
    """Yields lines with one scored sequence each."""
    model = read_model(FIXTURES / name)
    rng = numpy.random.default_rng(7)
    for length in LENGTHS:
        for temperature in TEMPERATURES:
            tokens = rng.integers(0, model.config.vocab_size, length)
            logprobs, entropies = model.scores(tokens, temperature)
            yield {
                "model": name,
                "temperature": temperature,
                "tokens": tokens.tolist(),
                "logprobs": logprobs.tolist(),
                "entropies": entropies.tolist(),
            }


def record_scores():
    names = [*CHECKPOINTS, *(f"{name}.gguf" for name in GGUF_SOURCES)]
    lines = [json.dumps(each, separators=(",", ":")) for name in names for each in scored(name)]
    head = json.dumps({"recordedFrom": f"native_reference.py, numpy {numpy.__version__}, {platform.machine()}"})
    (FIXTURES / "scores.json").write_text(f'{head[:-1]},"sequences":[\n' + ",\n".join(lines) + "\n]}\n")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        write_checkpoints(Path(scratch))
    record_scores()
