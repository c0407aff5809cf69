"""The paper's qualitative figures: input and truth, then each method's result with its error below, scene by scene.

Depths have one colour scale for each scene; errors have one for the whole figure.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from atgvnet.benchmarks.case import Case
from atgvnet.benchmarks.published import label
from atgvnet.io import atomic
from atgvnet.report.gallery import counted
from atgvnet.report.inset import small_input
from atgvnet.report.scales import Floats, depth_range, error_limit, near_is_large, typical_error

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.figure import Figure

__all__ = ["FORMATS", "Band", "draw_figure"]

FORMATS = {"png": 90, "pdf": 110}  # and pixels per inch
MOST_COLUMNS = 5
_COLUMN = 2.3  # inches
_BETWEEN = 0.06
_TITLES = 0.26
_LONGEST = 640  # pixels of a map that is drawn
_MISSING = "0.5"


@dataclass(frozen=True, kw_only=True, eq=False)
class Band:
    """What one scene fills two rows of pictures with."""

    case: Case
    results: dict[str, Floats]

    def errors(self, method: str) -> Floats:
        """Absolute errors, NaN where none counts."""
        wrong = np.abs(self.results[method] - self.case.truth.values)
        return np.where(counted(self.case), wrong, np.float32(np.nan))


def draw_figure(bands: Sequence[Band], stem: Path) -> list[Path]:
    """Draw a figure, and write it in all formats beside each other."""
    figure = _figure(bands)
    return [_write(figure, stem.with_name(f"{stem.name}.{kind}"), kind) for kind in FORMATS]


def _write(figure: "Figure", path: Path, kind: str) -> Path:
    date = {"CreationDate": None} if kind == "pdf" else {}  # without, the same maps give the same bytes
    with atomic(path) as stream:
        figure.savefig(stream, format=kind, dpi=FORMATS[kind], bbox_inches="tight", metadata=date)
    return path


def _figure(bands: Sequence[Band]) -> "Figure":
    """Arrange scene below scene: of each the truth and the methods, at most `MOST_COLUMNS` beside each other."""
    from matplotlib.figure import Figure

    methods = list(dict.fromkeys(method for band in bands for method in band.results))
    rows = -(-(1 + len(methods)) // MOST_COLUMNS)
    columns = -(-(1 + len(methods)) // rows)
    heights = [
        _COLUMN * band.case.truth.shape[0] / band.case.truth.shape[1] for band in bands for _ in range(2 * rows)
    ]
    figure = Figure(figsize=(_COLUMN * columns, sum(heights) + _TITLES * len(bands) * rows))
    figure.set_layout_engine("constrained", w_pad=_BETWEEN / 2, h_pad=_BETWEEN / 2, wspace=0, hspace=0)
    axes = figure.subplots(len(heights), columns, height_ratios=heights, squeeze=False)
    limit = error_limit(typical_error(band.errors(method)) for band in bands for method in band.results)
    for panel in axes.ravel():
        panel.set_axis_off()
    for index, band in enumerate(bands):
        part = axes[2 * rows * index : 2 * rows * (index + 1)]
        panels = [
            (part[2 * row][column], part[2 * row + 1][column]) for row in range(rows) for column in range(columns)
        ]
        _draw_band(band, methods, panels, limit)
    return figure


def _draw_band(band: Band, methods: Sequence[str], panels: "Sequence[tuple[Axes, Axes]]", limit: float) -> None:
    """Draw the truth in the first pair of panels, and each method's result and errors in the others."""
    depth = _draw_truth(panels[0][0], band.case)
    error = None
    for index, (method, (upper, lower)) in enumerate(zip(methods, panels[1:], strict=False), start=1):
        if method not in band.results:
            continue
        errors = band.errors(method)
        _draw_depth(upper, band.case, band.results[method])
        error = _draw(lower, errors, "inferno", (0, limit))
        rmse = float(np.sqrt(np.nanmean(np.square(errors, dtype=np.float64))))
        upper.set_title(f"({chr(ord('a') + index)}) {label(method)}   {rmse:#.3g}", fontsize=9)
    if error is not None:
        _draw_scales(panels[0][1], band.case, depth, error)


def _draw_truth(panel: "Axes", case: Case) -> "ScalarMappable":
    shown = _draw_depth(panel, case, case.truth.values)
    panel.set_title(f"(a) Input & truth, {case.scene.capitalize()}", fontsize=9)
    low = small_input(case)
    height, width = (have / want for have, want in zip(low.shape, case.truth.shape, strict=True))
    corner = panel.inset_axes((0, 1 - height, width, height))
    _draw_depth(corner, case, low)
    corner.set(xticks=[], yticks=[])
    corner.spines[:].set_color("white")
    return shown


def _draw_depth(panel: "Axes", case: Case, values: Floats) -> "ScalarMappable":
    return _draw(panel, values, _depth_colours(case), depth_range(case.truth.values))


def _depth_colours(case: Case) -> str:
    return "viridis" if near_is_large(case.truth.unit) else "viridis_r"


def _draw(panel: "Axes", values: Floats, colours: str, limits: tuple[float, float]) -> "ScalarMappable":
    from matplotlib import colormaps

    step = -(-max(values.shape) // _LONGEST)
    palette = colormaps[colours].with_extremes(bad=_MISSING)
    return panel.imshow(values[::step, ::step], palette, vmin=limits[0], vmax=limits[1], aspect="auto")


def _draw_scales(panel: "Axes", case: Case, depth: "ScalarMappable", error: "ScalarMappable") -> None:
    """Draw both colour bars in the empty place below the truth."""
    unit = "levels" if case.truth.unit == "disparity" else case.truth.unit
    for place, shown, name in ((0.72, depth, "depth"), (0.3, error, "absolute error")):
        bar = panel.inset_axes((0.06, place, 0.88, 0.09))
        panel.figure.colorbar(shown, cax=bar, orientation="horizontal", extend="both" if shown is depth else "max")
        bar.set_title(f"{name} [{unit}]", fontsize=8)
        bar.tick_params(labelsize=7)
