"""Draw the depth map that the package carries as an example: synthetic, seen by a made-up time-of-flight camera."""

from pathlib import Path

import numpy as np

from atgvnet import DepthMap, write
from atgvnet.noise import NoiseLaw
from atgvnet.scenes import render
from atgvnet.sensors.gaussian import add_noise
from atgvnet.sensors.holes import edge_holes, random_holes, region_holes
from atgvnet.sensors.sampling import reduce

TARGET = Path(__file__).parents[1] / "src" / "atgvnet" / "assets" / "example.png"
SIZE, SCALE = (120, 160), 4
NEAREST, FARTHEST = 700.0, 3500.0
NOISE = NoiseLaw("quadratic", 3e-6)
STEP = 150.0


def main() -> None:
    rng = np.random.default_rng(4)
    shape = render("clutter", 11, 7, (SIZE[0] * SCALE, SIZE[1] * SCALE), camera="pinhole").depth
    depth = NEAREST + (FARTHEST - NEAREST) * (shape - shape.min()) / (shape.max() - shape.min())
    exact = reduce(depth.astype(np.float32), SCALE, "area")
    valid = edge_holes(exact, STEP, 0.15, rng) & region_holes(SIZE, 0.01, 20, rng) & random_holes(SIZE, 0.002, rng)
    measured = DepthMap(np.rint(add_noise(exact, NOISE, rng)), valid, unit="mm")
    TARGET.parent.mkdir(exist_ok=True)
    write(measured, TARGET)
    print(f"{TARGET}: {TARGET.stat().st_size / 1024:.0f} KB, {1 - valid.mean():.1%} missing")


if __name__ == "__main__":
    main()
