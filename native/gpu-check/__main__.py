"""Checks the engine on this machine's GPU beside PyTorch, and times it: python3 native/gpu-check

Needs a GPU with its driver, python3 with PyTorch, transformers and numpy, cmake, ninja or make, a C++17 compiler and
nvcc. Downloads nothing. Checks that may fault or hang run in processes of their own. Prints results as they come, and
writes gpu-check.json and gpu-check.md (a section for native/RESULTS.md) to --out. Exits with 1 if a check fails.
"""

import argparse
import re
import sys
import tempfile
from pathlib import Path

import correctness
import forecast
import machine
import sanitizer
import sections
from apart import apart
from budget import Budget
from build import FOLDER, build, emulate
from decoding_timing import Chosen
from report import Report

SECTIONS = ("correctness", "sanitizer", "ops", "training", "decoding")
# Seconds; longer than the time between two results, including PyTorch's start.
PATIENCE = 150


def device(text):
    if not re.fullmatch(r"cpu|cuda:[0-9]{1,4}", text):
        raise argparse.ArgumentTypeError(f"expected cpu or cuda:N, but received {text}")
    return text


def arguments():
    parser = argparse.ArgumentParser(prog="gpu-check", description=__doc__)
    parser.add_argument("--only", default=",".join(SECTIONS), help="sections: " + ", ".join(SECTIONS))
    parser.add_argument("--ops", default="", metavar="PATTERN", help="ops whose name and shape match: ^attention")
    parser.add_argument("--device", type=device, default="cuda:0", help="cuda:N, or cpu at toy sizes")
    parser.add_argument("--minutes", type=float, default=10, help="what takes longer is dropped, with a note")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder for gpu-check.json and gpu-check.md")
    parser.add_argument("--library", type=Path, help="a libpalestra.so that is built, with its kernels beside it")
    parser.add_argument("--predict", action="store_true", help="print what is predicted of an H100, and run nothing")
    parser.add_argument("--emulated", action="store_true", help="by the emulated driver: correctness, at toy sizes")
    decoding = parser.add_argument_group("decoding")
    decoding.add_argument("--models", default="", help="parts of names of models, such as smol; default: all")
    decoding.add_argument("--sequences", default="1,64,256", help="numbers of sequences")
    decoding.add_argument(
        "--variant", action="append", default=[], help="settings to time as well, such as ENGINE_PDL=0"
    )
    decoding.add_argument("--no-peer", action="store_true", help="does not time transformers")
    given = parser.parse_args()
    given.only = given.only.split(",")
    given.decoding = Chosen(
        models=tuple(filter(None, given.models.split(","))),
        sequences=tuple(map(int, given.sequences.split(","))),
        variants=("", *given.variant),
        has_peer=not given.no_peer,
    )
    unknown = set(given.only) - set(SECTIONS)
    if unknown:
        parser.error(f"expected sections of {', '.join(SECTIONS)}, but received {', '.join(sorted(unknown))}")
    if given.emulated:
        given.only = ["correctness"]
    return given


class Run:
    """Returns the sections by name."""

    def __init__(self, given, library, budget):
        self.given = given
        self.library = library
        self.budget = budget
        self.report = Report(machine.describe(given.device))

    def section(self, name):
        print(f"\n{name}", flush=True)
        try:
            getattr(self, name)()
        except Exception as error:
            self.lose(name, error)

    def apart(self, work, *arguments):
        """Yields the results. A GPU that gives none for a while counts as hung; an emulated one may take any time."""
        patience = None if self.given.emulated or self.given.device == "cpu" else PATIENCE
        self.budget.dropped = yield from apart(patience, work, self.library, self.given.device, *arguments, self.budget)

    def keep(self, what, results, kept, *floors):
        """Prints results as they come."""
        try:
            for result in results:
                kept.append(result)
                print(f"  {result.told(*floors)}", flush=True)
        except Exception as error:
            self.lose(what, error)

    def lose(self, what, error):
        print(f"  {what} came to no end: {error}", flush=True)
        self.report.failures.append(f"{what}: {error}")

    def correctness(self):
        for variant in correctness.variants(self.given.device):
            checks = self.apart(sections.check, variant, self.given.emulated)
            self.keep(f"correctness of {variant.label}", checks, self.report.checks)

    def sanitizer(self):
        if self.given.device != "cpu":
            sanitized = sanitizer.sanitize(self.library, self.given.device, self.budget)
            self.keep("sanitizer", sanitized, self.report.sanitized)

    def ops(self):
        self.keep("ops", self.apart(sections.time_ops, self.floors(), self.given.ops), self.report.ops)

    def training(self):
        rate, _ = self.floors()
        self.keep("training", self.apart(sections.time_training), self.report.training, rate)

    def decoding(self):
        _, bandwidth = self.floors()
        self.keep("decoding", self.apart(sections.time_decoding, self.given.decoding), self.report.decoding, bandwidth)

    def floors(self):
        """Returns the floors, measured at the first call."""
        if self.report.floors is None:
            (self.report.floors,) = self.apart(sections.measure_floors)
        return self.report.floors

    def leave(self):
        """@returns the exit status"""
        self.report.dropped = self.budget.dropped
        self.given.out.mkdir(parents=True, exist_ok=True)
        (self.given.out / "gpu-check.json").write_text(self.report.json())
        (self.given.out / "gpu-check.md").write_text(self.report.markdown())
        print(f"\n{self.report.markdown()}")
        print("correct" if self.report.is_correct else "NOT correct")
        return 0 if self.report.is_correct else 1


def main():
    given = arguments()
    if given.predict:
        print(forecast.markdown())
        return 0
    budget = Budget(given.minutes)
    print("building", flush=True)
    library = (given.library or build(given.device, given.emulated)).resolve()
    with tempfile.TemporaryDirectory() as folder:
        if given.emulated:
            emulate(Path(folder))
        run = Run(given, library, budget)
        for name in given.only:
            run.section(name)
        return run.leave()


if __name__ == "__main__":
    sys.exit(main())
