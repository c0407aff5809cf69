"""Maps that nobody tuned for: how methods do on odd values, far outliers, huge backgrounds, holes and coarse steps.

    .venv/bin/python tools/odd_maps.py [METHOD ...]

Scenes of the families `foliage` and `rubble`, which no recipe names, and of `clutter`; the table holds each method's
root mean square error over the known truth divided by bicubic's on the same map, averaged geometrically, and the
worst. Methods are told nothing but the numbers. Weights in files work as well as names.
"""

import sys
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

import atgvnet
from atgvnet.resample import imresize
from atgvnet.scenes import render
from atgvnet.sensors import SENSORS

FAMILIES = ("foliage", "rubble", "clutter")
MAPS, SEED, SIZE, SCALE = 1, 47, (384, 512), 4

Floats = NDArray[np.float32]
Maker = Callable[[Floats, np.random.Generator], tuple[Floats, Floats]]


def reduced(truth: Floats) -> Floats:
    return np.asarray(imresize(truth, scale=1 / SCALE, method="bicubic"))


def plain(change: Callable[[Floats], Floats]) -> Maker:
    """Reduce what became of the truth, without noise."""

    def make(truth: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
        del rng
        changed = change(truth).astype(np.float32)
        return reduced(changed), changed

    return make


def noisy(sigma: float, step: float = 0.0) -> Maker:
    """Add Gaussian noise, then round to steps."""

    def make(truth: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
        low = reduced(truth)
        low = low + np.float32(sigma) * rng.standard_normal(low.shape, dtype=np.float32)
        return (np.round(low / step) * step if step else low).astype(np.float32), truth

    return make


def background(factor: float) -> Maker:
    """Put the farthest surface farther away."""
    return plain(lambda truth: np.where(truth >= truth.max() - 1e-3, factor * truth, truth))


def spikes(share: float, factor: float) -> Maker:
    """Let a share of the input's pixels report a distance that is not there."""

    def make(truth: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
        low = reduced(truth)
        return np.where(rng.random(low.shape) < share, factor * rng.random(low.shape) * low, low).astype("f4"), truth

    return make


def gaps(share: float, factor: float) -> Maker:
    """Let the truth look through small gaps at something far."""

    def make(truth: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
        field = imresize(rng.standard_normal((64, 86), dtype=np.float32), size=truth.shape, method="bicubic")
        changed = np.where(field > np.quantile(field, 1 - share), np.float32(factor) * truth.max(), truth)
        return reduced(changed.astype(np.float32)), changed.astype(np.float32)

    return make


def holes(share: float) -> Maker:
    """Lose pixels anywhere."""

    def make(truth: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
        low = reduced(truth)
        return np.where(rng.random(low.shape) < share, np.float32(np.nan), low), truth

    return make


def sensed(name: str, factor: float) -> Maker:
    """Measure by one of the package's sensors, values brought to its unit."""

    def make(truth: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
        scaled = (truth * np.float32(factor)).astype(np.float32)
        measured = SENSORS[name].measure(scaled, SCALE, rng)
        return np.where(measured.valid, measured.low, np.float32(np.nan)), scaled

    return make


def kinect(truth: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Take a Kinect's own map as the truth, noise, steps, holes and all, in millimetres."""
    low, _ = sensed("structured-light", 1000)(np.repeat(np.repeat(truth, 2, 0), 2, 1)[:768, :1024], rng)
    full = imresize(np.where(np.isfinite(low), low, 0), size=truth.shape, method="nearest")
    full = np.where(full > 0, full, np.float32(np.nan)).astype(np.float32)
    known = imresize(np.isfinite(full).astype(np.float32), scale=1 / SCALE, method="bilinear") > 0.999
    filled = np.where(np.isfinite(full), full, 0).astype(np.float32)
    return np.where(known, reduced(filled), np.float32(np.nan)).astype(np.float32), full


def decimated(truth: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Take every fourth pixel, as the laser scans of the benchmark do."""
    del rng
    return np.array(truth[2::SCALE, 2::SCALE]), truth


def zeros(truth: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Let holes be stored as zeros that nobody declared, in the truth too."""
    field = imresize(rng.standard_normal((12, 16), dtype=np.float32), size=truth.shape, method="bicubic")
    return plain(lambda each: np.where(field > 1, 0, each))(truth, rng)


def inverse(step: float) -> Maker:
    """Give disparities of whole steps."""
    return plain(lambda truth: np.round(60 / truth / step) * step)


MAPS_ODD: dict[str, Maker] = {
    "clean metres": plain(lambda truth: truth),
    "times 1e6": plain(lambda truth: truth * 1e6),
    "plus 1000": plain(lambda truth: truth + 1000),
    "negative": plain(lambda truth: -truth),
    "decimated": decimated,
    "noise 0.02 %": noisy(0.0008),
    "noise 0.2 %": noisy(0.008),
    "noise 5 %": noisy(0.2),
    "steps of 1 mm": noisy(0.0, 0.001),
    "steps of 2 %": noisy(0.0, 0.08),
    "steps of 6 %": noisy(0.0, 0.25),
    "noise, steps": noisy(0.05, 0.08),
    "disparity, 1": inverse(1.0),
    "disparity, 1/16": inverse(1 / 16),
    "background x3": background(3),
    "background x20": background(20),
    "background x1e3": background(1e3),
    "background 1e10": background(1e10),
    "spikes .3 % x3": spikes(0.003, 3),
    "spikes 1 % x20": spikes(0.01, 20),
    "gaps .3 % x10": gaps(0.003, 10),
    "gaps 1 % x10": gaps(0.01, 10),
    "gaps 1 % x1e3": gaps(0.01, 1e3),
    "holes 5 %": holes(0.05),
    "holes 30 %": holes(0.3),
    "holes 80 %": holes(0.8),
    "zeros": zeros,
    "kinect": kinect,
    "tof mm": sensed("tof", 1000),
    "kinect mm": sensed("structured-light", 1000),
    "stereo": sensed("stereo", 50),
}


def truth_of(family: str, index: int) -> Floats:
    """Give a scene's depth in metres, 0.8 to 5."""
    depth = render(family, SEED, index, SIZE, camera="pinhole").depth
    share = (depth - depth.min()) / (depth.max() - depth.min())
    return (0.8 + 4.2 * share).astype(np.float32)


def error(low: Floats, truth: Floats, method: str, **options: object) -> tuple[float, float]:
    """Root mean square where truth and result are known, and the same of the nearer nine tenths of the truth."""
    found = atgvnet.upscale(atgvnet.DepthMap(low), scale=SCALE, method=method, **options).depth  # type: ignore[arg-type]
    known = found.valid & np.isfinite(truth)
    squares = np.square(found.values[known] - truth[known], dtype=np.float64)
    usual = truth[known] <= 20 * np.median(truth[known])
    return float(np.sqrt(squares.mean())), float(np.sqrt(squares[usual].mean()))


def ratios(make: Maker, methods: list[str]) -> NDArray[np.float64]:
    """Errors of the methods divided by bicubic's: maps × methods × (all, usual values)."""
    rows = []
    for family in FAMILIES:
        for index in range(MAPS):
            low, truth = make(truth_of(family, index), np.random.default_rng([SEED, index]))
            base = np.array(error(low, truth, "bicubic"))
            rows.append([np.array(error(low, truth, method)) / base for method in methods])
    return np.array(rows)


def main() -> None:
    methods = sys.argv[1:] or ["universal"]
    print(f"{'':18}" + "".join(f"{method[-16:]:>18}{'worst':>7}{'usual':>7}" for method in methods))
    for name, make in MAPS_ODD.items():
        found = ratios(make, methods)
        cells = "".join(
            f"{np.exp(np.log(one[:, 0]).mean()):18.3f}{one[:, 0].max():7.3f}{np.exp(np.log(one[:, 1]).mean()):7.3f}"
            for one in np.moveaxis(found, 1, 0)
        )
        print(f"{name:18}{cells}", flush=True)


if __name__ == "__main__":
    main()
