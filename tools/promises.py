"""What a model promises of its result, measured: flying pixels beside bicubic's, and how honest its confidence is.

    .venv/bin/python tools/promises.py [MODEL ...] [--scale 4] [--maps 2]

For each sensor, whole maps of two families that no recipe names and of two that all do: RMSE and the share of flying
pixels as multiples of bicubic's, and the share of the truth inside the interval result ± spread (68 % are wanted).
Below, over all maps: RMSE in each tenth of the pixels, from the least to the most confident, in % of the map's range.
"""

import argparse
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

import atgvnet
from atgvnet.benchmarks.metrics import measure
from atgvnet.prepare import Range
from atgvnet.scenes import render
from atgvnet.sensors import SENSORS
from generalisation import RANGES, SEED, SENSORS_SHOWN

FAMILIES = ("foliage", "rubble", "cuboids", "clutter")

Floats = NDArray[np.float32]


def case(sensor: str, family: str, index: int, scale: int) -> tuple[atgvnet.DepthMap, Floats]:
    """Measure a scene: the sensor's map and the truth."""
    size = (384 // scale * scale, 512 // scale * scale)
    depth = render(family, SEED, index, size, camera="pinhole").depth
    low, high = RANGES[SENSORS[sensor].unit]
    share = (depth - depth.min()) / (depth.max() - depth.min())
    truth = (low + (high - low) * share).astype(np.float32)
    measured = SENSORS[sensor].measure(truth, scale, np.random.default_rng([SEED, index]))
    return atgvnet.DepthMap(measured.low, measured.valid, unit=SENSORS[sensor].unit), truth


def study(model: str, scale: int, maps: int) -> None:
    print(f"{model} x{scale}\n{'':18}{'rmse':>7}{'flying':>8}{'inside':>8}")
    upscaler, bicubic = (atgvnet.load(name, scale=scale, holes="fill") for name in (model, "bicubic"))
    confidence, errors = [], []
    for sensor in SENSORS_SHOWN:
        rows, inside = [], []
        for family in FAMILIES:
            for index in range(maps):
                depth, truth = case(sensor, family, index, scale)
                result, base = upscaler(depth), measure(bicubic(depth).depth.values, truth)
                found = measure(result.depth.values, truth)
                rows.append((found.rmse / base.rmse, found.flying or 0.0, base.flying or 0.0))
                if result.spread is None or result.confidence is None:
                    continue
                error = np.abs(result.depth.values - truth)
                inside.append(float((error <= result.spread).mean()))
                confidence.append(result.confidence.ravel()[::4])
                errors.append(error.ravel()[::4] / Range.of(depth.values, depth.valid).span)
        rmse, flying, base_flying = np.array(rows).T
        held = f"{np.mean(inside):8.3f}" if inside else ""
        print(
            f"{sensor:18}{np.exp(np.log(rmse).mean()):7.3f}{flying.sum() / base_flying.sum():8.3f}{held}", flush=True
        )
    if errors:
        report(np.concatenate(confidence), np.concatenate(errors))


def report(confidence: Floats, error: Floats) -> None:
    """Print the error in each tenth by confidence."""
    tenths = np.array_split(error[np.argsort(confidence, kind="stable")], 10)
    rms = [100 * float(np.sqrt(np.mean(np.square(tenth, dtype=np.float64)))) for tenth in tenths]
    falls = all(later < earlier for earlier, later in pairwise(rms))
    print("tenths by confidence: " + " ".join(f"{value:.3f}" for value in rms) + f"   monotone: {falls}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", default=["universal"], help="names, folders or files of weights")
    parser.add_argument("--scale", type=int, default=4)
    parser.add_argument("--maps", type=int, default=1, help="maps of each family and sensor")
    options = parser.parse_args()
    for model in options.models:
        study(model, options.scale, options.maps)


if __name__ == "__main__":
    main()
