"""The unrolled iteration as one pass over the rows of a tile, all its state in a window of a few rows.

Row r of iteration n needs no more than rows r − 1, r and r + 1 of iteration n − 1. So while row r is read, iteration
0 runs on row r − 1, iteration 1 on row r − 2, and so on: N iterations march down the tile together, one row apart,
and what they hand to each other stays in the cache. The window is a ring of N + 2 rows and one row of zeros, used in
place; `Row` numbers lie side by side per channel, from `MARGIN` on, so that neighbours to the left and the right of
the tile can be stored too: they make the Neumann and Dirichlet boundaries without a branch.

Numba would promote float32 to float64 by a literal 1.0; hence the argument `one` of the numbers' own type.
"""

import math
from typing import Any

from numba import njit
from numpy.typing import NDArray

__all__ = ["CHANNELS", "MARGIN", "forward"]

Array = NDArray[Any]
Span = tuple[int, int, int, int]
MARGIN = 16
U, U_BAR, VX, VY, X_BAR, Y_BAR, PX, PY, QXX, QXY, QYX, QYY, P_SHRINK, Q_SHRINK, TPX, TPY = range(16)
CHANNELS = 16
EXACT_ENOUGH = {"contract", "nsz", "arcp", "reassoc"}

kernel = njit(cache=True, nogil=True, error_model="numpy", fastmath=EXACT_ENOUGH)


@kernel
def shrinkage(squared: float, one: float) -> float:
    """Give the factor that brings a vector into the unit ball; exactly 1 tells later that it was inside."""
    return one / math.sqrt(squared) if squared > one else one


@kernel
def begin(ring: Array, here: int, g: Array, row: int, col: int, width: int) -> None:
    """Set u = ū = g, everything else 0."""
    for channel in range(ring.shape[1]):
        for i in range(MARGIN - 1, MARGIN + width + 1):
            ring[here, channel, i] = 0
    for j in range(width):
        ring[here, U, MARGIN + j] = ring[here, U_BAR, MARGIN + j] = g[row, col + j]
    ring[here, U_BAR, MARGIN + width] = g[row, col + width - 1]


@kernel
def dual_p(
    ring: Array, here: int, below: int, T: Array, row: int, col: int, width: int, rate: float, one: float
) -> None:
    """Do p ← proj(p + σp α1 T(∇ū − v̄)), and T p."""
    for j in range(width):
        i, c = MARGIN + j, col + j
        txx, txy, tyy = T[0, row, c], T[1, row, c], T[2, row, c]
        ex = ring[here, U_BAR, i + 1] - ring[here, U_BAR, i] - ring[here, X_BAR, i]
        ey = ring[below, U_BAR, i] - ring[here, U_BAR, i] - ring[here, Y_BAR, i]
        px = ring[here, PX, i] + rate * (txx * ex + txy * ey)
        py = ring[here, PY, i] + rate * (txy * ex + tyy * ey)
        shrink = shrinkage(px * px + py * py, one)
        px, py = px * shrink, py * shrink
        ring[here, PX, i], ring[here, PY, i], ring[here, P_SHRINK, i] = px, py, shrink
        ring[here, TPX, i], ring[here, TPY, i] = txx * px + txy * py, txy * px + tyy * py


@kernel
def dual_q(ring: Array, here: int, below: int, width: int, rate: float, one: float) -> None:
    """Do q ← proj(q + σq α0 ∇v̄)."""
    for j in range(width):
        i = MARGIN + j
        x, y = ring[here, X_BAR, i], ring[here, Y_BAR, i]
        qxx = ring[here, QXX, i] + rate * (ring[here, X_BAR, i + 1] - x)
        qxy = ring[here, QXY, i] + rate * (ring[below, X_BAR, i] - x)
        qyx = ring[here, QYX, i] + rate * (ring[here, Y_BAR, i + 1] - y)
        qyy = ring[here, QYY, i] + rate * (ring[below, Y_BAR, i] - y)
        shrink = shrinkage(qxx * qxx + qxy * qxy + qyx * qyx + qyy * qyy, one)
        ring[here, QXX, i], ring[here, QXY, i] = qxx * shrink, qxy * shrink
        ring[here, QYX, i], ring[here, QYY, i] = qyx * shrink, qyy * shrink
        ring[here, Q_SHRINK, i] = shrink


