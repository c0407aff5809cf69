"""Distance along every ray of a stretch of an image row to the solids without a short formula: torus and wavy sheet.

Both are traced: from where the ray enters the solid's cube, step by a distance that cannot reach beyond the surface,
until the steps are small, for the whole stretch at once. `shapes` says what the arguments are.
"""

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from atgvnet.scenes.shapes import box

__all__ = ["CLOSE", "SHARPEST", "STEPS", "field", "torus", "wave"]

Floats = NDArray[np.float32]

FAST = {"nsz", "contract", "reassoc"}
STEPS = 128
BLOCK = 64
ZERO, ONE, TWO, HALF = np.float32(0), np.float32(1), np.float32(2), np.float32(0.5)
MISS = np.float32(np.inf)
CLOSE = np.float32(1e-5)
REACHED = np.float32(1e-4)
BEYOND = np.float32(1.00001)
SHARPEST = np.float32(8)


@njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def torus(out: Floats, u: Floats, begin: int, end: int, ray: Floats, tube: np.float32) -> None:
    """Trace the ring block by block, as few blocks hold rays that graze it and need all the steps."""
    box(out, u, begin, end, ray)
    for first in range(begin, end, BLOCK):
        trace_torus(out, u, first, min(first + BLOCK, end), ray, tube)


@njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def trace_torus(out: Floats, u: Floats, begin: int, end: int, ray: Floats, tube: np.float32) -> None:
    """Step by the distance function; the ring lies in the unit sphere, so a ray that leaves that is lost."""
    sx, sy, sz, ax, ay, az, dx, dy, dz, bx, by, bz = ray
    large = ONE - tube
    for step in range(STEPS + 1):
        tolerance = REACHED if step == STEPS else MISS
        longest = ZERO
        for j in range(begin, end):
            x, t = u[j], out[j]
            vx, vy, vz = dx + x * bx, dy + x * by, dz + x * bz
            px, py, pz = sx + x * ax + t * vx, sy + x * ay + t * vy, sz + x * az + t * vz
            flat = px * px + py * py
            away = math.sqrt(flat) - large
            gap = math.sqrt(away * away + pz * pz) - tube
            leaving = (flat + pz * pz > BEYOND) & (px * vx + py * vy + pz * vz > ZERO)
            lost = leaving | (gap > tolerance) | (t == MISS)
            out[j] = MISS if lost else t + gap / math.sqrt(vx * vx + vy * vy + vz * vz)
            longest = max(longest, ZERO if lost else gap)
        if longest < CLOSE:
            break


@njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def wave(phase: np.float32) -> np.float32:
    """Give two parabolas instead of a sine: -1…1, of period 1 and steepness at most SHARPEST."""
    y = phase - np.floor(phase + HALF)
    return np.float32(SHARPEST * y * (ONE - TWO * abs(y)))


@njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def field(out: Floats, u: Floats, begin: int, end: int, ray: Floats, shape: Floats) -> None:
    """Trace the sheet block by block."""
    box(out, u, begin, end, ray)
    for first in range(begin, end, BLOCK):
        trace_field(out, u, first, min(first + BLOCK, end), ray, shape)


@njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def trace_field(out: Floats, u: Floats, begin: int, end: int, ray: Floats, shape: Floats) -> None:
    """Step by the height above the sheet over the fastest that it can change; stop where it is close."""
    sx, sy, sz, ax, ay, az, dx, dy, dz, bx, by, bz = ray
    h0, x0, y0, h1, x1, y1, h2, x2, y2 = shape
    steep_x = SHARPEST * (abs(h0 * x0) + abs(h1 * x1) + abs(h2 * x2))
    steep_y = SHARPEST * (abs(h0 * y0) + abs(h1 * y1) + abs(h2 * y2))
    for step in range(STEPS + 1):
        tolerance = REACHED if step == STEPS else MISS
        longest = ZERO
        for j in range(begin, end):
            x, t = u[j], out[j]
            vx, vy, vz = dx + x * bx, dy + x * by, dz + x * bz
            px, py, pz = sx + x * ax + t * vx, sy + x * ay + t * vy, sz + x * az + t * vz
            height = h0 * wave(x0 * px + y0 * py) + h1 * wave(x1 * px + y1 * py) + h2 * wave(x2 * px + y2 * py)
            gap = abs(pz - height)
            lost = (max(abs(px), abs(py), abs(pz)) > BEYOND) | (gap > tolerance) | (t == MISS)
            gap = ZERO if lost | (gap < CLOSE) else gap
            out[j] = MISS if lost else t + gap / (abs(vz) + steep_x * abs(vx) + steep_y * abs(vy))
            longest = max(longest, gap)
        if longest == ZERO:
            break
