"""`make demo`: upscale the bundled map by 4 and draw it before and after."""

from importlib.resources import as_file, files
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

import atgvnet
from atgvnet.upscaler import DEFAULT_METHOD

OUT = Path("out")
PICTURE = OUT / "demo.png"
LARGEST_HOLE = 9
MAP = OUT / "demo_x4.png"


def main() -> None:
    before, after = upscaled()
    OUT.mkdir(exist_ok=True)
    after.save(MAP)
    draw(before, after, PICTURE)
    print(f"{PICTURE}: {size(before)} before, {size(after)} after, by {DEFAULT_METHOD}; the map itself is {MAP}")


def upscaled() -> tuple[atgvnet.DepthMap, atgvnet.DepthMap]:
    with as_file(files("atgvnet") / "assets" / "example.png") as path:
        before = atgvnet.read(path)
    return before, atgvnet.upscale(before, scale=4, holes=LARGEST_HOLE).depth


def size(depth: atgvnet.DepthMap) -> str:
    return f"{depth.shape[1]}×{depth.shape[0]}"


def draw(before: atgvnet.DepthMap, after: atgvnet.DepthMap, path: Path) -> None:
    low, high = np.nanpercentile(before.values, (1, 99))
    colours = mpl.colormaps["viridis_r"].with_extremes(bad="black")
    figure = Figure(figsize=(13, 5), layout="constrained")
    for axes, depth, name in zip(figure.subplots(1, 2), (before, after), ("before", "after"), strict=True):
        image = axes.imshow(depth.values, cmap=colours, vmin=low, vmax=high, interpolation="nearest")
        axes.set_title(f"{name}: {size(depth)}")
        axes.set_axis_off()
    figure.colorbar(image, ax=figure.axes, label=f"depth in {before.unit}, missing in black", shrink=0.8)
    figure.savefig(path, dpi=100)


if __name__ == "__main__":
    main()
