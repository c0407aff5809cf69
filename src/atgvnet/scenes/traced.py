"""Distance along every ray of a stretch of an image row to the solids without a short formula: torus and wavy sheet.

Both are the zeros of a function that is positive before the surface and whose second derivative along a ray is at
least -C. From the value f and the slope f' at a point the function cannot vanish before f + f' s - C s² / 2 does, so
that step s is safe; where a ray meets the surface squarely the steps become Newton's. `shapes` says what the
arguments are; a stretch is traced in blocks, as few of them hold rays that need many steps.
"""

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from atgvnet.scenes.shapes import box

__all__ = ["BEYOND", "CLOSE", "CURVATURE", "REACHED", "STEEPNESS", "STEPS", "field", "torus", "wave"]

Floats = NDArray[np.float32]

# No fused or reordered sums: how the compiler does these depends on what is inlined where, and so would the bits.
FAST = {"nsz"}
STEPS = 64
BLOCK = 64
ZERO, ONE, TWO, FOUR, EIGHT = (np.float32(number) for number in (0, 1, 2, 4, 8))
HALF, TINY, MISS = np.float32(0.5), np.float32(1e-20), np.float32(np.inf)
CLOSE, REACHED, BEYOND = np.float32(2e-6), np.float32(1e-4), np.float32(1.00001)
STEEPNESS, CURVATURE = np.float32(8), np.float32(32)


@njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def safe_step(value: np.float32, slope: np.float32, bend: np.float32) -> np.float32:
    """Give the first zero of value + slope s - bend s² / 2, in the form that does not cancel; stay on the surface."""
    root = math.sqrt(max(slope * slope + TWO * bend * value, ZERO))
    ahead = TWO * value / (root - slope + TINY)
    beyond = ZERO if value == ZERO else (slope + root) / (bend + TINY)
    return ahead if slope < ZERO else beyond


@njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def torus(out: Floats, u: Floats, begin: int, end: int, ray: Floats, tube: np.float32) -> None:
    """Meet the ring around z whose middle circle has the radius 1 - tube."""
    box(out, u, begin, end, ray)
    for first in range(begin, end, BLOCK):
        trace_torus(out, u, first, min(first + BLOCK, end), ray, tube)


@njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def trace_torus(out: Floats, u: Floats, begin: int, end: int, ray: Floats, tube: np.float32) -> None:
    """Trace (|p|² + R² - r²)² - 4 R² (x² + y²), where C = 8 R² |v_xy|² - 4 (R² - r²) |v|² if that is positive."""
    sx, sy, sz, ax, ay, az, dx, dy, dz, bx, by, bz = ray
    large = (ONE - tube) * (ONE - tube)
    excess = large - tube * tube
    for step in range(STEPS + 1):
        tolerance = REACHED if step == STEPS else MISS
        longest = ZERO
        for j in range(begin, end):
            x, t = u[j], out[j]
            vx, vy, vz = dx + x * bx, dy + x * by, dz + x * bz
            px, py, pz = sx + x * ax + t * vx, sy + x * ay + t * vy, sz + x * az + t * vz
            flat, flat_speed, flat_slope = px * px + py * py, vx * vx + vy * vy, px * vx + py * vy
            inner = flat + pz * pz + excess
            value = inner * inner - FOUR * large * flat
            slope = FOUR * inner * (flat_slope + pz * vz) - EIGHT * large * flat_slope
            bend = max(EIGHT * large * flat_speed - FOUR * excess * (flat_speed + vz * vz), ZERO)
            lost = (max(abs(px), abs(py), abs(pz)) > BEYOND) | (value > tolerance) | (t == MISS)
            out[j] = MISS if lost else t + safe_step(value, slope, bend)
            longest = max(longest, ZERO if lost else value)
        if longest < CLOSE:
            break


@njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def wave(phase: np.float32) -> np.float32:
    """Give two parabolas instead of a sine: of period 1, -1…1, of slope and curvature at most the constants above."""
    y = phase - np.floor(phase + HALF)
    return np.float32(STEEPNESS * y * (ONE - TWO * abs(y)))


@njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def rise(phase: np.float32) -> np.float32:
    """Give the derivative of `wave`."""
    y = phase - np.floor(phase + HALF)
    return np.float32(STEEPNESS * (ONE - FOUR * abs(y)))


@njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def field(out: Floats, u: Floats, begin: int, end: int, ray: Floats, shape: Floats) -> None:
    """Meet the wavy sheet inside the cube, from either side."""
    box(out, u, begin, end, ray)
    for first in range(begin, end, BLOCK):
        trace_field(out, u, first, min(first + BLOCK, end), ray, shape)


@njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def trace_field(out: Floats, u: Floats, begin: int, end: int, ray: Floats, shape: Floats) -> None:
    """Trace |z - Σ waves|, where C is the sum of the waves' largest curvatures along the ray, until it is small."""
    sx, sy, sz, ax, ay, az, dx, dy, dz, bx, by, bz = ray
    h0, x0, y0, h1, x1, y1, h2, x2, y2 = shape
    for step in range(STEPS + 1):
        tolerance = REACHED if step == STEPS else MISS
        longest = ZERO
        for j in range(begin, end):
            x, t = u[j], out[j]
            vx, vy, vz = dx + x * bx, dy + x * by, dz + x * bz
            px, py, pz = sx + x * ax + t * vx, sy + x * ay + t * vy, sz + x * az + t * vz
            q0, q1, q2 = x0 * px + y0 * py, x1 * px + y1 * py, x2 * px + y2 * py
            r0, r1, r2 = x0 * vx + y0 * vy, x1 * vx + y1 * vy, x2 * vx + y2 * vy
            above = pz - h0 * wave(q0) - h1 * wave(q1) - h2 * wave(q2)
            climb = vz - h0 * r0 * rise(q0) - h1 * r1 * rise(q1) - h2 * r2 * rise(q2)
            bend = CURVATURE * (abs(h0) * r0 * r0 + abs(h1) * r1 * r1 + abs(h2) * r2 * r2)
            gap = abs(above)
            lost = (max(abs(px), abs(py), abs(pz)) > BEYOND) | (gap > tolerance) | (t == MISS)
            gap = ZERO if lost | (gap < CLOSE) else gap
            out[j] = MISS if lost else t + safe_step(gap, climb if above > ZERO else -climb, bend)
            longest = max(longest, gap)
        if longest == ZERO:
            break
