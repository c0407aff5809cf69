"""Synthetic: rendered scenes of every family seen by a time-of-flight camera of ToFMark's geometry.

So that its comparison can be made without its files, and by guided methods too. Depths are 400…1000 mm, as the
authors trained for ToFMark. Everything is a function of the seed below, which no training draws from.
"""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from atgvnet.benchmarks.case import Benchmark, Case

if TYPE_CHECKING:
    from atgvnet.scenes import Rendering
    from atgvnet.sensors.tofmark import Observation, Rig

__all__ = ["BENCHMARK", "observed"]

_SEED = 20161008
_NEAR, _FAR = 400.0, 1000.0
_FAMILIES = ("cuboids", "clutter", "curved", "planes", "stacks", "thin")


def observed(scene: str, rig: "Rig") -> tuple["Rendering", "Observation"]:
    """Render a scene, its depth in millimetres, and let the range camera see it."""
    from atgvnet.scenes import render
    from atgvnet.sensors.tofmark import TOFMARK_NOISE, observe

    rendering = render(scene, _SEED, 0, rig.target_size, guide=True)
    truth = (_NEAR + (_FAR - _NEAR) * rendering.depth).astype(np.float32)
    generator = np.random.default_rng([_SEED, _FAMILIES.index(scene)])
    return replace(rendering, depth=truth), observe(truth, rig, TOFMARK_NOISE, generator)


def _load(_data: Path, _scale: float, scene: str) -> Case:
    from atgvnet.benchmarks.tof import tof_case
    from atgvnet.sensors.tofmark import draw_rig

    rig = draw_rig()
    rendering, seen = observed(scene, rig)
    return tof_case(BENCHMARK.name, scene, ranges=seen.ranges, rig=rig, truth=rendering.depth, guide=rendering.guide)


BENCHMARK = Benchmark(
    name="synthetic",
    summary="rendered scenes in ToFMark's geometry, in millimetres; needs no data",
    scales=(5,),
    scenes=_FAMILIES,
    load=_load,
    needs_data=False,
)
