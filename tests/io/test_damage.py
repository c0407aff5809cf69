"""Random damage to sound files; `tools/fuzz_readers.py` does the same at length."""

import struct
import warnings
import zlib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from atgvnet.errors import FormatError
from atgvnet.io import FORMATS, _read

SUFFIXES = [suffix for suffix in FORMATS if suffix != ".tif"]


@pytest.mark.parametrize("suffix", [*SUFFIXES, "image"])
@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_damage_gives_a_map_or_one_error(
    suffix: str, data: st.DataObject, sound: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    content = bytearray(sound[".png" if suffix == "image" else suffix])
    for _ in range(data.draw(st.integers(0, 6))):
        start = data.draw(st.integers(0, len(content)))
        length = data.draw(st.integers(0, 8))
        content[start : start + length] = data.draw(st.binary(max_size=12))
    if suffix in (".png", "image"):
        content = bytearray(_with_checksums(bytes(content)))
    monkeypatch.setattr(_read, "read_bytes", lambda _: bytes(content))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        message = _message(suffix)
    assert "\n" not in message
    assert "MemoryError" not in message
    assert not caught


def _message(suffix: str) -> str:
    try:
        _read.read_image("map.png") if suffix == "image" else _read.read(f"map{suffix}")
    except FormatError as error:
        return str(error)
    return "none"


def _with_checksums(content: bytes) -> bytes:
    result, position = bytearray(content), 8
    while position + 12 <= len(content):
        end = position + 8 + int.from_bytes(content[position : position + 4], "big")
        if end + 4 > len(content):
            break
        result[end : end + 4] = struct.pack(">I", zlib.crc32(content[position + 4 : end]))
        position = end + 4
    return bytes(result)
