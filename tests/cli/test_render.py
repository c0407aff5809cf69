"""`atgvnet render` and `degrade`: whole maps, resumed where they stopped, the same whoever makes them."""

import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread

import atgvnet
from atgvnet.cli import main
from atgvnet.scenes import render

SMALL = ["--size", "24x32"]


def rendered(folder: Path, *more: str) -> int:
    return main(["render", str(folder), *SMALL, *more])


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.suffix != ".json"}


def complaint(capsys: pytest.CaptureFixture[str]) -> str:
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    return error


def test_maps_are_those_of_the_library_bit_for_bit_by_any_number_of_workers(tmp_path: Path) -> None:
    for workers in ("1", "3"):
        assert rendered(tmp_path / workers, "--count", "4", "--seed", "5", "--far", "2", "--workers", workers) == 0
    assert contents(tmp_path / "1") == contents(tmp_path / "3")
    assert len(contents(tmp_path / "1")) == 4
    depth = atgvnet.read(tmp_path / "1" / "clutter-000002.npy")
    np.testing.assert_array_equal(depth.values, 2 * render("clutter", 5, 2, (24, 32)).depth)
    assert depth.unit == "m"


def test_a_stopped_rendering_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = ("--family", "thin", "--family", "stacks")
    assert rendered(tmp_path / "whole", "--count", "5", *chosen) == 0

    def stop(_number: int) -> None:
        raise KeyboardInterrupt

    assert rendered(tmp_path / "parts", "--count", "2", *chosen) == 0
    first = {path: path.stat().st_mtime_ns for path in (tmp_path / "parts").glob("*.npy")}
    with monkeypatch.context() as patched:
        patched.setattr("atgvnet.cli.render._Order.write", lambda _order, number: stop(number))
        assert rendered(tmp_path / "parts", "--count", "5", "--resume", *chosen) == 130
    assert rendered(tmp_path / "parts", "--count", "5", "--resume", *chosen) == 0
    assert contents(tmp_path / "parts") == contents(tmp_path / "whole")
    assert all(path.stat().st_mtime_ns == made for path, made in first.items())
    assert not list(tmp_path.rglob("*.part"))


def test_a_killed_rendering_leaves_whole_maps_and_goes_on(tmp_path: Path) -> None:
    out, chosen = tmp_path / "maps", ("--family", "planes", "--seed", "3")
    command = [sys.executable, "-m", "atgvnet", "render", str(out), *SMALL, *chosen, "--count", "100000"]
    with subprocess.Popen(command) as process:
        while len(list(out.glob("*.npy"))) < 5 and process.poll() is None:
            time.sleep(0.01)
        process.kill()
    wanted = str(len(list(out.glob("*.npy"))) + 5)
    assert rendered(out, *chosen, "--count", wanted, "--resume") == 0
    maps = sorted(out.glob("*.npy"))
    assert len(maps) == int(wanted)
    for number, path in enumerate(maps):
        np.testing.assert_array_equal(atgvnet.read(path).values, render("planes", 3, number, (24, 32)).depth)


def test_the_camera_and_pictures_beside_the_maps(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.png"
    flags = ["--camera", "orthographic", "--guide", "--format", "png", "--preview", str(sheet)]
    assert rendered(tmp_path / "maps", "--count", "1", "--family", "cuboids", *flags) == 0
    exact = render("cuboids", 0, 0, (24, 32), camera="orthographic", guide=True)
    depth = atgvnet.read(tmp_path / "maps" / "cuboids-000000.png")
    np.testing.assert_allclose(depth.values, 1000 * exact.depth, atol=0.5001)
    guide = imread(tmp_path / "maps" / "guide" / "cuboids-000000.png")[..., :3]
    np.testing.assert_allclose(guide, exact.guide, atol=1 / 255)
    picture = imread(sheet)[..., :3]
    assert picture.std() > 0.05
    # the guide's colours are there, beside the map's: some of its pixels, none of which the map's colours hold
    colours = {tuple(pixel) for pixel in np.rint(255 * picture).astype(int).reshape(-1, 3)}
    wanted = {tuple(pixel) for pixel in np.rint(255 * guide).astype(int).reshape(-1, 3)}
    assert len(colours & wanted) > 0.9 * len(wanted)


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        (["--count", "0"], "--count"),
        (["--count", "2", "--seed", "-1"], "--seed"),
        (["--count", "2", "--family", "cubes"], "give one of cuboids"),
        (["--count", "2", "--size", "0x5"], "--size"),
        (["--count", "2", "--far", "0"], "--far is 0"),
        (["--count", "2", "--camera", "fisheye"], "--camera"),
    ],
)
def test_wrong_options_make_nothing(
    flags: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["render", str(tmp_path / "out"), *SMALL, *flags]) == 2
    assert says in complaint(capsys)
    assert not (tmp_path / "out").exists()


