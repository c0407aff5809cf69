"""Rounding to the steps that a sensor or a file can express."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["quantise"]

Floats = NDArray[np.float32]


def quantise(values: Floats, step: float) -> Floats:
    """Round to multiples of the step; a step of 0 changes nothing.

    >>> quantise(np.float32([0.4, 2.1, 7.0]), 4)
    array([0., 4., 8.], dtype=float32)
    """
    return values if step <= 0 else np.float32(step) * np.round(values / np.float32(step))
