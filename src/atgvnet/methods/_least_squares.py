"""Weighted least squares over the pixels of a target grid, solved by conjugate gradients.

The problem: with measurements z at real positions of the target grid and symmetric weights w between pixels,

    minimise  Σ_l k_l ((S u)_l - z_l)²  +  Σ_{i, j} w_ij (u_i - u_j)²

where S reads u between pixels, bilinearly. Its normal equations are (Sᵀ K S + L) u = Sᵀ K z with the graph
Laplacian L of w; conjugate gradients, preconditioned with the diagonal, stop where the residual has fallen below
`tolerance` times the right side. The pairs are given as a few offsets and a plane of weights for each:
``weights[n, y, x]`` joins the pixel (y, x) with (y, x) + ``offsets[n]``; it is not read where that leaves the grid.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self, TypeVar

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

__all__ = ["LeastSquares", "Samples", "degree", "neighbour"]

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Offsets = NDArray[np.int64]
Value = TypeVar("Value", bound=np.generic)

_TINY = 1e-30


@dataclass(frozen=True, kw_only=True, eq=False)
class Samples:
    """Measurements at positions (y, x) of the target grid, with a weight each."""

    position: Doubles
    value: Doubles
    weight: Doubles

    @classmethod
    def of_map(cls, values: Floats, weight: Floats, size: tuple[int, int]) -> Self:
        """Give the pixels of positive weight of a map that spans the same area as the target grid."""
        rows, columns = np.nonzero(weight > 0)
        position = [
            np.clip((index + 0.5) * wanted / given - 0.5, 0, wanted - 1)
            for index, wanted, given in zip((rows, columns), size, values.shape, strict=True)
        ]
        return cls(
            position=np.stack(position, axis=-1),
            value=values[rows, columns].astype(np.float64),
            weight=weight[rows, columns].astype(np.float64),
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class LeastSquares:
    """The quadratic problem of the module's docstring."""

    samples: Samples
    offsets: Offsets
    weights: Floats

    def apply(self, u: Doubles) -> Doubles:
        """Multiply by the normal matrix."""
        result = np.empty_like(u)
        _laplacian(u, self.offsets, self.weights, result)
        read = _read(u, self.samples.position)
        _spread(self.samples.weight * read, self.samples.position, result)
        return result

    def right_side(self) -> Doubles:
        """Give the data's side of the normal equations."""
        result = np.zeros(self.weights.shape[1:])
        _spread(self.samples.weight * self.samples.value, self.samples.position, result)
        return result

    def diagonal(self) -> Doubles:
        """Give the normal matrix's diagonal."""
        result = degree(self.offsets, self.weights)
        _spread_squared(self.samples.weight, self.samples.position, result)
        return result

    def solve(
        self, start: Doubles, *, tolerance: float, iterations: int, progress: Callable[[float], None]
    ) -> Doubles:
        """Run preconditioned conjugate gradients."""
        right = self.right_side()
        goal = tolerance * float(np.linalg.norm(right))
        preconditioner = 1 / np.maximum(self.diagonal(), _TINY)
        u = start.astype(np.float64)
        residual = right - self.apply(u)
        first = least = float(np.linalg.norm(residual))
        direction = preconditioner * residual
        energy = float(np.vdot(residual, direction))
        for _ in range(iterations):
            left = float(np.linalg.norm(residual))
            if left <= max(goal, _TINY):
                break
            least = min(least, left)
            progress(_share(first, least, goal))
            image = self.apply(direction)
            step = energy / float(np.vdot(direction, image))
            u += step * direction
            residual -= step * image
            scaled = preconditioner * residual
            energy, before = float(np.vdot(residual, scaled)), energy
            direction *= energy / before
            direction += scaled
        return u


def neighbour(image: NDArray[Value], offset: tuple[int, int]) -> NDArray[Value]:
    """Give every pixel its neighbour's value; pixels whose neighbour leaves the grid take the nearest on it."""
    rows, columns = (np.clip(np.arange(n) + d, 0, n - 1) for n, d in zip(image.shape[:2], offset, strict=True))
    moved: NDArray[Value] = image[rows[:, None], columns]
    return moved


def _share(first: float, left: float, goal: float) -> float:
    """How far a residual has come, in orders of magnitude."""
    if goal <= 0 or first <= goal:
        return 0.0
    return min(1.0, max(0.0, math.log(first / left) / math.log(first / goal)))


@njit(cache=True, nogil=True, parallel=True)
def _laplacian(u: Doubles, offsets: Offsets, weights: Floats, result: Doubles) -> None:
    height, width = u.shape
    for y in prange(height):
        for x in range(width):
            result[y, x] = 0.0
        for n in range(len(offsets)):
            dy, dx = offsets[n]
            first, last = max(0, -dx), min(width, width - dx)
            if 0 <= y + dy < height:
                for x in range(first, last):
                    result[y, x] += weights[n, y, x] * (u[y, x] - u[y + dy, x + dx])
            if 0 <= y - dy < height:
                for x in range(first, last):
                    result[y, x + dx] += weights[n, y - dy, x] * (u[y, x + dx] - u[y - dy, x])


@njit(cache=True, nogil=True)
def degree(offsets: Offsets, weights: Floats) -> Doubles:
    """Sum every pixel's weights."""
    height, width = weights.shape[1:]
    result = np.zeros((height, width))
    for n in range(len(offsets)):
        dy, dx = offsets[n]
        for y in range(max(0, -dy), min(height, height - dy)):
            for x in range(max(0, -dx), min(width, width - dx)):
                result[y, x] += weights[n, y, x]
                result[y + dy, x + dx] += weights[n, y, x]
    return result


@njit(cache=True, nogil=True)
def _corners(position: Doubles, height: int, width: int) -> tuple[int, int, int, int, float, float]:
    top, left = int(position[0]), int(position[1])
    return top, min(top + 1, height - 1), left, min(left + 1, width - 1), position[0] - top, position[1] - left


@njit(cache=True, nogil=True)
def _read(u: Doubles, positions: Doubles) -> Doubles:
    result = np.empty(len(positions))
    for n in range(len(positions)):
        top, bottom, left, right, fy, fx = _corners(positions[n], u.shape[0], u.shape[1])
        upper = (1 - fx) * u[top, left] + fx * u[top, right]
        lower = (1 - fx) * u[bottom, left] + fx * u[bottom, right]
        result[n] = (1 - fy) * upper + fy * lower
    return result


@njit(cache=True, nogil=True)
def _spread(values: Doubles, positions: Doubles, result: Doubles) -> None:
    for n in range(len(positions)):
        top, bottom, left, right, fy, fx = _corners(positions[n], result.shape[0], result.shape[1])
        result[top, left] += (1 - fy) * (1 - fx) * values[n]
        result[top, right] += (1 - fy) * fx * values[n]
        result[bottom, left] += fy * (1 - fx) * values[n]
        result[bottom, right] += fy * fx * values[n]


@njit(cache=True, nogil=True)
def _spread_squared(values: Doubles, positions: Doubles, result: Doubles) -> None:
    for n in range(len(positions)):
        top, bottom, left, right, fy, fx = _corners(positions[n], result.shape[0], result.shape[1])
        result[top, left] += ((1 - fy) * (1 - fx)) ** 2 * values[n]
        result[top, right] += ((1 - fy) * fx) ** 2 * values[n]
        result[bottom, left] += (fy * (1 - fx)) ** 2 * values[n]
        result[bottom, right] += (fy * fx) ** 2 * values[n]
