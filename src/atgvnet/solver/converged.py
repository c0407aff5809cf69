"""The energy of `atgvnet.solver.unrolled` minimised: its iteration with θ = 1, repeated until the gap is small.

The steps are those that the unrolled iteration starts from, with σ times and τ divided by w. It converges for any w,
as Pock and Chambolle's condition holds products only, and fastest about where the duals and the maps have equally far
to go, measured by their steps: w² = Σ (|p|² / σp + |q|² / σq) / Σ (|u − g|² / τu + |v|² / τv). So w starts from the
inverse of the differences between neighbours in g, and follows the iterates for the first dozen looks at the gap. As
the duals are short of their way then, w is taken twice as large.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike, DTypeLike, NDArray
from torch import Tensor

from atgvnet.errors import InputError
from atgvnet.resample import fill
from atgvnet.solver.energy import Energy
from atgvnet.solver.operators import gradient
from atgvnet.solver.resume import VARIABLE, resume
from atgvnet.solver.sweep import CHANNELS, PX, QXX, U_BAR, VX, X_BAR, Tile, U
from atgvnet.solver.tiles import cut_tiles, share, window
from atgvnet.solver.unrolled import Step

__all__ = ["Minimum", "minimise"]

Array = NDArray[Any]
SWEEP = 10
FIRST_CHECK, GROWTH = 40, 1.25
ADJUSTED, EAGERNESS = 12, 2
LEAST_ENERGY = 1e-3
PARTS = slice(U, U_BAR), slice(VX, X_BAR), slice(PX, QXX), slice(QXX, VARIABLE)


@dataclass(frozen=True, kw_only=True, eq=False)
class Minimum:
    """The map u (H, W), its slope v (2, H, W), the energy, the relative gap and the number of iterations done."""

    u: Array
    v: Array
    energy: float
    gap: float
    iterations: int


def minimise(
    g: ArrayLike,
    tensor: ArrayLike | None = None,
    weight: ArrayLike | None = None,
    *,
    lam: float,
    alpha1: float,
    alpha0: float,
    tolerance: float = 1e-3,
    iterations: int = 3000,
    progress: Callable[[float], None] = lambda _: None,
) -> Minimum:
    """Minimise α1 ‖T(∇u − v)‖₁ + α0 ‖∇v‖₁ + λ/2 ‖√ω (u − g)‖² over u and v.

    Parameters
    ----------
    g
        The data (H, W), of any range; NaN counts as weight 0. Computed in float64 if it is of that type.
    tensor
        T as (3, H, W), its entries xx, xy, yy with eigenvalues in 0…1; the identity if None.
    weight
        ω ≥ 0 (H, W), 1 if None. Where it is 0, g is but the start.
    tolerance
        Done as soon as the gap (see `atgvnet.solver.energy`, R being the range of the data) is this share of the
        energy, or of 1/1000 of the best constant map's energy where that is more: exact data may leave none.
    iterations
        The most to do.
    progress
        Called with the share of `iterations` done.
    """
    if not tolerance >= 0 or iterations < 1:
        raise InputError(f"minimise: tolerance is {tolerance}, iterations {iterations}; give ≥ 0 and ≥ 1")
    energy = _energy(g, tensor, weight, lam, alpha1, alpha0)
    iterate = _Iterate(energy)
    check = FIRST_CHECK
    while True:
        iterate.go_on(min(SWEEP, iterations - iterate.done))
        progress(iterate.done / iterations)
        if iterate.done >= min(check, iterations):
            value, gap = iterate.look()
            if gap <= tolerance or iterate.done == iterations:
                u, v = iterate.state[U], iterate.state[VX:X_BAR]
                return Minimum(u=u.copy(), v=v.copy(), energy=value, gap=gap, iterations=iterate.done)
            check = int(GROWTH * iterate.done)


class _Iterate:
    """The maps of one iteration, and how to get to the next ones."""

    def __init__(self, energy: Energy) -> None:
        self.energy, self.done, self.looks = energy, 0, 0
        self.constant = torch.cat([energy.g, energy.weight, energy.tensor], dim=1)[0].numpy()
        self.state = np.zeros((VARIABLE, *self.constant.shape[1:]), self.constant.dtype)
        self.state[U] = self.state[U_BAR] = self.constant[0]
        self.spare = np.empty_like(self.state)
        known = energy.g[energy.weight > 0]
        self.reach = (known.max() - known.min()).item()
        mean = (energy.weight * energy.g).sum() / energy.weight.sum()
        self.least = LEAST_ENERGY * energy.value(mean.expand_as(energy.g), torch.zeros_like(energy.tensor[:, :2]))
        self.balance = 1 / max(math.sqrt(_squares(gradient(energy.g)) / energy.g.numel()), 1e-6 * self.reach, 1e-30)

    def go_on(self, count: int) -> None:
        """Do so many iterations, `SWEEP` at most."""
        old, new, one = self.state, self.spare, self.state.dtype.type(1)
        steps = np.tile(_step(self.energy, self.balance), (count, 1)).astype(old.dtype)

        def run(tile: Tile) -> None:
            ring = window(count + 3, CHANNELS, self.energy.g.dtype)
            resume(old, self.constant, steps, tile, ring, new, one)

        share(run, list(cut_tiles((1, *old.shape[1:]), count)))
        self.state, self.spare, self.done = new, old, self.done + count

    def look(self) -> tuple[float, float]:
        """Give the energy and the relative gap, and mind the balance."""
        u, v, p, q = (torch.from_numpy(self.state[part])[None] for part in PARTS)
        value, gap = self.energy.value(u, v), self.energy.gap(u, v, p, q, self.reach)
        if self.looks < ADJUSTED:
            self.looks, self.balance = self.looks + 1, self._balance(u, v, p, q) or self.balance
        scale = max(value, self.least)
        return value, gap / scale if scale > 0 else 0.0

    def _balance(self, u: Tensor, v: Tensor, p: Tensor, q: Tensor) -> float:
        """Ways of the duals over those of the maps, each measured by its steps at w = 1."""
        energy, step = self.energy, _step(self.energy, 1)
        way_p, way_q = energy.alpha1 * _squares(p) / step.dual_p, energy.alpha0 * _squares(q) / step.dual_q
        way_u, way_v = _squares(u - energy.g) / step.smooth_u, _squares(v) / step.couple_v
        primal = energy.alpha1 * (way_u + way_v)
        return EAGERNESS * math.sqrt((way_p + way_q) / primal) if primal > 0 else 0.0


def _step(energy: Energy, w: float) -> Step[float]:
    alpha1, alpha0 = energy.alpha1, energy.alpha0
    coupling = alpha1 / (alpha1 + 4 * alpha0)
    return Step(
        dual_p=w / 3,
        dual_q=w / 2,
        smooth_u=1 / (4 * w),
        data_u=energy.lam / (4 * alpha1 * w),
        smooth_v=(1 - coupling) / (4 * w),
        couple_v=coupling / w,
        theta=1,
    )


def _squares(x: Tensor) -> float:
    return x.square().sum(dtype=torch.float64).item()


def _energy(
    g: ArrayLike, tensor: ArrayLike | None, weight: ArrayLike | None, lam: float, alpha1: float, alpha0: float
) -> Energy:
    """Check what is given, and fill g where it is NaN."""
    values = np.asarray(g)
    values = np.ascontiguousarray(values, np.float64 if values.dtype == np.float64 else np.float32)
    if values.ndim != 2 or values.size == 0:
        raise InputError(f"minimise: g is {values.shape}; give (H, W), neither of them 0")
    if not 0 < min(lam, alpha1, alpha0) <= max(lam, alpha1, alpha0) < math.inf:
        raise InputError(f"minimise: λ, α1, α0 are {lam}, {alpha1}, {alpha0}; give finite numbers above 0")
    ones = np.ones_like(values)
    omega = _map("weight", ones if weight is None else weight, values.shape, values.dtype)
    identity = np.stack([ones, 0 * ones, ones])
    T = _map("tensor", identity if tensor is None else tensor, (3, *values.shape), values.dtype)
    omega = np.where(np.isfinite(values), omega, 0)
    if omega.min() < 0 or omega.max() == 0:
        raise InputError(f"minimise: weights are {omega.min()}…{omega.max()} where g is known; give some above 0")
    maps = [torch.from_numpy(x).reshape(1, -1, *values.shape) for x in (fill(values), T, omega)]
    return Energy(g=maps[0], tensor=maps[1], weight=maps[2], lam=lam, alpha1=alpha1, alpha0=alpha0)


def _map(name: str, given: ArrayLike, shape: tuple[int, ...], dtype: DTypeLike) -> Array:
    array = np.ascontiguousarray(given, dtype)
    if array.shape != shape or not np.isfinite(array).all():
        raise InputError(f"minimise: {name} is {array.shape}; give {shape}, all finite")
    return array
