"""`he`: the guided image filter.

K. He, J. Sun, X. Tang: Guided Image Filtering. ECCV 2010.

The problem: in every window of the target, find the depth that is an affine function of the guide's colour and lies
closest to the interpolated input p,

    minimise over a, b   Σ_{i in the window} ω_i (aᵀ I_i + b - p_i)²  +  ε |window| ‖a‖²,

and give each pixel the mean of what the windows around it say. ω is the confidence of p, 1 for a map without holes.
The answer is in closed form, from box filters alone. The guide's edges appear where the depth follows them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from atgvnet.methods._guide import nothing_known, observe
from atgvnet.methods.problem import Estimate, Problem, silent
from atgvnet.resample import imresize

__all__ = ["He", "guided_filter"]

Doubles = NDArray[np.float64]
_PAIRS = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))


@dataclass(frozen=True, kw_only=True)
class He:
    """Windows reach `radius` input pixels to each side; ε is the square of `contrast` (guide in 0…1).

    ε = 0.01² is one of the publication's values; of the radius it says nothing for upsampling.
    """

    guided: ClassVar[bool] = True
    source: ClassVar[str] = "He et al., Guided Image Filtering, 2010"

    radius: float = 1.0
    contrast: float = 0.01

    def __call__(self, problem: Problem, /) -> Estimate:
        """Upscale."""
        if not problem.valid.any():
            return nothing_known(problem)
        seen = observe(problem, "he")
        middle = float(np.median(seen.values))  # taken off, so that products keep their digits
        weighted = imresize(
            seen.weight * (seen.values.astype(np.float64) - middle), size=problem.size, method="bilinear"
        )
        weight = imresize(seen.weight.astype(np.float64), size=problem.size, method="bilinear")
        radius = max(1, round(self.radius * seen.spacing * max(problem.scale)))
        filtered = guided_filter(
            weighted / weight, weight, seen.guide.astype(np.float64), radius, self.contrast**2, problem.progress
        )
        return Estimate(values=(filtered + middle).astype(np.float32))


def guided_filter(
    values: Doubles,
    weight: Doubles,
    guide: Doubles,
    radius: int,
    ridge: float,
    progress: Callable[[float], None] = silent,
) -> Doubles:
    """Filter values (H, W) of positive weight by a guide (H, W, 3)."""
    count = _box(weight, radius)
    planes = np.moveaxis(guide, -1, 0)
    colour = np.stack([_box(weight * plane, radius) / count for plane in planes])
    mean = _box(weight * values, radius) / count
    progress(0.3)
    joint = np.stack([_box(weight * plane * values, radius) / count for plane in planes]) - colour * mean
    moments = np.stack(
        [_box(weight * planes[i] * planes[j], radius) / count - colour[i] * colour[j] for i, j in _PAIRS]
    )
    progress(0.6)
    slope = _solve(moments, joint, ridge)
    offset = mean - (slope * colour).sum(axis=0)
    progress(0.8)
    # Windows speak for as much as was measured in them.
    result = _box(count * offset, radius)
    for c in range(3):
        result += _box(count * slope[c], radius) * planes[c]
    result /= _box(count, radius)
    return result


@njit(cache=True, nogil=True, parallel=True)
def _solve(moments: Doubles, joint: Doubles, ridge: float) -> Doubles:
    """Solve (moments + ridge) slope = joint at every pixel, by Cramer's rule; moments in the order of `_PAIRS`."""
    slope = np.empty_like(joint)
    for y in prange(joint.shape[1]):
        for x in range(joint.shape[2]):
            a, b, c, d, e, f = moments[:, y, x]
            a, d, f = a + ridge, d + ridge, f + ridge
            p, q, r = joint[:, y, x]
            aa, ab, ac = d * f - e * e, c * e - b * f, b * e - c * d
            bb, bc, cc = a * f - c * c, b * c - a * e, a * d - b * b
            determinant = a * aa + b * ab + c * ac
            slope[0, y, x] = (aa * p + ab * q + ac * r) / determinant
            slope[1, y, x] = (ab * p + bb * q + bc * r) / determinant
            slope[2, y, x] = (ac * p + bc * q + cc * r) / determinant
    return slope


def _box(plane: Doubles, radius: int) -> Doubles:
    """Sum over squares of side 2 radius + 1, as far as they lie inside."""
    for axis in (0, 1):
        length = plane.shape[axis]
        start = np.zeros((1, plane.shape[1]) if axis == 0 else (plane.shape[0], 1))
        sums = np.concatenate([start, np.cumsum(plane, axis=axis)], axis=axis)
        index = np.arange(length)
        upper, lower = np.minimum(index + radius + 1, length), np.maximum(index - radius, 0)
        plane = np.take(sums, upper, axis=axis) - np.take(sums, lower, axis=axis)
    return plane