@kernel
def slope(ring: Array, here: int, above: int, width: int, smooth_v: float, couple_v: float, theta: float) -> None:
    """Do v ← v + τv (α0 div q + α1 T p), and v̄."""
    for j in range(width):
        i = MARGIN + j
        x, y = ring[here, VX, i], ring[here, VY, i]
        along_x = ring[here, QXX, i] - ring[here, QXX, i - 1] + ring[here, QXY, i] - ring[above, QXY, i]
        along_y = ring[here, QYX, i] - ring[here, QYX, i - 1] + ring[here, QYY, i] - ring[above, QYY, i]
        step_x = smooth_v * along_x + couple_v * ring[here, TPX, i]
        step_y = smooth_v * along_y + couple_v * ring[here, TPY, i]
        ring[here, VX, i], ring[here, VY, i] = x + step_x, y + step_y
        ring[here, X_BAR, i], ring[here, Y_BAR, i] = x + step_x + theta * step_x, y + step_y + theta * step_y


@kernel
def height(
    ring: Array,
    here: int,
    above: int,
    g: Array,
    weight: Array,
    row: int,
    col: int,
    width: int,
    smooth_u: float,
    data_u: float,
    theta: float,
    one: float,
) -> None:
    """Do u ← (u + τu (α1 div T p + λ ω g)) / (1 + τu λ ω), and ū."""
    for j in range(width):
        i = MARGIN + j
        data, old = data_u * weight[row, col + j], ring[here, U, i]
        flow = ring[here, TPX, i] - ring[here, TPX, i - 1] + ring[here, TPY, i] - ring[above, TPY, i]
        new = (old + smooth_u * flow + data * g[row, col + j]) / (one + data)
        ring[here, U, i], ring[here, U_BAR, i] = new, new + theta * (new - old)


@kernel
def advance(
    ring: Array,
    here: int,
    above: int,
    below: int,
    last: bool,
    g: Array,
    T: Array,
    weight: Array,
    row: int,
    col: int,
    width: int,
    step: Array,
    one: float,
) -> None:
    """One iteration on one row. T p is 0 beyond the last column and row, but only after v has used it there."""
    dual_p(ring, here, below, T, row, col, width, step[0], one)
    dual_q(ring, here, below, width, step[1], one)
    slope(ring, here, above, width, step[4], step[5], step[6])
    end = MARGIN + width
    ring[here, TPX, end - 1] = 0
    if last:
        for i in range(MARGIN, end):
            ring[here, TPY, i] = 0
    height(ring, here, above, g, weight, row, col, width, step[2], step[3], step[6], one)
    for channel in (U_BAR, X_BAR, Y_BAR):
        ring[here, channel, end] = ring[here, channel, end - 1]


@kernel
def forward(
    g: Array, T: Array, weight: Array, steps: Array, ring: Array, out: Array, outer: Span, inner: Span, one: float
) -> None:
    """Run all iterations on the rows and columns `outer`, and write u of `inner`: (top, bottom, left, right)."""
    top, bottom, left, right = outer
    count, slots, width = len(steps), len(ring) - 1, right - left
    ring[slots] = 0
    for wave in range(top, bottom + count):
        if wave < bottom:
            begin(ring, wave % slots, g, wave, left, width)
        for n in range(count):
            row = wave - 1 - n
            if top <= row < bottom:
                here, last = row % slots, row == bottom - 1
                above = (row - 1) % slots if row > top else slots
                below = here if last else (row + 1) % slots
                advance(ring, here, above, below, last, g, T, weight, row, left, width, steps[n], one)
        row = wave - count
        if inner[0] <= row < inner[1]:
            for c in range(inner[2], inner[3]):
                out[row, c] = ring[row % slots, U, MARGIN + c - left]
