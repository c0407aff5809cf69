"""What a folder was made with, kept in it, so that resuming with other options does not mix two kinds of maps."""

import json
from collections.abc import Mapping
from pathlib import Path

from atgvnet.errors import FileError, InputError

__all__ = ["keep_record"]


def keep_record(path: Path, options: Mapping[str, object], *, resume: bool) -> None:
    """Write the options, or on resuming compare them with those that are there."""
    from atgvnet.io import atomic

    if resume and path.exists():
        before = _read(path)
        for name, value in options.items():
            if before.get(name) != value:
                was = f"{path.parent} was made with --{name} {before.get(name)}, not {value}"
                raise InputError(f"{was}; give that, or another folder")
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic(path) as file:
        file.write(json.dumps(dict(options), indent=1).encode() + b"\n")


def _read(path: Path) -> dict[str, object]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FileError(f"{path}: {error}; delete it, or give another folder") from error
    return found if isinstance(found, dict) else {}
