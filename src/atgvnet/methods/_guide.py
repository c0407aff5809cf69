"""What methods with a guide image share: the guide checked, holes filled, and how much each input pixel counts."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from atgvnet.errors import GuideError
from atgvnet.methods.problem import Estimate, Problem
from atgvnet.resample import fill, imresize

__all__ = ["Observed", "bands", "guide_of", "measured", "nothing_known", "observe"]

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

# What a pixel counts that was filled in, or that came with the weight 0: nothing, but where all are such.
_UNMEASURED = 0.01
_BAND = 128


@dataclass(frozen=True, kw_only=True, eq=False)
class Observed:
    """A map without holes for methods that look at windows of the input.

    `weight` is above 0 everywhere, though small where nothing was measured. `seen` is the guide at the input's
    pixel centres. `spacing` is the distance between neighbouring measurements in input pixels: 1, but where a sparse
    set of measurements is given on a grid much finer than itself.
    """

    values: Floats
    weight: Floats
    guide: Floats
    seen: Floats
    spacing: float


def guide_of(problem: Problem, method: str) -> Floats:
    """Give the guide, or say why there is none that can be used."""
    height, width = problem.size
    if problem.guide is None:
        raise GuideError(f"{method} needs a guide; give a colour image of {height}x{width}")
    if problem.guide.shape != (height, width, 3):
        shape = "x".join(str(side) for side in problem.guide.shape)
        raise GuideError(
            f"{method}: the guide is {shape}; give a colour image of the wanted size, {height}x{width}x3"
        )
    if not np.isfinite(problem.guide).all():
        raise GuideError(f"{method}: the guide has values that are not finite; give numbers in 0…1")
    return problem.guide


def measured(problem: Problem) -> Floats:
    """Weights of the input pixels, 0 where missing; if all valid ones come with the weight 0, they count alike."""
    weight = np.where(problem.valid, problem.weight, np.float32(0))
    return weight if weight.any() else problem.valid.astype(np.float32)


def nothing_known(problem: Problem) -> Estimate:
    """Answer a map of nothing but missing pixels."""
    return Estimate(values=np.full(problem.size, np.nan, np.float32))


def observe(problem: Problem, method: str) -> Observed:
    """Prepare a problem with at least one valid pixel."""
    guide = guide_of(problem, method)
    weight = measured(problem)
    return Observed(
        values=fill(np.where(weight > 0, problem.values, np.float32(np.nan))),
        weight=np.maximum(weight, np.float32(_UNMEASURED)),
        guide=guide,
        seen=imresize(guide, size=problem.values.shape, method="bilinear", antialias=False),
        spacing=_spacing(weight > 0),
    )


def bands(rows: int, progress: Callable[[float], None]) -> Iterator[tuple[int, int]]:
    """Divide the target's rows into bands, and report each when it is done."""
    for first in range(0, rows, _BAND):
        yield first, min(first + _BAND, rows)
        progress(min(first + _BAND, rows) / rows)


def _spacing(known: NDArray[np.bool_]) -> float:
    """Median distance of a measured pixel to the next."""
    if known.mean() > 0.25 or known.sum() < 2:
        return 1.0
    from scipy.spatial import cKDTree

    points = np.argwhere(known)
    distance, _ = cKDTree(points).query(points, k=[2])
    return float(np.median(distance))
