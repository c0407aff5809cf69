"""The unrolled iteration as one pass over the rows of a tile, all its state in a window of a few rows.

Row r of iteration n needs no more than rows r − 1, r and r + 1 of iteration n − 1. So while row r is read, iteration
0 runs on row r − 1, iteration 1 on row r − 2, and so on: N iterations march down the tile together, one row apart,
and what they hand to each other stays in the cache. The window is an array (rows, channels, columns), used in place
and as a ring. Its last row is no row of the map: it stands above the first one with zeros, and holds masks.

Narrow images lie side by side in one window, to make the rows long enough to be worth their overhead. A mask keeps
them apart: differences are 0 across the last column of each.

Numba would promote float32 to float64 by a literal 1.0; hence the argument `one` of the numbers' own type. The loops
are short because LLVM gives up on vectorising those with too many pairs of arrays that might overlap; and they count
from 0 so that it can see that no index is negative.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from atgvnet.solver.elementary import exp, expm1, log

__all__ = ["CHANNELS", "MARGIN", "RECORDED", "Array", "Given", "Tile", "columns", "forward"]

Array = NDArray[Any]
Span = tuple[int, int, int, int]
MARGIN = 16
U, U_BAR, VX, VY, X_BAR, Y_BAR, PX, PY, QXX, QXY, QYX, QYY, P_SHRINK, Q_SHRINK = range(14)
RECORDED = 14
TPX, TPY, G, WEIGHT, TXX, TXY, TYY, RIGHT, OWN = range(RECORDED, 23)
CHANNELS = 23
EXACT_ENOUGH = {"contract", "nsz", "arcp", "reassoc"}

kernel = njit(cache=True, nogil=True, error_model="numpy", fastmath=EXACT_ENOUGH)


class Given(NamedTuple):
    """What the solver is given: maps g and weight (B, H, W) and h (B, 2, H, W), steps (N, 7), and what makes T of h.

    `form` holds the scale of h, β, γ/2, the least |h|² and 1/2.
    """

    g: Array
    h: Array
    weight: Array
    steps: Array
    form: Array


class Tile(NamedTuple):
    """First image and how many lie side by side; top, bottom, left, right to compute on, and to keep."""

    first: int
    group: int
    outer: Span
    inner: Span


@kernel
def columns(tile: Tile) -> int:
    """How many columns of a window the tile takes."""
    return tile.group * (tile.outer[3] - tile.outer[2])


@kernel
def shrinkage(squared: float, one: float) -> float:
    """Give the factor that brings a vector into the unit ball; exactly 1 tells later that it was inside."""
    return one / math.sqrt(squared) if squared > one else one


@kernel
def prepare(ring: Array, tile: Tile, one: float) -> int:
    """Clear the margins; fill the last row with 0 and the masks RIGHT (has a right neighbour) and OWN (is kept)."""
    width, total, mask = tile.outer[3] - tile.outer[2], columns(tile), ring[-1]
    ring[:, :, MARGIN - 1] = ring[:, :, MARGIN + total] = mask[:] = one - one
    for start in range(MARGIN, MARGIN + total, width):
        mask[RIGHT, start : start + width - 1] = one
        mask[OWN, start + tile.inner[2] - tile.outer[2] : start + tile.inner[3] - tile.outer[2]] = one
    return total


@kernel
def begin(ring: Array, here: int, at: int, g: Array, weight: Array, one: float) -> None:
    """Set u = ū = g and the other variables of one image's row to 0; its columns start at `at`."""
    for channel in range(G):
        for j in range(len(g)):
            ring[here, channel, np.uintp(at + j)] = one - one
    for j in range(len(g)):
        i = np.uintp(at + j)
        ring[here, U, i] = ring[here, U_BAR, i] = ring[here, G, i] = g[j]
        ring[here, WEIGHT, i] = weight[j]


@kernel
def enter(ring: Array, given: Given, tile: Tile, row: int, one: float) -> None:
    """Read a row of all images."""
    _, _, left, right = tile.outer
    here = row % (len(ring) - 1)
    for k in range(tile.group):
        at, image = MARGIN + k * (right - left), tile.first + k
        begin(ring, here, at, given.g[image, row, left:right], given.weight[image, row, left:right], one)
        hx, hy = given.h[image, 0, row, left:right], given.h[image, 1, row, left:right]
        diffuse(ring, here, at, hx, hy, given.form, one)


@kernel
def diffuse(ring: Array, here: int, at: int, hx: Array, hy: Array, form: Array, one: float) -> None:
    """Compute T = 1 + f(|h|²) h hᵀ, as `diffusion_tensor` does."""
    scale, beta, half_gamma, floor = form[0], form[1], form[2], form[3]
    for j in range(len(hx)):
        x, y = scale * hx[j], scale * hy[j]
        squared = max(x * x + y * y, floor)
        factor = expm1(-beta * exp(half_gamma * log(squared))) / squared
        i = np.uintp(at + j)
        ring[here, TXX, i], ring[here, TYY, i] = one + factor * x * x, one + factor * y * y
        ring[here, TXY, i] = factor * x * y


