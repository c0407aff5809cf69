"""`kopf`: joint bilateral upsampling.

J. Kopf, M. Cohen, D. Lischinski, M. Uyttendaele: Joint Bilateral Upsampling. SIGGRAPH 2007.

The problem: fill a fine grid with values known on a coarse one so that they change where the guide I does. Every
pixel p takes the mean of the input pixels q in a window around it,

    u_p = Σ_q z_q f(‖p↓ - q‖) g(‖I_p - I_q‖) / Σ_q f(‖p↓ - q‖) g(‖I_p - I_q‖),

f and g Gaussian, distances in input pixels; I_q is the guide at the centre of the input pixel.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from atgvnet.methods._guide import bands, nothing_known, observe
from atgvnet.methods.problem import Estimate, Problem

__all__ = ["Kopf"]

Floats = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class Kopf:
    """As published: a window of 5×5 input pixels, standard deviations of 0.5 input pixels and 0.1 of the guide."""

    guided: ClassVar[bool] = True
    source: ClassVar[str] = "Kopf et al., Joint Bilateral Upsampling, 2007"

    radius: int = 2
    spatial: float = 0.5
    contrast: float = 0.1

    def __call__(self, problem: Problem, /) -> Estimate:
        """Upscale."""
        if not problem.valid.any():
            return nothing_known(problem)
        seen = observe(problem, "kopf")
        radius, spatial = round(self.radius * seen.spacing), self.spatial * seen.spacing
        result = np.empty(problem.size, np.float32)
        for band in bands(problem.size[0], problem.progress):
            _upsample(band, seen.values, seen.weight, seen.seen, seen.guide, radius, spatial, self.contrast, result)
        return Estimate(values=result)


@njit(cache=True, nogil=True, parallel=True)
def _upsample(
    band: tuple[int, int],
    values: Floats,
    weight: Floats,
    seen: Floats,
    guide: Floats,
    radius: int,
    spatial: float,
    contrast: float,
    result: Floats,
) -> None:
    (height, width), (rows, columns) = values.shape, result.shape
    for row in prange(band[0], band[1]):
        y = (row + 0.5) * height / rows - 0.5
        near_y = min(max(int(np.floor(y + 0.5)), 0), height - 1)
        for column in range(columns):
            x = (column + 0.5) * width / columns - 0.5
            near_x = min(max(int(np.floor(x + 0.5)), 0), width - 1)
            total = summed = 0.0
            least = np.inf  # the smallest exponent of the window, taken off so that the sum cannot vanish
            for qy in range(max(0, near_y - radius), min(height, near_y + radius + 1)):
                for qx in range(max(0, near_x - radius), min(width, near_x + radius + 1)):
                    exponent = ((y - qy) ** 2 + (x - qx) ** 2) / (2 * spatial**2)
                    for channel in range(3):
                        difference = guide[row, column, channel] - seen[qy, qx, channel]
                        exponent += difference**2 / (2 * contrast**2)
                    if exponent < least:
                        fade = np.exp(exponent - least)
                        total, summed, least = total * fade, summed * fade, exponent
                    share = weight[qy, qx] * np.exp(least - exponent)
                    total += share
                    summed += share * values[qy, qx]
            result[row, column] = summed / total
