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

_BLOCK_INPUTS, _LEAST_OUTPUTS = 32, 16  # of a block: products with small dense matrices are faster than gathering


def along(planes: Image, axis_taps: Taps, axis: int) -> Image:
    """Weigh the planes' rows (axis -2) or columns (axis -1)."""
    if not isinstance(planes, np.ndarray):
        return _by_products(planes, axis_taps, axis)
    result: Any = None
    for k in range(axis_taps.weight.shape[1]):
        term = np.take(planes, axis_taps.index[:, k], axis=axis)
        term *= line(axis_taps.weight[:, k], planes, axis)
        result = term if result is None else result.__iadd__(term)
    return np.asarray(result)


def _by_products(planes: "Tensor", axis_taps: Taps, axis: int) -> "Tensor":
    """Multiply blocks of neighbouring outputs' weights by the inputs that these look at."""
    import torch

    parts = []
    for first, matrix in _blocks(axis_taps, planes.dtype, planes.device):
        inputs = planes.narrow(axis, first, matrix.shape[1])
        parts.append(matrix @ inputs if axis == -2 else inputs @ matrix.T)
    return parts[0] if len(parts) == 1 else torch.cat(parts, dim=axis)


@lru_cache(maxsize=64)
def _blocks(axis_taps: Taps, dtype: Any, device: Any) -> "list[tuple[int, Tensor]]":
    """Cut the matrix of all weights, which is banded, into blocks of rows; give each one's first column too."""
    import torch

    count = len(axis_taps.index)
    size = max(_LEAST_OUTPUTS, round(_BLOCK_INPUTS * count / axis_taps.length))
    blocks = []
    with torch.inference_mode(mode=False):  # a cached inference tensor could not be trained through later
        for start in range(0, count, size):
            index, weight = axis_taps.index[start : start + size], axis_taps.weight[start : start + size]
            first = int(index.min())
            matrix = np.zeros((len(index), int(index.max()) + 1 - first))
            np.add.at(matrix, (np.arange(len(index))[:, None], index - first), weight)
            blocks.append((first, torch.as_tensor(matrix).to(device=device, dtype=dtype)))
    return blocks


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
