"""What sensors do to a map: one file for each effect, and whole sensors by name."""

from atgvnet.noise import LAWS, NoiseLaw
from atgvnet.sensors.quantise import DISPARITY_STEPS, MILLIMETRE
from atgvnet.sensors.sensor import CLEAN, Measurement, Sensor
from atgvnet.sensors.tofmark import TOFMARK_NOISE, ToFMark

__all__ = ["SENSORS", "Measurement", "Sensor", "ToFMark"]

_PAPER = NoiseLaw(kind="inverse", coefficient=651.0)

SENSORS: dict[str, Sensor | ToFMark] = {
    "noisy-middlebury": Sensor(laws=(_PAPER,), steps=(1.0,)),
    "clean-middlebury": Sensor(),
    "clean-middlebury-decimated": Sensor(samplings=("decimate",)),
    "laserscan": Sensor(samplings=("decimate",)),
    "tofmark": ToFMark(),
    "tof": Sensor(
        unit="mm",
        samplings=("area",),
        laws=(TOFMARK_NOISE,),
        steps=(MILLIMETRE,),
        flying=0.5,
        holes=(0.02, 0.2, 0.1),
    ),
    "lidar": Sensor(
        unit="mm",
        samplings=("decimate",),
        # 2 cm, as data sheets have it
        laws=(NoiseLaw(kind="constant", coefficient=20.0),),
        steps=(MILLIMETRE,),
        phase="any",
        holes=(0.1, 0.0, 0.0),
    ),
    "structured-light": Sensor(
        unit="mm",
        samplings=("area",),
        laws=(LAWS["kinect"].scaled(1000),),
        steps=(MILLIMETRE,),
        holes=(0.01, 0.9, 0.1),
    ),
    "stereo": Sensor(
        laws=(NoiseLaw(kind="constant", coefficient=1.0),),
        steps=DISPARITY_STEPS,
        most=255.0,
        holes=(0.02, 0.6, 0.2),
    ),
    "any": Sensor(
        samplings=("bicubic", "bicubic", "area", "decimate"),
        laws=(
            CLEAN,
            CLEAN,
            CLEAN,
            _PAPER,
            _PAPER,
            NoiseLaw(kind="constant", coefficient=4.0),
            NoiseLaw(kind="linear", coefficient=0.03),
            NoiseLaw(kind="quadratic", coefficient=2e-4),
        ),
        loudness=(0.05, 2.0),
        steps=(0.0, 0.0, 0.25, 1.0, 1.0, 4.0, 8.0),
        phase="middle",
        flying=0.3,
        holes=(1.0, 0.8, 0.4),
    ),
}
