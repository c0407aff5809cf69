"""The page: one HTML file with everything in it, so that it works from the file system, offline, on a phone.

Its style and script are the files of `assets/`, put together in the order of `SCRIPTS`; the maps are text that the
script decodes.
"""

import json
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from atgvnet.benchmarks.evaluate import Row
from atgvnet.benchmarks.published import label
from atgvnet.errors import FileError
from atgvnet.io import atomic
from atgvnet.report import markup
from atgvnet.report.codec import Packed
from atgvnet.report.curves import DISTANCES
from atgvnet.report.gallery import Gallery, Kept, Sheet
from atgvnet.report.scales import near_is_large

__all__ = ["NAME", "SCRIPTS", "prepare_folder", "write_page"]

NAME = "index.html"
SCRIPTS = (
    *("basics", "codec", "scene", "colour", "panels", "loupe", "wipe"),
    *("plot", "curves", "profile", "relief", "surface", "main"),
)
_COLOURS = {"depth": "viridis", "error": "inferno"}
_MODULE = re.compile(r"^(import .*\n|export )", re.MULTILINE)

Figures = Mapping[tuple[str, float, str, str], Row]


def prepare_folder(folder: Path) -> None:
    """Make the folder of a page, before the long work whose result goes there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"{folder}: cannot be made: {error.strerror}; give a folder for the page") from error


def write_page(folder: Path, rows: Sequence[Row], gallery: Gallery, *, command: str = "") -> Path:
    """Write an evaluation's page, and give its path; `command` is shown as what made it."""
    prepare_folder(folder)
    path = folder / NAME
    with atomic(path) as file:
        file.write(_page(rows, gallery, command).encode())
    return path


def _page(rows: Sequence[Row], gallery: Gallery, command: str) -> str:
    maps = _Maps()
    figures = {(row.benchmark, row.scale, row.scene, row.method): row for row in rows}
    scenes = [_scene(key, sheet, figures, maps) for key, sheet in gallery.sheets.items()]
    benchmark = ", ".join(dict.fromkeys(row.benchmark for row in rows))
    scales = " ".join(f"×{scale:g}" for scale in dict.fromkeys(row.scale for row in rows))
    content = {
        "title": escape(f"{benchmark} {scales}"),
        "made": escape(f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"),
        "command": " ".join(f"<span>{escape(word)}</span>" for word in command.split()),
        "style": _part("page.css"),
        "tables": markup.tables(rows),
        "scenes": _json({"scenes": scenes, "distances": DISTANCES, "colours": _colours()}),
        "maps": maps.markup(),
        "script": "\n".join(_MODULE.sub("", _part(f"{name}.js")) for name in SCRIPTS),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: content[found[1]], _part("page.html"))


def _part(name: str) -> str:
    return files("atgvnet.report").joinpath("assets", name).read_text(encoding="utf-8")


def _json(value: object) -> str:
    """Give JSON that cannot end the script element that it is in."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")


def _colours() -> dict[str, str]:
    """Give each colour map as 256 triples of bytes."""
    import matplotlib as mpl

    shades = np.linspace(0, 1, 256)
    tables = {use: mpl.colormaps[name](shades, bytes=True)[:, :3].tobytes() for use, name in _COLOURS.items()}
    return {use: b64encode(table).decode("ascii") for use, table in tables.items()}


@dataclass(frozen=True, slots=True)
class _Maps:
    """The maps' text; each is an element of its own, so that one is read when it is shown."""

    texts: list[str] = field(default_factory=list)

    def add(self, packed: Packed | None) -> dict[str, Any] | None:
        if packed is None:
            return None
        self.texts.append(packed.text)
        return {
            "id": f"map-{len(self.texts) - 1}",
            "width": packed.width,
            "height": packed.height,
            "low": packed.low,
            "step": packed.step,
        }

    def markup(self) -> str:
        return "\n".join(
            f'<script type="text/plain" id="map-{index}">{text}</script>' for index, text in enumerate(self.texts)
        )


def _scene(key: tuple[str, float, str], sheet: Sheet, figures: Figures, maps: _Maps) -> dict[str, Any]:
    benchmark, scale, scene = key
    return {
        "benchmark": benchmark,
        "scale": scale,
        "name": scene.capitalize(),
        "unit": sheet.unit,
        "nearIsLarge": near_is_large(sheet.unit),
        "range": sheet.range,
        "errorLimit": sheet.error_limit,
        "stride": sheet.stride,
        "width": sheet.shape[1],
        "height": sheet.shape[0],
        "truth": maps.add(sheet.truth),
        "input": maps.add(sheet.input),
        "counted": maps.add(sheet.counted),
        "methods": [_method(name, kept, figures[*key, name], maps) for name, kept in sheet.methods.items()],
    }


def _method(name: str, kept: Kept, row: Row, maps: _Maps) -> dict[str, Any]:
    return {
        "name": name,
        "label": label(name),
        "rmse": row.rmse,
        "mae": row.mae,
        "rings": kept.rings,
        "map": maps.add(kept.packed),
    }
