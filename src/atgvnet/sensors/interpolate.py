"""Interpolation of scattered pixels: linear on their Delaunay triangulation, the nearest outside of it."""

from typing import Literal

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray
from scipy.spatial import Delaunay, QhullError, cKDTree

from atgvnet.errors import InputError

__all__ = ["inpaint"]

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Integers = NDArray[np.int64]


def inpaint(sparse: ArrayLike, *, method: Literal["linear", "nearest"] = "linear") -> Floats:
    """Fill a map that is NaN almost everywhere."""
    values = np.asarray(sparse, np.float32)
    known: Integers = np.argwhere(np.isfinite(values)) if values.ndim == 2 else np.empty((0, 2), np.int64)
    if not len(known):
        raise InputError(f"map of shape {values.shape}: no pixel is known; there is nothing to interpolate")
    filled = np.full(values.shape, np.nan, np.float32)
    if method == "linear" and (triangles := _triangles(known)) is not None:
        _draw(known, values[known[:, 0], known[:, 1]].astype(np.float64), triangles, filled)
    missing = np.argwhere(np.isnan(filled))
    nearest = known[cKDTree(known).query(missing)[1]] if len(missing) else known[:0]
    filled[missing[:, 0], missing[:, 1]] = values[nearest[:, 0], nearest[:, 1]]
    return filled


def _triangles(points: Integers) -> Integers | None:
    """Give the triangles' corners, or None where all points are on a line."""
    try:
        return np.asarray(Delaunay(points).simplices, np.int64)
    except (QhullError, ValueError):
        return None


@njit(cache=True, nogil=True, error_model="numpy")
def _draw(points: Integers, values: Doubles, triangles: Integers, image: Floats) -> None:
    """Draw the triangles, corners and sides included, with linearly changing values."""
    for k in range(len(triangles)):
        a, b, c = triangles[k]
        ay, ax = points[a]
        by, bx = points[b]
        cy, cx = points[c]
        area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
        if area == 0:
            continue
        sign = 1 if area > 0 else -1
        for y in range(min(ay, by, cy), max(ay, by, cy) + 1):
            for x in range(min(ax, bx, cx), max(ax, bx, cx) + 1):
                wb = ((x - ax) * (cy - ay) - (cx - ax) * (y - ay)) * sign
                wc = ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) * sign
                wa = area * sign - wb - wc
                if wa >= 0 and wb >= 0 and wc >= 0:
                    image[y, x] = (wa * values[a] + wb * values[b] + wc * values[c]) / (area * sign)
