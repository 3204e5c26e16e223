"""Builds the C ABI and its kernels with CMake, as .config/build-native.mjs does, in a folder of their own."""

import os
import shutil
import subprocess
from pathlib import Path

NATIVE = Path(__file__).resolve().parent.parent
FOLDER = NATIVE / "build-gpu-check"


def build(device, emulated):
    """Returns the path of libpalestra.so; the kernels are beside it. Fails with the compiler's output."""
    options = ["-S", NATIVE, "-B", FOLDER, *(["-G", "Ninja"] if shutil.which("ninja") else [])]
    targets = ["palestra"]
    if emulated:
        targets += ["emulated-cuda", "emulated-cublas"]
    elif device != "cpu":
        options.append(f"-DNVCC={find('nvcc')}")
        targets.append("cuda-kernels")
    run("cmake", *options)
    run("cmake", "--build", FOLDER, "--parallel", str(os.cpu_count()), "--target", *targets)
    return FOLDER / "libpalestra.so"


def find(program):
    """Finds nvcc on the path, or in the folder of CUDA's installer."""
    found = shutil.which(program) or shutil.which(program, path="/usr/local/cuda/bin")
    if not found:
        raise RuntimeError(f"expected {program} on the path or in /usr/local/cuda/bin, but found none")
    return found


def run(*command):
    done = subprocess.run([str(each) for each in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"expected `{' '.join(map(str, command))}` to succeed, but:\n{done.stdout}{done.stderr}")


def emulate(folder):
    """Replaces NVIDIA's driver and cuBLAS by emulated ones for libraries loaded from now on. folder: that of the run"""
    for name in ("libcublas.so.13", "libcublasLt.so.13"):
        (folder / name).symlink_to(FOLDER / "libemulated-cublas.so")
    os.environ |= {
        "ENGINE_LIBCUDA": str(FOLDER / "libemulated-cuda.so"),
        "ENGINE_KERNELS": str(FOLDER / "emulated-kernels"),
        "ENGINE_CUBLAS_DIR": str(folder),
    }
