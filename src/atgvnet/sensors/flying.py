"""Flying pixels: at an edge a pixel sees both sides, and the sensor reports a depth anywhere between them."""

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import maximum_filter, minimum_filter

__all__ = ["mix_edges"]

Floats = NDArray[np.float32]


def mix_edges(values: Floats, threshold: float, share: float, rng: np.random.Generator) -> Floats:
    """Replace a share of the pixels whose 3×3 neighbourhood spans more than the threshold by mixtures of its ends."""
    low, high = minimum_filter(values, 3), maximum_filter(values, 3)
    flies = (high - low > threshold) & (rng.random(values.shape, dtype=np.float32) < share)
    mixture = low + (high - low) * rng.random(values.shape, dtype=np.float32)
    return np.where(flies, mixture, values).astype(np.float32)
