"""The original files of the ToFMark benchmark: MATLAB matrices, told apart by name and, where that fails, by shape.

What a scene needs: the range image of the time-of-flight camera and the flags of its valid pixels, that camera's
projection matrix (3×4), the camera matrix (3×3) of the intensity camera, the truth in its view and, for guided
methods, its image. They may lie in one file or several; a file whose name has no scene in it serves all of them.
"""

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atgvnet.errors import FormatError, InputError

__all__ = ["SCENES", "Recording", "read_recording"]

SCENES = ("books", "devil", "shark")
_SOURCE = "the ToFMark page of Ferstl et al., ICCV 2013 (github.com/RobVisLab/tofmark)"

Array = NDArray[np.float64]
_ROLES: dict[str, tuple[str, ...]] = {
    "projection": ("p_tof", "ptof", "p"),
    "camera": ("k_gray", "k_grey", "k_int", "k"),
    "flags": ("flags_tof", "tof_flags", "flags", "valid"),
    "range": ("dtof", "d_tof", "tof_depth", "depth_tof", "tof"),
    "truth": ("gt", "depth_gt", "d_gt", "ground_truth", "truth"),
    "guide": ("gray", "grey", "img_gray", "i_gray", "intensity", "rgb"),
}
_SHAPES = {"projection": (3, 4), "camera": (3, 3), "range": (120, 160), "truth": (610, 810)}
_OPTIONAL = ("flags", "guide")


@dataclass(frozen=True, kw_only=True, eq=False, slots=True)
class Recording:
    """A scene as recorded: ranges and truth in millimetres, NaN where not measured; the image in 0…1."""

    ranges: Array
    projection: Array
    camera: Array
    truth: Array
    guide: Array | None


def read_recording(folder: Path, scene: str) -> Recording:
    """Collect a scene's matrices from the files of a folder."""
    found = _roles(_matrices(folder, scene), f"{folder} ({scene})")
    ranges, truth = found["range"], found["truth"]
    measured = np.isfinite(ranges) & (ranges > 0) & (found.get("flags", np.ones_like(ranges)) == 1)
    return Recording(
        ranges=np.where(measured, ranges, np.nan),
        projection=found["projection"],
        camera=found["camera"],
        truth=np.where(truth > 0, truth, np.nan),
        guide=_brightness(found.get("guide")),
    )


def _brightness(guide: Array | None) -> Array | None:
    if guide is None:
        return None
    return guide / 255 if guide.max() > 1 else guide


def _matrices(folder: Path, scene: str) -> dict[str, Array]:
    files = sorted(folder.glob("*.mat"))
    if not any(scene in file.name.lower() for file in files):
        raise InputError(
            f"{folder}/{scene}*.mat is missing; get it from {_SOURCE} (docs/benchmarks.md says where it goes)"
        )
    others = [other for other in SCENES if other != scene]
    found: dict[str, Array] = {}
    for file in files:
        if not any(other in file.name.lower() for other in others):
            found |= _variables(file)
    return found


def _variables(file: Path) -> dict[str, Array]:
    matlab: Any = import_module("scipy.io")
    try:
        content = matlab.loadmat(file)
    except Exception as error:
        raise FormatError(f"{file}: not a MATLAB file of version 5 ({error}); save it again with -v7") from error
    matrices = {name: value for name, value in content.items() if isinstance(value, np.ndarray)}
    return {name: np.asarray(value, np.float64) for name, value in matrices.items() if value.dtype.kind in "fiub"}


def _roles(matrices: dict[str, Array], where: str) -> dict[str, Array]:
    """Give each role the matrix of a known name, else the only one of its shape that has no role."""
    names = {role: name for role in _ROLES if (name := _by_name(role, matrices)) is not None}
    for role in _SHAPES.keys() - names.keys():
        free = [name for name, m in matrices.items() if m.shape == _SHAPES[role] and name not in names.values()]
        if len(free) == 1:
            names[role] = free[0]
    if lacking := [role for role in _ROLES if role not in names and role not in _OPTIONAL]:
        known = ", ".join(f"{name} {matrix.shape}" for name, matrix in matrices.items()) or "no matrix"
        raise InputError(f"{where} has no {lacking[0]}; name it {_ROLES[lacking[0]][0]!r}. It has: {known}")
    return {role: matrices[name] for role, name in names.items()}


def _by_name(role: str, matrices: dict[str, Array]) -> str | None:
    by_lower = {name.lower(): name for name in matrices}
    return next((by_lower[known] for known in _ROLES[role] if known in by_lower), None)
