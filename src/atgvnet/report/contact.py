"""A contact sheet: many small pictures of depth maps, or of images, on one page."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from atgvnet.errors import InputError
from atgvnet.io import atomic

__all__ = ["MOST", "Tile", "draw_contact_sheet", "limits", "write_image"]

COLOURS, MISSING = "viridis", "0.35"
INCHES, DPI, LONGEST = 2.4, 100, 240
MOST = 24


@dataclass(frozen=True, kw_only=True, eq=False)
class Tile:
    """A picture: values (H, W) with NaN where missing, or colours (H, W, 3); its colours span the limits, if any."""

    title: str
    image: NDArray[np.float32]
    limits: tuple[float, float] | None = None


def draw_contact_sheet(tiles: Sequence[Tile], path: str | Path, *, columns: int = 4) -> None:
    """Draw tiles row by row into a PNG."""
    from matplotlib import colormaps
    from matplotlib.figure import Figure

    if not tiles:
        raise InputError("contact sheet: there is no picture; give at least one")
    rows = math.ceil(len(tiles) / columns)
    ratio = max(tile.image.shape[0] / tile.image.shape[1] for tile in tiles)
    figure = Figure(figsize=(INCHES * columns, (INCHES * min(ratio, 3) + 0.3) * rows), layout="constrained")
    colours = colormaps[COLOURS].with_extremes(bad=MISSING)
    for axes in (panels := figure.subplots(rows, columns, squeeze=False).ravel()):
        axes.set_axis_off()
    for axes, tile in zip(panels, tiles, strict=False):
        low, high = tile.limits or limits(tile.image)
        axes.imshow(_thin(tile.image), cmap=colours, vmin=low, vmax=high, interpolation="nearest")
        axes.set_title(tile.title, fontsize="small")
    with atomic(path) as stream:
        figure.savefig(stream, format="png", dpi=DPI)


def write_image(image: NDArray[np.float32], path: str | Path) -> None:
    """Write colours (H, W, 3) in 0…1 as a PNG of the same size."""
    from matplotlib.image import imsave

    with atomic(path) as stream:
        imsave(stream, image, format="png")


def limits(image: NDArray[np.float32]) -> tuple[float, float]:
    """Give the range to colour without the outermost values, so that a few wild ones do not make all others alike."""
    if not np.isfinite(image).any():
        return 0.0, 1.0
    low, high = (float(limit) for limit in np.nanquantile(image, (0.005, 0.995)))
    return low, high if high > low else low + 1


def _thin(image: NDArray[np.float32]) -> NDArray[np.float32]:
    step = -(-max(image.shape[:2]) // LONGEST)
    return image[::step, ::step]
