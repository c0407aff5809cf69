"""A contact sheet shows every picture, and missing pixels as missing."""

from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread

from atgvnet.errors import InputError
from atgvnet.report.contact import Tile, draw_contact_sheet, write_image


def test_a_sheet_grows_with_its_pictures(tmp_path: Path) -> None:
    values = np.arange(12, dtype=np.float32).reshape(3, 4)
    values[1, 1] = np.nan
    tiles = [Tile(title=str(k), image=values) for k in range(5)]
    heights = []
    for count in (1, 5):
        draw_contact_sheet(tiles[:count], tmp_path / "sheet.png", columns=4)
        picture = imread(tmp_path / "sheet.png")
        heights.append(picture.shape[0])
        # the grey of missing pixels, which the colours of known ones do not contain
        assert (np.abs(picture[..., :3] - 0.35).max(axis=-1) < 0.01).any()
    assert heights[1] == pytest.approx(2 * heights[0], abs=2)


def test_wild_and_constant_and_empty_maps_are_drawn(tmp_path: Path) -> None:
    images = [np.full((2, 3), value, np.float32) for value in (np.nan, 7, 1e30)]
    draw_contact_sheet([Tile(title="x", image=image) for image in images], tmp_path / "a.png")
    with pytest.raises(InputError, match="no picture"):
        draw_contact_sheet([], tmp_path / "b.png")


def test_an_image_is_written_as_it_is(tmp_path: Path) -> None:
    image = np.linspace(0, 1, 2 * 3 * 3, dtype=np.float32).reshape(2, 3, 3)
    write_image(image, tmp_path / "guide.png")
    np.testing.assert_allclose(imread(tmp_path / "guide.png")[..., :3], image, atol=1 / 255)
