"""The unrolled iteration of `atgvnet.solver.unrolled.iterate` by compiled kernels, forward and backward.

A map is cut into tiles that overlap by as many pixels as there are iterations (twice as many for the gradient), for
information travels one pixel per iteration; tiles need nothing of each other, and the result does not depend on how
the map was cut. They are shared out over as many threads as PyTorch may use. These are plain Python threads running
kernels without the interpreter's lock: no threading layer of Numba's is involved, so that calls from PyTorch's own
threads, from loaders of data and from forked processes do not get into each other's way.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from atgvnet.solver.adjoint import ADJOINT_CHANNELS
from atgvnet.solver.retrace import backward, history_rows
from atgvnet.solver.sweep import CHANNELS, MARGIN, RECORDED, Array, Given, Tile, columns, forward
from atgvnet.solver.tensor import FLOOR

__all__ = ["unrolled"]

COLUMNS = 768


def unrolled(g: Tensor, h: Tensor, weight: Tensor, steps: Tensor, form: Tensor) -> Tensor:
    """Compute u of g (B, 1, H, W), h (B, 2, H, W), weight like g, steps (N, 7) and the scale of h, β and γ (3).

    All arguments are of one type and on the CPU.
    """
    apply: Callable[..., Tensor] = _Unrolled.apply
    return apply(g, h, weight, steps, form)


class _Unrolled(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, *tensors: Tensor) -> Tensor:
        """Run the iteration; only what was given is kept for the gradient."""
        tensors = tuple(x.detach().contiguous() for x in tensors)
        ctx.save_for_backward(*tensors)
        given, u = _given(tensors), torch.empty_like(tensors[0])
        count, one = len(given.steps), given.g.dtype.type(1)

        def run(tile: Tile) -> None:
            forward(given, tile, _window(tile, count + 3, CHANNELS, u.dtype), u.numpy()[:, 0], one)

        _share(run, list(_tiles(given.g.shape, count)))
        return u

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, ...]:
        """Give the gradients by all that was given."""
        given, maps = _given(ctx.saved_tensors), [torch.empty_like(x) for x in ctx.saved_tensors[:3]]
        count, tiles, one = len(given.steps), list(_tiles(given.g.shape, 2 * len(given.steps))), given.g.dtype.type(1)
        by_u, (d_g, d_h, d_weight) = gradient.contiguous().numpy()[:, 0], (x.numpy() for x in maps)
        sums = np.zeros((len(tiles), 2, count, 7)), np.zeros((len(tiles), 3))

        def run(index: int) -> None:
            tile, (kept, spare) = tiles[index], sums[0][index]
            ring = _window(tile, 2 * count + 3, ADJOINT_CHANNELS, gradient.dtype)
            history = _window(tile, history_rows(count), RECORDED, gradient.dtype)
            out = Given(d_g[:, 0], d_h, d_weight[:, 0], kept, sums[1][index])
            backward(given, tile, ring, history, spare, by_u, out, one)

        _share(run, list(range(len(tiles))))
        by_steps, by_form = sums[0][:, 0].sum(axis=0), sums[1].sum(axis=0)
        return *maps, *(torch.from_numpy(x).to(gradient.dtype) for x in (by_steps, by_form))


def _given(tensors: Sequence[Tensor]) -> Given:
    g, h, weight, steps, form = (x.numpy() for x in tensors)
    constants = np.array([form[0], form[1], form[2] / 2, FLOOR**2, 0.5], g.dtype)
    return Given(g[:, 0], h, weight[:, 0], steps, constants)


def _window(tile: Tile, rows: int, channels: int, dtype: torch.dtype) -> Array:
    """Give scratch memory for the columns of a tile and its margins, aligned to cache lines."""
    return torch.empty((rows, channels, MARGIN * (2 + columns(tile) // MARGIN)), dtype=dtype).numpy()


def _tiles(shape: tuple[int, ...], halo: int) -> Iterator[Tile]:
    """Cut a batch into groups of images, wide ones into columns, and into rows if threads would be idle."""
    batch, height, width = shape
    threads = torch.get_num_threads()
    groups = _cut(batch, max(min(threads, batch), -(-batch * width // COLUMNS)))
    sides = _cut(width, -(-width // COLUMNS))
    bands = _cut(height, max(1, min(-(-threads // (len(groups) * len(sides))), height // (2 * halo))))
    for (first, end), (top, bottom), (left, right) in product(groups, bands, sides):
        outer = max(0, top - halo), min(height, bottom + halo), max(0, left - halo), min(width, right + halo)
        yield Tile(first, end - first, outer, (top, bottom, left, right))


def _cut(length: int, parts: int) -> list[tuple[int, int]]:
    parts = min(parts, length)
    return [(length * i // parts, length * (i + 1) // parts) for i in range(parts)]


def _share(run: Callable[[Any], None], jobs: list[Any]) -> None:
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
