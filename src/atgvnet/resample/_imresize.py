"""Resampling of maps and images: MATLAB's `imresize`, for NumPy arrays and, identically, for torch tensors.

The pixel-centre rule (`atgvnet.camera`): both grids span the same area, so output pixel i looks at the input
coordinate (i + 0.5) / scale - 0.5. Along each axis the output is a weighted sum of a few input pixels,

    out[i] = sum_k w(i, k) · in[index(i, k)],    w = kernel(position - index), made to sum to 1,

where the kernel is a box (nearest), a tent (bilinear) or Keys' cubic with a = -0.5 (bicubic). Where the map shrinks,
the kernel is widened by 1 / scale against aliasing (never for nearest); beyond the border the image is mirrored.

With a mask of valid pixels, w is multiplied by the mask and made to sum to 1 again (in two dimensions). Negative
weights make that quotient explode where few neighbours are valid, so the bicubic kernel counts only where most
of it lies on valid pixels; elsewhere the bilinear one does, then the nearest valid pixel of the support, then NaN.
"""

import math
from typing import Any, cast, get_args

import numpy as np

from atgvnet.errors import InputError
from atgvnet.resample._arrays import Image, along, library, line, take
from atgvnet.resample._taps import Interpolation, Taps, absolute, taps

__all__ = ["imresize"]

Axes = tuple[tuple[int, int, float, bool], tuple[int, int, float, bool]]

# Of the bicubic kernel's absolute weight; beyond it the bilinear kernel takes over. No round number, so that sums of
# weights do not tie with it.
_MISSING_SHARE = 0.2517
_LEAST_WEIGHT = 1e-3  # of valid pixels under the bilinear kernel; a mean over less is lost in rounding


def imresize(
    image: Image,
    *,
    scale: float | tuple[float, float] | None = None,
    size: tuple[int, int] | None = None,
    method: Interpolation = "bicubic",
    antialias: bool = True,
    valid: Image | None = None,
) -> Image:
    """Resize as MATLAB does.

    Parameters
    ----------
    image
        NumPy array (H, W) or (H, W, C), or torch tensor (..., H, W). Floating point keeps its precision, integers
        become float64.
    scale, size
        One of them: the factor, or two in y and x, giving ceil(side · scale) pixels; or the height and width.
    method
        The kernel.
    antialias
        Whether to widen the kernel where the map shrinks.
    valid
        Mask of the pixels that count, (H, W), or for tensors any shape that broadcasts. The result is NaN where
        no valid pixel lies in the kernel's support.

    >>> imresize(np.array([[0.0, 1.0]]), scale=2, method="bilinear")
    array([[0.  , 0.25, 0.75, 1.  ],
           [0.  , 0.25, 0.75, 1.  ]])
    """
    if method not in get_args(Interpolation):
        raise InputError(f"imresize: method is {method!r}; give one of {', '.join(get_args(Interpolation))}")
    planes = _planes(image)
    height, width = planes.shape[-2:]
    factors, (rows, columns) = _geometry((height, width), scale, size)
    axes = (
        (height, rows, factors[0], antialias),
        (width, columns, factors[1], antialias),
    )
    mask = None if valid is None else _mask(valid, planes)
    with np.errstate(over="ignore", invalid="ignore"):  # what float32 cannot hold becomes infinite, as in torch
        if mask is None:
            return _like(_weigh(planes, _both(axes, method)))
        return _like(_masked(planes, mask, axes, method))


def _geometry(
    shape: tuple[int, int], scale: float | tuple[float, float] | None, size: tuple[int, int] | None
) -> tuple[tuple[float, float], tuple[int, int]]:
    """Factors and output size; a given scale is kept exactly, as MATLAB does, though the size is rounded up."""
    if (scale is None) == (size is None):
        raise InputError(f"imresize: scale is {scale}, size is {size}; give exactly one of them")
    if 0 in shape:
        raise InputError(f"imresize: the image is {shape[0]}×{shape[1]}; give at least one pixel")
    if size is not None:
        if len(size) != 2 or min(size) < 1:
            raise InputError(f"imresize: size is {size}; give a height and a width of at least 1")
        return (size[0] / shape[0], size[1] / shape[1]), (int(size[0]), int(size[1]))
    factors = scale if isinstance(scale, tuple) else (cast(float, scale),) * 2
    if len(factors) != 2 or not all(math.isfinite(factor) and factor > 0 for factor in factors):
        raise InputError(f"imresize: scale is {scale}; give a positive number, or two for y and x")
    # A hair is taken off: 30 · 0.1 is 3 pixels, whatever its last bit says.
    sides = [max(1, math.ceil(side * factor - 1e-9)) for side, factor in zip(shape, factors, strict=True)]
    return (float(factors[0]), float(factors[1])), (sides[0], sides[1])


