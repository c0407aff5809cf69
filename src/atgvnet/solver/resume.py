"""Further iterations from wherever the last ones ended, swept over a map as in `atgvnet.solver.sweep`.

What one iteration leaves to the next are twelve maps, u, ū, v, v̄, p and q; what none of them changes are five, g, ω
and T. Each array holds them in the order of the window's channels, from U on and from G on.
"""

import numpy as np

from atgvnet.solver.rows import MARGIN
from atgvnet.solver.sweep import QYY, Array, G, Tile, U, advance, kernel, prepare

__all__ = ["VARIABLE", "resume"]

VARIABLE = QYY + 1


@kernel
def fetch(ring: Array, here: int, maps: Array, first: int, tile: Tile, row: int) -> None:
    """Read a row of some maps into the channels from `first` on."""
    left, width = tile.outer[2], tile.outer[3] - tile.outer[2]
    for channel in range(len(maps)):
        for j in range(width):
            ring[here, first + channel, MARGIN + j] = maps[channel, row, np.uintp(left + j)]


@kernel
def store(ring: Array, here: int, maps: Array, tile: Tile, row: int) -> None:
    """Write what the tile keeps of a row."""
    left, width = tile.inner[2], tile.inner[3] - tile.inner[2]
    at = MARGIN + left - tile.outer[2]
    for channel in range(len(maps)):
        for j in range(width):
            maps[channel, row, np.uintp(left + j)] = ring[here, channel, np.uintp(at + j)]


@kernel
def resume(old: Array, constant: Array, steps: Array, tile: Tile, ring: Array, new: Array, one: float) -> None:
    """Do one iteration per row of `steps` on a tile of the state `old`, and write what it keeps to `new`."""
    count, (top, bottom, _, _), (first, end, _, _) = len(steps), tile.outer, tile.inner
    rows, total = len(ring) - 1, prepare(ring, tile, one)
    for wave in range(top, bottom + count):
        if wave < bottom:
            fetch(ring, wave % rows, old, U, tile, wave)
            fetch(ring, wave % rows, constant, G, tile, wave)
        for n in range(count):
            if top <= wave - 1 - n < bottom:
                advance(ring, wave - 1 - n, tile, total, steps[n], one)
        if first <= wave - count < end:
            store(ring, (wave - count) % rows, new, tile, wave - count)
