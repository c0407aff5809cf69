"""The law of a sensor's noise from a few frames of a still scene.

Over frames a pixel's variance s² estimates σ(m)² at its mean m, whatever the scene is. For a law c·m^e the most
likely coefficient of Gaussian noise is c² = mean(s² / m^{2e}), and its deviance is mean(2 log(c m^e)) + 1; the law
with the least deviance is taken. The few pixels that vary most do not count: they fly at edges.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from atgvnet.errors import InputError
from atgvnet.noise._law import Kind, NoiseLaw

__all__ = ["calibrate"]

KINDS: tuple[Kind, ...] = ("constant", "inverse", "linear", "quadratic")
TRIMMED = 0.02
LEAST_PIXELS = 100

Floats = NDArray[np.float32]


def calibrate(frames: Sequence[Floats]) -> NoiseLaw:
    """Fit the law to frames of equal shape, NaN where missing.

    >>> rng = np.random.default_rng(0)
    >>> truth = np.linspace(1, 4, 10_000, dtype=np.float32).reshape(100, 100)
    >>> law = calibrate([truth + 0.01 * truth**2 * rng.standard_normal(truth.shape) for _ in range(6)])
    >>> law.kind, round(law.coefficient, 3)
    ('quadratic', 0.01)
    """
    if len(frames) < 2:
        raise InputError(f"calibration: {len(frames)} frame is given; give at least two of a scene that stays still")
    shapes = sorted({frame.shape for frame in frames})
    if len(shapes) > 1:
        raise InputError(f"calibration: frames have the shapes {shapes}; give frames of one camera")
    mean, variance = _moments(np.stack(frames).astype(np.float64))
    if mean.size < LEAST_PIXELS:
        raise InputError(
            f"calibration: {mean.size} pixels are valid in two frames; at least {LEAST_PIXELS} are needed"
        )
    if not variance.any():
        return NoiseLaw("none")
    fits = [_fit(kind, mean, variance) for kind in KINDS]
    return min(fits, key=lambda fit: fit[0])[1]


def _moments(stack: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give mean and variance of each pixel that is valid in two frames or more, and not zero."""
    known = np.isfinite(stack)
    count = known.sum(axis=0)
    mean = np.where(known, stack, 0).sum(axis=0) / np.maximum(count, 1)
    squares = (np.where(known, stack - mean, 0) ** 2).sum(axis=0) / np.maximum(count - 1, 1)
    usable = (count >= 2) & (mean != 0)
    mean, squares = mean[usable], squares[usable]
    if not mean.size:
        return mean, squares
    calm = squares <= np.quantile(squares / np.abs(mean), 1 - TRIMMED) * np.abs(mean)
    return mean[calm], squares[calm]


def _fit(kind: Kind, mean: NDArray[np.float64], variance: NDArray[np.float64]) -> tuple[float, NoiseLaw]:
    unit = NoiseLaw(kind, 1.0)
    shape = np.abs(mean) ** unit.exponent
    coefficient = math.sqrt(float((variance / shape**2).mean()))
    deviance = float((2 * np.log(coefficient * shape)).mean())
    return deviance, NoiseLaw(unit.kind, coefficient)
