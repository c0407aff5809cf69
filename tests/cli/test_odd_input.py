"""Files as nobody wants them: each command makes what it promises of them, or says in one line why not."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import atgvnet
from atgvnet.cli import main

RNG = np.random.default_rng(0)
MAPS = {
    "one pixel": np.full((1, 1), 1.5),
    "one row": np.linspace(1, 2, 40)[None],
    "one value": np.full((12, 16), 2.0),
    "nothing known": np.full((12, 16), np.nan),
    "one known pixel": np.where(np.arange(192).reshape(12, 16) == 77, 1.0, np.nan),
    "infinities": np.where(RNG.random((12, 16)) < 0.5, np.inf, 1.0),
    "zeros": np.zeros((12, 16)),
    "negative": -RNG.random((12, 16)) - 0.5,
    "both signs": RNG.standard_normal((12, 16)),
    "largest": np.full((12, 16), np.finfo(np.float32).max),
    "huge steps": np.where(RNG.random((12, 16)) < 0.5, 3e38, 1e-38),
    "tiny": np.full((12, 16), 1e-45),
    "full range of 16 bits": np.array([[0, 1, 65534, 65535]] * 4).repeat(4, 1).astype(np.uint16),
    "whole disparities": RNG.integers(0, 256, (12, 16), dtype=np.uint8),
    "negative integers": np.array([[-32768, -1, 0, 32767]] * 4, np.int16).repeat(4, 1),
}
HEADER = "\x93NUMPY\x01\x00\x76\x00{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}"
BROKEN = {
    "empty": b"",
    "text": b"x y z\n1 2 3\n",
    "cut off": b"\x93NUMPY\x01\x00",
    "absurd header": HEADER.format("<f4", (999999999, 999999999)).encode("latin1").ljust(128),
    "pickled": HEADER.format("|O", (2, 2)).encode("latin1").ljust(128) + b"\x80\x04.",
}

Command = Callable[[Path, Path], list[str]]
COMMANDS: dict[str, Command] = {
    "upscale nearest": lambda source, out: ["upscale", str(source), "-o", str(out), "--method", "nearest"],
    "upscale nlm": lambda source, out: ["upscale", str(source), "-o", str(out), "--method", "nlm", "--scale", "2"],
    **{
        f"degrade {sensor}": lambda source, out, sensor=sensor: [
            *("degrade", str(source), "-o", str(out)),
            *("--scale", "2", "--sensor", sensor),
        ]
        for sensor in ("noisy-middlebury", "tof", "lidar", "tofmark", "any")
    },
    "compare": lambda source, out: ["compare", str(source), str(source), "--json", str(out.with_suffix(".json"))],
}


@pytest.fixture(params=COMMANDS)
def command(request: pytest.FixtureRequest) -> Command:
    return COMMANDS[request.param]


@pytest.mark.parametrize("name", MAPS)
def test_any_map_gives_a_map_or_one_line(
    name: str, command: Command, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = tmp_path / "map.npy", tmp_path / "out.npy"
    np.save(source, MAPS[name].astype(np.float32) if MAPS[name].dtype.kind == "f" else MAPS[name])
    status = main(command(source, out))
    error = capsys.readouterr().err
    assert status in (0, 2), error
    assert error.count("\n") == (status == 2)
    assert status or not out.suffix or out.with_suffix(".json").exists() or atgvnet.read(out).shape
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize("name", BROKEN)
def test_any_other_file_is_refused_in_one_line(
    name: str, command: Command, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = tmp_path / "map.npy", tmp_path / "out.npy"
    source.write_bytes(BROKEN[name])
    assert main(command(source, out)) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"atgvnet: {source}: ")
    assert error.count("\n") == 1
    assert not out.exists()
