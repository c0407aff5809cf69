"""`atgvnet upscale` end to end: formats, batches, failures, and nothing overwritten by accident."""

import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from atgvnet import Camera, DepthMap, read
from atgvnet.cli import main

NEAREST = ["--method", "nearest", "--scale", "2"]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.png"
    DepthMap([[1000, 1100, np.nan], [1200, 1300, 1400]], unit="mm").save(path)
    return path


def upscale(*arguments: str | Path) -> int:
    return main(["upscale", *map(str, arguments)])


def test_one_file_becomes_one_file_of_its_format_and_unit(source: Path, tmp_path: Path) -> None:
    assert upscale(source, "-o", tmp_path / "out.png", *NEAREST) == 0
    result = read(tmp_path / "out.png")
    assert (result.shape, result.unit) == ((4, 6), "mm")
    assert result.values[0, :4].tolist() == [1000, 1000, 1100, 1100]
    assert not result.valid[0, 5]


def test_the_name_of_the_output_chooses_another_format(source: Path, tmp_path: Path) -> None:
    assert upscale(source, "-o", tmp_path / "out.npy", *NEAREST) == 0
    assert np.load(tmp_path / "out.npy").shape == (4, 6)


@pytest.mark.parametrize("suffix", [".npy", ".npz", ".pfm", ".tif", ".exr", ".mat"])
def test_each_format_goes_in_and_out(suffix: str, tmp_path: Path) -> None:
    DepthMap([[1.5, 2.5], [3.5, np.nan]]).save(tmp_path / f"in{suffix}")
    assert upscale(tmp_path / f"in{suffix}", "-o", tmp_path / f"out{suffix}", *NEAREST) == 0
    result = read(tmp_path / f"out{suffix}")
    assert result.values[0].tolist() == [1.5, 1.5, 2.5, 2.5]
    assert result.valid.sum() == 12


@pytest.mark.parametrize(("scale", "unit"), [("5000", "m"), ("256", "m")])
def test_a_depth_scale_is_kept(scale: str, unit: str, tmp_path: Path) -> None:
    DepthMap([[1.5, 2.5]], unit="m").save(tmp_path / "in.png", depth_scale=float(scale))
    arguments = [tmp_path / "in.png", "-o", tmp_path / "out.png", "--depth-scale", scale, "--unit", unit, *NEAREST]
    assert upscale(*arguments) == 0
    assert read(tmp_path / "out.png", depth_scale=float(scale)).values[0].tolist() == [1.5, 1.5, 2.5, 2.5]


def test_a_folder_becomes_a_folder_and_the_broken_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "in").mkdir()
    for name in ("a.png", "c.png"):
        DepthMap([[1000.0, 1100.0]], unit="mm").save(tmp_path / "in" / name)
    (tmp_path / "in" / "b.png").write_bytes(b"\x89PNG\r\n\x1a\nnonsense")
    assert upscale(tmp_path / "in", "-o", tmp_path / "out", *NEAREST) == 1
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a.png", "c.png"]
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith(f"atgvnet: {tmp_path / 'in' / 'b.png'}: ")
    assert lines[1:] == ["atgvnet: 1 of 3 failed"]


def test_a_pattern_takes_what_it_names(tmp_path: Path) -> None:
    for name in ("depth_1.png", "depth_2.png", "other.png"):
        DepthMap([[1000.0, 1100.0]], unit="mm").save(tmp_path / name)
    assert upscale(tmp_path / "depth_*.png", "-o", tmp_path / "out", *NEAREST) == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["depth_1.png", "depth_2.png"]


def test_a_single_broken_file_is_one_line_and_status_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in.png").write_bytes(b"")
    assert upscale(tmp_path / "in.png", "-o", tmp_path / "out.png", *NEAREST) == 2
    err = capsys.readouterr().err
    assert err.startswith("atgvnet: ")
    assert "in.png" in err
    assert err.count("\n") == 1
    assert not (tmp_path / "out.png").exists()


