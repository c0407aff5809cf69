"""Non-local means on the input, then bicubic: what to try first where a map is noisy and there is no guide.

Each pixel becomes the value at its place of a plane, fitted to the pixels around it whose patches look alike,

    min over m, s of  sum_j w_j (u_j - m - s · (x_j - x))² + r |s|²,
    t = (mean over the patch of (u - u_j)² / (σ² + σ_j²) - 1) / cut,    w_j = (1 - t²)² with t held in 0…1.

The mean is 1 where the patches differ by noise alone, so that nothing but the noise level sets the strength; a mean
instead of a plane (large r) would flatten slopes at edges. Missing pixels take no part. Parameters were chosen on
synthetic scenes (`atgvnet.scenes`) with the noise of the paper.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numba import get_num_threads, njit
from numpy.typing import NDArray

from atgvnet.errors import InputError
from atgvnet.methods.problem import Estimate, Problem
from atgvnet.resample import resize_and_fill

__all__ = ["NonLocalMeans", "denoise"]

Floats = NDArray[np.float32]

_BAND = 32  # rows that one thread works on
_LEAST_PAIRS = np.float32(3)  # of pixels known in both patches


@dataclass(frozen=True, kw_only=True)
class NonLocalMeans:
    """Non-local means with a plane per pixel.

    Parameters
    ----------
    search, patch
        Largest offset in pixels between two patches, and their radius.
    cut
        How far the mean normalised difference may exceed 1.
    stiffness
        r above: how strongly slopes are held back.
    """

    search: int = 8
    patch: int = 2
    cut: float = 1.0
    stiffness: float = 30.0

    guided: ClassVar[bool] = False
    source: ClassVar[str] = "Buades, Coll and Morel, CVPR 2005; planes and weights by atgvnet"
    plane_tolerance: ClassVar[float] = 0.02

    def __post_init__(self) -> None:
        if self.search < 1 or self.patch < 0 or not self.cut > 0 or not self.stiffness >= 0:
            raise InputError(f"{self}: give search ≥ 1, patch ≥ 0, cut > 0, stiffness ≥ 0")

    def __call__(self, problem: Problem, /) -> Estimate:
        """Denoise where there is noise, then resize."""
        return Estimate(values=resize_and_fill(denoise(problem, self), problem.size))


def denoise(problem: Problem, parameters: NonLocalMeans) -> Floats:
    """Denoise on the input's grid; NaN where it is missing, unchanged where the noise is 0."""
    valid = problem.valid
    noisy = valid & (problem.sigma > 0)
    if not noisy.any():
        return problem.values
    unit = problem.sigma[noisy].max()
    # An exact pixel differs from another by more than its noise unless they are all but equal.
    variance = np.maximum(np.where(noisy, problem.sigma / unit, 0) ** 2, 1e-6)
    maps = np.stack([np.where(valid, problem.values / unit, 0), variance, valid, np.where(valid, problem.weight, 0)])
    change = np.zeros_like(problem.values)
    _denoise_bands(maps.astype(np.float32), parameters, change, problem.progress)
    return np.where(noisy, problem.values + unit * change, problem.values).astype(np.float32)


def _denoise_bands(
    maps: Floats, parameters: NonLocalMeans, change: Floats, progress: Callable[[float], None]
) -> None:
    """Share bands of rows out among threads; the kernels hold no lock."""
    window, form = (parameters.search, parameters.patch), (parameters.cut, parameters.stiffness)
    starts = range(0, len(change), _BAND)

    def denoise_band(start: int) -> None:
        _denoise_band(maps, start, min(start + _BAND, len(change)), window, form, change)

    with ThreadPoolExecutor(get_num_threads()) as pool:
        for done, _ in enumerate(pool.map(denoise_band, starts), 1):
            progress(done / len(starts))


@njit(cache=True, nogil=True)
def _denoise_band(
    maps: Floats, first: int, last: int, window: tuple[int, int], form: tuple[float, float], change: Floats
) -> None:
    _, height, width = maps.shape
    search, patch = window
    moments = np.zeros((last - first, 10, width), np.float32)
    distance = np.zeros((last - first + 2 * patch, width), np.float32)
    pairs = np.zeros_like(distance)
    likeness = np.zeros(width, np.float32)
    for dy in range(-min(search, height - 1), min(search, height - 1) + 1):
        for dx in range(-min(search, width - 1), min(search, width - 1) + 1):
            if dy == 0 and dx == 0:
                continue
            _compare(maps, first - patch, dy, dx, distance, pairs)
            for y in range(max(first, -dy), min(last, height - dy)):
                _liken(distance[y - first :], pairs[y - first :], patch, form[0], likeness)
                _gather(maps, y, dy, dx, likeness, moments[y - first])
    for y in range(first, last):
        _fit(moments[y - first], maps[3, y], form[1], change[y])


