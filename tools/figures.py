"""Draw the paper's qualitative figures as PNG and PDF.

    .venv/bin/python tools/figures.py --data DIR

One colour scale for each scene, one for all errors of a figure. Maps that `make results` left in `out/maps` are
taken, all others are made. Methods without weights are left out.
"""

import argparse
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import maps
from atgvnet.benchmarks import evaluate
from atgvnet.benchmarks.evaluate import Floats
from atgvnet.benchmarks.selection import Selection, find
from atgvnet.errors import InputError
from atgvnet.report.figures import Band, draw_figure
from code_of import digest
from ledger import Drawn, Ledger
from plan import Key, methods_for

__all__ = ["FIGURES", "OUT", "Figure", "draw", "is_there", "plan", "shows"]

ROOT = Path(__file__).parents[1]
OUT = Path("docs") / "figures"


@dataclass(frozen=True, kw_only=True)
class Figure:
    """What one figure shows; all scenes at hand by default."""

    caption: str
    benchmark: str
    scale: float
    methods: tuple[str, ...]
    scenes: tuple[str, ...] | None = None

    def key(self, method: str) -> Key:
        """Give what a method's maps are found by."""
        return self.benchmark, self.scale, method


_LEARNED = ("paper-cnn", "paper", "fast", "universal")
_CLEAN = ("bicubic", "zeyde", "timofte", "ferstl-2015", *_LEARNED)
_NOISY = ("bilinear", "he", "park", "yang", "ferstl-2013", *_LEARNED)
_TOF = ("bilinear", "he", "kopf", "ferstl-2013", "tgv", *_LEARNED)
FIGURES = {
    "noise-free-x2": Figure(caption="Noise-free, ×2", benchmark="clean-middlebury", scale=2, methods=_CLEAN),
    "noise-free-x4": Figure(caption="Noise-free, ×4", benchmark="clean-middlebury", scale=4, methods=_CLEAN),
    "laserscan-x4": Figure(caption="Laserscan, ×4", benchmark="laserscan", scale=4, methods=_CLEAN),
    "noisy-x2": Figure(caption="Noisy, ×2", benchmark="noisy-middlebury", scale=2, methods=_NOISY),
    "noisy-x4": Figure(caption="Noisy, ×4", benchmark="noisy-middlebury", scale=4, methods=_NOISY),
    "tof": Figure(
        caption="ToFMark’s geometry, rendered scenes",
        benchmark="synthetic",
        scale=5,
        methods=_TOF,
        scenes=("cuboids", "clutter", "curved"),
    ),
}


def shows(key: Key) -> bool:
    """Tell whether a figure needs a method's maps."""
    return any(key == figure.key(method) for figure in FIGURES.values() for method in figure.methods)


def is_there(stem: Path) -> bool:
    """Tell whether a figure's picture is there; its PDF is large and stays out of the repository."""
    return stem.with_name(f"{stem.name}.png").is_file()


def plan(figure: Figure, ledger: Ledger, patience: float) -> Drawn:
    """Say what a figure would be drawn of: maps that are at hand, or took at most `patience` seconds to measure."""
    entries = {method: ledger.entries.get(figure.key(method)) for method in figure.methods}
    stamps = {
        method: entry.stamp
        for method, entry in entries.items()
        if entry and (entry.seconds <= patience or maps.are_there(entry.key, entry.stamp))
    }
    return Drawn(stamps=stamps, code=digest("atgvnet.report.figures"))


def draw(figure: Figure, stem: Path, data: Path, stamps: Mapping[str, str]) -> list[Path]:
    """Draw a figure of the methods that have stamps, and give its files; maps that are not at hand are made."""
    results: dict[str, dict[str, Floats]] = {}
    for method, stamp in stamps.items():
        found = maps.read(figure.key(method), stamp) or _made(figure, method, data)
        if found is not None:
            results[method] = found
    cases = Selection(find(figure.benchmark), data, [figure.scale], figure.scenes)
    bands = [Band(case=case, results={name: of[case.scene] for name, of in results.items()}) for case in cases]
    return draw_figure(bands, stem)


def _made(figure: Figure, method: str, data: Path) -> dict[str, Floats] | None:
    kept: dict[str, Floats] = {}
    try:
        evaluate(
            figure.benchmark,
            data=data,
            scales=[figure.scale],
            scenes=figure.scenes,
            methods=[method],
            keep=lambda case, _method, values: kept.update({case.scene: values}),
        )
    except InputError as error:
        print(f"{method}: left out, {error}")
        return None
    return kept


def main() -> None:
    parser = argparse.ArgumentParser(description="Draw the paper's qualitative figures as PNG and PDF.")
    parser.add_argument("--data", type=Path, required=True, help="folder that holds the benchmarks' data")
    parser.add_argument("--out", type=Path, default=ROOT / OUT)
    parser.add_argument("--only", nargs="+", choices=FIGURES, default=list(FIGURES))
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    ledger = Ledger.read(ROOT / "docs" / "results.json").standing()
    for name in given.only:
        figure = FIGURES[name]
        methods = methods_for(figure.benchmark, figure.scale, figure.methods)
        stamps = dict.fromkeys(methods, "") | plan(figure, ledger, math.inf).stamps
        print(*draw(figure, given.out / name, given.data, stamps), flush=True)


if __name__ == "__main__":
    main()
