"""Writes GGUF files, for llama.cpp to run the weights that native/ runs.

Usage: native_gguf.py SOURCE TARGET TYPE

SOURCE  a folder in Hugging Face's layout, or a GGUF file
TARGET  the GGUF file to write
TYPE    of its matrices: F32, F16, BF16, Q4_0, Q4_1 or Q8_0; vectors stay F32

Needs PyPI `gguf`. A file from a folder has no tokenizer; one from a GGUF file keeps all that it said of itself.
"""

import json
import sys
from pathlib import Path

import gguf
import numpy
from native_reference import GGUF_NAMES, read_safetensors

MODULES = {module: name for name, module in GGUF_NAMES.items()}
FILE_TYPES = {"F32": 0, "F16": 1, "Q4_0": 2, "Q4_1": 3, "Q8_0": 7, "BF16": 32}


def gguf_name(name):
    """model.layers.3.self_attn.q_proj.weight: blk.3.attn_q.weight"""
    module, kind = name.rsplit(".", 1)
    if not module.startswith("model.layers."):
        return f"{MODULES[module]}.{kind}"
    _, _, layer, module = module.split(".", 3)
    return f"blk.{layer}.{MODULES[module]}.{kind}"


def halves_interleaved(w, heads):
    """Reorders the rows of each head from 0, 1, ..., h - 1 to 0, h/2, 1, h/2 + 1, ..., as GGUF stores Llama's."""
    return w.reshape(heads, 2, -1, *w.shape[1:]).swapaxes(1, 2).reshape(w.shape)


def add_tensor(writer, name, values, kind):
    values = numpy.ascontiguousarray(values, dtype=numpy.float32)
    kind = gguf.GGMLQuantizationType[kind if values.ndim > 1 else "F32"]
    writer.add_tensor(name, gguf.quantize(values, kind), raw_dtype=kind)


def finish(writer):
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def from_folder(source, target, type_of):
    """@param type_of the type of a matrix, by its name in GGUF"""
    config = json.loads((source / "config.json").read_text())
    rope = config.get("rope_scaling") or {}
    heads = {"attn_q": config["num_attention_heads"], "attn_k": config["num_key_value_heads"]}
    writer = gguf.GGUFWriter(target, config["model_type"])
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(heads["attn_q"])
    writer.add_head_count_kv(heads["attn_k"])
    head_size = config.get("head_dim") or config["hidden_size"] // heads["attn_q"]
    writer.add_key_length(head_size)
    writer.add_value_length(head_size)
    writer.add_rope_dimension_count(head_size)
    writer.add_rope_freq_base(config["rope_theta"])
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_vocab_size(config["vocab_size"])
    writer.add_tokenizer_model("none")
    if rope:
        if rope["rope_type"] != "linear":
            raise ValueError(f"expected no rope scaling or a linear one, but received {rope['rope_type']}")
        writer.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
        writer.add_rope_scaling_factor(rope["factor"])
    for file in sorted(source.glob("*.safetensors")):
        for name, values in read_safetensors(file).items():
            name = gguf_name(name)
            module = name.split(".")[-2]
            if config["model_type"] == "llama" and module in heads:
                values = halves_interleaved(values, heads[module])
            add_tensor(writer, name, values, type_of(name))
    finish(writer)


def from_gguf(source, target, kind):
    reader = gguf.GGUFReader(source)
    writer = gguf.GGUFWriter(target, reader.fields["general.architecture"].contents())
    told = ("GGUF.", "general.architecture", "general.file_type", "general.quantization_version")
    for name, values in reader.fields.items():
        if name.startswith(told):
            continue
        of = values.types[-1] if values.types[0] == gguf.GGUFValueType.ARRAY else None
        writer.add_key_value(name, values.contents(), values.types[0], sub_type=of)
    writer.add_file_type(FILE_TYPES[kind])
    for tensor in reader.tensors:
        values = gguf.dequantize(tensor.data, tensor.tensor_type).reshape(tensor.shape[::-1])
        add_tensor(writer, tensor.name, values, kind)
    finish(writer)


if __name__ == "__main__":
    source, target, kind = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    if source.is_dir():
        from_folder(source, target, lambda _: kind)
    else:
        from_gguf(source, target, kind)
