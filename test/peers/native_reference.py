"""A float64 forward pass of Llama, Qwen2 and Qwen3 in numpy, which native/ is held against.

It is written from the papers and from the formats' own documents, apart from native/; it is plain on purpose and keeps
no cache. record-native-training.py holds it in turn against `transformers`.

Usage: native_reference.py MODEL TOKEN...

MODEL  a folder in Hugging Face's layout (config.json and *.safetensors) or a GGUF file
TOKEN  ids of one sequence

Needs numpy. Prints {"logprobs", "entropies"}, in nats: entry t is about token t given those before it, the first is 0.
"""

import json
import math
import struct
import sys
from dataclasses import dataclass, field
from pathlib import Path

import numpy

SAFETENSORS_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}


@dataclass
class Config:
    """Configuration of a model, with the names of Hugging Face's config.json."""

    vocab_size: int
    hidden_size: int
    num_hidden_layers: int
    num_attention_heads: int
    num_key_value_heads: int
    head_dim: int
    rms_norm_eps: float
    rope_theta: float
    rope_scaling: dict = field(default_factory=dict)


def widened(bfloat16_bits):
    return (bfloat16_bits.astype("<u4") << 16).view("<f4")


def read_safetensors(path):
    data = numpy.memmap(path, dtype=numpy.uint8, mode="r")
    length = int(data[:8].view("<u8")[0])
    header = json.loads(bytes(data[8 : 8 + length]))
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        raw = data[8 + length + begin : 8 + length + end].view(SAFETENSORS_TYPES[entry["dtype"]])
        values = widened(raw) if entry["dtype"] == "BF16" else raw
        tensors[name] = values.reshape(entry["shape"]).astype(numpy.float64)
    return tensors


def read_folder(path):
    """Config and tensors of a folder in Hugging Face's layout, one file or several."""
    config = json.loads((path / "config.json").read_text())
    rope = config.get("rope_scaling") or config.get("rope_parameters") or {}
    heads = config["num_attention_heads"]
    tensors = {}
    for file in sorted(path.glob("*.safetensors")):
        tensors.update(read_safetensors(file))
    return (
        Config(
            vocab_size=config["vocab_size"],
            hidden_size=config["hidden_size"],
            num_hidden_layers=config["num_hidden_layers"],
            num_attention_heads=heads,
            num_key_value_heads=config.get("num_key_value_heads") or heads,
            head_dim=config.get("head_dim") or config["hidden_size"] // heads,
            rms_norm_eps=config["rms_norm_eps"],
            rope_theta=config.get("rope_theta") or rope["rope_theta"],
            rope_scaling=rope,
        ),
        tensors,
    )


class GgufHeader:
    """Reads GGUF's little-endian values from the start of a file."""

    SCALARS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}
    STRING, ARRAY = 8, 9

    def __init__(self, data):
        self.data = data
        self.at = 0

    def number(self, layout):
        (value,) = struct.unpack_from(layout, self.data, self.at)
        self.at += struct.calcsize(layout)
        return value

    def text(self):
        length = self.number("<Q")
        self.at += length
        return bytes(self.data[self.at - length : self.at]).decode()

    def value(self, kind):
        if kind == self.STRING:
            return self.text()
        if kind == self.ARRAY:
            of, count = self.number("<I"), self.number("<Q")
            return [self.value(of) for _ in range(count)]
        return self.number(self.SCALARS[kind])


def plain(layout):
    return lambda raw: raw.view(layout).astype(numpy.float64)


def nibbles(packed):
    """Splits bytes [blocks, 16] into numbers [blocks, 32]: the low halves of all bytes, then the high halves."""
    return numpy.concatenate([packed & 15, packed >> 4], axis=1).astype(numpy.float64)


def halves(blocks, at):
    """Returns the binary16 number at a byte of each block, [blocks, 1]."""
    return blocks[:, at : at + 2].copy().view("<f2").astype(numpy.float64)


def q4_0(raw):
    blocks = raw.reshape(-1, 18)
    return halves(blocks, 0) * (nibbles(blocks[:, 2:]) - 8)


def q4_1(raw):
    blocks = raw.reshape(-1, 20)
    return halves(blocks, 0) * nibbles(blocks[:, 4:]) + halves(blocks, 2)


def q8_0(raw):
    blocks = raw.reshape(-1, 34)
    return halves(blocks, 0) * blocks[:, 2:].view(numpy.int8).astype(numpy.float64)


