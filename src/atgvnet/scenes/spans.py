"""Which pixels of which rows a solid can cover: the outline of its projected bounding box, row by row."""

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["cover"]

Doubles = NDArray[np.float64]
Integers = NDArray[np.int64]

NEAR = 1e-6
SLACK = 0.01


@njit(cache=True, nogil=True, error_model="numpy")
def corners(centre: Doubles, axes: Doubles, points: Doubles) -> float:
    """Write the eight corners of the solid's cube; give the least depth among them."""
    least = math.inf
    for k in range(8):
        a, b, c = 1.0 - 2.0 * (k & 1), 1.0 - (k & 2), 1.0 - 0.5 * (k & 4)
        for i in range(3):
            points[k, i] = centre[i] + a * axes[i, 0] + b * axes[i, 1] + c * axes[i, 2]
        least = min(least, points[k, 2])
    return least


@njit(cache=True, nogil=True, error_model="numpy")
def edge(p: Doubles, q: Doubles, low: Doubles, high: Doubles) -> None:
    """Widen the rows' spans by an edge of the outline, given as (column, row) of its ends."""
    first = max(0, math.ceil(min(p[1], q[1]) - SLACK))
    last = min(low.size - 1, math.floor(max(p[1], q[1]) + SLACK))
    rise = q[1] - p[1]
    left, right = min(p[0], q[0]), max(p[0], q[0])
    slope = (q[0] - p[0]) / rise if abs(rise) > SLACK else 0.0
    for row in range(first, last + 1):
        a = min(max(p[0] + (row - p[1]) * slope, left), right)
        b = a
        if abs(rise) <= SLACK:
            a, b = left, right
        low[row], high[row] = min(low[row], a), max(high[row], b)


@njit(cache=True, nogil=True, error_model="numpy")
def cover(
    centre: Doubles,
    axes: Doubles,
    pinhole: bool,
    grid: Doubles,
    width: int,
    low: Doubles,
    high: Doubles,
    points: Doubles,
) -> None:
    """Fill the first and the last column of each row; all of them if the solid reaches behind the camera.

    `grid` holds pixels per world unit at depth 1 and the column and row of the optical axis.
    """
    least = corners(centre, axes, points)
    if pinhole and least < NEAR:
        low[:], high[:] = 0, width - 1
        return
    low[:], high[:] = math.inf, -math.inf
    for k in range(8):
        scale = grid[0] / points[k, 2] if pinhole else grid[0]
        points[k, 0] = grid[1] + points[k, 0] * scale
        points[k, 1] = grid[2] + points[k, 1] * scale
    for k in range(8):
        for bit in (1, 2, 4):
            if not k & bit:
                edge(points[k], points[k | bit], low, high)
