"""The few operations on (..., H, W) arrays in which NumPy and torch differ."""

from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from atgvnet.resample._taps import Taps

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["Image", "along", "library", "line", "take"]

Floats = NDArray[np.float64]
Image = TypeVar("Image", NDArray[Any], "Tensor")

_DENSE_LENGTH = 512  # up to this input length a product with the full matrix is faster in torch than gathering


def along(planes: Image, axis_taps: Taps, axis: int) -> Image:
    """Weigh the planes' rows (axis -2) or columns (axis -1)."""
    if not isinstance(planes, np.ndarray) and axis_taps.length <= _DENSE_LENGTH:
        return _product(planes, _dense(axis_taps, planes.dtype, planes.device), axis)
    result: Any = None
    for k in range(axis_taps.weight.shape[1]):
        term: Any = take(planes, axis_taps.index[:, k], axis)
        factor = line(axis_taps.weight[:, k], planes, axis)
        if isinstance(term, np.ndarray):
            term *= factor
        else:
            term = term * factor
        result = term if result is None else result.__iadd__(term)
    output: Image = result
    return output


@lru_cache(maxsize=64)
def _dense(axis_taps: Taps, dtype: Any, device: Any) -> "Tensor":
    import torch

    with torch.inference_mode(mode=False):  # a cached inference tensor could not be trained through later
        return torch.as_tensor(axis_taps.matrix()).to(device=device, dtype=dtype)


def _product(planes: "Tensor", matrix: "Tensor", axis: int) -> "Tensor":
    return matrix @ planes if axis == -2 else planes @ matrix.T


def take(planes: Image, index: NDArray[np.int64], axis: int) -> Image:
    """Pick rows or columns."""
    if isinstance(planes, np.ndarray):
        return np.take(planes, index, axis=axis)
    import torch

    return planes.index_select(axis, torch.tensor(index, device=planes.device))


def line(values: Floats, planes: Image, axis: int) -> Image:
    """Give one number per row or column the planes' precision, ready to broadcast."""
    shaped = values[:, None] if axis == -2 else values
    if isinstance(planes, np.ndarray):
        return shaped.astype(planes.dtype)
    import torch

    return torch.tensor(shaped, dtype=planes.dtype, device=planes.device)


def library(planes: Image) -> Any:
    """Give the namespace that the planes belong to."""
    if isinstance(planes, np.ndarray):
        return np
    import torch

    return torch
