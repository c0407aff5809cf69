"""Missing pixels: single ones anywhere, ones at edges, whole regions as dark or shiny material leaves them."""

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import maximum_filter, minimum_filter

from atgvnet.resample import imresize

__all__ = ["edge_holes", "random_holes", "region_holes"]

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]


def random_holes(shape: tuple[int, int], share: float, rng: np.random.Generator) -> Mask:
    """Give a mask of valid pixels in which a share is missing, anywhere."""
    return rng.random(shape, dtype=np.float32) >= share


def edge_holes(values: Floats, threshold: float, share: float, rng: np.random.Generator) -> Mask:
    """Give a mask in which a share is missing of the pixels whose neighbourhood spans more than the threshold."""
    edges = maximum_filter(values, 3) - minimum_filter(values, 3) > threshold
    return ~edges | (rng.random(values.shape, dtype=np.float32) >= share)


def region_holes(shape: tuple[int, int], share: float, size: float, rng: np.random.Generator) -> Mask:
    """Give a mask in which blobs of about this size in pixels are missing, a share of the map in all."""
    coarse = (max(2, round(shape[0] / size)), max(2, round(shape[1] / size)))
    field = imresize(rng.standard_normal(coarse, dtype=np.float32), size=shape, method="bicubic")
    return np.asarray(field >= np.quantile(field, share))
