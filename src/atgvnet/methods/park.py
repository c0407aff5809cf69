"""`park`: least squares with weights from colour, segments, edges and depth, and a non-local term.

J. Park, H. Kim, Y.-W. Tai, M. Brown, I. Kweon: High Quality Depth Map Upsampling for 3D-TOF Cameras. ICCV 2011.

The problem: depths u on the guide's grid that agree with the measurements z, with their neighbours where nothing
speaks for an edge, and with the pixels along the guide's structures:

    minimise  a Σ_l ((S u)_l - z_l)²  +  λ_s Σ_p Σ_q w_pq / W_p (u_p - u_q)²  +  λ_n Σ_p Σ_r κ_pr / K_p (u_p - u_r)²

over the eight neighbours q of p and a window of r. w_pq is a product: Gaussian in colour (YUV) and in the bicubic
interpolation of z, smaller between segments of the guide and near its edges. κ_pr is Gaussian in the displacement,
measured by the guide's structure tensors at p and r, so that it is long along an edge and short across it. W and K
are the sums that make all weights of a pixel 1. S reads u at the centres of the input pixels, bilinearly. There are a
target pixels for one measurement: all sums are over the target's area, whatever the factor.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter, gaussian_gradient_magnitude, watershed_ift

from atgvnet.methods._guide import guide_of, measured, nothing_known
from atgvnet.methods._least_squares import LeastSquares, Samples, degree, neighbour
from atgvnet.methods.problem import Estimate, Problem
from atgvnet.resample import resize_and_fill

__all__ = ["Park"]

Floats = NDArray[np.float32]
Offsets = NDArray[np.int64]
_YUV = np.array([[0.299, 0.587, 0.114], [-0.147, -0.289, 0.436], [0.615, -0.515, -0.1]], np.float32)
_LEAST = 1e-6  # weight of the unlikeliest pair, so that no pixel is cut off
_NEAR = ((0, 1), (1, -1), (1, 0), (1, 1))


@dataclass(frozen=True, kw_only=True)
class Park:
    """λ_s and λ_n are `smoothness` and `nonlocality`.

    Parameters
    ----------
    contrast, crossing, edge
        What a difference of colour (YUV, 0…1), a segment's border and a gradient of the guide cost.
    depth
        Standard deviation of the weight from the interpolated depth, as a share of the map's range.
    segment
        Side of the guide's segments in target pixels.
    radius, stiffness
        Half the side of the window of the non-local term, and what the structure tensor counts against distance.
    """

    guided: ClassVar[bool] = True
    source: ClassVar[str] = "Park et al., High Quality Depth Map Upsampling for 3D-TOF Cameras, 2011"
    plane_tolerance: ClassVar[float] = 0.75

    smoothness: float = 48.0
    nonlocality: float = 0.48
    contrast: float = 0.03
    crossing: float = 0.7
    edge: float = 0.03
    depth: float = 0.02
    segment: int = 16
    radius: int = 3
    stiffness: float = 100.0
    tolerance: float = 1e-4
    iterations: int = 2000

    def __call__(self, problem: Problem, /) -> Estimate:
        """Upscale."""
        guide = guide_of(problem, "park")
        if not problem.valid.any():
            return nothing_known(problem)
        start = resize_and_fill(problem.values, problem.size)
        u = self.equations(problem, guide, start).solve(
            start.astype(np.float64), tolerance=self.tolerance, iterations=self.iterations, progress=problem.progress
        )
        return Estimate(values=u.astype(np.float32))

    def equations(self, problem: Problem, guide: Floats, start: Floats) -> LeastSquares:
        """Set up the quadratic problem."""
        window = _half_window(self.radius)
        weights = self._along(guide @ _YUV[0], window)
        near = np.array(_NEAR)
        for offset, plane in zip(_NEAR, self._alike(guide, start, near), strict=True):
            weights[window.tolist().index(list(offset))] += plane
        weight = measured(problem)
        area = np.float32(start.size / np.count_nonzero(weight))
        samples = Samples.of_map(problem.values, weight * area, problem.size)
        return LeastSquares(samples=samples, offsets=window, weights=weights)

    def _alike(self, guide: Floats, start: Floats, offsets: Offsets) -> Floats:
        """λ_s w / W of the eight neighbours."""
        colours = guide @ _YUV.T
        edges = gaussian_gradient_magnitude(colours[..., 0], 1.0, mode="nearest")
        segments = _segments(edges, self.segment)
        bandwidth = max(self.depth * float(np.ptp(start)), float(np.finfo(np.float32).tiny))
        planes = np.empty((len(offsets), *start.shape), np.float32)
        for plane, (dy, dx) in zip(planes, offsets.tolist(), strict=True):
            squared = ((colours - neighbour(colours, (dy, dx))) ** 2).sum(axis=-1) / self.contrast**2
            squared += ((start - neighbour(start, (dy, dx))) / np.float32(bandwidth)) ** 2
            saliency = (edges + neighbour(edges, (dy, dx))) / (2 * self.edge)
            within = np.where(segments == neighbour(segments, (dy, dx)), 1.0, self.crossing)
            plane[:] = np.exp(-squared / 2) * within / np.sqrt(1 + saliency**2) + _LEAST
        return _balanced(offsets, planes, self.smoothness)

    def _along(self, light: Floats, offsets: Offsets) -> Floats:
        """λ_n κ / K of a window."""
        tensor = _structure(light)
        planes = np.empty((len(offsets), *light.shape), np.float32)
        for plane, (dy, dx) in zip(planes, offsets.tolist(), strict=True):
            along = dy * dy * tensor[0] + 2 * dy * dx * tensor[1] + dx * dx * tensor[2]
            nearness = (dy * dy + dx * dx) / self.radius**2
            own = np.exp(-(np.float32(nearness) + np.float32(self.stiffness) * along) / 2)
            along = neighbour(along, (dy, dx))
            plane[:] = own + np.exp(-(np.float32(nearness) + np.float32(self.stiffness) * along) / 2) + _LEAST
        return _balanced(offsets, planes, self.nonlocality)


def _half_window(radius: int) -> Offsets:
    """One of each pair of opposite offsets."""
    side = range(-radius, radius + 1)
    return np.array([(dy, dx) for dy in range(radius + 1) for dx in side if dy > 0 or dx > 0])


def _balanced(offsets: Offsets, planes: Floats, strength: float) -> Floats:
    """Make the weights of a pixel sum to the strength; as each pair is met from both ends, its weights add."""
    share = (strength / degree(offsets, planes)).astype(np.float32)
    for plane, (dy, dx) in zip(planes, offsets.tolist(), strict=True):
        plane *= share + neighbour(share, (dy, dx))
    return planes


def _structure(light: Floats) -> Floats:
    """Structure tensor (yy, yx, xx) of a picture."""
    down, across = (gaussian_filter(light, 1.0, order, mode="nearest") for order in ((1, 0), (0, 1)))
    products = down**2, down * across, across**2
    return np.stack([gaussian_filter(product, 1.5, mode="nearest") for product in products])


def _segments(edges: Floats, side: int) -> NDArray[np.int32]:
    """Divide a picture along its edges: basins flooded from a grid of seeds."""
    seeds = np.zeros(edges.shape, np.int32)
    grid = seeds[side // 2 :: side, side // 2 :: side]
    if grid.size == 0:
        return seeds
    grid[:] = np.arange(1, grid.size + 1).reshape(grid.shape)
    height = np.rint(255 * edges / max(float(edges.max()), _LEAST)).astype(np.uint8)
    flooded: NDArray[np.int32] = watershed_ift(height, seeds)
    return flooded
