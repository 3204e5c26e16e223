"""One comparison: how far the engine is from what it should be, how far it may be, and how far PyTorch is."""

from dataclasses import dataclass

import numpy as np

# Of ||out - reference|| / ||reference||, the reference in float64.
LIMITS = {"f32": 1e-4, "bf16": 1e-2}
# Two roundings of one value differ by luck: past the limit, so much more than PyTorch's error is no worse than that.
LUCK = 1.5


@dataclass(frozen=True)
class Check:
    """error, limit, peer: relative errors; peer: PyTorch's, in the engine's type of activations, where it was asked."""

    engine: str
    model: str
    what: str
    error: float
    limit: float
    peer: float | None = None

    @property
    def verdict(self):
        """`as PyTorch`: past the limit, as PyTorch is in the same type on the same weights."""
        if self.error <= self.limit:
            return "ok"
        if self.peer is not None and self.error <= LUCK * self.peer:
            return "as PyTorch"
        return "FAILED"

    def told(self):
        peer = "" if self.peer is None else f", PyTorch's {self.peer:.1e}"
        where = f"{self.engine}, {self.model}: {self.what}"
        return f"{self.verdict:10} {where} {self.error:.1e} of {self.limit:.0e}{peer}"


def relative_error(values, reference):
    """Infinite where a value is not a finite number."""
    return _part_of(np.linalg.norm(np.ravel(reference)), values, reference)


def error_of_logprobs(values, reference):
    """The same, but of one nat a token where they are less: what is all but certain has next to none."""
    return _part_of(max(np.linalg.norm(reference), len(reference) ** 0.5), values, reference)


def _part_of(size, values, reference):
    values, reference = (np.asarray(each, np.float64).ravel() for each in (values, reference))
    error = float(np.linalg.norm(values - reference) / size)
    return error if np.isfinite(error) else float("inf")


def unequal_bits(values, others):
    """The part of float32 values whose bits are not the same."""
    values, others = (np.asarray(each, np.float32).view(np.int32) for each in (values, others))
    return float(np.mean(values != others))
