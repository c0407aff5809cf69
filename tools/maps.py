"""The result maps that figures are drawn from, kept beside the numbers so that no method runs twice.

They lie in `out/maps`, which is no part of the repository; a map is taken only if its stamp is the numbers' own.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from atgvnet.io import atomic
from plan import Key

__all__ = ["FOLDER", "are_there", "read", "stamp", "write"]

Floats = NDArray[np.float32]

FOLDER = Path(__file__).parents[1] / "out" / "maps"
_STAMP = "stamp"


def stamp(rows: Sequence[Mapping[str, Any]], learned: Mapping[str, str]) -> str:
    """Say in a few letters which numbers these are, and with which weights they were made."""
    errors = [[row["scene"], row["rmse"], row["mae"]] for row in rows]
    return hashlib.sha256(json.dumps([errors, dict(learned)], sort_keys=True).encode()).hexdigest()[:16]


def write(key: Key, mark: str, maps: Mapping[str, Floats]) -> None:
    """Keep a method's maps, by scene."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with atomic(_path(key)) as stream:
        np.savez_compressed(stream, **{_STAMP: np.array(mark)}, **dict(maps))  # type: ignore[arg-type]


def read(key: Key, mark: str) -> dict[str, Floats] | None:
    """Give a method's maps, if those with this stamp are there."""
    if not are_there(key, mark):
        return None
    with np.load(_path(key)) as stored:
        return {scene: stored[scene] for scene in stored.files if scene != _STAMP}


def are_there(key: Key, mark: str) -> bool:
    """Tell whether a method's maps with this stamp are there."""
    try:
        with np.load(_path(key)) as stored:
            return str(stored[_STAMP]) == mark
    except (OSError, ValueError, KeyError, BadZipFile):
        return False


def _path(key: Key) -> Path:
    benchmark, scale, method = key
    return FOLDER / f"{benchmark}-x{scale:g}-{method}.npz"
