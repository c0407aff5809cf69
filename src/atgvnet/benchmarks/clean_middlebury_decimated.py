"""Clean Middlebury, decimated (Table 1, all rows but the learned ones): inputs are every s-th pixel.

The input covers ⌈side / s⌉ pixels, so that the result, s times as large and centre-aligned, is cropped to the truth.
Only pixels whose disparity was measured (not filled) count, and of these not the border of 10.
"""

from pathlib import Path

from atgvnet.benchmarks.case import EXACT, Benchmark, Case, pad_to
from atgvnet.benchmarks.clean_middlebury import SCENES, SOURCE, inside
from atgvnet.benchmarks.disk import read_colour, read_disparity

__all__ = ["BENCHMARK"]

_RAW_SOURCE = "github.com/opencv/opencv_extra, testdata/cv/stereomatching/datasets"


def _load(data: Path, scale: float, scene: str) -> Case:
    folder = data / "middlebury_clean"
    low = read_disparity(folder / f"lr_x{scale:g}" / f"{scene}.png", SOURCE)
    truth = read_disparity(folder / "raw" / f"{scene}_disp2.png", _RAW_SOURCE, missing=0)
    size = (low.shape[0] * int(scale), low.shape[1] * int(scale))
    return Case(
        benchmark=BENCHMARK.name,
        scale=scale,
        scene=scene,
        low=low,
        truth=truth,
        size=size,
        noise=EXACT,
        counted=truth.valid & inside(truth.shape),
        guide=pad_to(read_colour(folder / "guide" / f"{scene}.png", SOURCE), size),
    )


BENCHMARK = Benchmark(
    name="clean-middlebury-decimated",
    summary="noise-free disparities, every s-th pixel as input (Table 1, all other rows)",
    scales=(2, 4),
    scenes=SCENES,
    load=_load,
)
