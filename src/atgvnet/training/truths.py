"""Somebody's own depth maps in place of rendered scenes: a folder of files, any format that `atgvnet.io` reads."""

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from atgvnet.errors import TrainingError
from atgvnet.io import FORMATS, read
from atgvnet.prepare import fill_nearest

__all__ = ["own_truth"]

Floats = NDArray[np.float32]


def own_truth(
    folder: str, size: tuple[int, int], scale: int, rng: np.random.Generator
) -> tuple[Floats, NDArray[np.bool_]]:
    """Cut a random part of at most this size from a random map: its values in 0…1, and where they are known."""
    paths = _paths(folder)
    values, valid = _map(paths[rng.integers(len(paths))])
    height, width = (min(want, have // scale * scale) for want, have in zip(size, values.shape, strict=True))
    top, left = (int(rng.integers(have - cut + 1)) for have, cut in zip(values.shape, (height, width), strict=True))
    part = (slice(top, top + height), slice(left, left + width))
    return values[part], valid[part]


@cache
def _paths(folder: str) -> tuple[Path, ...]:
    paths = tuple(sorted(path for path in Path(folder).rglob("*") if path.suffix.lower() in FORMATS))
    if not paths:
        raise TrainingError(f"training: {folder} holds no depth map; give a folder of {', '.join(FORMATS)} files")
    return paths


@cache
def _map(path: Path) -> tuple[Floats, NDArray[np.bool_]]:
    depth = read(path)
    values = fill_nearest(depth.values, depth.valid)
    low, high = float(values.min()), float(values.max())
    return (values - np.float32(low)) / np.float32(max(high - low, 1e-6)), depth.valid