# By GGUF's number of the type: bytes of a block, values of a block, and how they are read.
GGUF_TYPES = {
    0: (4, 1, plain("<f4")),
    1: (2, 1, plain("<f2")),
    2: (18, 32, q4_0),
    3: (20, 32, q4_1),
    8: (34, 32, q8_0),
    30: (2, 1, lambda raw: widened(raw.view("<u2")).astype(numpy.float64)),
}

GGUF_NAMES = {
    "token_embd": "model.embed_tokens",
    "output_norm": "model.norm",
    "output": "lm_head",
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_q_norm": "self_attn.q_norm",
    "attn_k_norm": "self_attn.k_norm",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}


def hugging_face_name(name):
    """blk.3.attn_q.weight: model.layers.3.self_attn.q_proj.weight"""
    *place, module, kind = name.split(".")
    layer = f"model.layers.{place[1]}." if place else ""
    return f"{layer}{GGUF_NAMES[module]}.{kind}"


def halves_apart(w, heads):
    """Reorders the rows of each head from 0, h/2, 1, h/2 + 1, ..., as GGUF stores Llama's, to 0, 1, ..., h - 1."""
    return w.reshape(heads, -1, 2, *w.shape[1:]).swapaxes(1, 2).reshape(w.shape)


def read_gguf(path):
    """Config and tensors of a GGUF file of Llama, Qwen2 or Qwen3, dequantised."""
    data = numpy.memmap(path, dtype=numpy.uint8, mode="r")
    header = GgufHeader(data)
    magic, version, tensor_count, value_count = (header.number(layout) for layout in ("<I", "<I", "<Q", "<Q"))
    if magic != 0x46554747 or version not in (2, 3):
        raise ValueError(f"expected GGUF 2 or 3, but received {magic:#x} {version}")
    values = {}
    for _ in range(value_count):
        key = header.text()
        values[key] = header.value(header.number("<I"))
    entries = []
    for _ in range(tensor_count):
        name = header.text()
        shape = [header.number("<Q") for _ in range(header.number("<I"))]
        entries.append((name, shape[::-1], header.number("<I"), header.number("<Q")))
    alignment = values.get("general.alignment", 32)
    start = -(-header.at // alignment) * alignment
    config = gguf_config(values)
    tensors = {}
    for name, shape, kind, offset in entries:
        block_bytes, block_values, read = GGUF_TYPES[kind]
        size = math.prod(shape) // block_values * block_bytes
        tensor = read(numpy.asarray(data[start + offset : start + offset + size])).reshape(shape)
        if values["general.architecture"] == "llama" and ".attn_q." in name:
            tensor = halves_apart(tensor, config.num_attention_heads)
        if values["general.architecture"] == "llama" and ".attn_k." in name:
            tensor = halves_apart(tensor, config.num_key_value_heads)
        tensors[hugging_face_name(name)] = tensor
    config.vocab_size = len(tensors["model.embed_tokens.weight"])
    return config, tensors


def gguf_config(values):
    of = lambda key, default=None: values.get(f"{values['general.architecture']}.{key}", default)
    heads = of("attention.head_count")
    return Config(
        vocab_size=0,
        hidden_size=of("embedding_length"),
        num_hidden_layers=of("block_count"),
        num_attention_heads=heads,
        num_key_value_heads=of("attention.head_count_kv", heads),
        head_dim=of("attention.key_length", of("embedding_length") // heads),
        rms_norm_eps=of("attention.layer_norm_rms_epsilon"),
        rope_theta=of("rope.freq_base", 10000.0),
        rope_scaling={"rope_type": of("rope.scaling.type", "default"), "factor": of("rope.scaling.factor", 1.0)},
    )


def rope_frequencies(config):
    """Returns the frequencies [head_dim / 2], stretched as in Llama 3.1 or all by one factor."""
    frequencies = config.rope_theta ** -(numpy.arange(0, config.head_dim, 2) / config.head_dim)
    scaling = config.rope_scaling
    kind = scaling.get("rope_type", scaling.get("type", "default"))
    if kind in ("default", "none"):
        return frequencies
    if kind == "linear":
        return frequencies / scaling["factor"]
    if kind != "llama3":
        raise ValueError(f"expected linear or llama3 scaling, but received {kind}")
    low, high = scaling["low_freq_factor"], scaling["high_freq_factor"]
    # Turns of a frequency within the original context: few turns are interpolated, many are kept, others are blended.
    turns = scaling["original_max_position_embeddings"] * frequencies / (2 * math.pi)
    kept = numpy.clip((turns - low) / (high - low), 0, 1)
    return frequencies * (kept + (1 - kept) / scaling["factor"])


def rms_norm(x, w, epsilon):
    return x / numpy.sqrt((x * x).mean(-1, keepdims=True) + epsilon) * w


def log_softmax(x):
    shifted = x - x.max(-1, keepdims=True)
    return shifted - numpy.log(numpy.exp(shifted).sum(-1, keepdims=True))


class Decoder:
    def __init__(self, config, tensors):
        self.config = config
        self.tensors = tensors
        self.frequencies = rope_frequencies(config)

    def linear(self, x, name):
        y = x @ self.tensors[f"{name}.weight"].T
        return y + self.tensors[f"{name}.bias"] if f"{name}.bias" in self.tensors else y

    def norm(self, x, name):
        return rms_norm(x, self.tensors[f"{name}.weight"], self.config.rms_norm_eps)

    def rotate(self, x):
        """x (tokens, heads, head_dim), from position 0."""
        angles = numpy.outer(numpy.arange(len(x)), self.frequencies)[:, None]
        cos, sin = numpy.cos(angles), numpy.sin(angles)
        a, b = numpy.split(x, 2, axis=-1)
        return numpy.concatenate([a * cos - b * sin, b * cos + a * sin], axis=-1)

    def heads(self, x, name, count):
        """(tokens, count, head_dim)"""
        return self.linear(x, name).reshape(len(x), count, self.config.head_dim)

    def attention(self, x, layer):
        config = self.config
        module = f"model.layers.{layer}.self_attn"
        queries = self.heads(x, f"{module}.q_proj", config.num_attention_heads)
        keys = self.heads(x, f"{module}.k_proj", config.num_key_value_heads)
        values = self.heads(x, f"{module}.v_proj", config.num_key_value_heads)
        if f"{module}.q_norm.weight" in self.tensors:
            queries, keys = self.norm(queries, f"{module}.q_norm"), self.norm(keys, f"{module}.k_norm")
        queries, keys = self.rotate(queries), self.rotate(keys)
        shared = config.num_attention_heads // config.num_key_value_heads
        keys, values = keys.repeat(shared, axis=1), values.repeat(shared, axis=1)
        scores = numpy.einsum("qhd,khd->hqk", queries, keys) / math.sqrt(config.head_dim)
        scores[:, ~numpy.tri(len(x), dtype=bool)] = -numpy.inf
        mixed = numpy.einsum("hqk,khd->qhd", numpy.exp(log_softmax(scores)), values)
        return self.linear(mixed.reshape(len(x), -1), f"{module}.o_proj")

    def mlp(self, x, layer):
        module = f"model.layers.{layer}.mlp"
        gate = self.linear(x, f"{module}.gate_proj")
        return self.linear(gate / (1 + numpy.exp(-gate)) * self.linear(x, f"{module}.up_proj"), f"{module}.down_proj")

    def logits(self, tokens):
        """(tokens, vocab_size)"""
        x = self.tensors["model.embed_tokens.weight"][tokens]
        for layer in range(self.config.num_hidden_layers):
            module = f"model.layers.{layer}"
            x = x + self.attention(self.norm(x, f"{module}.input_layernorm"), layer)
            x = x + self.mlp(self.norm(x, f"{module}.post_attention_layernorm"), layer)
        head = "lm_head" if "lm_head.weight" in self.tensors else "model.embed_tokens"
        return self.linear(self.norm(x, "model.norm"), head)

    def scores(self, tokens, temperature=1.0):
        """Returns log-probabilities and entropies, [tokens] each. The first is 0, since no token precedes it."""
        logprobs = log_softmax(self.logits(tokens)[:-1] / temperature)
        entropies = -(numpy.exp(logprobs) * logprobs).sum(-1)
        chosen = logprobs[numpy.arange(len(tokens) - 1), tokens[1:]]
        return numpy.concatenate([[0], chosen]), numpy.concatenate([[0], entropies])


def read_model(path):
    path = Path(path)
    return Decoder(*(read_folder(path) if path.is_dir() else read_gguf(path)))


if __name__ == "__main__":
    model, *ids = sys.argv[1:]
    logprobs, entropies = read_model(model).scores([int(each) for each in ids])
    print(json.dumps({"logprobs": logprobs.tolist(), "entropies": entropies.tolist()}))
