"""What methods share that learn from patches: factors reached in stages, and the cutting of patches.

A patch covers 3 × 3 pixels of the small map, which are 3s × 3s pixels of the map that is s times as large. What is
learned for one way of making maps smaller misleads for another, so everything learned is named by its sampling.
"""

from collections.abc import Callable
from importlib.resources import files

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from atgvnet.methods.problem import Problem
from atgvnet.prepare import fill_nearest
from atgvnet.resample import imresize

__all__ = ["DECIMATED", "learned", "patches_of", "sampling_of", "staged", "stages_of"]

Floats = NDArray[np.float32]
Progress = Callable[[float], None]

DECIMATED = ("clean-middlebury-decimated", "laserscan")
_FACTORS = (2, 4)


def sampling_of(problem: Problem) -> str:
    """How the map was made smaller: ``decimated`` on the benchmarks that are known for it, else ``antialiased``."""
    return "decimated" if problem.benchmark in DECIMATED else "antialiased"


def learned(name: str) -> dict[str, NDArray[np.generic]]:
    """Read the arrays of a shipped file."""
    with (files("atgvnet.methods") / "data" / f"{name}.npz").open("rb") as file:
        return dict(np.load(file, allow_pickle=False))


def stages_of(scale: float) -> list[int]:
    """Factors out of the learned ones whose product reaches the scale.

    >>> stages_of(2), stages_of(3), stages_of(8)
    ([2], [4], [4, 2])
    """
    stages: list[int] = []
    while scale > 1:
        stages.append(next(factor for factor in _FACTORS if factor >= scale or factor == _FACTORS[-1]))
        scale /= stages[-1]
    return stages


def staged(problem: Problem, enlarge: Callable[[Floats, int, Progress], Floats]) -> Floats:
    """Fill what is missing, enlarge by one learned factor after another, resample away what they overshoot."""
    if not problem.valid.any():
        return np.full(problem.size, np.nan, np.float32)
    values, stages = fill_nearest(problem.values, problem.valid), stages_of(max(problem.scale))
    work = np.cumprod([1, *stages[:-1]]).astype(np.float64) ** 2
    work /= work.sum()
    for stage, scale in enumerate(stages):
        values = enlarge(values, scale, _part_of(problem.progress, float(work[:stage].sum()), float(work[stage])))
    return values if values.shape == problem.size else imresize(values, size=problem.size)


def _part_of(progress: Progress, done: float, share: float) -> Progress:
    return lambda part: progress(done + share * part)


def patches_of(planes: Floats, scale: int) -> Floats:
    """Cut planes (C, H, W) into patches (N, 9 C s²) of 3s × 3s pixels, one per s pixels, row by row."""
    windows = sliding_window_view(planes, (3 * scale, 3 * scale), axis=(1, 2))[:, ::scale, ::scale]
    channels, rows, columns = windows.shape[:3]
    return windows.transpose(1, 2, 0, 3, 4).reshape(rows * columns, channels * 9 * scale * scale)
