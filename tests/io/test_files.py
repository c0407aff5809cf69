"""Files appear whole or not at all; what the system refuses is one typed error."""

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from atgvnet.depthmap import DepthMap
from atgvnet.errors import FileError
from atgvnet.io import FORMATS, atomic, read, read_image, write


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_file_appears_when_its_block_ends(tmp_path: Path) -> None:
    path = tmp_path / "new.txt"
    with atomic(path) as stream:
        stream.write(b"half")
        stream.flush()
        assert not path.exists()
        stream.write(b" and half")
    assert content(tmp_path) == {"new.txt": b"half and half"}


@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt, MemoryError])
def test_nothing_is_left_of_a_block_that_fails(failure: type[BaseException], tmp_path: Path) -> None:
    (tmp_path / "old.txt").write_bytes(b"old")

    def fail() -> None:
        with atomic(tmp_path / "old.txt") as stream:
            stream.write(b"new")
            raise failure

    with pytest.raises(failure):
        fail()
    assert content(tmp_path) == {"old.txt": b"old"}


@pytest.mark.parametrize("suffix", FORMATS)
def test_a_full_disk_is_a_typed_error_that_leaves_the_old_file(suffix: str, tmp_path: Path) -> None:
    path, limits = tmp_path / f"map{suffix}", resource.getrlimit(resource.RLIMIT_FSIZE)
    path.write_bytes(b"old")
    depth = DepthMap(np.random.default_rng(0).random((300, 300)) + 1)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, limits[1]))
        with pytest.raises(FileError, match="cannot be written") as caught:
            write(depth, path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert str(path) in str(caught.value)
    assert content(tmp_path) == {path.name: b"old"}


def test_a_killed_writer_leaves_the_old_file(tmp_path: Path) -> None:
    (tmp_path / "old.txt").write_bytes(b"old")
    code = (
        "import os, sys; from atgvnet.io import atomic\n"
        "with atomic(sys.argv[1]) as stream:\n"
        "    stream.write(b'new'); stream.flush(); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", code, tmp_path / "old.txt"], check=False)
    assert (tmp_path / "old.txt").read_bytes() == b"old"


def test_permissions_are_those_of_open_or_of_the_file_before(tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    with atomic(tmp_path / "new"):
        pass
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "plain").stat().st_mode
    (tmp_path / "new").chmod(0o640)
    with atomic(tmp_path / "new"):
        pass
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o640


def test_a_link_is_written_through(tmp_path: Path) -> None:
    (tmp_path / "target").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    with atomic(tmp_path / "link") as stream:
        stream.write(b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == b"new"


@pytest.mark.parametrize("name", ["absent/map.png", "file/map.png", "folder.png", "n" * 300 + ".png", "nul\0.png"])
def test_where_nothing_can_be_written(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(FileError, match="cannot be written") as caught:
        write(DepthMap([[1.0]]), tmp_path / name)
    assert "\n" not in str(caught.value)
    assert sorted(content_names(tmp_path)) == ["file", "folder.png"]


def content_names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


@pytest.mark.parametrize("reader", [read, read_image])
@pytest.mark.parametrize("name", ["absent.png", "folder.png", "file/map.png", "n" * 300 + ".png", "nul\0.png"])
def test_where_nothing_can_be_read(reader: Callable[[Path], object], name: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(FileError) as caught:
        reader(tmp_path / name)
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    with pytest.raises(FileError, match="not a file"):
        read(tmp_path / "pipe.png")


def test_a_file_of_terabytes_is_refused_unread(tmp_path: Path) -> None:
    with (tmp_path / "huge.pfm").open("wb") as stream:
        stream.truncate(1 << 42)
    with pytest.raises(FileError, match="more than a map may have"):
        read(tmp_path / "huge.pfm")


def test_reading_imports_what_the_format_needs_and_no_more(tmp_path: Path) -> None:
    write(DepthMap([[1.0]]), tmp_path / "map.npy")
    code = (
        "import sys; from pathlib import Path; from atgvnet.io import read; read(Path(sys.argv[1]))\n"
        "print({'torch', 'numba', 'scipy', 'PIL', 'tifffile', 'OpenEXR', 'cv2', 'matplotlib'} & set(sys.modules))"
    )
    found = subprocess.run([sys.executable, "-c", code, tmp_path / "map.npy"], check=True, capture_output=True)
    assert found.stdout.strip() == b"set()"