def _both(axes: Axes, method: Interpolation) -> tuple[Taps, Taps]:
    (y_length, y_count, y_scale, antialias), (x_length, x_count, x_scale, _) = axes
    return taps(y_length, y_count, y_scale, method, antialias), taps(x_length, x_count, x_scale, method, antialias)


def _weigh(planes: Image, both: tuple[Taps, Taps]) -> Image:
    """Apply the weights along both axes, the one that shrinks more first."""
    order = sorted(zip(both, (-2, -1), strict=True), key=lambda item: len(item[0].index) / item[0].length)
    for axis_taps, axis in order:
        planes = along(planes, axis_taps, axis)
    return planes


def _masked(planes: Image, valid: Image, axes: Axes, method: Interpolation) -> Image:
    """Try the kernels in turn, each where the ones before had too little to go by; NaN where all fail."""
    lib = library(planes)
    planes = lib.where(valid, planes, lib.zeros_like(planes))
    counts = lib.ones_like(planes[..., :1, :1]) * valid
    result: Image
    result, found = _mean(planes, counts, axes, method)
    if method == "bicubic" and not found.all():
        second, sure = _mean(planes, counts, axes, "bilinear")
        result, found = lib.where(found, result, second), found | sure
    if not found.all():
        result = lib.where(found, result, _nearest_valid(planes, valid, _both(axes, method)))
    return result


def _mean(planes: Image, counts: Image, axes: Axes, kernel: Interpolation) -> tuple[Image, Any]:
    """Weighted means over the valid pixels, and where they can be trusted."""
    lib = library(planes)
    both = _both(axes, kernel)
    total = _weigh(counts, both)
    if kernel == "bicubic":
        trusted = _weigh(1 - counts, (absolute(both[0]), absolute(both[1]))) <= _MISSING_SHARE
    else:
        trusted = total >= _LEAST_WEIGHT
    return _weigh(planes, both) / lib.where(trusted, total, lib.ones_like(total)), trusted


def _nearest_valid(planes: Image, valid: Image, both: tuple[Taps, Taps]) -> Image:
    """Take the nearest valid pixel of the support: the nearest of each row's nearest; NaN where there is none."""
    lib = library(planes)
    squared = lib.where(valid, lib.zeros_like(planes), lib.full_like(planes, math.inf))
    for axis_taps, axis in zip(both, (-2, -1), strict=True):
        value: Any = None
        for k in range(axis_taps.index.shape[1]):
            candidate = take(planes, axis_taps.index[:, k], axis)
            far = take(squared, axis_taps.index[:, k], axis) + line(axis_taps.distance[:, k] ** 2, planes, axis)
            if value is None:
                value, best = candidate, far
                continue
            value = lib.where(far < best, candidate, value)
            best = lib.where(far < best, far, best)
        planes, squared = value, best
    result: Image = lib.where(lib.isfinite(squared), planes, lib.full_like(planes, math.nan))
    return result


def _planes(image: Image) -> Image:
    """Arrange as (..., H, W) in floating point."""
    if not isinstance(image, np.ndarray):
        return image if image.is_floating_point() else image.double()
    if image.ndim not in (2, 3):
        raise InputError(f"imresize: the array's shape is {image.shape}; give (H, W) or (H, W, C)")
    floating = image if image.dtype in (np.float32, np.float64) else image.astype(np.float64)
    return floating if image.ndim == 2 else np.moveaxis(floating, -1, 0)


def _like(planes: Image) -> Image:
    if isinstance(planes, np.ndarray) and planes.ndim == 3:
        return np.ascontiguousarray(np.moveaxis(planes, 0, -1))
    return planes


def _mask(valid: Image, planes: Image) -> Image:
    mask: Any = valid.astype(bool) if isinstance(valid, np.ndarray) else valid.to(planes.device).bool()
    if tuple(mask.shape[-2:]) != tuple(planes.shape[-2:]):
        shapes = f"the mask is {tuple(mask.shape)}, the image {tuple(planes.shape)}"
        raise InputError(f"imresize: {shapes}; give equal heights and widths")
    output: Image = mask
    return output
