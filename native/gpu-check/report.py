"""Reports the results of a run: as lines while it runs, as JSON, and as a section of native/RESULTS.md."""

import json
from dataclasses import asdict, dataclass, field

# Dense bf16 rate of an H100 SXM in its datasheet, the usual basis of MFU.
DATASHEET_RATE = 989e12


@dataclass
class Report:
    machine: dict
    checks: list = field(default_factory=list)
    sanitized: list = field(default_factory=list)
    floors: tuple | None = None
    ops: list = field(default_factory=list)
    training: list = field(default_factory=list)
    decoding: list = field(default_factory=list)
    dropped: list = field(default_factory=list)
    # Sections that did not finish, with reasons.
    failures: list = field(default_factory=list)

    @property
    def is_correct(self):
        wrong = any(each.verdict == "FAILED" for each in self.checks) or any(each.failed for each in self.sanitized)
        return not wrong and not self.failures

    def json(self):
        fields = {name: getattr(self, name) for name in ("machine", "floors", "dropped", "failures")}
        lists = {
            name: [asdict(each) for each in getattr(self, name)]
            for name in ("checks", "sanitized", "ops", "training", "decoding")
        }
        return json.dumps({**fields, **lists, "correct": self.is_correct}, indent=1)

    def markdown(self):
        notes = [f"- dropped: {each}" for each in self.dropped]
        notes += [f"- came to no end: {each}" for each in self.failures]
        notes += sorted({f"- decoding without graphs: {each.no_graphs}" for each in self.decoding if each.no_graphs})
        parts = [self._title(), self._floors(), self._checks(), self._sanitized()]
        parts += [self._ops(), self._training(), self._decoding(), "\n".join(notes)]
        return "\n\n".join(filter(None, parts)) + "\n"

    def _title(self):
        names = {"driver": "driver", "cuda": "CUDA", "torch": "PyTorch", "transformers": "transformers"}
        told = ", ".join(f"{word} {self.machine[name]}" for name, word in (names | {"commit": "commit"}).items())
        return f"## {self.machine['date']}: {self.machine['device']}\n\n{told}"

    def _floors(self):
        if not self.floors:
            return ""
        rate, bandwidth = self.floors
        matrix = f"bf16 products of large matrices at {rate / 1e12:.0f} TFLOP/s"
        return f"Measured: {matrix}, copies on the device at {bandwidth / 1e12:.2f} TB/s (read and written)."

    def _checks(self):
        worst = {}
        for check in self.checks:
            key = check.engine, general(check.what)
            before = worst.get(key)
            if before is None or (check.verdict == "FAILED", check.error) > (before.verdict == "FAILED", before.error):
                worst[key] = check
        rows = [
            (*key, f"{each.error:.1e}", f"{each.limit:.0e}", small(each.peer), each.verdict)
            for key, each in worst.items()
        ]
        head = "engine", "compared value", "error", "limit", "PyTorch's error", "result"
        return table("Correctness: largest error of all models, relative to float64", head, rows)

    def _sanitized(self):
        rows = [
            (each.tool, "not known" if each.errors is None else str(each.errors), each.said.splitlines()[-1])
            for each in self.sanitized
        ]
        return table("compute-sanitizer", ("tool", "errors", ""), rows)

    def _ops(self):
        rows = []
        for each in self.ops:
            best = min(filter(None, (each.own, each.cublas)))
            times = map(micro, (each.own, each.mma_sync, each.cublas, each.peer, each.predicted, each.floor))
            sizes = map(mega, (each.own_bytes, each.peer_bytes))
            rows.append((each.op, each.shape, *times, percent(each.floor / best), *sizes, each.reason))
        times = "own µs", "mma.sync µs", "cuBLAS µs", "PyTorch µs", "predicted µs", "floor µs", "of the floor"
        return table("Ops", ("op", "shape", *times, "peak MB", "PyTorch's MB", ""), rows)

    def _training(self):
        rows = []
        for each in self.training:
            used = percent(each.utilisation(self.floors[0])), percent(each.utilisation(DATASHEET_RATE))
            size = f"{each.peak_bytes / 1e9:.1f}"
            rows.append((each.model, each.who, f"{each.tokens_per_second:,.0f}", *used, size, each.gemm))
        head = "model", "", "tokens/s", "MFU of the measured rate", "of 989 TFLOP/s", "peak GB", "products"
        return table("Training steps", head, rows)

    def _decoding(self):
        rows = []
        for each in self.decoding:
            rates = f"{each.tokens_per_second:,.0f}", f"{1e3 * each.seconds:.2f}", percent(each.share(self.floors[1]))
            rows.append((each.model, each.who, str(each.sequences), *rates))
        head = "model", "", "sequences", "tokens/s", "ms a step", "of the memory roofline"
        return table("Decoding", head, rows)


def general(what):
    """Removes the name of the worst tensor from the check's name."""
    return what.split(":")[0] if ", worst:" in what else what


def table(title, head, rows):
    if not rows:
        return ""
    lines = [f"### {title}", "", line(head), line(["---"] * len(head)), *map(line, rows)]
    return "\n".join(lines)


def line(cells):
    return f"| {' | '.join(cells)} |"


def small(error):
    return "" if error is None else f"{error:.1e}"


def micro(seconds):
    return "" if seconds is None else f"{1e6 * seconds:.1f}"


def mega(size):
    return "" if size is None else f"{size / 1e6:.0f}"


def percent(part):
    return f"{100 * part:.0f} %"
