"""A case's input as the small picture that it is."""

import numpy as np
from numpy.typing import NDArray

from atgvnet.benchmarks.case import Case
from atgvnet.report.scales import Floats

__all__ = ["small_input"]


def small_input(case: Case) -> Floats:
    """Give the input at its own resolution, NaN where nothing was measured.

    Ranges that were warped into the wanted view are few and far between: those of a block are shown as their mean, on
    a grid as fine as the camera's.
    """
    values = case.low.values
    if case.low.shape != case.size or case.scale <= 1:
        return values
    weight = np.where(case.low.valid, 1.0 if case.weight is None else case.weight, 0)
    side = round(case.scale)
    total, count = _blocks(np.where(weight > 0, values, 0), side), _blocks(weight > 0, side)
    with np.errstate(invalid="ignore"):
        return np.asarray(total / count, dtype=np.float32)


def _blocks(values: NDArray[np.generic], side: int) -> Floats:
    """Sum over blocks."""
    padded = np.pad(values.astype(np.float64), [(0, -length % side) for length in values.shape])
    height, width = padded.shape
    return np.asarray(padded.reshape(height // side, side, width // side, side).sum(axis=(1, 3)), np.float32)
