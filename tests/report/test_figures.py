"""The paper's figures: one scale of depths for a scene, one of errors for all, the same bytes for the same maps."""

from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import AxesImage

from atgvnet.benchmarks import Case, evaluate
from atgvnet.report.figures import Band, _figure, draw_figure

METHODS = ("nearest", "bilinear", "bicubic")


@pytest.fixture(scope="module")
def bands(folder: Path) -> list[Band]:
    kept: dict[str, tuple[Case, dict[str, np.ndarray]]] = {}

    def keep(case: Case, method: str, values: np.ndarray) -> None:
        kept.setdefault(case.scene, (case, {}))[1][method] = values

    evaluate(folder, data=None, methods=list(METHODS), keep=keep)
    return [Band(case=case, results=results) for case, results in kept.values()]


def test_scales_are_shared(bands: list[Band]) -> None:
    figure = _figure(bands)
    pictures = figure.findobj(AxesImage)
    scales = {
        name: {one.get_clim() for one in pictures if one.get_cmap().name == name} for name in ("inferno", "viridis_r")
    }
    assert len(scales["inferno"]) == 1
    assert len(scales["viridis_r"]) == len(bands) == 2
    titles = [axes.get_title() for axes in figure.axes]
    for band in bands:
        for method in METHODS:
            rmse = np.sqrt(np.nanmean(np.square(band.results[method] - band.case.truth.values, dtype=np.float64)))
            assert any(title.endswith(f"{rmse:#.3g}") for title in titles)


def test_both_files_are_written_and_the_pdf_is_the_same_again(bands: list[Band], tmp_path: Path) -> None:
    first = draw_figure(bands[:1], tmp_path / "a")
    again = draw_figure(bands[:1], tmp_path / "b")
    assert [path.suffix for path in first] == [".png", ".pdf"]
    assert all(one.read_bytes() == other.read_bytes() for one, other in zip(first, again, strict=True))
