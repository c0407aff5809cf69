"""How methods do on scenes that no training drew from, for each of the package's sensors: errors beside bicubic's.

    .venv/bin/python tools/generalisation.py [METHOD ...]

Every sensor sees the families `foliage` and `rubble`, which no recipe names, in whole maps with all its noise and
holes; methods are told nothing but the numbers. The table holds each method's root mean square error divided by
bicubic's on the same map, averaged geometrically.
"""

import sys

import numpy as np
from numpy.typing import NDArray

import atgvnet
from atgvnet.scenes import render
from atgvnet.sensors import SENSORS

FAMILIES = ("foliage", "rubble")
SENSORS_SHOWN = ("noisy-middlebury", "clean-middlebury", "tof", "structured-light", "stereo", "lidar")
MAPS, SEED, SIZE, SCALE = 3, 31, (480, 640), 4
RANGES = {"disparity": (70.0, 218.0), "mm": (800.0, 4000.0)}

Floats = NDArray[np.float32]


def case(sensor: str, family: str, index: int) -> tuple[atgvnet.DepthMap, Floats]:
    """Measure a scene: the sensor's map and the truth."""
    unit = SENSORS[sensor].unit
    depth = render(family, SEED, index, SIZE, camera="pinhole").depth
    low, high = RANGES[unit]
    share = (depth - depth.min()) / (depth.max() - depth.min())
    truth = (high - (high - low) * share if unit == "disparity" else low + (high - low) * share).astype(np.float32)
    measured = SENSORS[sensor].measure(truth, SCALE, np.random.default_rng([SEED, index]))
    return atgvnet.DepthMap(measured.low, measured.valid, unit=unit), truth


def error(depth: atgvnet.DepthMap, truth: Floats, method: str) -> float:
    """Root mean square over the whole map."""
    found = atgvnet.upscale(depth, scale=SCALE, method=method, holes="fill").depth
    return float(np.sqrt(np.mean(np.square(found.values - truth, dtype=np.float64))))


def main() -> None:
    methods = sys.argv[1:] or ["nlm", "universal"]
    print(f"{'sensor':18} {'family':8} {'bicubic':>9}" + "".join(f"{method:>12}" for method in methods))
    for sensor in SENSORS_SHOWN:
        for family in FAMILIES:
            cases = [case(sensor, family, index) for index in range(MAPS)]
            base = np.array([error(*one, "bicubic") for one in cases])
            ratios = [np.array([error(*one, method) for one in cases]) / base for method in methods]
            means = "".join(f"{np.exp(np.log(ratio).mean()):12.3f}" for ratio in ratios)
            print(f"{sensor:18} {family:8} {base.mean():9.3f}{means}", flush=True)


if __name__ == "__main__":
    main()
