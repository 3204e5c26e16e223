"""Runs `exercise.py` under compute-sanitizer: out-of-bounds accesses (memcheck), races in shared memory (racecheck)."""

import os
import re
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from build import find

EXERCISE = Path(__file__).resolve().parent / "exercise.py"
FOUND = 99
# Size of the exercise, and its time limit in seconds.
TOOLS = {"memcheck": ("small", 100), "racecheck": ("toy", 120)}


@dataclass(frozen=True)
class Sanitized:
    """errors: None when the run did not finish; said: the reason, or the findings"""

    tool: str
    errors: int | None
    said: str

    @property
    def failed(self):
        return self.errors is not None and self.errors > 0

    def told(self):
        return f"{self.tool}: {'an unknown number of' if self.errors is None else self.errors} errors; {self.said}"


def sanitize(library_path, device, budget):
    for tool, (size, seconds) in TOOLS.items():
        if budget.allows(f"compute-sanitizer's {tool}", seconds=10):
            yield sanitize_by(tool, size, library_path, device, min(seconds, budget.left()))


def sanitize_by(tool, size, library_path, device, seconds):
    try:
        program = find("compute-sanitizer")
    except RuntimeError as error:
        return Sanitized(tool, None, str(error))
    watched = [sys.executable, EXERCISE, library_path, device, size]
    # A kernel is searched in each module until one has it, so failed calls are not findings.
    options = ["--error-exitcode", FOUND, "--print-limit", 20, "--report-api-errors", "no"]
    command = [program, "--tool", tool, *options, *watched]
    status, output = run_for(seconds, [str(each) for each in command])
    if status is None:
        reached = output.strip().splitlines()
        return Sanitized(tool, None, f"ended after {seconds:.0f} s, at: {reached[-1] if reached else 'its start'}")
    if status == 0:
        return Sanitized(tool, 0, "clean")
    counts = re.findall(r"(?:ERROR|RACECHECK) SUMMARY: (\d+)", output)
    if not counts:
        return Sanitized(tool, None, f"ended with {status}: {output[-4_000:]}")
    return Sanitized(tool, max(1, int(counts[-1])), output[-4_000:])


def run_for(seconds, command):
    """Returns the exit status and the output. The status is None when the process and its children had to be killed."""
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    process = subprocess.Popen(command, start_new_session=True, **streams)
    try:
        output, _ = process.communicate(timeout=seconds)
        return process.returncode, output
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        return None, output
