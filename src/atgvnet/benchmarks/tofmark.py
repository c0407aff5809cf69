"""ToFMark (Tables 3 and 5): a real time-of-flight camera against a structured-light scan, in millimetres.

The range image is warped into the scan's view (`atgvnet.benchmarks.tof`); the error counts wherever the scan has a
depth. The files are not shipped; the reader knows their form (`atgvnet.benchmarks.tofmark_files`).
"""

from pathlib import Path

import numpy as np

from atgvnet.benchmarks.case import Benchmark, Case
from atgvnet.benchmarks.tofmark_files import SCENES, read_recording

__all__ = ["BENCHMARK"]

_MATLAB_FIRST = 1.0  # the first pixel's coordinate in the matrices


def _load(data: Path, _scale: float, scene: str) -> Case:
    from atgvnet.benchmarks.tof import tof_case
    from atgvnet.sensors.tofmark import Rig

    recording = read_recording(data / "tofmark", scene)
    tof_size, target_size = recording.ranges.shape, recording.truth.shape
    rig = Rig(
        projection=recording.projection,
        camera=recording.camera,
        tof_size=(tof_size[0], tof_size[1]),
        target_size=(target_size[0], target_size[1]),
        first=_MATLAB_FIRST,
    )
    guide = recording.guide
    return tof_case(
        BENCHMARK.name,
        scene,
        ranges=recording.ranges.astype(np.float32),
        rig=rig,
        truth=recording.truth.astype(np.float32),
        guide=None if guide is None else np.broadcast_to(np.atleast_3d(guide), (*target_size, 3)).astype(np.float32),
    )


BENCHMARK = Benchmark(
    name="tofmark",
    summary="a time-of-flight camera against a structured-light scan, in millimetres (Tables 3 and 5)",
    scales=(5,),
    scenes=SCENES,
    load=_load,
)