def test_nothing_is_overwritten_unless_forced(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.png"
    out.write_bytes(b"precious")
    assert upscale(source, "-o", out, *NEAREST) == 2
    assert "exists; give --force or --resume" in capsys.readouterr().err
    assert upscale(source, "-o", out, *NEAREST, "--resume") == 0
    assert out.read_bytes() == b"precious"
    assert upscale(source, "-o", out, *NEAREST, "--force") == 0
    assert read(out).shape == (4, 6)


def test_the_input_is_never_overwritten(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = source.read_bytes()
    assert upscale(source, "-o", source, *NEAREST, "--force") == 2
    assert "is the input itself" in capsys.readouterr().err
    assert source.read_bytes() == before


def test_resume_does_only_what_is_left(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name in ("a.png", "b.png"):
        DepthMap([[1000.0, 1100.0]], unit="mm").save(tmp_path / "in" / name)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a.png").write_bytes(b"done before")
    assert upscale(tmp_path / "in", "-o", tmp_path / "out", *NEAREST, "--resume") == 0
    assert (tmp_path / "out" / "a.png").read_bytes() == b"done before"
    assert read(tmp_path / "out" / "b.png").shape == (2, 4)


def test_two_inputs_of_one_name_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        DepthMap([[1000.0]], unit="mm").save(tmp_path / folder / "in.png")
    assert upscale(tmp_path / "a", tmp_path / "b", "-o", tmp_path / "out", *NEAREST) == 2
    assert "would both become" in capsys.readouterr().err


def test_several_inputs_need_a_folder(source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert upscale(source, source, "-o", tmp_path / "out.png", *NEAREST) == 2
    assert "give a folder" in capsys.readouterr().err


def test_an_output_of_no_format_is_not_taken_for_a_folder(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert upscale(source, "-o", tmp_path / "out.jpg", *NEAREST) == 2
    assert "no format has the suffix .jpg" in capsys.readouterr().err
    (tmp_path / "made.by").mkdir()
    for folder in ("made.by", "version.2"):
        assert upscale(source, "-o", tmp_path / folder, *NEAREST) == 0
        assert (tmp_path / folder / source.name).exists()


def test_mask_and_weight_take_pixels_out(source: Path, tmp_path: Path) -> None:
    Image.fromarray(np.uint8([[255, 0, 255], [255, 255, 255]])).save(tmp_path / "mask.png")
    for option in ("--mask", "--weight"):
        out = tmp_path / f"{option}.png"
        assert upscale(source, "-o", out, *NEAREST, option, tmp_path / "mask.png") == 0
        assert not read(out).valid[:1, 3].any()


def test_a_mask_of_another_size_is_refused(source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    DepthMap([[255.0]], unit="disparity").save(tmp_path / "mask.png")
    assert upscale(source, "-o", tmp_path / "out.png", *NEAREST, "--mask", tmp_path / "mask.png") == 2
    assert "the mask is (1, 1), the map (2, 3)" in capsys.readouterr().err


def test_a_camera_is_read_and_a_broken_one_refused(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "camera.json").write_text(Camera(fx=10, fy=10, cx=1, cy=0.5).to_json(), encoding="utf-8")
    assert upscale(source, "-o", tmp_path / "a.png", *NEAREST, "--camera", tmp_path / "camera.json") == 0
    for text in (json.dumps({"fx": 1}), "[", "3", ""):
        (tmp_path / "camera.json").write_text(text, encoding="utf-8")
        assert upscale(source, "-o", tmp_path / "b.png", *NEAREST, "--camera", tmp_path / "camera.json") == 2
        assert capsys.readouterr().err.count("\n") == 1
    assert upscale(source, "-o", tmp_path / "b.png", *NEAREST, "--camera", tmp_path / "none.json") == 2


@pytest.mark.parametrize("size", ["4", "4x", "x4", "axb", "-4x8", "0x0", "1x1"])
def test_a_size_that_makes_no_sense_is_refused(size: str, source: Path, tmp_path: Path) -> None:
    assert upscale(source, "-o", tmp_path / "out.png", "--method", "nearest", "--size", size) == 2


def test_a_size_is_height_by_width(source: Path, tmp_path: Path) -> None:
    assert upscale(source, "-o", tmp_path / "out.png", "--method", "nearest", "--size", "5x9") == 0
    assert read(tmp_path / "out.png").shape == (5, 9)


def test_holes_are_filled_when_asked(source: Path, tmp_path: Path) -> None:
    assert upscale(source, "-o", tmp_path / "out.png", *NEAREST, "--holes", "fill") == 0
    assert read(tmp_path / "out.png").valid.all()


def test_a_method_of_ones_own_is_run(source: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text("import numpy as np\ndef upscale(problem): return np.full(problem.size, 77)\n", encoding="utf-8")
    assert upscale(source, "-o", tmp_path / "out.png", "--scale", "2", "--method", mine) == 0
    result = read(tmp_path / "out.png")
    assert set(result.values[result.valid]) == {77}


@pytest.mark.slow
def test_a_killed_run_leaves_whole_files_and_is_resumed(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for number in range(8):
        DepthMap([[1000.0, 1100.0 + number]], unit="mm").save(tmp_path / "in" / f"{number}.png")
    slowly = "import time\nimport numpy as np\ndef upscale(problem):\n    time.sleep(0.3)\n"
    (tmp_path / "slow.py").write_text(slowly + "    return np.full(problem.size, 7.0)\n", encoding="utf-8")
    arguments = [tmp_path / "in", "-o", tmp_path / "out", "--scale", "2", "--method", tmp_path / "slow.py"]
    running = subprocess.Popen([sys.executable, "-m", "atgvnet", "upscale", *map(str, arguments)])
    while running.poll() is None and len(list((tmp_path / "out").glob("*.png"))) < 2:
        time.sleep(0.02)
    running.kill()
    running.wait()
    done = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").glob("*.png")}
    assert 2 <= len(done) < 8
    assert upscale(*arguments, "--resume") == 0
    assert sorted(path.name for path in (tmp_path / "out").glob("*.png")) == [f"{number}.png" for number in range(8)]
    assert all(path.stat().st_mtime_ns == before for path, before in done.items())
    assert all(read(tmp_path / "out" / f"{number}.png").shape == (2, 4) for number in range(8))
