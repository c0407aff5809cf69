"""What sensors do to a map: one file for each effect, and whole sensors by name."""

from atgvnet.noise import NoiseLaw
from atgvnet.sensors.sensor import CLEAN, Measurement, Sensor

__all__ = ["SENSORS", "Measurement", "Sensor"]

_PAPER = NoiseLaw(kind="inverse", coefficient=651.0)
_DISPARITY_STEPS = (1.0, 1.0, 4.0, 8.0, 16.0)

SENSORS: dict[str, Sensor] = {
    "noisy-middlebury": Sensor(laws=(_PAPER,), steps=(1.0,)),
    "clean-middlebury": Sensor(),
    "clean-middlebury-decimated": Sensor(samplings=("decimate",)),
    "laserscan": Sensor(samplings=("decimate",)),
    "tof": Sensor(
        samplings=("area",), laws=(NoiseLaw(kind="quadratic", coefficient=2e-4),), flying=0.5, holes=(0.02, 0.2, 0.1)
    ),
    "lidar": Sensor(
        samplings=("decimate",), laws=(NoiseLaw(kind="constant", coefficient=0.7),), holes=(0.1, 0.0, 0.0)
    ),
    "structured-light": Sensor(
        samplings=("area",),
        laws=(NoiseLaw(kind="quadratic", coefficient=1e-4),),
        steps=(0.5,),
        holes=(0.01, 0.9, 0.1),
    ),
    "stereo": Sensor(
        samplings=("bicubic",),
        laws=(NoiseLaw(kind="constant", coefficient=1.0),),
        steps=_DISPARITY_STEPS,
        holes=(0.02, 0.6, 0.2),
    ),
    "any": Sensor(
        samplings=("bicubic", "bicubic", "area", "decimate"),
        laws=(
            CLEAN,
            _PAPER,
            _PAPER,
            NoiseLaw(kind="constant", coefficient=4.0),
            NoiseLaw(kind="linear", coefficient=0.03),
            NoiseLaw(kind="quadratic", coefficient=2e-4),
        ),
        loudness=(0.05, 2.0),
        steps=(0.0, 0.0, 0.25, 1.0, 1.0, 4.0, 8.0),
        central_phase=False,
        flying=0.3,
        holes=(1.0, 0.8, 0.4),
    ),
}
