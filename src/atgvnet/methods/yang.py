"""`yang`: a cost volume smoothed by a joint bilateral filter, again and again.

Q. Yang, R. Yang, J. Davis, D. Nistér: Spatial-Depth Super Resolution for Range Images. CVPR 2007.

The problem: smooth an interpolated map without mixing the depths on both sides of an edge, as any mean would. So what
is averaged over a window is not depths but costs of every candidate depth d, one slice of a volume for each,

    C_p(d) = Σ_q w_pq min((d - u_q)², τ²),    w_pq = exp(-‖p - q‖ / γ_s) exp(-|I_p - I_q| / γ_c),

and u_p becomes the d of least cost, refined by the parabola through its neighbours' costs. This is iterated.

The volume is never built: the u_q of a window are counted into bins as wide as a label, with their first two moments,
and cumulative sums over the bins give every C_p(d) in a few operations.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from atgvnet.methods._guide import Observed, bands, nothing_known, observe
from atgvnet.methods.problem import Estimate, Problem
from atgvnet.resample import imresize

__all__ = ["Yang", "aggregate"]

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Yang:
    """Distances in target pixels, `contrast` of the guide (0…1), `truncation` τ as a share of the map's range.

    The window of 11×11 pixels is the authors'. Their γ, 10 pixels and 10 of 256 grey levels, and three iterations
    leave less error than the paper prints; the values below leave as much.
    """

    guided: ClassVar[bool] = True
    source: ClassVar[str] = "Yang et al., Spatial-Depth Super Resolution for Range Images, 2007"

    radius: int = 5
    spatial: float = 2.5
    contrast: float = 6 / 255
    truncation: float = 0.08
    labels: int = 256
    iterations: int = 2

    def __call__(self, problem: Problem, /) -> Estimate:
        """Upscale."""
        if not problem.valid.any():
            return nothing_known(problem)
        seen = observe(problem, "yang")
        lowest, span = float(seen.values.min()), float(np.ptp(seen.values))
        u = imresize(seen.values, size=problem.size, method="bilinear")
        if span == 0:
            return Estimate(values=u)
        step = span / (self.labels - 1)
        labels = np.asarray((u - lowest) / step, np.float32)
        for iteration in range(self.iterations):
            labels = self._smooth(labels, seen, partial(self._report, problem, iteration))
        return Estimate(values=(lowest + step * labels).astype(np.float32))

    def _smooth(self, labels: Floats, seen: Observed, progress: Callable[[float], None]) -> Floats:
        """Do one iteration."""
        before, result = labels.clip(0, self.labels - 1), np.empty_like(labels)
        weight = imresize(seen.weight, size=labels.shape, method="bilinear")
        levels = np.rint(seen.guide * 255).astype(np.int16)
        tables = _spatial(self.radius, self.spatial), _alike(self.contrast)
        truncation = max(1, self.truncation * (self.labels - 1))
        for band in bands(labels.shape[0], progress):
            aggregate(band, before, weight, levels, tables, truncation, result)
        return result

    def _report(self, problem: Problem, iteration: int, done: float) -> None:
        problem.progress((iteration + done) / self.iterations)


def _spatial(radius: int, spread: float) -> Floats:
    y, x = np.mgrid[-radius : radius + 1, -radius : radius + 1]
    return np.asarray(np.exp(-np.hypot(y, x) / spread), np.float32)


def _alike(spread: float) -> Floats:
    """Weight of every sum of differences of three 8-bit channels."""
    return np.asarray(np.exp(-np.arange(3 * 255 + 1) / (3 * 255 * spread)), np.float32)


@njit(cache=True, nogil=True, parallel=True)
def aggregate(
    band: tuple[int, int],
    labels: Floats,
    weight: Floats,
    levels: NDArray[np.int16],
    tables: tuple[Floats, Floats],
    truncation: float,
    result: Floats,
) -> None:
    """Find each pixel's depth of least cost, in labels, over a band of rows."""
    near, alike = tables
    radius = near.shape[0] // 2
    height, width = labels.shape
    bins = int(labels.max()) + 6
    for y in prange(band[0], band[1]):
        sums = np.zeros((bins, 3))  # bin k + 2 holds label k; cumulative later
        for x in range(width):
            lowest, highest = bins, 0
            for qy in range(max(0, y - radius), min(height, y + radius + 1)):
                for qx in range(max(0, x - radius), min(width, x + radius + 1)):
                    difference = 0
                    for channel in range(3):
                        difference += abs(levels[qy, qx, channel] - levels[y, x, channel])
                    share = weight[qy, qx] * near[qy - y + radius, qx - x + radius] * alike[difference]
                    label = labels[qy, qx]
                    k = int(label + 0.5)
                    sums[k + 2, 0] += share
                    sums[k + 2, 1] += share * label
                    sums[k + 2, 2] += share * label * label
                    lowest, highest = min(lowest, k), max(highest, k)
            result[y, x] = _least_cost(sums, lowest, highest, truncation)
            sums[lowest + 2 : highest + 3] = 0


@njit(cache=True, nogil=True)
def _least_cost(sums: Doubles, lowest: int, highest: int, truncation: float) -> float:
    """Find the label of least cost between the lowest and the highest of a window; `sums` become cumulative."""
    for k in range(lowest + 3, highest + 3):
        for moment in range(3):
            sums[k, moment] += sums[k - 1, moment]
    best, label = np.inf, lowest
    for d in range(lowest, highest + 1):
        cost = _cost(sums, d, lowest, highest, truncation)
        if cost < best:
            best, label = cost, d
    below = _cost(sums, label - 1, lowest, highest, truncation)
    above = _cost(sums, label + 1, lowest, highest, truncation)
    bend = below + above - 2 * best
    if bend <= 0:
        return label
    return label + min(max((below - above) / (2 * bend), -0.5), 0.5)


@njit(cache=True, nogil=True)
def _cost(sums: Doubles, d: int, lowest: int, highest: int, truncation: float) -> float:
    """Cost of the label d; bins that are further away than the truncation count as if at it."""
    reach = int(truncation)
    start, stop = max(d - reach, lowest) + 1, min(d + reach, highest) + 2
    count = sums[stop, 0] - sums[start, 0]
    first = sums[stop, 1] - sums[start, 1]
    second = sums[stop, 2] - sums[start, 2]
    return float(second - 2 * d * first + d * d * count + truncation**2 * (sums[highest + 2, 0] - count))
