"""The march of the gradient over the rows of a tile: forward, recording, and 2 N rows behind it backward.

`atgvnet.solver.adjoint` has the steps and says why a short history is enough.
"""

from atgvnet.solver.adjoint import diffuse_back, finish, load, pull_p, pull_q, retire
from atgvnet.solver.rows import MARGIN, row_of
from atgvnet.solver.sweep import (
    RECORDED,
    Array,
    Given,
    Tile,
    advance,
    columns,
    enter,
    kernel,
    neighbours,
    prepare,
)

__all__ = ["backward", "history_rows"]


def history_rows(count: int) -> int:
    """How many rows the history of so many iterations takes."""
    return (count + 1) * (count + 2)


@kernel
def place(count: int, k: int, row: int) -> int:
    """Where in the history a row of iteration k is, whose ring has 2 (count − k) + 2 rows."""
    return k * (2 * count + 3 - k) + row % (2 * (count - k) + 2)


@kernel
def record(ring: Array, here: int, history: Array, there: int, total: int) -> None:
    """Keep what an iteration left behind on a row."""
    source, target = row_of(ring, here), row_of(history, there)
    for channel in range(RECORDED):
        for j in range(total):
            target[channel, MARGIN + j] = source[channel, MARGIN + j]


@kernel
def march(ring: Array, history: Array, given: Given, tile: Tile, wave: int, total: int, one: float) -> None:
    """Do the forward pass as far as row `wave` allows, and record it."""
    count, (top, bottom, _, _) = len(given.steps), tile.outer
    if wave < bottom:
        enter(ring, given, tile, wave, one)
        record(ring, wave % (len(ring) - 1), history, place(count, 0, wave), total)
    for n in range(count):
        row = wave - 1 - n
        if top <= row < bottom:
            here = advance(ring, row, tile, total, given.steps[n], one)
            record(ring, here, history, place(count, n + 1, row), total)


@kernel
def turn(
    ring: Array,
    history: Array,
    given: Given,
    tile: Tile,
    row: int,
    total: int,
    gradient: Array,
    sums: Array,
    one: float,
) -> None:
    """Start the adjoint of a row whose forward pass is done."""
    count, (_, _, left, right) = len(given.steps), tile.outer
    here, zeros = row % (len(ring) - 1), len(ring) - 1
    for k in range(tile.group):
        load(ring, here, MARGIN + k * (right - left), gradient[tile.first + k, row, left:right], one)
    at, step = place(count, count, row), given.steps[count - 1]
    by_data, by_theta = retire(ring, here, zeros, history, at, total, one - one, step, one, one)
    sums[count - 1, 3] += by_data
    sums[count - 1, 6] += by_theta


@kernel
def undo(
    ring: Array, history: Array, given: Given, tile: Tile, row: int, k: int, total: int, sums: Array, one: float
) -> None:
    """Undo iteration k, counted from 1, on a row."""
    count, step = len(given.steps), given.steps[k - 1]
    here, above, below, last = neighbours(row, tile, ring)
    now, old, under = place(count, k, row), place(count, k - 1, row), place(count, k - 1, row if last else row + 1)
    down = one - one if last else one
    by_p, by_smooth_u, by_couple = pull_p(ring, here, below, history, now, old, under, total, step, down, one)
    by_q, by_smooth_v = pull_q(ring, here, below, history, now, old, under, total, step, down, one)
    sums[k - 1, 0] += by_p
    sums[k - 1, 1] += by_q
    sums[k - 1, 2] += by_smooth_u
    sums[k - 1, 4] += by_smooth_v
    sums[k - 1, 5] += by_couple
    if k > 1:
        before = given.steps[k - 2]
        by_data, by_theta = retire(ring, here, above, history, old, total, step[1], before, down, one)
        sums[k - 2, 3] += by_data
        sums[k - 2, 6] += by_theta


@kernel
def write(ring: Array, given: Given, tile: Tile, row: int, out: Given, one: float) -> None:
    """Write the gradients of a row that all iterations have been undone on."""
    here, above, _, last = neighbours(row, tile, ring)
    _, _, left, right = tile.inner
    width, skipped = tile.outer[3] - tile.outer[2], left - tile.outer[2]
    down = one - one if last else one
    for k in range(tile.group):
        at, image = MARGIN + k * width + skipped, tile.first + k
        finish(ring, here, above, at, down, out.g[image, row, left:right], out.weight[image, row, left:right])
        hx, hy = given.h[image, 0, row, left:right], given.h[image, 1, row, left:right]
        d_hx, d_hy = out.h[image, 0, row, left:right], out.h[image, 1, row, left:right]
        by_form = diffuse_back(ring, here, at, hx, hy, d_hx, d_hy, given.form, one)
        for n in range(3):
            out.form[n] += by_form[n]


@kernel
def backward(
    given: Given, tile: Tile, ring: Array, history: Array, spare: Array, gradient: Array, out: Given, one: float
) -> None:
    """Sweep a tile; write the gradients by the maps where it keeps them, and add to those by the parameters.

    `spare` takes the sums over rows that the tile does not keep.
    """
    count, (top, bottom, _, _) = len(given.steps), tile.outer
    first, end, _, _ = tile.inner
    total = prepare(ring, tile, one)
    history[:, :, MARGIN + columns(tile) : MARGIN + total + 1] = one - one
    for wave in range(top, bottom + 2 * count + 1):
        march(ring, history, given, tile, wave, total, one)
        for n in range(count + 1):
            row = wave - count - n
            sums = out.steps if first <= row < end else spare
            if n == 0 and top <= row < bottom:
                turn(ring, history, given, tile, row, total, gradient, sums, one)
            elif n > 0 and top <= row < bottom:
                undo(ring, history, given, tile, row, count + 1 - n, total, sums, one)
        if first <= wave - 2 * count < end:
            write(ring, given, tile, wave - 2 * count, out, one)
