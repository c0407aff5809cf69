"""The ray-caster: every solid in turn, only where its bounding box projects, the nearest distance wins.

For each row, `shapes` writes the distances to one solid into a buffer and the row keeps the smaller of both. That
second step is all that knows about other solids. All arithmetic is IEEE's, without fused or reordered sums: the same
scene gives the same bits on every processor.
"""

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from atgvnet.scenes.scene import KINDS, SHAPE_SIZE
from atgvnet.scenes.shapes import ball, box, frustum, plane
from atgvnet.scenes.spans import cover
from atgvnet.scenes.traced import field, torus

__all__ = ["cast"]

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Integers = NDArray[np.int64]

BOX, BALL, FRUSTUM, TORUS, FIELD, PLANE = KINDS.values()


@njit(cache=True, nogil=True, error_model="numpy")
def inverse(axes: Doubles, out: Doubles) -> None:
    """Invert a 3×3 matrix by its adjugate."""
    for i in range(3):
        for j in range(3):
            a, b, c, d = (i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3
            out[j, i] = axes[a, c] * axes[b, d] - axes[a, d] * axes[b, c]
    determinant = axes[0, 0] * out[0, 0] + axes[0, 1] * out[1, 0] + axes[0, 2] * out[2, 0]
    out /= determinant


@njit(cache=True, nogil=True, error_model="numpy")
def local_ray(
    ray: Floats, frame: Doubles, centre: Doubles, pinhole: bool, half: float, v: float, depth: float
) -> None:
    """Give the row's rays in the solid's frame: start, its change with u, direction, its change with u."""
    y = v * half
    if pinhole:
        sx, sy, sz, ax = -centre[0], y * depth - centre[1], depth - centre[2], half * depth
        dy, bx = y, half
    else:
        sx, sy, sz, ax = -centre[0], y - centre[1], depth - centre[2], half
        dy, bx = 0.0, 0.0
    for i in range(3):
        ray[i] = frame[i, 0] * sx + frame[i, 1] * sy + frame[i, 2] * sz
        ray[3 + i] = frame[i, 0] * ax
        ray[6 + i] = frame[i, 1] * dy + frame[i, 2]
        ray[9 + i] = frame[i, 0] * bx


@njit(cache=True, nogil=True, error_model="numpy")
def distances(kind: int, out: Floats, u: Floats, begin: int, end: int, ray: Floats, shape: Floats) -> None:
    """Call the kind's function."""
    if kind == BOX:
        box(out, u, begin, end, ray)
    elif kind == BALL:
        ball(out, u, begin, end, ray, shape[0])
    elif kind == FRUSTUM:
        frustum(out, u, begin, end, ray, shape[0], shape[1])
    elif kind == PLANE:
        plane(out, u, begin, end, ray)
    elif kind == TORUS:
        torus(out, u, begin, end, ray, shape[0])
    elif kind == FIELD:
        field(out, u, begin, end, ray, shape)


@njit(cache=True, nogil=True, error_model="numpy")
def keep_nearer(depth: Floats, found: Floats, begin: int, end: int, shift: np.float32) -> None:
    """Keep the smaller distance, of those in front of the camera."""
    for j in range(begin, end):
        t = found[j] + shift
        nearer = (t > np.float32(0)) & (t < depth[j])
        depth[j] = t if nearer else depth[j]


@njit(cache=True, nogil=True, error_model="numpy")
def name_nearer(
    depth: Floats, names: Integers, found: Floats, begin: int, end: int, shift: np.float32, name: int
) -> None:
    """Do the same and note whose distance it is."""
    for j in range(begin, end):
        t = found[j] + shift
        if np.float32(0) < t < depth[j]:
            depth[j] = t
            names[j] = name


@njit(cache=True, nogil=True, error_model="numpy")
def cast(
    depth: Floats,
    names: Integers,
    kinds: Integers,
    centres: Doubles,
    axes: Doubles,
    shapes: Doubles,
    pinhole: bool,
    half: float,
    bounded: bool,
) -> None:
    """Lower `depth` (H, W), which holds the background, to the nearest solid; name it in `names` unless empty."""
    height, width = depth.shape
    pixel = 2.0 / max(height, width)
    u = ((np.arange(width) - (width - 1) / 2) * pixel).astype(np.float32)
    grid = np.array([1 / (half * pixel), (width - 1) / 2, (height - 1) / 2])
    low, high, points = np.empty(height), np.empty(height), np.empty((8, 3))
    frame, ray, shape = np.empty((3, 3)), np.empty(12, np.float32), np.empty(SHAPE_SIZE, np.float32)
    found = np.empty(width, np.float32)
    for k in range(kinds.size):
        low[:], high[:] = 0, width - 1
        if bounded and kinds[k] != PLANE:
            cover(centres[k], axes[k], pinhole, grid, width, low, high, points)
        inverse(axes[k], frame)
        shape[:] = shapes[k]
        shift = np.float32(max(centres[k, 2], 0.0))
        for row in range(height):
            if low[row] > high[row]:
                continue
            begin, end = max(0, math.ceil(low[row] - 0.01)), min(width, math.floor(high[row] + 0.01) + 1)
            if begin >= end:
                continue
            local_ray(ray, frame, centres[k], pinhole, half, (row - (height - 1) / 2) * pixel, float(shift))
            distances(kinds[k], found, u, begin, end, ray, shape)
            if names.size:
                name_nearer(depth[row], names[row], found, begin, end, shift, k)
            else:
                keep_nearer(depth[row], found, begin, end, shift)
