"""A preview is drawn for every map, also for those without anything to see."""

from pathlib import Path

import numpy as np
import pytest

from atgvnet import DepthMap
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
