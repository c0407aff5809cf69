"""What upscale writes beside the map."""

import json
from pathlib import Path

import numpy as np
import pytest

import atgvnet
from atgvnet.cli import main

CAMERA = {"fx": 40, "fy": 40, "cx": 11.5, "cy": 7.5}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    values = np.add.outer(np.linspace(1, 1.2, 16), np.linspace(0, 0.3, 24))
    values[4:12, 8:16] = 2
    for name in ("a.png", "b.png"):
        atgvnet.DepthMap(values, unit="m").save(tmp_path / name)
    (tmp_path / "camera.json").write_text(json.dumps(CAMERA))
    return tmp_path


def test_confidence_preview_and_points_of_one_map(folder: Path) -> None:
    arguments = ["--camera", str(folder / "camera.json"), "--method", "fast", "--confidence", str(folder / "c.npy")]
    arguments += ["--preview", str(folder / "p.png"), "--points", str(folder / "p.ply")]
    assert main(["upscale", str(folder / "a.png"), "-o", str(folder / "out.png"), *arguments]) == 0
    confidence = np.load(folder / "c.npy")
    assert confidence.shape == (64, 96)
    assert 0 < confidence.min() < confidence.max() <= 1
    assert (folder / "p.ply").read_bytes().startswith(b"ply")
    assert (folder / "p.png").stat().st_size > 1000


def test_of_several_maps_each_has_its_own(folder: Path) -> None:
    arguments = ["-o", str(folder / "out"), "--method", "fast", "--confidence", str(folder / "sure")]
    assert main(["upscale", str(folder / "a.png"), str(folder / "b.png"), *arguments]) == 0
    assert sorted(path.name for path in (folder / "sure").iterdir()) == ["a.png", "b.png"]
    stored = atgvnet.read(folder / "sure" / "a.png", depth_scale=65535, invalid=None).values
    assert 0 <= stored.min() < stored.max() <= 1


def test_the_last_of_several_on_resuming_has_its_own_too(folder: Path) -> None:
    (folder / "out").mkdir()
    (folder / "out" / "a.png").write_bytes(b"done before")
    arguments = ["-o", str(folder / "out"), "--method", "fast", "--confidence", str(folder / "sure"), "--resume"]
    assert main(["upscale", str(folder / "a.png"), str(folder / "b.png"), *arguments]) == 0
    assert [path.name for path in (folder / "sure").iterdir()] == ["b.png"]


def test_a_method_without_confidence_and_points_without_a_camera_are_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["upscale", str(folder / "a.png"), "-o", str(folder / "out.png"), "--method", "nearest"]
    assert main([*given, "--confidence", str(folder / "c.npy")]) == 2
    assert main([*given, "--points", str(folder / "p.ply")]) == 2
    assert capsys.readouterr().err.count("\n") == 2
    assert not (folder / "out.png").exists()


def test_ranges_along_the_ray_are_upscaled_as_z() -> None:
    camera = atgvnet.Camera(fx=40, fy=40, cx=11.5, cy=7.5)
    plane = atgvnet.DepthMap(np.full((16, 24), 2.0), camera=camera)
    result = atgvnet.upscale(plane.to_kind("range"), scale=2, method="bicubic").depth
    assert result.kind == "range"
    np.testing.assert_allclose(result.to_kind("z").values, 2, rtol=1e-5)
