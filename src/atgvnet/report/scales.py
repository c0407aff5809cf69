"""What a picture's colours mean: one range of values for each scene, one limit of errors for all methods in it.

Near is bright. That is a large disparity, but a small distance.
"""

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

__all__ = ["Floats", "depth_range", "error_limit", "near_is_large", "typical_error"]

Floats = NDArray[np.float32]

_INSIDE = (0.5, 99.5)  # percentiles of the truth that have colours of their own
_BELOW = 98  # percentile of a method's errors
_ROUND = (1, 2, 5, 10)


def near_is_large(unit: str) -> bool:
    """Tell whether large values are near."""
    return unit == "disparity"


def depth_range(truth: Floats) -> tuple[float, float]:
    """Give the values between which a scene's colours change."""
    known = truth[np.isfinite(truth)]
    if known.size == 0:
        return 0.0, 1.0
    low, high = np.percentile(known, _INSIDE).tolist()
    return (low, high) if high > low else (low, low + 1)


def typical_error(errors: Floats) -> float:
    """Give the error that all but a few pixels of a map stay below."""
    known = np.abs(errors[np.isfinite(errors)])
    return float(np.percentile(known, _BELOW)) if known.size else 0.0


def error_limit(typical: Iterable[float]) -> float:
    """Give the error from which pixels are brightest: typical of the middle method, rounded up to 1, 2 or 5.

    >>> error_limit([0.3, 14.0, 60.0])
    20.0
    """
    middle = float(np.median(list(typical) or [0.0]))
    if middle <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(middle))
    return next(step * power for step in _ROUND if step * power >= middle * (1 - 1e-9))
