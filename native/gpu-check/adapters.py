"""Reads LoRA adapters from a trainer's checkpoint. native/files/checkpoint.h describes the format of the file."""

import struct
from pathlib import Path

import numpy as np

PREFIX = "weights/base_model.model."


def read_adapters(path, rank):
    """Returns a (rank, in) and b (out, rank) by the name of the projection."""
    factors = {}
    for name, values in _tensors(Path(path).read_bytes()):
        if not name.startswith(PREFIX):
            continue
        projection, _, factor = name.removeprefix(PREFIX).removesuffix(".weight").rpartition(".")
        factors.setdefault(projection, {})[factor] = values
    return {
        name: (each["lora_A"].reshape(rank, -1), each["lora_B"].reshape(-1, rank)) for name, each in factors.items()
    }


def _tensors(data):
    magic, version, count, words = struct.unpack_from("<8sIII", data)
    if magic != b"PALESTRA" or version != 1:
        raise ValueError(f"expected a checkpoint of format 1, but received {magic} {version}")
    at = 20 + 4 * words + 16
    names = []
    for _ in range(count):
        (length,) = struct.unpack_from("<I", data, at)
        name = data[at + 4 : at + 4 + length].decode()
        (size,) = struct.unpack_from("<Q", data, at + 4 + length)
        names.append((name, size))
        at += 12 + length
    at = (at + 7) // 8 * 8
    for name, size in names:
        yield name, np.frombuffer(data, np.float32, size // 4, at)
        at += size
