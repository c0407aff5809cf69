"""Options that several commands share, and how their text becomes what the library takes."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from atgvnet.errors import FileError, InputError

if TYPE_CHECKING:
    from atgvnet.camera import Camera

__all__ = [
    "CameraFile",
    "DepthScale",
    "Force",
    "Invalid",
    "JsonFile",
    "Preview",
    "Resume",
    "Seed",
    "UnitName",
    "Variable",
    "parse_camera",
    "parse_holes",
    "parse_invalid",
    "parse_size",
    "write_json",
]

CameraFile = Annotated[
    str | None, typer.Option("--camera", metavar="JSON", help="File of the input's fx, fy, cx, cy (and baseline).")
]
DepthScale = Annotated[
    float | None,
    typer.Option("--depth-scale", metavar="N", help="Stored number per metre, e.g. 1000, 5000 (TUM), 256 (KITTI)."),
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite what is there.")]
Invalid = Annotated[
    str,
    typer.Option(
        "--invalid", metavar="N|none", help="Stored number that means missing; auto: 0 in files of integers."
    ),
]
JsonFile = Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the rows as JSON too.")]
Preview = Annotated[Path | None, typer.Option("--preview", metavar="PNG", help="Draw a contact sheet, too.")]
Resume = Annotated[bool, typer.Option("--resume", help="Skip what is there already.")]
Seed = Annotated[int, typer.Option("--seed", metavar="S", help="Seed of all that is random.", min=0)]
Variable = Annotated[
    str | None, typer.Option("--variable", metavar="NAME", help="Which map of a file of several (MAT, NPZ, EXR).")
]
UnitName = Annotated[
    Literal["m", "mm", "disparity"] | None, typer.Option("--unit", help="What the file's numbers are.")
]


def parse_invalid(text: str) -> "float | Literal['auto'] | None":
    """Give what `atgvnet.io.read` takes as invalid.

    >>> parse_invalid("65535"), parse_invalid("none")
    (65535.0, None)
    """
    if text == "auto":
        return "auto"
    if text == "none":
        return None
    try:
        return float(text)
    except ValueError:
        raise InputError(f"--invalid is {text!r}; give a number, none or auto") from None


def parse_size(text: str | None) -> tuple[int, int] | None:
    """Give height and width.

    >>> parse_size("480x640")
    (480, 640)
    """
    if text is None:
        return None
    height, cross, width = text.lower().partition("x")
    if not (cross and height.isdecimal() and width.isdecimal() and int(height) and int(width)):
        raise InputError(f"--size is {text!r}; give height and width as 480x640")
    return int(height), int(width)


def parse_holes(text: str) -> "Literal['keep', 'fill'] | int":
    """Give what `atgvnet.upscale` takes as holes.

    >>> parse_holes("keep"), parse_holes("25")
    ('keep', 25)
    """
    if text == "keep":
        return "keep"
    if text == "fill":
        return "fill"
    if not text.isdecimal():
        raise InputError(f"--holes is {text!r}; give keep, fill or the largest hole to fill in pixels")
    return int(text)


def parse_camera(name: str | None) -> "Camera | None":
    """Read a camera from a JSON file."""
    from atgvnet.camera import Camera

    if name is None:
        return None
    try:
        return Camera.from_json(Path(name).read_text(encoding="utf-8"))
    except InputError as error:
        raise InputError(f"{name}: {error}") from error
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise FileError(f"{name}: {reason}; give a JSON file of fx, fy, cx, cy") from error


def write_json(path: Path, rows: Sequence[Mapping[str, object]]) -> None:
    """Write a list of rows."""
    from atgvnet.io import atomic

    with atomic(path) as file:
        file.write(json.dumps(list(rows), indent=2).encode() + b"\n")
