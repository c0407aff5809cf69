"""`fbs`: the fast bilateral solver.

J. Barron, B. Poole: The Fast Bilateral Solver. ECCV 2016.

The problem: with a target t (the interpolated input) of confidence c and a guide, find the map x that

    minimises  λ/2 Σ_ij Ŵ_ij (x_i - x_j)²  +  Σ_i c_i (x_i - t_i)²,

where Ŵ is the bilateral affinity of pixels (Gaussian in position, lightness and colour) with all rows scaled to sum
to 1. Pixels are gathered in the cells of a grid over these five dimensions, S; then Ŵ = Sᵀ D_m⁻¹ D_n B D_n D_m⁻¹ S
with a small blur B between neighbouring cells, and x = Sᵀ y where

    (λ (D_m - D_n B D_n) + diag(S c)) y = S (c t).

D_n and D_m are found by a few steps of Sinkhorn's iteration, y by preconditioned conjugate gradients. As published
for depth upsampling, each input pixel is a bump of confidence around its centre, and the borders of the cells, at
which x jumps, are smoothed along the guide by a domain transform (E. Gastal, M. Oliveira: Domain Transform for
Edge-Aware Image and Video Processing. SIGGRAPH 2011).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import cg

from atgvnet.methods._guide import nothing_known, observe
from atgvnet.methods.problem import Estimate, Problem
from atgvnet.resample import imresize

__all__ = ["FastBilateralSolver", "Grid", "smooth_along"]

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
_YUV = np.array([[0.299, 0.587, 0.114], [-0.168736, -0.331264, 0.5], [0.5, -0.418688, -0.081312]])


@dataclass(frozen=True, kw_only=True, eq=False)
class Grid:
    """Cells of a bilateral grid: which one each pixel is in, the blur between them, and what balances it."""

    cell: NDArray[np.int64]
    blur: sparse.csr_matrix
    scale: Doubles
    mass: Doubles

    @classmethod
    def of(cls, features: Doubles, balancing: int = 10) -> "Grid":
        """Gather pixels by their features (pixels, dimensions), in units of a cell."""
        places = np.rint(features).astype(np.int64)
        places -= places.min(axis=0)
        sides = places.max(axis=0) + 3  # an empty cell beyond each side keeps neighbours apart
        stride = np.concatenate([np.cumprod(sides[:0:-1])[::-1], [1]])
        codes, cell = np.unique(places @ stride, return_inverse=True)
        blur = _blur(codes, stride)
        mass = np.bincount(cell).astype(np.float64)
        scale = np.ones(len(codes))
        for _ in range(balancing):
            scale = np.sqrt(scale * mass / (blur @ scale))
        return cls(cell=cell, blur=blur, scale=scale, mass=scale * (blur @ scale))

    def splat(self, values: Doubles) -> Doubles:
        """Sum the pixels of each cell."""
        return np.bincount(self.cell, weights=values.ravel(), minlength=len(self.mass)).astype(np.float64)

    def matrix(self, smoothness: float, confidence: Doubles) -> sparse.csr_matrix:
        """Give the matrix of the linear system for y."""
        between = sparse.diags(self.scale) @ self.blur @ sparse.diags(self.scale)
        return sparse.csr_matrix(
            smoothness * (sparse.diags(self.mass) - between) + sparse.diags(self.splat(confidence))
        )


@dataclass(frozen=True, kw_only=True)
class FastBilateralSolver:
    """Cells of `spatial` target pixels, `lightness` and `colour` of 256 levels; λ = 4^(1/2 + log₂ scale).

    `bump` is the standard deviation of an input pixel's confidence in input pixels; `smoothing` the domain
    transform's, in target pixels and in levels.
    """

    guided: ClassVar[bool] = True
    source: ClassVar[str] = "Barron & Poole, The Fast Bilateral Solver, 2016"

    spatial: float = 8.0
    lightness: float = 4.0
    colour: float = 3.0
    bump: float = 0.25
    smoothing: float = 16.0
    tolerance: float = 1e-5
    iterations: int = 500

    def __call__(self, problem: Problem, /) -> Estimate:
        """Upscale."""
        if not problem.valid.any():
            return nothing_known(problem)
        seen = observe(problem, "fbs")
        target = imresize(seen.values, size=problem.size, method="bicubic").astype(np.float64)
        confidence = self._confidence(problem, seen.weight)
        grid = Grid.of(self._features(seen.guide))
        smoothness = 4 ** (0.5 + max(0.0, float(np.log2(max(problem.scale)))))
        y = _solve(grid, smoothness, target, confidence, self.tolerance, self.iterations, problem.progress)
        x = y[grid.cell].reshape(problem.size)
        return Estimate(values=smooth_along(x, 255 * seen.guide, self.smoothing, self.smoothing).astype(np.float32))

    def _features(self, guide: Floats) -> Doubles:
        """Position, lightness and colour of each pixel in cells."""
        height, width = guide.shape[:2]
        y, x = np.mgrid[:height, :width].astype(np.float64) / self.spatial
        yuv = 255 * guide.reshape(-1, 3) @ _YUV.T
        return np.column_stack([y.ravel(), x.ravel(), yuv / (self.lightness, self.colour, self.colour)])

    def _confidence(self, problem: Problem, weight: Floats) -> Doubles:
        rows, columns = (
            _bumps(wanted, given, self.bump) for wanted, given in zip(problem.size, problem.values.shape, strict=True)
        )
        nearest = imresize(weight, size=problem.size, method="nearest")
        return nearest * rows[:, None] * columns


def _bumps(wanted: int, given: int, width: float) -> Doubles:
    position = (np.arange(wanted) + 0.5) * given / wanted - 0.5
    return np.exp(-0.5 * ((position - np.rint(position)) / width) ** 2)


def _blur(codes: NDArray[np.int64], stride: NDArray[np.int64]) -> sparse.csr_matrix:
    """Join each cell with itself, twice for each dimension, and once with each neighbour that holds pixels."""
    pairs = []
    for step in stride:
        place = np.searchsorted(codes, codes + step).clip(max=len(codes) - 1)
        found = np.flatnonzero(codes[place] == codes + step)
        pairs.append(np.stack([found, place[found]]))
    rows, columns = np.concatenate(pairs, axis=1)
    size = (len(codes), len(codes))
    ones = sparse.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=size)
    return (ones + ones.T + 2 * len(stride) * sparse.identity(len(codes))).tocsr()


def _solve(
    grid: Grid,
    smoothness: float,
    target: Doubles,
    confidence: Doubles,
    tolerance: float,
    iterations: int,
    progress: Callable[[float], None],
) -> Doubles:
    matrix = grid.matrix(smoothness, confidence)
    trusted = grid.splat(confidence)
    right = grid.splat(confidence * target)
    done = iter(range(1, iterations + 1))
    y, _ = cg(
        matrix,
        right,
        x0=right / trusted,
        rtol=tolerance,
        maxiter=iterations,
        M=sparse.diags(1 / matrix.diagonal()),
        callback=lambda _y: progress(next(done) / iterations),
    )
    return y


def smooth_along(values: Doubles, guide: Floats, spatial: float, contrast: float, passes: int = 3) -> Doubles:
    """Smooth along a guide: recursively, rows and columns in turn, over distances that its differences stretch."""
    stretch = [_stretch(guide, axis, spatial / contrast) for axis in (0, 1)]
    u = values.astype(np.float64)
    for n in range(passes):
        width = spatial * 3**0.5 * 2.0 ** (passes - 1 - n) / (4**passes - 1) ** 0.5
        decay = float(np.exp(-(2**0.5) / width))
        _recurse(u, stretch[1], decay)
        across = np.ascontiguousarray(u.T)
        _recurse(across, stretch[0].T, decay)
        u = np.ascontiguousarray(across.T)
    return u


def _stretch(guide: Floats, axis: int, steepness: float) -> Doubles:
    difference = np.abs(np.diff(guide, axis=axis, prepend=np.take(guide, [0], axis=axis))).sum(axis=-1)
    return np.asarray(1 + steepness * difference, np.float64)


@njit(cache=True, nogil=True, parallel=True)
def _recurse(u: Doubles, stretch: Doubles, decay: float) -> None:
    height, width = u.shape
    for y in prange(height):
        for x in range(1, width):
            u[y, x] += decay ** stretch[y, x] * (u[y, x - 1] - u[y, x])
        for x in range(width - 2, -1, -1):
            u[y, x] += decay ** stretch[y, x + 1] * (u[y, x + 1] - u[y, x])
