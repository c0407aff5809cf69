"""What `tofmark` and `synthetic` share: ranges of a small camera, warped into the view whose depth is wanted.

Few pixels of that view are hit (about 2.5 %). A method is given all of it, interpolated linearly between them, with
the weight 1 where it is measured and 0 where it is not; what asks for measurements alone takes those of weight 1.
`nearest` and `bilinear` are, as in the paper's Table 3, the two ways of interpolating the hit pixels.
"""

import numpy as np
from numpy.typing import NDArray

from atgvnet.benchmarks.case import Case
from atgvnet.camera import Camera
from atgvnet.depthmap import DepthMap
from atgvnet.methods.problem import Estimate, Problem
from atgvnet.sensors.tofmark import TOFMARK_NOISE, Rig, inpaint, warp_to_target

__all__ = ["SCALE", "tof_case"]

SCALE = 5  # nearly: 120×160 ranges for 610×810 depths
Floats = NDArray[np.float32]


def tof_case(benchmark: str, scene: str, *, ranges: Floats, rig: Rig, truth: Floats, guide: Floats | None) -> Case:
    """Warp ranges (NaN where not measured) into the view of the truth; all in millimetres."""
    sparse = warp_to_target(ranges, rig)
    return Case(
        benchmark=benchmark,
        scale=SCALE,
        scene=scene,
        low=DepthMap(inpaint(sparse), unit="mm", camera=_target_camera(rig)),
        truth=DepthMap(truth, unit="mm", camera=_target_camera(rig)),
        size=rig.target_size,
        noise=TOFMARK_NOISE,
        weight=np.isfinite(sparse).astype(np.float32),
        guide=guide,
        own={"nearest": _nearest, "bilinear": _linear},
    )


def _target_camera(rig: Rig) -> Camera:
    (fx, _, cx), (_, fy, cy), _ = (rig.camera / rig.camera[2, 2]).tolist()
    return Camera(fx=fx, fy=fy, cx=cx - rig.first, cy=cy - rig.first)


def _measured(problem: Problem) -> Floats:
    return np.where(problem.weight > 0, problem.values, np.float32(np.nan))


def _nearest(problem: Problem) -> Estimate:
    return Estimate(values=inpaint(_measured(problem), method="nearest"))


def _linear(problem: Problem) -> Estimate:
    return Estimate(values=inpaint(_measured(problem)))
