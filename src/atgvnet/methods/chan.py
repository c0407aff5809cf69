"""`chan`: the noise-aware filter for depth upsampling.

D. Chan, H. Buisman, C. Theobalt, S. Thrun: A Noise-Aware Filter for Real-Time Depth Upsampling. Workshop on
Multi-camera and Multi-modal Sensor Fusion Algorithms and Applications 2008.

The problem: joint bilateral upsampling copies the guide's texture into surfaces that the noise hides. So the filter

    u_p = Σ_q z_q f(‖p↓ - q‖) [α g(‖I_p - I_q‖) + (1 - α) h(|z_p - z_q|)] / (the same without z_q)

asks the guide (g) only where depth really varies, and elsewhere the depth itself (h): α = 1 / (1 + exp(-ε (Δ - τ)))
where Δ is the range of the slightly blurred depths next to p↓. f, g and h are Gaussian; z_p is interpolated linearly.
The bandwidth of h, τ and 1/ε are in standard deviations of the noise, which the publication had measured for its
sensor as well.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter, maximum_filter, minimum_filter

from atgvnet.methods._guide import bands, nothing_known, observe
from atgvnet.methods.problem import Estimate, Problem
from atgvnet.resample import fill, imresize

__all__ = ["Chan", "trust_in_guide"]

Floats = NDArray[np.float32]

# Smallest noise, as a share of the map's range: exact maps ask the guide at every edge.
_LEAST_NOISE = 1e-3
# What the guide and the depth both reject still counts so much: a pixel unlike all around it takes their mean.
_LEAST_LIKENESS = 1e-6


@dataclass(frozen=True, kw_only=True)
class Chan:
    """`spatial` in input pixels, `contrast` of the guide (0…1); the rest in standard deviations of the noise."""

    guided: ClassVar[bool] = True
    source: ClassVar[str] = "Chan et al., A Noise-Aware Filter for Real-Time Depth Upsampling, 2008"
    plane_tolerance: ClassVar[float] = 1.0

    radius: int = 3
    spatial: float = 1.5
    contrast: float = 0.03
    depth: float = 2.0
    threshold: float = 2.0
    steepness: float = 2.0

    def __call__(self, problem: Problem, /) -> Estimate:
        """Upscale."""
        if not problem.valid.any():
            return nothing_known(problem)
        seen = observe(problem, "chan")
        noise = _noise(problem, seen.values)
        trust = trust_in_guide(seen.values / noise, self.threshold, self.steepness)
        radius, spatial = round(self.radius * seen.spacing), self.spatial * seen.spacing
        own = imresize(seen.values, size=problem.size, method="bilinear")
        result = np.empty(problem.size, np.float32)
        for band in bands(problem.size[0], problem.progress):
            _upsample(
                band,
                (seen.values, seen.weight, trust, self.depth * noise),
                seen.seen,
                (seen.guide, own),
                (radius, spatial, self.contrast),
                result,
            )
        return Estimate(values=result)


def trust_in_guide(values: Floats, threshold: float, steepness: float) -> Floats:
    """Blend α from depths in standard deviations of their noise."""
    calm = gaussian_filter(values.astype(np.float64), 1.0, radius=1, mode="nearest")
    spread = maximum_filter(calm, 3, mode="nearest") - minimum_filter(calm, 3, mode="nearest")
    return (1 / (1 + np.exp(np.clip(steepness * (threshold - spread), -50, 50)))).astype(np.float32)


def _noise(problem: Problem, filled: Floats) -> Floats:
    known = fill(np.where(problem.valid, problem.sigma, np.float32(np.nan)))
    span = float(np.ptp(filled)) or 1.0  # in a constant map any noise does
    return np.maximum(known, np.float32(_LEAST_NOISE * span))


@njit(cache=True, nogil=True, parallel=True)
def _upsample(
    band: tuple[int, int],
    low: tuple[Floats, Floats, Floats, Floats],
    seen: Floats,
    high: tuple[Floats, Floats],
    window: tuple[int, float, float],
    result: Floats,
) -> None:
    values, weight, trust, bandwidth = low
    guide, own = high
    radius, spatial, contrast = window
    (height, width), (rows, columns) = values.shape, result.shape
    for row in prange(band[0], band[1]):
        y = (row + 0.5) * height / rows - 0.5
        near_y = min(max(int(np.floor(y + 0.5)), 0), height - 1)
        for column in range(columns):
            x = (column + 0.5) * width / columns - 0.5
            near_x = min(max(int(np.floor(x + 0.5)), 0), width - 1)
            alpha = trust[near_y, near_x]
            total = summed = 0.0
            for qy in range(max(0, near_y - radius), min(height, near_y + radius + 1)):
                for qx in range(max(0, near_x - radius), min(width, near_x + radius + 1)):
                    far = ((y - qy) ** 2 + (x - qx) ** 2) / (2 * spatial**2)
                    colour = 0.0
                    for channel in range(3):
                        colour += (guide[row, column, channel] - seen[qy, qx, channel]) ** 2
                    deep = (own[row, column] - values[qy, qx]) / bandwidth[near_y, near_x]
                    alike = alpha * np.exp(-colour / (2 * contrast**2)) + (1 - alpha) * np.exp(-(deep**2) / 2)
                    share = weight[qy, qx] * np.exp(-far) * (alike + _LEAST_LIKENESS)
                    total += share
                    summed += share * values[qy, qx]
            result[row, column] = summed / total
