"""Whole files or none, and one typed error for every file that is not what it should be."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from atgvnet.errors import AtgvnetError, FileError, FormatError
from atgvnet.io._stored import MAX_PIXELS, MalformedError

__all__ = ["atomic", "named", "read_bytes"]

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
    with _system_errors(path, "written"):
        target = Path(path).resolve()
        part = target.with_name(f".{secrets.token_hex(8)}.part")
        try:
            with part.open("xb") as stream:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            if target.exists():
                part.chmod(target.stat().st_mode & 0o777)
            part.replace(target)
        except BaseException:
            with suppress(OSError):
                part.unlink()
            raise


def read_bytes(path: Path) -> bytes:
    """Give a file's content."""
    with _system_errors(path, "read"):
        size = path.stat().st_size
        if not path.is_file():
            raise FileError(f"{path}: is not a file")
        if size > _LIMIT:
            raise FileError(f"{path}: {size} bytes are more than a map may have ({_LIMIT})")
        return path.read_bytes()


@contextmanager
def _system_errors(path: str | Path, done: str) -> Iterator[None]:
    try:
        yield
    except AtgvnetError:
        raise
    except OSError as error:
        raise FileError(f"{path}: cannot be {done}: {error.strerror or error}") from error
    except ValueError as error:
        if "null" not in str(error):
            raise
        raise FileError(f"{str(path)!r}: cannot be {done}: {error}") from error


@contextmanager
def named(path: Path) -> Iterator[None]:
    """Raise `FormatError` for whatever a decoder raises: on damaged files, third parties' raise anything."""
    try:
        yield
    except AtgvnetError:
        raise
    except Exception as error:
        reason = str(error)
        if not isinstance(error, MalformedError):
            reason = f"it is damaged ({type(error).__name__}: {reason})"
        raise FormatError(f"{path}: {' '.join(reason.split())[:300]}") from error
