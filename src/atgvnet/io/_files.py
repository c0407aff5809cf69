"""Whole files or none: what is written is complete before it gets its name."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from atgvnet.errors import FileError
from atgvnet.io._stored import MAX_PIXELS

__all__ = ["atomic", "read_bytes"]

_LIMIT = 8 * MAX_PIXELS + (1 << 20)


@contextmanager
def atomic(path: str | Path) -> Iterator[BinaryIO]:
    """Open a stream whose content becomes the file at `path` when the block ends well; else nothing is left.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with atomic(Path(folder) / "a.txt") as stream:
    ...         _ = stream.write(b"whole")
    ...     (Path(folder) / "a.txt").read_bytes()
    b'whole'
    """
    path = Path(path)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name[:64]}.", suffix=".part", dir=path.parent)
    except OSError as error:
        raise FileError(f"{path}: cannot be written: {error.strerror or error}") from error
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).chmod(_mode(path))
        Path(name).replace(path)
    except BaseException as error:
        with suppress(OSError):
            Path(name).unlink()
        if isinstance(error, OSError) and not isinstance(error, FileError):
            raise FileError(f"{path}: cannot be written: {error.strerror or error}") from error
        raise


def _mode(path: Path) -> int:
    """Permissions of the file that is replaced, or those that a plain `open` gives (the umask cannot be asked)."""
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        mask = os.umask(0o022)
        os.umask(mask)
        return 0o666 & ~mask


def read_bytes(path: Path) -> bytes:
    """Give a file's content."""
    try:
        if not path.is_file():
            raise FileError(f"{path}: {'is a folder' if path.is_dir() else 'no such file'}")
        if (size := path.stat().st_size) > _LIMIT:
            raise FileError(f"{path}: {size} bytes are more than a map may have ({_LIMIT})")
        return path.read_bytes()
    except FileError:
        raise
    except OSError as error:
        raise FileError(f"{path}: cannot be read: {error.strerror or error}") from error
