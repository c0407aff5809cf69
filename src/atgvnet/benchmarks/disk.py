"""Files of a benchmark's data folder: read, or named with where to get them."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from atgvnet.depthmap import DepthMap
from atgvnet.errors import InputError
from atgvnet.io import read_image

__all__ = ["read_colour", "read_disparity", "require"]


def require(path: Path, source: str) -> Path:
    """Give the path of a file that is there.

    >>> require(Path("data/laserscan/gt/scan042_cave_statue.mat"), "example.org")
    Traceback (most recent call last):
    atgvnet.errors.InputError: data/laserscan/gt/scan042_cave_statue.mat is missing; get it from example.org \
(docs/benchmarks.md says where it goes)
    """
    if not path.is_file():
        raise InputError(f"{path} is missing; get it from {source} (docs/benchmarks.md says where it goes)")
    return path


def read_disparity(path: Path, source: str, *, missing: float | None = None) -> DepthMap:
    """Read an 8-bit picture of disparities; some of these are stored with three equal channels or a palette."""
    channels = read_colour(path, source)
    if np.ptp(channels, axis=-1).any():
        raise InputError(f"{path} is a colour picture; it should hold disparities, get it from {source}")
    values = np.rint(channels[..., 0] * np.float32(255))
    return DepthMap(values, None if missing is None else values != missing, unit="disparity")


def read_colour(path: Path, source: str) -> NDArray[np.float32]:
    """Read a colour picture (H, W, 3), 0…1."""
    return read_image(require(path, source))
