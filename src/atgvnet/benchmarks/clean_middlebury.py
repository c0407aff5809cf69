"""Clean Middlebury, antialiased (Table 1, the learned rows): inputs made small by bicubic averaging, not rounded.

The hole-filled map is cropped to a multiple of the scale, and compared with but for a border of 10 pixels. What the
authors fed to their networks; the other rows of Table 1 are those of `clean-middlebury-decimated`.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from atgvnet.benchmarks.case import EXACT, Benchmark, Case
from atgvnet.benchmarks.disk import read_colour, read_disparity
from atgvnet.depthmap import DepthMap

__all__ = ["BENCHMARK", "SCENES", "SOURCE", "inside"]

SCENES = ("cones", "teddy", "tsukuba", "venus")
SOURCE = "github.com/ClaireXie/edgeGuidedSDSP, inputs"
_BORDER = 10


def inside(shape: tuple[int, int]) -> NDArray[np.bool_]:
    """Mark all but the border that the protocol leaves out."""
    counted = np.zeros(shape, dtype=bool)
    counted[_BORDER:-_BORDER, _BORDER:-_BORDER] = True
    return counted


def _load(data: Path, scale: float, scene: str) -> Case:
    from atgvnet.resample import imresize

    folder = data / "middlebury_clean"
    filled = read_disparity(folder / "filled" / f"{scene}.png", SOURCE).values
    height, width = (side - side % int(scale) for side in filled.shape)
    truth = filled[:height, :width]
    return Case(
        benchmark=BENCHMARK.name,
        scale=scale,
        scene=scene,
        low=DepthMap(imresize(truth.astype(np.float64), scale=1 / scale), unit="disparity"),
        truth=DepthMap(truth, unit="disparity"),
        size=(height, width),
        noise=EXACT,
        counted=inside((height, width)),
        guide=read_colour(folder / "guide" / f"{scene}.png", SOURCE)[:height, :width],
    )


BENCHMARK = Benchmark(
    name="clean-middlebury",
    summary="noise-free disparities, antialiased input (Table 1, learned rows)",
    scales=(2, 4),
    scenes=SCENES,
    load=_load,
)
