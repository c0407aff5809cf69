"""The coupled dictionaries that `zeyde` and `timofte` share, and the patch algebra around them.

Both predict what bicubic interpolation misses. The map is enlarged by a whole factor s; around every pixel of the
small map a patch of 3s × 3s pixels of the enlarged one is described by its first and second derivatives (taken
over the distance of one small pixel, then reduced to their principal axes); a predictor turns the description into
the missing detail of the patch; overlapping patches are averaged. Descriptions are linear in the map and blind to
a constant, so neither unit nor offset matters.

Files under ``data/`` hold, for each way in which a map may have been made smaller and each factor, the principal
axes, the atoms of descriptions (of unit length) and the atoms of detail that go with them.
`atgvnet.training.dictionaries` learns them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from atgvnet.methods.problem import Problem
from atgvnet.prepare import fill_nearest
from atgvnet.resample import imresize

__all__ = ["DECIMATED", "Dictionary", "describe", "enlarge", "load", "patches_of", "sampling_of", "stages_of"]

Floats = NDArray[np.float32]
Predictor = Callable[["Dictionary", Floats], Floats]

DECIMATED = ("clean-middlebury-decimated", "laserscan")
_FACTORS = (2, 4)
_ROWS_AT_ONCE = 32


@dataclass(frozen=True, kw_only=True, eq=False)
class Dictionary:
    """Principal axes (F, K), atoms of descriptions (A, K) and their detail (A, 9 s²)."""

    scale: int
    axes: Floats
    low: Floats
    high: Floats


def sampling_of(problem: Problem) -> str:
    """How the map was made smaller: ``decimated`` on the benchmarks that are known for it, else ``antialiased``."""
    return "decimated" if problem.benchmark in DECIMATED else "antialiased"


@cache
def load(sampling: str, scale: int) -> Dictionary:
    """Read the dictionaries shipped for a sampling and a factor."""
    with (files("atgvnet.methods") / "data" / f"dictionary_{sampling}_x{scale}.npz").open("rb") as file:
        stored = np.load(file, allow_pickle=False)
        return Dictionary(scale=scale, axes=stored["axes"], low=stored["low"], high=stored["high"])


def stages_of(scale: float) -> list[int]:
    """Factors out of the shipped ones whose product reaches the scale.

    >>> stages_of(2), stages_of(3), stages_of(8)
    ([2], [4], [4, 2])
    """
    stages: list[int] = []
    while scale > 1:
        stages.append(next(factor for factor in _FACTORS if factor >= scale or factor == _FACTORS[-1]))
        scale /= stages[-1]
    return stages


def enlarge(problem: Problem, predict: Predictor) -> Floats:
    """Upscale by stages of a shipped factor each; what they overshoot is resampled away."""
    if not problem.valid.any():
        return np.full(problem.size, np.nan, np.float32)
    values, stages = fill_nearest(problem.values, problem.valid), stages_of(max(problem.scale))
    pixels = np.cumprod([1, *stages]) ** 2
    for stage, scale in enumerate(stages):
        start, share = pixels[:stage].sum() / pixels[:-1].sum(), pixels[stage] / pixels[:-1].sum()
        dictionary = load(sampling_of(problem), scale)
        values = _stage(values, dictionary, predict, lambda done, a=start, b=share: problem.progress(a + b * done))
    return values if values.shape == problem.size else imresize(values, size=problem.size)


def _stage(values: Floats, dictionary: Dictionary, predict: Predictor, progress: Callable[[float], None]) -> Floats:
    scale, (height, width) = dictionary.scale, values.shape
    enlarged = imresize(values, size=(height * scale, width * scale))
    described = describe(enlarged, scale)
    blocks = np.zeros((height + 2, width + 2, scale, scale), np.float32)
    for top in range(0, height, _ROWS_AT_ONCE):
        bottom = min(top + _ROWS_AT_ONCE, height)
        band = patches_of(described[:, top * scale : (bottom + 2) * scale], scale)
        detail = predict(dictionary, band @ dictionary.axes).reshape(bottom - top, width, 3, scale, 3, scale)
        for dy, dx in np.ndindex(3, 3):
            blocks[top + dy : bottom + dy, dx : dx + width] += detail[:, :, dy, :, dx]
        progress(bottom / height)
    known = np.full((height, width), 1.0, np.float32)
    counts = _box_sum(known)
    inner = blocks[1:-1, 1:-1] / counts[:, :, None, None]
    return enlarged + inner.transpose(0, 2, 1, 3).reshape(enlarged.shape)


def _box_sum(values: Floats) -> Floats:
    padded = np.pad(values, 1)
    return np.asarray(sliding_window_view(padded, (3, 3)).sum(axis=(2, 3)), np.float32)


def describe(enlarged: Floats, scale: int) -> Floats:
    """First and second derivatives (4, H + 2s, W + 2s) of the map continued by its border pixels."""
    margin, half = 2 * scale, scale // 2
    padded = np.pad(enlarged, margin, mode="edge")
    height, width = enlarged.shape[0] + 2 * scale, enlarged.shape[1] + 2 * scale

    def shifted(dy: int, dx: int) -> Floats:
        return padded[scale + dy : scale + dy + height, scale + dx : scale + dx + width]

    first = [shifted(0, half) - shifted(0, -half), shifted(half, 0) - shifted(-half, 0)]
    second = [
        (shifted(0, scale) + shifted(0, -scale)) / 2 - shifted(0, 0),
        (shifted(scale, 0) + shifted(-scale, 0)) / 2 - shifted(0, 0),
    ]
    return np.stack(first + second)


def patches_of(planes: Floats, scale: int) -> Floats:
    """Cut planes (C, H, W) into patches (N, 9 C s²) of 3s × 3s pixels, one per s pixels, row by row."""
    windows = sliding_window_view(planes, (3 * scale, 3 * scale), axis=(1, 2))[:, ::scale, ::scale]
    channels, rows, columns = windows.shape[:3]
    return windows.transpose(1, 2, 0, 3, 4).reshape(rows * columns, channels * 9 * scale * scale)
