"""A folder of small maps, the page that is made of them, and a browser to look at it with."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from atgvnet.benchmarks import Row, evaluate
from atgvnet.report import Gallery, write_page
from atgvnet.resample import imresize

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
METHODS = ("nearest", "bilinear", "bicubic")


def stairs(height: int, width: int, steps: int) -> np.ndarray:
    """Slanted stairs of different heights, in metres."""
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    return 1 + (x * steps // width) ** 1.5 * 0.5 + y / (4 * height)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pairs of input and truth; one truth has a hole."""
    folder = tmp_path_factory.mktemp("pairs")
    for room in ("input", "truth"):
        (folder / room).mkdir()
    for name, steps in (("few", 3), ("many", 7)):
        truth = stairs(72, 96, steps)
        low = imresize(truth, scale=0.25)
        if name == "many":
            truth[10:20, 30:40] = np.nan
        np.save(folder / "input" / f"{name}.npy", low)
        np.save(folder / "truth" / f"{name}.npy", truth)
    return folder


@pytest.fixture(scope="session")
def evaluated(folder: Path) -> tuple[list[Row], Gallery]:
    gallery = Gallery()
    rows = evaluate(folder, data=None, methods=list(METHODS), keep=gallery.keep)
    return rows, gallery


@pytest.fixture(scope="session")
def page_file(evaluated: tuple[list[Row], Gallery], tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows, gallery = evaluated
    return write_page(tmp_path_factory.mktemp("page"), rows, gallery, command="atgvnet evaluate </script><b>")


@pytest.fixture(scope="session")
def browser() -> Iterator["object"]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not CHROMIUM.is_file():
        pytest.skip(f"{CHROMIUM} is not there; apt-get install chromium")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=str(CHROMIUM), args=list(FLAGS))
        yield browser
        browser.close()
