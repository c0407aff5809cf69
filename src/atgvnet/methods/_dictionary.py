"""The coupled dictionaries of `zeyde`, `timofte` and `ferstl-2015`, and the patch algebra around them.

They predict what bicubic interpolation misses. The map is enlarged by a whole factor s; around every pixel of the
small map a patch of 3s × 3s pixels of the enlarged one is described by its first and second derivatives (taken
over the distance of one small pixel, then reduced to their principal axes); a predictor turns the description into
the missing detail of the patch; overlapping patches are averaged. Descriptions are linear in the map and blind to
a constant, so neither unit nor offset matters.

`atgvnet.training.dictionaries` learns them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import cast

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from atgvnet.methods._patches import Progress, learned, patches_of, sampling_of, staged
from atgvnet.methods.problem import Problem
from atgvnet.resample import imresize

__all__ = ["Dictionary", "averaged", "describe", "enlarge", "load"]

Floats = NDArray[np.float32]
Predictor = Callable[["Dictionary", Floats], Floats]

_ROWS_AT_ONCE = 32


@dataclass(frozen=True, kw_only=True, eq=False)
class Dictionary:
    """Principal axes (F, K), atoms of descriptions (A, K), their detail (A, 9 s²) and gradient (A, 18 s²)."""

    scale: int
    axes: Floats
    low: Floats
    high: Floats
    edges: Floats


@cache
def load(sampling: str, scale: int) -> Dictionary:
    """Read the dictionaries shipped for a sampling and a factor."""
    stored = cast(dict[str, Floats], learned(f"dictionary_{sampling}_x{scale}"))
    return Dictionary(scale=scale, **stored)


def enlarge(problem: Problem, predict: Predictor) -> Floats:
    """Upscale by adding predicted detail to bicubic interpolation."""
    sampling = sampling_of(problem)
    return staged(problem, lambda values, scale, progress: _stage(values, load(sampling, scale), predict, progress))


def _stage(values: Floats, dictionary: Dictionary, predict: Predictor, progress: Progress) -> Floats:
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
    return enlarged + averaged(blocks)


def averaged(blocks: Floats) -> Floats:
    """Mean of overlapping patches whose sums are given per small pixel, (H + 2, W + 2, s, s), border included."""
    height, width, scale = blocks.shape[0] - 2, blocks.shape[1] - 2, blocks.shape[2]
    counts = sliding_window_view(np.pad(np.ones((height, width), np.float32), 1), (3, 3)).sum(axis=(2, 3))
    means = blocks[1:-1, 1:-1] / counts[:, :, None, None]
    return np.asarray(means.transpose(0, 2, 1, 3).reshape(height * scale, width * scale), np.float32)


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
    return np.stack([*first, *second])
