"""Noisy Middlebury (Tables 2 and 4): three disparity maps, made small and noisy as a time-of-flight camera would.

The inputs are used as distributed: round(imresize(truth, 1/s) + N(0, 651/d)), antialiased. The whole map counts, and
results are rounded to 8 bits.
"""

from pathlib import Path

from atgvnet.benchmarks.case import Benchmark, Case, as_uint8
from atgvnet.benchmarks.disk import read_colour, read_disparity
from atgvnet.noise import NoiseLaw

__all__ = ["BENCHMARK"]

_SOURCE = "github.com/akashbapat/domain_transform_solver, tests/testdata/depth_superres"
_NOISE = NoiseLaw("inverse", 651.0)  # of the camera that the inputs imitate
_INPUTS = {2: "depth_1_n", 4: "depth_2_n", 8: "depth_3_n", 16: "depth_4_n"}


def _load(data: Path, scale: float, scene: str) -> Case:
    folder = data / "middlebury2005_noisy" / scene
    truth = read_disparity(folder / f"{scene}_big.png", _SOURCE)
    return Case(
        benchmark=BENCHMARK.name,
        scale=scale,
        scene=scene,
        low=read_disparity(folder / f"{_INPUTS[int(scale)]}.png", _SOURCE),
        truth=truth,
        size=truth.shape,
        noise=_NOISE,
        guide=read_colour(folder / "guide.png", _SOURCE),
        finish=as_uint8,
    )


BENCHMARK = Benchmark(
    name="noisy-middlebury",
    summary="disparities with the noise of a time-of-flight camera (Tables 2 and 4)",
    scales=(2, 4, 8, 16),
    scenes=("art", "books", "moebius"),
    load=_load,
)
