"""`make demo`: upscale the bundled map by 4 and draw it before and after."""

from importlib.resources import as_file, files
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

import atgvnet
from atgvnet.upscaler import DEFAULT_METHOD

__all__ = ["draw_banner", "upscaled"]

OUT = Path("out")
PICTURE = OUT / "demo.png"
MAP = OUT / "demo_x4.png"
LARGEST_HOLE = 9

INK, PAPER, MISSING = "#e8e6e1", "#101216", "#000000"
LIGHT = np.array([-0.55, -0.62, 0.56])  # from the left, from above, from behind the eye
RELIEF = 9.0  # millimetres in depth that look like one across


def main() -> None:
    before, after = upscaled()
    OUT.mkdir(exist_ok=True)
    after.save(MAP)
    draw_banner(before, after, PICTURE)
    print(f"{PICTURE}: {size(before)} before, {size(after)} after, by {DEFAULT_METHOD}; the map itself is {MAP}")


def upscaled() -> tuple[atgvnet.DepthMap, atgvnet.DepthMap]:
    with as_file(files("atgvnet") / "assets" / "example.png") as path:
        before = atgvnet.read(path)
    return before, atgvnet.upscale(before, scale=4, holes=LARGEST_HOLE).depth


def size(depth: atgvnet.DepthMap) -> str:
    return f"{depth.shape[1]}×{depth.shape[0]}"


def draw_banner(before: atgvnet.DepthMap, after: atgvnet.DepthMap, path: Path) -> None:
    """Draw both maps beside each other, coloured by depth and lit from the side, so that roughness is seen."""
    low, high = np.nanpercentile(before.values, (1, 99))
    figure = Figure(figsize=(12.8, 5.25), facecolor=PAPER)
    for place, depth, name in zip((0.005, 0.5025), (before, after), ("measured", "upscaled"), strict=True):
        axes = figure.add_axes((place, 0.005, 0.4925, 0.92))
        axes.imshow(shaded(depth, low, high, after.shape[1] / depth.shape[1]), interpolation="nearest")
        axes.set_axis_off()
        figure.text(place + 0.004, 0.945, f"{name}, {size(depth)}", color=INK, fontsize=13)
    figure.savefig(path, dpi=100)


def shaded(depth: atgvnet.DepthMap, low: float, high: float, pixel: float) -> NDArray[np.float64]:
    """Colour a map, darker where it is turned away from the light; `pixel` is one's width in those of the finer."""
    near = np.clip((high - depth.values) / (high - low), 0, 1)
    down, right = np.gradient(-depth.values / RELIEF, pixel)
    normals = np.stack([-right, -down, np.ones_like(right)], axis=-1)
    light = (normals @ LIGHT) / np.linalg.norm(normals, axis=-1)
    colours = mpl.colormaps["viridis"](np.nan_to_num(near))[..., :3]
    lit = colours * (0.45 + 0.75 * np.clip(np.nan_to_num(light, nan=LIGHT[2]), 0, None))[..., None]
    return np.where(depth.valid[..., None], np.clip(lit, 0, 1), mpl.colors.to_rgb(MISSING))


if __name__ == "__main__":
    main()
