"""Sharing the work on maps out: tiles that overlap, each with its window of rows, over threads.

A map is cut into tiles that overlap by as many pixels as there are iterations, for information travels one pixel per
iteration; tiles need nothing of each other, and the result does not depend on how the map was cut. They are shared
out over as many threads as PyTorch may use. These are plain Python threads running kernels without the interpreter's
lock: no threading layer of Numba's is involved, so that calls from PyTorch's own threads, from loaders of data and
from forked processes do not get into each other's way.
"""

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import cache
from itertools import product
from typing import Any

import torch

from atgvnet.solver.rows import COLUMNS, WIDTH
from atgvnet.solver.sweep import Array, Tile

__all__ = ["cut_tiles", "share", "window"]

KEPT = 1 << 24
GROUP = 512  # columns of the images that a tile takes together: more leave the cache


class _Scratch(threading.local):
    """Windows that this thread has used and will again: fresh memory costs as much as filling it."""

    def __init__(self) -> None:
        self.kept: dict[tuple[int, int, torch.dtype], Array] = {}


_scratch = _Scratch()


def window(rows: int, channels: int, dtype: torch.dtype) -> Array:
    """Give this thread's scratch memory of that shape, aligned to cache lines; what it holds is anything."""
    shape = rows, channels, dtype
    found = _scratch.kept.get(shape)
    if found is None:
        found = torch.empty((rows, channels, WIDTH), dtype=dtype).numpy()
        if found.nbytes <= KEPT:
            _scratch.kept[shape] = found
    return found


def cut_tiles(shape: tuple[int, ...], halo: int) -> Iterator[Tile]:
    """Cut a batch into groups of images, wide ones into columns, and the longer side if threads would be idle."""
    batch, height, width = shape
    threads = torch.get_num_threads()
    groups = _cut(batch, max(min(threads, batch), -(-batch // max(1, GROUP // width))))
    columns = 1 if width <= COLUMNS else -(-width // (COLUMNS - 2 * halo))
    across = columns == 1 and width >= height
    parts = max(1, min(-(-threads // (len(groups) * columns)), (width if across else height) // (2 * halo)))
    sides, bands = _cut(width, columns * (parts if across else 1)), _cut(height, 1 if across else parts)
    for (first, end), (top, bottom), (left, right) in product(groups, bands, sides):
        outer = max(0, top - halo), min(height, bottom + halo), max(0, left - halo), min(width, right + halo)
        yield Tile(first, end - first, outer, (top, bottom, left, right))


def _cut(length: int, parts: int) -> list[tuple[int, int]]:
    parts = min(parts, length)
    return [(length * i // parts, length * (i + 1) // parts) for i in range(parts)]


def share(run: Callable[[Any], None], jobs: list[Any]) -> None:
    """Run all jobs, this thread taking part; each thread takes the next one as it gets free."""
    queue = iter(jobs)

    def work() -> None:
        for job in queue:
            run(job)

    helpers = min(torch.get_num_threads(), len(jobs)) - 1
    futures = [_pool(os.getpid()).submit(work) for _ in range(helpers)]
    work()
    for future in futures:
        future.result()


@cache
def _pool(process: int) -> Executor:
    """Threads of this process; a forked one has none and starts its own."""
    return ThreadPoolExecutor(os.cpu_count(), thread_name_prefix=f"atgvnet-solver-{process}")
