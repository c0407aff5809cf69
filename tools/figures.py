"""Draw the paper's qualitative figures as PNG and PDF.

    .venv/bin/python tools/figures.py --data DIR

One colour scale for each scene, one for all errors of a figure. Methods without weights are left out.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from atgvnet.benchmarks import Case, evaluate
from atgvnet.benchmarks.evaluate import Floats
from atgvnet.errors import InputError
from atgvnet.report.figures import Band, draw_figure
from plan import methods_for

__all__ = ["FIGURES", "OUT", "Figure", "draw"]

OUT = Path("docs") / "figures"


@dataclass(frozen=True, kw_only=True)
class Figure:
    """What one figure shows; all scenes at hand by default."""

    caption: str
    benchmark: str
    scale: float
    methods: tuple[str, ...]
    scenes: tuple[str, ...] | None = None


_CLEAN = ("bicubic", "timofte", "ferstl-2015", "paper", "universal", "fast")
_NOISY = ("bicubic", "he", "ferstl-2013", "paper", "universal", "fast")
_TOF = ("bilinear", "tgv", "ferstl-2013", "paper", "universal", "fast")
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


def draw(figure: Figure, stem: Path, data: Path, methods: Sequence[str] | None = None) -> list[Path]:
    """Run the methods of a figure and draw it; gives the files."""
    kept: dict[str, tuple[Case, dict[str, Floats]]] = {}

    def keep(case: Case, method: str, values: Floats) -> None:
        kept.setdefault(case.scene, (case, {}))[1][method] = values

    chosen = methods_for(figure.benchmark, figure.scale, methods or figure.methods)
    evaluate(figure.benchmark, data=data, scales=[figure.scale], scenes=figure.scenes, methods=chosen, keep=keep)
    return draw_figure([Band(case=case, results=results) for case, results in kept.values()], stem)


def main() -> None:
    parser = argparse.ArgumentParser(description="Draw the paper's qualitative figures as PNG and PDF.")
    parser.add_argument("--data", type=Path, required=True, help="folder that holds the benchmarks' data")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--only", nargs="+", choices=FIGURES, default=list(FIGURES))
    parser.add_argument("--method", action="append", help="these instead of each figure's own")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    for name in given.only:
        try:
            print(*draw(FIGURES[name], given.out / name, given.data, given.method))
        except InputError as error:
            print(f"{name}: left out, {error}")


if __name__ == "__main__":
    main()
