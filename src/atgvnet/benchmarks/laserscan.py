"""Laserscan (Table 1): depths of a scanned statue in metres; the input is every fourth pixel from the third on.

The whole map counts. Of the three scans only those whose truth is in the data folder are evaluated unless others are
asked for by name. Neither of the paper's interpolation rows could be reproduced on Scan42, so its rows are not ranked
against ours.
"""

from pathlib import Path

from atgvnet.benchmarks.case import EXACT, Benchmark, Case
from atgvnet.benchmarks.disk import require
from atgvnet.io import read

__all__ = ["BENCHMARK"]

_SOURCE = "visual.cs.ucl.ac.uk/pubs/depthSuperRes"
_VARIABLE = "D"


def _truth(data: Path, scene: str) -> Path:
    return data / "laserscan" / "gt" / f"scan{int(scene[4:]):03d}_cave_statue.mat"


def _has_truth(data: Path, scene: str) -> bool:
    return _truth(data, scene).is_file()


def _load(data: Path, scale: float, scene: str) -> Case:
    truth_file = require(_truth(data, scene), _SOURCE)
    low_file = require(data / "laserscan" / f"lr_x{scale:g}" / f"{truth_file.stem}_smNN.mat", _SOURCE)
    truth = read(truth_file, variable=_VARIABLE)
    return Case(
        benchmark=BENCHMARK.name,
        scale=scale,
        scene=scene,
        low=read(low_file, variable=_VARIABLE),
        truth=truth,
        size=truth.shape,
        noise=EXACT,
    )


BENCHMARK = Benchmark(
    name="laserscan",
    summary="depths of a laser-scanned statue in metres, decimated (Table 1)",
    scales=(4,),
    scenes=("scan21", "scan30", "scan42"),
    load=_load,
    at_hand=_has_truth,
)
