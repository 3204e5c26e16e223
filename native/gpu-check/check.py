"""One comparison: the engine's error, its limit, and PyTorch's error."""

from dataclasses import dataclass

import numpy as np

# Limits of ||out - reference|| / ||reference||, with the reference in float64.
LIMITS = {"f32": 1e-4, "bf16": 1e-2}
# Factor by which an error beyond the limit may exceed PyTorch's: two roundings of one value differ by chance.
LUCK = 1.5


@dataclass(frozen=True)
class Check:
    """error, limit, peer: relative errors; peer: PyTorch's in the engine's type of activations, if it was measured"""

    engine: str
    model: str
    what: str
    error: float
    limit: float
    peer: float | None = None

    @property
    def verdict(self):
        """`as PyTorch`: beyond the limit, like PyTorch in the same type on the same weights."""
        if self.error <= self.limit:
            return "ok"
        if self.peer is not None and np.isfinite(self.error) and self.error <= LUCK * self.peer:
            return "as PyTorch"
        return "FAILED"

    def told(self):
        peer = "" if self.peer is None else f", PyTorch's {self.peer:.1e}"
        where = f"{self.engine}, {self.model}: {self.what}"
        return f"{self.verdict:10} {where} {self.error:.1e} of {self.limit:.0e}{peer}"


def relative_error(values, reference):
    """Returns the relative error; infinity when a value is not finite."""
    return _part_of(np.linalg.norm(np.ravel(reference)), values, reference)


def error_of_logprobs(values, reference):
    """Like relative_error, but relative to at least one nat per token, because near-certain tokens have almost none."""
    return _part_of(max(np.linalg.norm(reference), len(reference) ** 0.5), values, reference)


def _part_of(size, values, reference):
    values, reference = (np.asarray(each, np.float64).ravel() for each in (values, reference))
    error = float(np.linalg.norm(values - reference) / size)
    return error if np.isfinite(error) else float("inf")


def unequal_bits(values, others):
    """Returns the fraction of float32 values whose bits differ."""
    values, others = (np.asarray(each, np.float32).view(np.int32) for each in (values, others))
    return float(np.mean(values != others))
