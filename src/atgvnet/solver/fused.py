"""The unrolled iteration of `atgvnet.solver.unrolled.iterate` by compiled kernels, forward and backward.

Tiles need a halo of as many pixels as there are iterations, for the gradient of twice as many.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from atgvnet.solver.adjoint import ADJOINT_CHANNELS
from atgvnet.solver.retrace import backward, history_rows
from atgvnet.solver.sweep import CHANNELS, RECORDED, Given, Tile, forward
from atgvnet.solver.tensor import FLOOR
from atgvnet.solver.tiles import cut_tiles, share, window

__all__ = ["unrolled"]


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
            forward(given, tile, window(count + 3, CHANNELS, u.dtype), u.numpy()[:, 0], one)

        share(run, list(cut_tiles(given.g.shape, count)))
        return u

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, ...]:
        """Give the gradients by all that was given."""
        given, maps = _given(ctx.saved_tensors), [torch.empty_like(x) for x in ctx.saved_tensors[:3]]
        count, one = len(given.steps), given.g.dtype.type(1)
        tiles = list(cut_tiles(given.g.shape, 2 * count))
        by_u, (d_g, d_h, d_weight) = gradient.contiguous().numpy()[:, 0], (x.numpy() for x in maps)
        sums = np.zeros((len(tiles), 2, count, 7)), np.zeros((len(tiles), 3))

        def run(index: int) -> None:
            tile, (kept, spare) = tiles[index], sums[0][index]
            ring = window(2 * count + 3, ADJOINT_CHANNELS, gradient.dtype)
            history = window(history_rows(count), RECORDED, gradient.dtype)
            out = Given(d_g[:, 0], d_h, d_weight[:, 0], kept, sums[1][index])
            backward(given, tile, ring, history, spare, by_u, out, one)

        share(run, list(range(len(tiles))))
        by_steps, by_form = sums[0][:, 0].sum(axis=0), sums[1].sum(axis=0)
        return *maps, *(torch.from_numpy(x).to(gradient.dtype) for x in (by_steps, by_form))


def _given(tensors: Sequence[Tensor]) -> Given:
    g, h, weight, steps, form = (x.numpy() for x in tensors)
    constants = np.array([form[0], form[1], form[2] / 2, FLOOR**2, 0.5], g.dtype)
    return Given(g[:, 0], h, weight[:, 0], steps, constants)