@kernel
def dual_p(ring: Array, here: int, below: int, width: int, rate: float, one: float) -> None:
    """Do p ← proj(p + σp α1 T(∇ū − v̄)), and T p."""
    for j in range(width):
        i = MARGIN + j
        txx, txy, tyy = ring[here, TXX, i], ring[here, TXY, i], ring[here, TYY, i]
        ex = ring[-1, RIGHT, i] * (ring[here, U_BAR, i + 1] - ring[here, U_BAR, i]) - ring[here, X_BAR, i]
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
        x, y, rate_x = ring[here, X_BAR, i], ring[here, Y_BAR, i], rate * ring[-1, RIGHT, i]
        qxx = ring[here, QXX, i] + rate_x * (ring[here, X_BAR, i + 1] - x)
        qxy = ring[here, QXY, i] + rate * (ring[below, X_BAR, i] - x)
        qyx = ring[here, QYX, i] + rate_x * (ring[here, Y_BAR, i + 1] - y)
        qyy = ring[here, QYY, i] + rate * (ring[below, Y_BAR, i] - y)
        shrink = shrinkage(qxx * qxx + qxy * qxy + qyx * qyx + qyy * qyy, one)
        ring[here, QXX, i], ring[here, QXY, i] = qxx * shrink, qxy * shrink
        ring[here, QYX, i], ring[here, QYY, i] = qyx * shrink, qyy * shrink
        ring[here, Q_SHRINK, i] = shrink


@kernel
def slope(ring: Array, here: int, above: int, width: int, smooth: float, couple: float, theta: float) -> None:
    """Do v ← v + τv (α0 div q + α1 T p), and v̄."""
    for j in range(width):
        i = MARGIN + j
        x, y = ring[here, VX, i], ring[here, VY, i]
        along_x = ring[here, QXX, i] - ring[here, QXX, i - 1] + ring[here, QXY, i] - ring[above, QXY, i]
        along_y = ring[here, QYX, i] - ring[here, QYX, i - 1] + ring[here, QYY, i] - ring[above, QYY, i]
        step_x = smooth * along_x + couple * ring[here, TPX, i]
        step_y = smooth * along_y + couple * ring[here, TPY, i]
        ring[here, VX, i], ring[here, VY, i] = x + step_x, y + step_y
        ring[here, X_BAR, i], ring[here, Y_BAR, i] = x + step_x + theta * step_x, y + step_y + theta * step_y


@kernel
def height(
    ring: Array, here: int, above: int, width: int, smooth: float, data: float, theta: float, one: float
) -> None:
    """Do u ← (u + τu (α1 div T p + λ ω g)) / (1 + τu λ ω), and ū."""
    for j in range(width):
        i = MARGIN + j
        pull, old = data * ring[here, WEIGHT, i], ring[here, U, i]
        flow = ring[here, TPX, i] - ring[here, TPX, i - 1] + ring[here, TPY, i] - ring[above, TPY, i]
        new = (old + smooth * flow + pull * ring[here, G, i]) / (one + pull)
        ring[here, U, i], ring[here, U_BAR, i] = new, new + theta * (new - old)


@kernel
def stop(ring: Array, here: int, tile: Tile, flow_x: int, flow_y: int, last: bool) -> None:
    """Let nothing flow out of the map by its last column and row."""
    width = tile.outer[3] - tile.outer[2]
    for k in range(tile.group):
        ring[here, flow_x, MARGIN + (k + 1) * width - 1] = 0
    if last:
        ring[here, flow_y, :] = 0


@kernel
def neighbours(row: int, tile: Tile, ring: Array) -> tuple[int, int, int, bool]:
    """Places of a row, of the one above (or the zeros) and of the one below (or itself); whether it is the last."""
    top, bottom, _, _ = tile.outer
    rows, last = len(ring) - 1, row == bottom - 1
    here = row % rows
    return here, (row - 1) % rows if row > top else rows, here if last else (row + 1) % rows, last


@kernel
def advance(ring: Array, row: int, tile: Tile, total: int, step: Array, one: float) -> int:
    """One iteration on one row. T p is cut off at the borders, but only after v has used it there."""
    here, above, below, last = neighbours(row, tile, ring)
    dual_p(ring, here, below, total, step[0], one)
    dual_q(ring, here, below, total, step[1], one)
    slope(ring, here, above, total, step[4], step[5], step[6])
    stop(ring, here, tile, TPX, TPY, last)
    height(ring, here, above, total, step[2], step[3], step[6], one)
    return here


@kernel
def forward(given: Given, tile: Tile, ring: Array, u: Array, one: float) -> None:
    """Run all iterations on a tile and write the part of u that it keeps."""
    count, (top, bottom, outer_left, outer_right) = len(given.steps), tile.outer
    first, end, left, right = tile.inner
    total = prepare(ring, tile, one)
    for wave in range(top, bottom + count):
        if wave < bottom:
            enter(ring, given, tile, wave, one)
        for n in range(count):
            if top <= wave - 1 - n < bottom:
                advance(ring, wave - 1 - n, tile, total, given.steps[n], one)
        row = wave - count
        if first <= row < end:
            for k in range(tile.group):
                at = MARGIN + k * (outer_right - outer_left) + left - outer_left
                u[tile.first + k, row, left:right] = ring[row % (len(ring) - 1), U, at : at + right - left]