def test_what_is_there_is_neither_overwritten_nor_mixed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert rendered(tmp_path, "--count", "1") == 0
    assert rendered(tmp_path, "--count", "1") == 2
    assert "give --resume" in complaint(capsys)
    assert rendered(tmp_path, "--count", "2", "--seed", "9", "--resume") == 2
    assert "made with --seed 0, not 9" in complaint(capsys)
    (tmp_path / "render.json").write_text("{", encoding="utf-8")
    assert rendered(tmp_path, "--count", "2", "--resume") == 2
    assert "render.json" in complaint(capsys)


@pytest.fixture
def scenes(tmp_path: Path) -> Path:
    folder = tmp_path / "scenes"
    for name, values in (("one", np.add.outer(np.arange(24.0), np.arange(32.0)) / 10 + 1), ("two", np.eye(24) + 1)):
        folder.mkdir(exist_ok=True)
        atgvnet.DepthMap(values, unit="m").save(folder / f"{name}.npy")
    return folder


def degraded(source: Path, out: Path, *more: str, sensor: str = "tof") -> int:
    return main(["degrade", str(source), "-o", str(out), "--scale", "4", "--sensor", sensor, *more])


def test_a_sensor_measures_a_folder_whatever_the_order(scenes: Path, tmp_path: Path) -> None:
    assert degraded(scenes, tmp_path / "low", "--preview", str(tmp_path / "sheet.png")) == 0
    low = atgvnet.read(tmp_path / "low" / "one.npy")
    assert low.shape == (6, 8)
    assert np.nanmedian(abs(low.values - 3.7)) < 2
    assert degraded(scenes / "one.npy", tmp_path / "one.npy") == 0
    assert (tmp_path / "one.npy").read_bytes() == (tmp_path / "low" / "one.npy").read_bytes()
    assert degraded(scenes / "one.npy", tmp_path / "other.npy", "--seed", "1") == 0
    assert (tmp_path / "one.npy").read_bytes() != (tmp_path / "other.npy").read_bytes()
    assert imread(tmp_path / "sheet.png").std() > 0.05


def test_a_stopped_measuring_goes_on(scenes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert degraded(scenes, tmp_path / "whole") == 0
    assert degraded(scenes, tmp_path / "parts") == 0
    (tmp_path / "parts" / "two.npy").unlink()
    assert degraded(scenes, tmp_path / "parts") == 2
    assert "give --force or --resume" in complaint(capsys)
    assert degraded(scenes, tmp_path / "parts", "--resume", sensor="lidar") == 2
    assert "made with --sensor tof, not lidar" in complaint(capsys)
    assert degraded(scenes, tmp_path / "parts", "--resume") == 0
    assert contents(tmp_path / "parts") == contents(tmp_path / "whole")
    assert json.loads((tmp_path / "parts" / "degrade.json").read_text())["sensor"] == "tof"


def test_pairs_for_a_benchmark_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert rendered(tmp_path / "own" / "truth", "--count", "1", "--family", "planes") == 0
    assert degraded(tmp_path / "own" / "truth", tmp_path / "own" / "input", sensor="clean-middlebury") == 0
    assert main(["evaluate", str(tmp_path / "own"), "--method", "nearest", "--format", "json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["scale"] == 4


def test_one_bad_file_of_several_is_named(scenes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (scenes / "bad.npy").write_bytes(b"no map")
    assert degraded(scenes, tmp_path / "low") == 1
    assert "bad.npy" in capsys.readouterr().err
    assert len(contents(tmp_path / "low")) == 2
    assert degraded(scenes, tmp_path / "none", sensor="sonar") == 2
    assert "give one of noisy-middlebury" in complaint(capsys)
    assert not (tmp_path / "none").exists()
