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
from atgvnet.methods.problem import Problem, silent
from atgvnet.resample import imresize

__all__ = ["Dictionary", "assemble", "describe", "descriptions", "enlarge", "load"]

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
    samples = descriptions(enlarged, dictionary)
    detail = assemble(lambda part: predict(dictionary, samples[part]), 1, values.shape, scale, progress)
    return np.asarray(enlarged + detail[0], np.float32)


def descriptions(enlarged: Floats, dictionary: Dictionary) -> Floats:
    """Describe the patch around every small pixel, row by row: (H W, K)."""
    scale, described = dictionary.scale, describe(enlarged, dictionary.scale)
    height = enlarged.shape[0] // scale
    bands = [described[:, top * scale : (bottom + 2) * scale] for top, bottom in _bands(height)]
    return np.concatenate([patches_of(band, scale) @ dictionary.axes for band in bands])


def assemble(
    predict: Callable[[slice], Floats], planes: int, shape: tuple[int, int], scale: int, progress: Progress = silent
) -> Floats:
    """Average overlapping patches (N, C · 9 s²), asked for in parts, to planes (C, H s, W s)."""
    height, width = shape
    sums = np.zeros((planes, height + 2, scale, width + 2, scale), np.float32)
    for top, bottom in _bands(height):
        blocks = predict(slice(top * width, bottom * width)).reshape(bottom - top, width, planes, 3, scale, 3, scale)
        for dy, dx in np.ndindex(3, 3):
            part = blocks[:, :, :, dy, :, dx].transpose(2, 0, 3, 1, 4)
            sums[:, top + dy : bottom + dy, :, dx : dx + width] += part
        progress(bottom / height)
    counts = sliding_window_view(np.pad(np.ones(shape, np.float32), 1), (3, 3)).sum(axis=(2, 3))
    means = sums[:, 1:-1, :, 1:-1] / counts[:, None, :, None]
    return np.asarray(means.reshape(planes, height * scale, width * scale), np.float32)


def _bands(height: int) -> list[tuple[int, int]]:
    return [(top, min(top + _ROWS_AT_ONCE, height)) for top in range(0, height, _ROWS_AT_ONCE)]


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
