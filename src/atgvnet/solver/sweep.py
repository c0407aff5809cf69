"""The unrolled iteration as one pass over the rows of a tile, all its state in a window of a few rows.

Row r of iteration n needs no more than rows r − 1, r and r + 1 of iteration n − 1. So while row r is read, iteration
0 runs on row r − 1, iteration 1 on row r − 2, and so on: N iterations march down the tile together, one row apart,
and what they hand to each other stays in the cache. The window is an array (rows, channels, columns), used in place
and as a ring. Its last row is no row of the map: it stands above the first one with zeros, and holds masks.

Narrow images lie side by side in one window, to make the rows long enough to be worth their overhead. A mask keeps
them apart: differences are 0 across the last column of each.

Numba would promote float32 to float64 by a literal 1.0; hence the argument `one` of the numbers' own type. The loops
count from 0 so that LLVM can see that no index is negative, over whole vectors: the columns that fill the last one
up stay 0. What lets it vectorise them is told in `atgvnet.solver.rows`.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from atgvnet.solver.elementary import exp, expm1, log
from atgvnet.solver.rows import MARGIN, row_of

__all__ = ["CHANNELS", "RECORDED", "Array", "Given", "Tile", "columns", "forward"]

Array = NDArray[Any]
Span = tuple[int, int, int, int]
U, U_BAR, VX, VY, X_BAR, Y_BAR, PX, PY, QXX, QXY, QYX, QYY, P_SHRINK, Q_SHRINK = range(14)
RECORDED = 14
TPX, TPY, G, WEIGHT, TXX, TXY, TYY, RIGHT, OWN = range(RECORDED, 23)
CHANNELS = 23
VECTOR = 16
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
    """Clear what surrounds the columns; fill the last row with 0 and the masks RIGHT (has a right neighbour) and OWN.

    Give the number of columns to compute: whole vectors, the rest of the last one staying 0.
    """
    width, total, mask = tile.outer[3] - tile.outer[2], columns(tile), ring[-1]
    whole = VECTOR * (-(-total // VECTOR))
    ring[:, :, MARGIN - 1] = ring[:, :, MARGIN + total : MARGIN + whole + 1] = mask[:] = one - one
    for start in range(MARGIN, MARGIN + total, width):
        mask[RIGHT, start : start + width - 1] = one
        mask[OWN, start + tile.inner[2] - tile.outer[2] : start + tile.inner[3] - tile.outer[2]] = one
    return whole


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
def duals(ring: Array, place: int, under: int, total: int, step: Array, down: float, one: float) -> None:
    """Do p ← proj(p + σp α1 T(∇ū − v̄)), T p, and q ← proj(q + σq α0 ∇v̄); `down` is 0 on the last row, else 1."""
    here, below, mask = row_of(ring, place), row_of(ring, under), row_of(ring, len(ring) - 1)
    rate_p, rate_q = step[0], step[1]
    for j in range(total):
        i = MARGIN + j
        u, x, y, right = here[U_BAR, i], here[X_BAR, i], here[Y_BAR, i], mask[RIGHT, i]
        txx, txy, tyy = here[TXX, i], here[TXY, i], here[TYY, i]
        ex, ey = right * (here[U_BAR, i + 1] - u) - x, down * (below[U_BAR, i] - u) - y
        px = here[PX, i] + rate_p * (txx * ex + txy * ey)
        py = here[PY, i] + rate_p * (txy * ex + tyy * ey)
        shrink = shrinkage(px * px + py * py, one)
        px, py = px * shrink, py * shrink
        here[PX, i], here[PY, i], here[P_SHRINK, i] = px, py, shrink
        here[TPX, i], here[TPY, i] = txx * px + txy * py, txy * px + tyy * py
        rate_x, rate_y = rate_q * right, rate_q * down
        qxx = here[QXX, i] + rate_x * (here[X_BAR, i + 1] - x)
        qxy = here[QXY, i] + rate_y * (below[X_BAR, i] - x)
        qyx = here[QYX, i] + rate_x * (here[Y_BAR, i + 1] - y)
        qyy = here[QYY, i] + rate_y * (below[Y_BAR, i] - y)
        shrink = shrinkage(qxx * qxx + qxy * qxy + qyx * qyx + qyy * qyy, one)
        here[QXX, i], here[QXY, i] = qxx * shrink, qxy * shrink
        here[QYX, i], here[QYY, i] = qyx * shrink, qyy * shrink
        here[Q_SHRINK, i] = shrink


@kernel
def maps(ring: Array, place: int, over: int, total: int, step: Array, down: float, one: float) -> None:
    """Do v ← v + τv (α0 div q + α1 T p), u ← (u + τu (α1 div T p + λ ω g)) / (1 + τu λ ω), v̄ and ū.

    T p is cut off at the borders for its divergence, not where v uses it.
    """
    here, above, mask = row_of(ring, place), row_of(ring, over), row_of(ring, len(ring) - 1)
    smooth_u, data, smooth_v, couple, theta = step[2], step[3], step[4], step[5], step[6]
    for j in range(total):
        i = MARGIN + j
        x, y, tpx, tpy = here[VX, i], here[VY, i], here[TPX, i], here[TPY, i]
        along_x = here[QXX, i] - here[QXX, i - 1] + here[QXY, i] - above[QXY, i]
        along_y = here[QYX, i] - here[QYX, i - 1] + here[QYY, i] - above[QYY, i]
        step_x, step_y = smooth_v * along_x + couple * tpx, smooth_v * along_y + couple * tpy
        here[VX, i], here[VY, i] = x + step_x, y + step_y
        here[X_BAR, i], here[Y_BAR, i] = x + step_x + theta * step_x, y + step_y + theta * step_y
        flow_x = mask[RIGHT, i] * tpx - mask[RIGHT, i - 1] * here[TPX, i - 1]
        pull, old = data * here[WEIGHT, i], here[U, i]
        new = (old + smooth_u * (flow_x + down * tpy - above[TPY, i]) + pull * here[G, i]) / (one + pull)
        here[U, i], here[U_BAR, i] = new, new + theta * (new - old)


@kernel
def neighbours(row: int, tile: Tile, ring: Array) -> tuple[int, int, int, bool]:
    """Places of a row, of the one above and the one below (the zeros if there is none); whether it is the last."""
    top, bottom, _, _ = tile.outer
    zeros, last = len(ring) - 1, row == bottom - 1
    return row % zeros, (row - 1) % zeros if row > top else zeros, zeros if last else (row + 1) % zeros, last


@kernel
def advance(ring: Array, row: int, tile: Tile, total: int, step: Array, one: float) -> int:
    """One iteration on one row."""
    here, above, below, last = neighbours(row, tile, ring)
    down = one - one if last else one
    duals(ring, here, below, total, step, down, one)
    maps(ring, here, above, total, step, down, one)
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
