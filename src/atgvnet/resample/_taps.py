"""Which input pixels an output pixel looks at along one axis, and how much each weighs."""

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["Interpolation", "Taps", "absolute", "taps"]

Interpolation = Literal["nearest", "bilinear", "bicubic"]
Floats = NDArray[np.float64]

_RADIUS = {"nearest": 0.5, "bilinear": 1.0, "bicubic": 2.0}


@dataclass(frozen=True, eq=False, slots=True)
class Taps:
    """Input pixels of each output pixel along one axis, (out, k) each: index, weight, distance in input pixels."""

    index: NDArray[np.int64]
    weight: Floats
    distance: Floats
    length: int


@lru_cache(maxsize=256)
def taps(length: int, count: int, scale: float, method: Interpolation, antialias: bool) -> Taps:
    """Find the taps of `count` output pixels over `length` input pixels."""
    shrink = min(scale, 1.0) if antialias and method != "nearest" else 1.0
    radius = _RADIUS[method] / shrink
    # Rounded, so that a tie between two pixels does not depend on the last bit of the scale.
    position = np.round((np.arange(count) + 0.5) / scale - 0.5, 10)[:, None]
    index = np.floor(position - radius).astype(np.int64) + np.arange(math.ceil(2 * radius) + 2)
    weight = _kernel((position - index) * shrink, method)
    weight /= weight.sum(axis=1, keepdims=True)
    used = np.any(weight != 0, axis=0)
    index, weight = index[:, used], weight[:, used]
    result = Taps(_mirror(index, length), weight, np.abs(position - index), length)
    for array in (result.index, result.weight, result.distance):
        array.flags.writeable = False
    return result


def _kernel(x: Floats, method: Interpolation) -> Floats:
    distance = np.abs(x)
    if method == "nearest":
        return np.where((x >= -0.5) & (x < 0.5), 1.0, 0.0)
    if method == "bilinear":
        return np.where(distance < 1, 1 - distance, 0.0)
    near = (1.5 * distance - 2.5) * distance**2 + 1
    far = ((-0.5 * distance + 2.5) * distance - 4) * distance + 2
    weight: Floats = np.where(distance <= 1, near, np.where(distance < 2, far, 0.0))
    return weight


def _mirror(index: NDArray[np.int64], length: int) -> NDArray[np.int64]:
    wrapped = np.mod(index, 2 * length)
    mirrored: NDArray[np.int64] = np.minimum(wrapped, 2 * length - 1 - wrapped)
    return mirrored


@lru_cache(maxsize=256)
def absolute(axis_taps: Taps) -> Taps:
    """Give the same taps with the absolute values of their weights."""
    return replace(axis_taps, weight=np.abs(axis_taps.weight))