@njit(cache=True, nogil=True, fastmath=True)
def _compare(maps: Floats, top: int, dy: int, dx: int, distance: Floats, pairs: Floats) -> None:
    """Normalised squared differences of pixels (dy, dx) apart, and which of them are both known."""
    values, variance, known = maps[0], maps[1], maps[2]
    height, width = values.shape
    distance[:] = 0
    pairs[:] = 0
    for i in range(len(distance)):
        y = top + i
        if 0 <= y < height and 0 <= y + dy < height:
            for x in range(max(0, -dx), min(width, width - dx)):
                pair = known[y, x] * known[y + dy, x + dx]
                step = values[y, x] - values[y + dy, x + dx]
                pairs[i, x] = pair
                distance[i, x] = pair * step * step / (variance[y, x] + variance[y + dy, x + dx])


@njit(cache=True, nogil=True, fastmath=True)
def _liken(distance: Floats, pairs: Floats, patch: int, cut: float, likeness: Floats) -> None:
    """Weights of one row's pixels by the means over their patches, which start in the first of the rows given."""
    width = len(likeness)
    columns, counts = np.zeros(width, np.float32), np.zeros(width, np.float32)
    for k in range(2 * patch + 1):
        for x in range(width):
            columns[x] += distance[k, x]
            counts[x] += pairs[k, x]
    total, count = columns[:patch].sum(), counts[:patch].sum()
    for x in range(width):
        if x + patch < width:
            total += columns[x + patch]
            count += counts[x + patch]
        if x - patch > 0:
            total -= columns[x - patch - 1]
            count -= counts[x - patch - 1]
        excess = (total / max(count, _LEAST_PAIRS) - 1) / cut
        if count < _LEAST_PAIRS or pairs[patch, x] == 0 or excess >= 1:
            likeness[x] = 0
        else:
            likeness[x] = (1 - max(excess, 0.0) ** 2) ** 2


@njit(cache=True, nogil=True, fastmath=True)
def _gather(maps: Floats, y: int, dy: int, dx: int, likeness: Floats, moments: Floats) -> None:
    """Add one neighbour of each pixel of a row to what the planes need: weight, its moments, those of the values."""
    here, there, trust = maps[0, y], maps[0, y + dy], maps[3, y + dy]
    fx, fy = np.float32(dx), np.float32(dy)
    for x in range(max(0, -dx), min(len(here), len(here) - dx)):
        weight = likeness[x] * trust[x + dx]
        rise = weight * (there[x + dx] - here[x])
        moments[0, x] += weight
        moments[1, x] += weight * fx
        moments[2, x] += weight * fy
        moments[3, x] += weight * fx * fx
        moments[4, x] += weight * fx * fy
        moments[5, x] += weight * fy * fy
        moments[6, x] += rise
        moments[7, x] += rise * fx
        moments[8, x] += rise * fy
        moments[9, x] = max(moments[9, x], likeness[x])


@njit(cache=True, nogil=True, fastmath=True)
def _fit(moments: Floats, trust: Floats, stiffness: float, change: Floats) -> None:
    """Solve each pixel's normal equations; the pixel itself weighs as much as its most alike neighbour."""
    for x in range(len(change)):
        total = moments[0, x] + (moments[9, x] if moments[9, x] > 0 else 1.0) * trust[x]
        if total <= 0:
            continue
        ax, ay, mean = moments[1, x] / total, moments[2, x] / total, moments[6, x] / total
        xx = (moments[3, x] + stiffness) / total - ax * ax
        yy = (moments[5, x] + stiffness) / total - ay * ay
        xy = moments[4, x] / total - ax * ay
        xz, yz = moments[7, x] / total - ax * mean, moments[8, x] / total - ay * mean
        determinant = xx * yy - xy * xy
        change[x] = mean
        if determinant > 0:
            change[x] -= (ax * (yy * xz - xy * yz) + ay * (xx * yz - xy * xz)) / determinant
