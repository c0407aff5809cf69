"""Rounding to the steps that a sensor or a file can express."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["DISPARITY_STEPS", "MILLIMETRE", "quantise"]

Floats = NDArray[np.float32]

# Files of 8 bits hold whole disparities times 1, 4, 8 or 16; files of 16 bits hold whole millimetres.
DISPARITY_STEPS = (1.0, 4.0, 8.0, 16.0)
MILLIMETRE = 1.0


def quantise(values: Floats, step: float) -> Floats:
    """Round to multiples of the step; a step of 0 changes nothing.

    >>> quantise(np.float32([0.4, 2.1, 7.0]), 4)
    array([0., 4., 8.], dtype=float32)
    """
    return values if step <= 0 else np.float32(step) * np.round(values / np.float32(step))
