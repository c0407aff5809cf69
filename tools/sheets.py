"""Draw the contact sheets of docs/scenes.md: one of each family of scenes, of each sensor, and of the effects alone.

    .venv/bin/python tools/sheets.py

Each is what `atgvnet render --guide --preview` or `atgvnet degrade --preview` draws, with a palette to be small.
"""

import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

from atgvnet.cli import main as atgvnet
from atgvnet.noise import NoiseLaw
from atgvnet.report.contact import Tile, draw_contact_sheet, limits
from atgvnet.scenes import FAMILIES, render
from atgvnet.sensors import SENSORS
from atgvnet.sensors.flying import mix_edges
from atgvnet.sensors.gaussian import add_noise
from atgvnet.sensors.holes import edge_holes, random_holes, region_holes
from atgvnet.sensors.quantise import quantise
from atgvnet.sensors.sampling import reduce

OUT = Path(__file__).parents[1] / "docs" / "figures"
SIZE, SCALE, FAR = (180, 240), 4, 2.0
COLOURS = 128
# Of several kinds of scenes, so that each sensor is seen on flat, thin and curved surfaces.
MEASURED = ("clutter", "thin", "curved", "planes")
SAMPLINGS = {"bicubic, antialiased": "bicubic", "mean over the area": "area", "one ray each": "decimate"}
LAWS = {
    "noise of the paper, 651/d": NoiseLaw("inverse", 651.0),
    "constant": NoiseLaw("constant", 6.0),
    "growing with the value": NoiseLaw("linear", 0.04),
    "growing with its square": NoiseLaw("quadratic", 3e-4),
}


def run(*words: object) -> None:
    if status := atgvnet([str(word) for word in words]):
        raise SystemExit(status)


def draw_family(name: str, folder: Path, picture: Path) -> None:
    shown = ("--count", 4, "--seed", 1, "--size", f"{SIZE[0]}x{SIZE[1]}", "--guide", "--preview", picture)
    run("render", folder, "--family", name, *shown)


def draw_sensor(name: str, scenes: Path, folder: Path, picture: Path) -> None:
    run("degrade", scenes, "-o", folder, "--scale", SCALE, "--sensor", name, "--preview", picture)


def draw_effects(picture: Path) -> None:
    depth = render("clutter", 1, 2, SIZE).depth
    truth = np.asarray(70 + 148 * (1 - depth) / (1 - depth.min()), np.float32)
    low, rng = reduce(truth, SCALE, "bicubic"), np.random.default_rng(0)
    edge = 0.05 * float(np.ptp(low))
    shown = {"the scene, as disparity": truth}
    shown |= {title: reduce(truth, SCALE, sampling) for title, sampling in SAMPLINGS.items()}
    shown |= {title: add_noise(low, law, rng) for title, law in LAWS.items()}
    shown |= {f"steps of {step}": quantise(low, step) for step in (8, 16)}
    shown["flying pixels"] = mix_edges(low, edge, 0.5, rng)
    missing = {
        "missing anywhere": random_holes(low.shape, 0.2, rng),
        "missing at edges": edge_holes(low, edge, 0.5, rng),
        "missing in regions": region_holes(low.shape, 0.1, 8, rng),
    }
    shown |= {title: np.where(valid, low, np.float32(np.nan)) for title, valid in missing.items()}
    tiles = [Tile(title=title, image=image, limits=limits(truth)) for title, image in shown.items()]
    draw_contact_sheet(tiles, picture, columns=5)


def shrink(picture: Path) -> None:
    """Store a picture with a palette."""
    image = Image.open(picture).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    image.save(picture, optimize=True)
    print(f"{picture}: {picture.stat().st_size / 1024:.0f} KiB")


def main() -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        for family in FAMILIES:
            picture = OUT / f"scenes-{family}.png"
            draw_family(family, work / family, picture)
            shrink(picture)
        chosen = [word for family in MEASURED for word in ("--family", family)]
        run("render", work / "scenes", "--count", 4, "--size", f"{SIZE[0]}x{SIZE[1]}", "--far", FAR, *chosen)
        for sensor in SENSORS:
            picture = OUT / f"sensor-{sensor}.png"
            draw_sensor(sensor, work / "scenes", work / f"by-{sensor}", picture)
            shrink(picture)
    draw_effects(OUT / "sensor-effects.png")
    shrink(OUT / "sensor-effects.png")


if __name__ == "__main__":
    main()
