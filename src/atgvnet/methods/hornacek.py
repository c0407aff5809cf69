"""`hornacek`: self-similar patches under rigid motions in space.

M. Hornáček, C. Rhemann, M. Gelautz, C. Rother: Depth Super Resolution by Rigid Body Self-Similarity in 3D. CVPR 2013.

The problem: add detail to a map that nothing but itself can teach. The same surfaces are seen more than once, from
other sides and at other distances; so the surroundings of a point, a patch of 3D points, are matched to others of the
same map by a motion with six degrees of freedom (`atgvnet.methods._rigid`), and what is seen there is moved back.

Upscaling and merging: the outline of a patch in the small map is its mask, enlarged bilinearly and cut at one half.
For a detailed pixel within it, the patch's own surface gives a first point; moved to the match, it is replaced by the
surface seen there, and moved back it gives the patch's opinion on the pixel's depth. A pixel gets the mean of all
opinions, weighted by exp(−cost / width). Pixels without any keep the nearest measurement.

Motions need a camera, which a map alone does not have: a field of view is assumed, and a disparity is taken for the
inverse of a depth.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from atgvnet.errors import InputError
from atgvnet.methods._patches import Progress
from atgvnet.methods._rigid import Cloud, find_motions, lesser_steps
from atgvnet.methods.problem import Estimate, Problem, silent
from atgvnet.prepare import fill_nearest
from atgvnet.resample import imresize

__all__ = ["Hornacek", "merge"]

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

_ROWS_AT_ONCE = 16
_LEAST_WEIGHT = 1e-6  # of a patch without a match, which then stays where it is


@dataclass(frozen=True, kw_only=True)
class Hornacek:
    """Radius of a patch in pixels at the median depth, turns of the search, width of the weights, view in degrees."""

    guided: ClassVar[bool] = False
    source: ClassVar[str] = "Hornáček et al., Depth Super Resolution by Rigid Body Self-Similarity in 3D, CVPR 2013"

    radius: float = 3.0
    turns: int = 4
    width: float = 0.01
    view: float = 60.0
    seed: int = 0

    def __post_init__(self) -> None:
        if not min(self.radius, self.width) > 0 or self.turns < 1 or not 0 < self.view < 180:
            raise InputError(f"{self}: give radius > 0, width > 0, turns ≥ 1, 0 < view < 180")

    def __call__(self, problem: Problem, /) -> Estimate:
        """Upscale."""
        if not problem.valid.any():
            return Estimate(values=np.full(problem.size, np.nan, np.float32))
        fallback = imresize(fill_nearest(problem.values, problem.valid), size=problem.size, method="nearest")
        z = _depths(problem)
        focal = max(z.shape) / 2 / math.tan(math.radians(self.view) / 2)
        cloud = Cloud.of(z, focal, self.radius * float(np.nanmedian(z)) / focal)
        motions, costs = find_motions(cloud, self.turns, self.seed, lambda done: problem.progress(0.5 * done))
        motions[np.isinf(costs)] = np.eye(3, 4)
        weights = np.maximum(np.exp(-costs / self.width), _LEAST_WEIGHT)
        merged = merge(cloud, motions, weights, problem.size, lambda done: problem.progress(0.5 + 0.5 * done))
        values = merged if problem.unit == "disparity" else 1 / merged
        return Estimate(values=np.where(np.isfinite(values), values, fallback).astype(np.float32))


def _depths(problem: Problem) -> Doubles:
    values = problem.values.astype(np.float64)
    low, high = np.nanmin(values), np.nanmax(values)
    if low < 0 or high == 0 or (problem.unit != "disparity" and low == 0):
        raise InputError(f"hornacek: the map holds {low:g}; it needs positive values to have 3D points")
    if problem.unit == "disparity":
        return 1 / np.maximum(values, 1e-3 * high)
    return values


def merge(
    cloud: Cloud, motions: Doubles, weights: Doubles, size: tuple[int, int], progress: Progress = silent
) -> Doubles:
    """Average all patches' opinions on the inverse depths (linear on planes) of a larger map; NaN without any."""
    total, counts = np.zeros(size), np.zeros(size)
    inverse = 1 / cloud.points[..., 2:]
    slopes = np.nan_to_num(np.concatenate([lesser_steps(inverse, 0), lesser_steps(inverse, 1)], axis=-1))
    rows = np.arange(len(weights))
    for band in np.array_split(rows, -(-len(rows) // _ROWS_AT_ONCE)):
        _merge(cloud.points, slopes, cloud.focal, cloud.radius, motions, weights, band, total, counts)
        progress((band[-1] + 1) / len(rows))
    with np.errstate(invalid="ignore"):
        return total / counts


@njit(cache=True, nogil=True)
def _surface(points: Doubles, slopes: Doubles, centre: Doubles, radius: float, v: float, u: float) -> float:
    """Inverse depth at (v, u) between the pixels of the patch around a centre; NaN outside its outline.

    Where some of the four pixels around are not of the patch, the others' slopes lead from their mean to (v, u).
    """
    height, width, _ = points.shape
    top, left = math.floor(v), math.floor(u)
    total, share = 0.0, 0.0
    down, across, slope_down, slope_across = 0.0, 0.0, 0.0, 0.0
    for corner in range(4):
        j, i = top + corner // 2, left + corner % 2
        weight = (1 - abs(v - j)) * (1 - abs(u - i))
        j, i = min(max(j, 0), height - 1), min(max(i, 0), width - 1)
        p = points[j, i]
        away = (p[0] - centre[0]) ** 2 + (p[1] - centre[1]) ** 2 + (p[2] - centre[2]) ** 2
        if away <= radius * radius:
            total += weight / p[2]
            share += weight
            down += weight * (v - j)
            across += weight * (u - i)
            slope_down += weight * slopes[j, i, 0]
            slope_across += weight * slopes[j, i, 1]
    if share < 0.5:
        return np.nan
    return (total + (down * slope_down + across * slope_across) / share) / share


@njit(cache=True, nogil=True)
def _opinion(
    points: Doubles,
    slopes: Doubles,
    centre: Doubles,
    motion: Doubles,
    focal: float,
    radius: float,
    v: float,
    u: float,
) -> float:
    """Inverse depth that a patch gives the position (v, u) of the small map; NaN outside its outline."""
    height, width, _ = points.shape
    own = _surface(points, slopes, centre, radius, v, u)
    if math.isnan(own):
        return own
    x, y = (u - (width - 1) / 2) / focal / own, (v - (height - 1) / 2) / focal / own
    moved, target = np.empty(3), np.empty(3)
    for k in range(3):
        moved[k] = motion[k, 0] * x + motion[k, 1] * y + motion[k, 2] / own + motion[k, 3]
        target[k] = motion[k, 3]
        for m in range(3):
            target[k] += motion[k, m] * centre[m]
    to_u, to_v = moved[0] * focal / moved[2] + (width - 1) / 2, moved[1] * focal / moved[2] + (height - 1) / 2
    there = _surface(points, slopes, target, radius, to_v, to_u)
    if math.isnan(there):
        return own
    z = -motion[0, 2] * motion[0, 3] - motion[1, 2] * motion[1, 3] - motion[2, 2] * motion[2, 3]
    z += (
        motion[0, 2] * moved[0] / moved[2] / there + motion[1, 2] * moved[1] / moved[2] / there + motion[2, 2] / there
    )
    return 1 / z if z > 0 else own


@njit(cache=True, nogil=True)
def _merge(
    points: Doubles,
    slopes: Doubles,
    focal: float,
    radius: float,
    motions: Doubles,
    weights: Doubles,
    rows: NDArray[np.int64],
    total: Doubles,
    counts: Doubles,
) -> None:
    height, width, _ = points.shape
    scale_y, scale_x = total.shape[0] / height, total.shape[1] / width
    for y in rows:
        for x in range(width):
            centre = points[y, x]
            if not centre[2] > 0:
                continue
            reach = min(math.ceil(radius * focal / centre[2]), 16) + 0.5
            for row in range(max(0, int((y - reach) * scale_y)), min(total.shape[0], int((y + reach + 1) * scale_y))):
                v = (row + 0.5) / scale_y - 0.5
                for column in range(
                    max(0, int((x - reach) * scale_x)), min(total.shape[1], int((x + reach + 1) * scale_x))
                ):
                    u = (column + 0.5) / scale_x - 0.5
                    opinion = _opinion(points, slopes, centre, motions[y, x], focal, radius, v, u)
                    if not math.isnan(opinion):
                        total[row, column] += weights[y, x] * opinion
                        counts[row, column] += weights[y, x]
