"""The unrolled iteration of `atgvnet.solver.unrolled.iterate` by compiled kernels, forward and backward.

A map is cut into tiles that overlap by as many pixels as there are iterations (twice as many for the gradient), for
information travels one pixel per iteration; tiles need nothing of each other, and the result does not depend on how
the map was cut. They are shared out over as many threads as PyTorch may use. These are plain Python threads running
kernels without the interpreter's lock: no threading layer of Numba's is involved, so that calls from PyTorch's own
threads, from loaders of data and from forked processes do not get into each other's way.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.autograd.function import once_differentiable

from atgvnet.solver.adjoint import ADJOINTS, RECORDED, backward
from atgvnet.solver.sweep import CHANNELS, MARGIN, forward

__all__ = ["unrolled"]

TILE_WIDTH = 768
Array = NDArray[Any]
Span = tuple[int, int]


class Tile(NamedTuple):
    """Which image, and which rows and columns (top, bottom, left, right) to compute on and to keep."""

    image: int
    outer: tuple[int, int, int, int]
    inner: tuple[int, int, int, int]


def unrolled(g: Tensor, T: Tensor, weight: Tensor, steps: Tensor) -> Tensor:
    """Do what `iterate` does; all arguments are of one type and on the CPU."""
    apply: Callable[..., Tensor] = _Unrolled.apply
    return apply(g, T, weight, steps)


class _Unrolled(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, g: Tensor, T: Tensor, weight: Tensor, steps: Tensor) -> Tensor:
        """Run the iteration; only what was given is kept for the gradient."""
        g, T, weight, steps = (x.detach().contiguous() for x in (g, T, weight, steps))
        ctx.save_for_backward(g, T, weight, steps)
        u = torch.empty_like(g)
        count, arrays, (out,) = len(steps), _arrays(g, T, weight), _arrays(u)
        table, one = steps.numpy(), np.ones((), u.numpy().dtype)[()]

        def run(tile: Tile) -> None:
            (ring,) = _windows(g, tile, (count + 3, CHANNELS))
            inputs = [array[tile.image] for array in arrays]
            forward(inputs[0][0], inputs[1], inputs[2][0], table, ring, out[tile.image, 0], *tile[1:], one)

        _share(run, list(_tiles(g.shape, count)))
        return u

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, ...]:
        """Give the gradients by g, T, weight and steps."""
        g, T, weight, steps = ctx.saved_tensors
        count = len(steps)
        gradients = torch.empty_like(g), torch.empty_like(T), torch.empty_like(g)
        arrays, results = _arrays(g, T, weight, grad.contiguous()), _arrays(*gradients)
        table, one = steps.numpy(), np.ones((), g.numpy().dtype)[()]
        tiles = list(_tiles(g.shape, 2 * count))
        by_steps = torch.zeros((len(tiles), *steps.shape), dtype=torch.float64)

        def run(job: tuple[Tile, Array]) -> None:
            tile, d_steps = job
            windows = _windows(
                g, tile, (count + 3, CHANNELS), ((count + 1) * (count + 2), RECORDED), (count + 3, ADJOINTS)
            )
            g_, T_, weight_, grad_ = (array[tile.image] for array in arrays)
            d_g, d_T, d_weight = (array[tile.image] for array in results)
            backward(
                g_[0], T_, weight_[0], table, grad_[0], *windows, d_g[0], d_T, d_weight[0], d_steps, *tile[1:], one
            )

        _share(run, list(zip(tiles, by_steps.numpy(), strict=True)))
        return *gradients, by_steps.sum(dim=0).to(steps.dtype)


def _arrays(*tensors: Tensor) -> tuple[Array, ...]:
    return tuple(tensor.detach().numpy() for tensor in tensors)


def _windows(like: Tensor, tile: Tile, *shapes: Span) -> list[Array]:
    """Give scratch arrays of so many rows and channels, each row wide enough for the tile and its margins."""
    stride = MARGIN * (2 + (tile.outer[3] - tile.outer[2]) // MARGIN)
    return [torch.empty((*shape, stride), dtype=like.dtype).numpy() for shape in shapes]


def _tiles(shape: torch.Size, halo: int) -> Iterator[Tile]:
    batch, _, height, width = shape
    columns = _cut(width, -(-width // TILE_WIDTH))
    bands = min(-(-torch.get_num_threads() // (batch * len(columns))), max(1, height // (2 * halo)))
    for image, (top, bottom), (left, right) in product(range(batch), _cut(height, bands), columns):
        outer = max(0, top - halo), min(height, bottom + halo), max(0, left - halo), min(width, right + halo)
        yield Tile(image, outer, (top, bottom, left, right))


def _cut(length: int, parts: int) -> list[Span]:
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
