"""The page of scenes and sensors shows each of them."""

import re
from pathlib import Path

import pytest

from atgvnet.scenes import FAMILIES
from atgvnet.sensors import SENSORS

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "scenes.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [*FAMILIES, *SENSORS])
def test_each_has_its_place(name: str) -> None:
    assert re.search(rf"^###.* `{name}`", PAGE, re.MULTILINE)


def test_all_pictures_are_there_and_small() -> None:
    pictures = re.findall(r"!\[[^]]+\]\(([^)]+)\)", PAGE)
    assert len(pictures) >= len(FAMILIES) + len(SENSORS)
    for picture in pictures:
        assert 1000 < (DOCS / picture).stat().st_size < 150_000
