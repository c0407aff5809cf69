"""Values for missing pixels: that of the nearest valid one, which keeps edges where they are."""

import numpy as np
from numpy.typing import NDArray

from atgvnet.resample._imresize import imresize
from atgvnet.resample._taps import Interpolation

__all__ = ["fill", "resize_and_fill"]

Floats = NDArray[np.float32]


def fill(values: Floats) -> Floats:
    """Replace every NaN by the nearest other value; a map of nothing but NaN stays so.

    >>> fill(np.array([[1.0, np.nan, np.nan, np.nan, 5.0]], np.float32))
    array([[1., 1., 1., 5., 5.]], dtype=float32)
    """
    missing = ~np.isfinite(values)
    if not missing.any() or missing.all():
        return values
    from scipy.ndimage import distance_transform_edt

    nearest = distance_transform_edt(missing, return_distances=False, return_indices=True)
    filled: Floats = values[tuple(nearest)]
    return filled


def resize_and_fill(values: Floats, size: tuple[int, int], method: Interpolation = "bicubic") -> Floats:
    """Resize a map with NaN where missing to one without (but of NaN, if nothing is valid).

    Where valid pixels are in reach they alone decide; inside larger holes the filled map is resized, without
    overshoot where values from two sides meet.
    """
    valid = np.isfinite(values)
    if valid.all():
        return imresize(values, size=size, method=method)
    reached = imresize(values, size=size, method=method, valid=valid)
    missing = ~np.isfinite(reached)
    if not missing.any():
        return reached
    guess = imresize(fill(values), size=size, method="nearest" if method == "nearest" else "bilinear")
    return np.where(missing, guess, reached)
