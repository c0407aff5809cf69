"""A preview is drawn for every map, also for those without anything to see."""

from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

from atgvnet import DepthMap
from atgvnet.depthmap import Unit
from atgvnet.io import read_image
from atgvnet.report.preview import draw_preview

MAPS = {
    "ramp": np.add.outer(np.arange(12.0), np.arange(20.0)),
    "constant": np.ones((5, 5)),
    "missing": np.full((4, 6), np.nan),
    "pixel": np.ones((1, 1)),
}


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.parametrize("with_edges", [True, False])
def test_every_map_gives_a_picture(name: str, with_edges: bool, tmp_path: Path) -> None:
    depth = DepthMap(MAPS[name], unit="mm")
    edges = np.zeros((2, *depth.shape), np.float32) if with_edges else None
    draw_preview(depth, depth, edges, tmp_path / "preview.png")
    picture = read_image(tmp_path / "preview.png")
    assert picture.shape[1] > 1000
    assert picture.std() > 0.01


@pytest.mark.parametrize(("unit", "label"), [("mm", "z [mm]"), ("disparity", "disparity [pixels]")])
def test_input_result_and_discontinuities_are_side_by_side_with_bars_in_the_map_s_unit(
    unit: Unit, label: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures: list[Figure] = []
    monkeypatch.setattr(Figure, "savefig", lambda figure, *_, **__: figures.append(figure))
    depth = DepthMap(MAPS["ramp"], unit=unit)
    draw_preview(depth, depth, None, tmp_path / "preview.png")
    panels = figures[0].axes
    titles = [panel.get_title() for panel in panels if panel.get_title()]
    assert titles == ["input, 20 × 12", "result, 20 × 12", "discontinuities"]
    assert [panel.get_ylabel() for panel in panels if panel.get_ylabel()] == [label, label]
    assert {panel.images[0].cmap.name for panel in panels[:2]} == {"viridis"}
