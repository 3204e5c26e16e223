"""Describes the machine of a run."""

import datetime
import os
import platform
import shutil
import subprocess
from pathlib import Path

import numpy
import torch
import transformers


def describe(device):
    on_gpu = device != "cpu" and torch.cuda.is_available()
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "device": torch.cuda.get_device_name() if on_gpu else f"{platform.machine()} CPU",
        "driver": answer("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader") if on_gpu else "none",
        "cuda": torch.version.cuda if on_gpu else "none",
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "torch": torch.__version__,
        "transformers": transformers.__version__,
        "numpy": numpy.__version__,
        "commit": answer("git", "-C", str(Path(__file__).parent), "rev-parse", "--short", "HEAD"),
    }


def answer(*command):
    """Returns the first line that a program prints; `unknown` when it does not exist or fails."""
    if not shutil.which(command[0]):
        return "unknown"
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout.splitlines()[0] if done.returncode == 0 and done.stdout else "unknown"
