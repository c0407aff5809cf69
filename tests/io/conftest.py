"""Small sound files of every kind, for the tests that read and those that damage them."""

import io
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from atgvnet.errors import FormatError
from atgvnet.io import FORMATS, read


@pytest.fixture(scope="session")
def sound() -> dict[str, bytes]:
    """One sound file of each format, of its default number type, with values that are whole."""
    values = np.arange(1, 64).reshape(7, 9)
    files = {}
    for suffix, form in FORMATS.items():
        stream = io.BytesIO()
        form.codec.encode(values.astype(form.dtypes[0]), stream)
        files[suffix] = stream.getvalue()
    return files


@pytest.fixture
def save(tmp_path: Path) -> Callable[[bytes, str], Path]:
    """Write bytes to a file of that suffix."""

    def write(content: bytes, suffix: str) -> Path:
        path = tmp_path / f"map{suffix}"
        path.write_bytes(content)
        return path

    return write


@pytest.fixture
def refused() -> Callable[..., str]:
    """Read what must be refused, in one line and without a warning, and give the message."""

    def check(path: Path, **options: str) -> str:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            with pytest.raises(FormatError) as error:
                read(path, **options)
        message = str(error.value)
        assert message.startswith(f"{path}: ")
        assert "\n" not in message
        assert "MemoryError" not in message
        assert not caught
        return message

    return check
