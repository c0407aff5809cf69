"""Distance along every ray of a stretch of an image row to one canonical solid, infinite where it is missed.

The rays' start and direction in the solid's frame change linearly along the row: start + u start_u and direction +
u direction_u. The starts have been moved to the solid's depth, so that its own size, not its distance from the
camera, decides the rounding; the distances are therefore relative to that depth. Selects instead of branches let
the compiler work on sixteen pixels at once.
"""

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["ball", "box", "frustum", "plane"]

Floats = NDArray[np.float32]

# No fused or reordered sums: how the compiler does these depends on what is inlined where, and so would the bits.
FAST = {"nsz"}
ONE = np.float32(1)
ZERO = np.float32(0)
TINY = np.float32(1e-20)
MISS = np.float32(np.inf)


@njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def box(out: Floats, u: Floats, begin: int, end: int, ray: Floats) -> None:
    """Meet the cube: the ray is inside between the last entry and the first exit of the three slabs."""
    sx, sy, sz, ax, ay, az, dx, dy, dz, bx, by, bz = ray
    for j in range(begin, end):
        x = u[j]
        ix, iy, iz = ONE / (dx + x * bx + TINY), ONE / (dy + x * by + TINY), ONE / (dz + x * bz + TINY)
        mx, my, mz = -(sx + x * ax) * ix, -(sy + x * ay) * iy, -(sz + x * az) * iz
        ix, iy, iz = abs(ix), abs(iy), abs(iz)
        enter, leave = mx - ix, mx + ix
        ny, fy = my - iy, my + iy
        nz, fz = mz - iz, mz + iz
        enter = max(enter, ny)
        enter = max(enter, nz)
        leave = min(leave, fy)
        leave = min(leave, fz)
        out[j] = enter if enter <= leave else MISS


@njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def ball(out: Floats, u: Floats, begin: int, end: int, ray: Floats, cut: np.float32) -> None:
    """Meet the unit sphere from the ray's point nearest to its centre, which does not cancel; open above z = cut."""
    sx, sy, sz, ax, ay, az, dx, dy, dz, bx, by, bz = ray
    for j in range(begin, end):
        x = u[j]
        px, py, pz = sx + x * ax, sy + x * ay, sz + x * az
        vx, vy, vz = dx + x * bx, dy + x * by, dz + x * bz
        speed = ONE / (vx * vx + vy * vy + vz * vz)
        middle = -(px * vx + py * vy + pz * vz) * speed
        px, py, pz = px + middle * vx, py + middle * vy, pz + middle * vz
        square = ONE - px * px - py * py - pz * pz
        half = math.sqrt(max(square, ZERO) * speed)
        first = middle - half if pz - half * vz <= cut else MISS
        second = middle + half if pz + half * vz <= cut else MISS
        nearest = min(first, second)
        out[j] = nearest if square >= ZERO else MISS


@njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def frustum(out: Floats, u: Floats, begin: int, end: int, ray: Floats, top: np.float32, opened: np.float32) -> None:
    """Meet the side x² + y² = (middle + slope z)² between z = -1 and 1, and the two discs unless it is opened."""
    sx, sy, sz, ax, ay, az, dx, dy, dz, bx, by, bz = ray
    mid, slope = np.float32(0.5) * (ONE + top), np.float32(0.5) * (top - ONE)
    low, capped = ONE, opened < ONE
    high = top * top
    for j in range(begin, end):
        x = u[j]
        px, py, pz = sx + x * ax, sy + x * ay, sz + x * az
        vx, vy, vz = dx + x * bx, dy + x * by, dz + x * bz
        speed = ONE / (vx * vx + vy * vy + TINY)
        shift = -(px * vx + py * vy) * speed
        px, py, pz = px + shift * vx, py + shift * vy, pz + shift * vz
        radius, grow = mid + slope * pz, slope * vz
        # |p|² + |v|² t² = (radius + grow t)², as p ⟂ v in the plane
        a = vx * vx + vy * vy - grow * grow
        a = a if abs(a) > TINY else TINY
        b = radius * grow
        c = px * px + py * py - radius * radius
        square = b * b - a * c
        root = math.sqrt(max(square, ZERO))
        # the larger of b ± root divides safely in both formulas
        larger = b + root if b >= ZERO else b - root
        larger = larger if abs(larger) > TINY else TINY
        one, two = larger / a, c / larger
        one = one if (abs(pz + one * vz) <= ONE) & (square >= ZERO) else MISS
        two = two if (abs(pz + two * vz) <= ONE) & (square >= ZERO) else MISS
        nearest = min(one, two)
        iz = ONE / (vz + TINY)
        bottom, lid = (-ONE - pz) * iz, (ONE - pz) * iz
        qx, qy = px + bottom * vx, py + bottom * vy
        rx, ry = px + lid * vx, py + lid * vy
        bottom = bottom if capped & (qx * qx + qy * qy <= low) else MISS
        lid = lid if capped & (rx * rx + ry * ry <= high) else MISS
        nearest = min(nearest, bottom)
        nearest = min(nearest, lid)
        out[j] = nearest + shift


@njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def plane(out: Floats, u: Floats, begin: int, end: int, ray: Floats) -> None:
    """Meet the plane z = 0."""
    sz, az, dz, bz = ray[2], ray[5], ray[8], ray[11]
    for j in range(begin, end):
        x = u[j]
        out[j] = -(sz + x * az) / (dz + x * bz + TINY)
