"""How a sensor's pixel samples the scene.

``bicubic``: the benchmarks' antialiased reduction; ``area``: the mean over the pixel's area, as time-of-flight has
it; ``decimate``: one ray per pixel, as lidar has it. Decimation has a phase: phase k of ρ takes the rows and
columns k, k + ρ, …; (ρ − 1) / 2 would be the pixel's centre, so an even ρ shifts the map by at least half a pixel.
"""

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from atgvnet.errors import InputError
from atgvnet.resample import imresize

__all__ = ["Sampling", "reduce"]

Sampling = Literal["bicubic", "area", "decimate"]
Floats = NDArray[np.float32]


def reduce(truth: Floats, scale: int, sampling: Sampling, phase: tuple[int, int] | None = None) -> Floats:
    """Sample a map whose sides are multiples of the scale; a pixel that misses some of its area is missing.

    >>> reduce(np.arange(16, dtype=np.float32).reshape(4, 4), 2, "area")
    array([[ 2.5,  4.5],
           [10.5, 12.5]], dtype=float32)
    """
    height, width = truth.shape
    if height % scale or width % scale:
        raise InputError(f"sampling: {height}×{width} is not a multiple of {scale}; crop the map first")
    if sampling == "decimate":
        row, column = phase if phase is not None else (scale // 2, scale // 2)
        return np.array(truth[row::scale, column::scale])
    if sampling == "area":
        blocks = truth.reshape(height // scale, scale, width // scale, scale)
        return np.asarray(blocks.mean(axis=(1, 3), dtype=np.float32))
    if sampling == "bicubic":
        return np.asarray(imresize(truth, scale=1 / scale, method="bicubic"))
    raise InputError(f"sampling is {sampling!r}; give one of {', '.join(get_args(Sampling))}")
