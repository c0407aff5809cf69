"""What is promised of `atgvnet upscale`, typed: each format, scale, noise, hole, weight and extra, by the network."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

from atgvnet import Camera, DepthMap, InputError, read
from atgvnet.cli import main
from atgvnet.cli import upscale as command
from atgvnet.cli.batch import Job
from atgvnet.depthmap import Unit
from atgvnet.noise import NoiseLaw, save

CAMERA = Camera(fx=20, fy=20, cx=7.5, cy=5.5)
SHAPE = (12, 16)


def upscale(*arguments: object) -> int:
    return main(["upscale", *map(str, arguments)])


def surface(shape: tuple[int, int] = SHAPE, factor: int = 1) -> np.ndarray:
    """Give a slanted wall behind a box, in metres, the coarse grid refined by a factor."""
    y, x = ((np.arange(factor * side) + 0.5) / factor - 0.5 for side in shape)
    wall = 2 + np.add.outer(0.02 * y, 0.01 * x)
    wall[2 * factor : 7 * factor, 9 * factor : 14 * factor] = 1.2
    return wall


@pytest.fixture
def metres(tmp_path: Path) -> Path:
    np.save(tmp_path / "m.npy", surface().astype(np.float32))
    return tmp_path / "m.npy"


FORMATS: dict[str, tuple[Unit, float | None, list[str]]] = {
    "mm.png": ("mm", None, []),
    "m.npy": ("m", None, []),
    "m.npz": ("m", None, []),
    "tum.png": ("m", 5000, ["--depth-scale", "5000"]),
    "kitti.png": ("m", 256, ["--depth-scale", "256"]),
    "kitti-disparity.png": ("disparity", 256, ["--depth-scale", "256", "--unit", "disparity"]),
    "whole.png": ("disparity", None, []),
    "disparity.pfm": ("disparity", None, []),
    "m.exr": ("m", None, []),
    "m.tiff": ("m", None, []),
    "m.tif": ("m", None, []),
    "m.mat": ("m", None, []),
}


@pytest.mark.parametrize("name", FORMATS)
def test_each_format_keeps_itself_its_unit_and_its_values(name: str, tmp_path: Path) -> None:
    unit, depth_scale, flags = FORMATS[name]
    change: Callable[[np.ndarray], np.ndarray] = {
        "mm": lambda z: 1000 * z,
        "m": lambda z: z,
        "disparity": lambda z: np.rint(120 / z),
    }[unit]
    before, finer = change(surface()), change(surface(factor=4))
    before[9:11, 2:5] = np.nan
    DepthMap(before, unit=unit).save(tmp_path / name, depth_scale=depth_scale)
    out = tmp_path / f"out-{name}"
    assert upscale(tmp_path / name, "-o", out, *flags) == 0
    source, after = (read(path, unit=unit, depth_scale=depth_scale) for path in (tmp_path / name, out))
    assert (after.unit, after.shape, str(after.encoding)) == (unit, (48, 64), str(source.encoding))
    assert not after.valid[37:43, 9:19].any()
    error = np.abs(after.values - finer)[after.valid]
    assert np.median(error) < 0.02 * np.ptp(finer)


@pytest.mark.parametrize("scale", ["1", "1.5", "2", "3", "4", "5", "5.08", "8", "16"])
def test_any_scale(scale: str, metres: Path, tmp_path: Path) -> None:
    assert upscale(metres, "-o", tmp_path / "out.npy", "--scale", scale) == 0
    found = np.load(tmp_path / "out.npy")
    assert found.shape == tuple(round(side * float(scale)) for side in SHAPE)
    y, x = ((np.arange(size) + 0.5) / float(scale) - 0.5 for size in found.shape)
    assert np.median(np.abs(found - (2 + np.add.outer(0.02 * y, 0.01 * x)))) < 0.02


@pytest.mark.parametrize("size", ["12x16", "13x97", "50x16", "100x101"])
def test_any_size(size: str, metres: Path, tmp_path: Path) -> None:
    assert upscale(metres, "-o", tmp_path / "out.npy", "--size", size) == 0
    assert "x".join(map(str, np.load(tmp_path / "out.npy").shape)) == size


@pytest.mark.parametrize(("holes", "filled"), [("keep", (0, 0)), ("4", (1, 0)), ("12", (1, 1)), ("fill", (1, 1))])
def test_holes_are_filled_up_to_a_size(holes: str, filled: tuple[int, int], tmp_path: Path) -> None:
    values = surface((16, 24)).astype(np.float32)
    values[3:5, 3:5], values[9:12, 16:20] = np.nan, np.nan
    np.save(tmp_path / "in.npy", values)
    assert upscale(tmp_path / "in.npy", "-o", tmp_path / "out.npy", "--holes", holes) == 0
    found = np.isfinite(np.load(tmp_path / "out.npy"))
    small, large = found[13:19, 13:19], found[37:47, 65:79]
    assert (small.all(), large.all()) == tuple(map(bool, filled))
    assert (small.any(), large.any()) == tuple(map(bool, filled))


def test_what_is_stored_under_missing_pixels_changes_no_byte(tmp_path: Path) -> None:
    outs = []
    for stored in (0, 65535, 1234):
        values = np.rint(1000 * surface()).astype(np.uint16)
        values[4:6, 3:6] = values[11, 15] = stored
        DepthMap(values, unit="mm").save(tmp_path / "in.png", invalid=float("nan"))
        out = tmp_path / f"{stored}.npy"
        assert upscale(tmp_path / "in.png", "-o", out, "--invalid", stored) == 0
        outs.append(out.read_bytes())
    assert outs[0] == outs[1] == outs[2]


@pytest.mark.parametrize("share", [0.025, 0.2])
def test_sparse_maps_become_dense_ones(share: float, tmp_path: Path) -> None:
    """As warped maps are: the plane between single known pixels is found again."""
    shape = (96, 128)
    plane = np.add.outer(2 + 0.01 * np.arange(shape[0]), 0.005 * np.arange(shape[1]))
    known = np.random.default_rng(0).random(shape) < share
    np.save(tmp_path / "in.npy", np.where(known, plane, np.nan).astype(np.float32))
    assert upscale(tmp_path / "in.npy", "-o", tmp_path / "out.npy", "--scale", "2", "--holes", "fill") == 0
    found = np.load(tmp_path / "out.npy")
    y, x = ((np.arange(2 * side) + 0.5) / 2 - 0.5 for side in shape)
    finer = 2 + np.add.outer(0.01 * y, 0.005 * x)
    assert np.abs(found - finer).mean() < 0.03 * np.ptp(finer)


@pytest.mark.parametrize("tile", [1, 37, 100])
def test_tiles_change_nothing(tile: int, tmp_path: Path) -> None:
    """On a map that is longer than what a tile sees."""
    values = surface((8, 120)) + 0.01 * np.random.default_rng(0).standard_normal((8, 120))
    np.save(tmp_path / "in.npy", values.astype(np.float32))
    for precision, bound in (("float32", 1e-5), ("bfloat16", 1e-3)):
        given = [tmp_path / "in.npy", "--precision", precision]
        assert upscale(*given, "-o", tmp_path / "whole.npy", "--force") == 0
        assert upscale(*given, "-o", tmp_path / "tiled.npy", "--force", "--tile", tile) == 0
        one, other = (np.load(tmp_path / name) for name in ("whole.npy", "tiled.npy"))
        assert np.abs(one - other).max() <= bound * np.ptp(values)


def test_noise_is_estimated_named_a_number_or_a_file(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    values = surface((24, 32)) + 0.03 * rng.standard_normal((24, 32))
    np.save(tmp_path / "in.npy", values.astype(np.float32))
    save(NoiseLaw("constant", 30.0, "mm"), tmp_path / "sensor.json")
    found = {}
    for noise in ("auto", "none", "kinect", "0.03", str(tmp_path / "sensor.json")):
        arguments = ["--noise", noise, "--precision", "float32", "--force"]
        assert upscale(tmp_path / "in.npy", "-o", tmp_path / "out.npy", *arguments) == 0
        found[Path(noise).name] = np.load(tmp_path / "out.npy")
    np.testing.assert_array_equal(found["sensor.json"], found["0.03"])
    roughness = {name: np.abs(np.diff(result, 2, axis=1)).mean() for name, result in found.items()}
    assert roughness["auto"] < 0.8 * roughness["none"]
    assert roughness["0.03"] < 0.8 * roughness["none"]
    assert np.abs(found["kinect"] - found["none"]).max() > 1e-4


@pytest.mark.parametrize("noise", ["kinect", "auto"])
def test_noise_is_the_same_in_metres_and_millimetres(noise: str, tmp_path: Path) -> None:
    values = surface((24, 32)) + 0.005 * np.random.default_rng(0).standard_normal((24, 32))
    results = []
    for factor, unit in ((1, "m"), (1000, "mm")):
        np.save(tmp_path / "in.npy", (factor * values).astype(np.float32))
        arguments = ["--unit", unit, "--noise", noise, "--precision", "float32", "--force"]
        assert upscale(tmp_path / "in.npy", "-o", tmp_path / "out.npy", *arguments) == 0
        results.append(np.load(tmp_path / "out.npy") / factor)
    np.testing.assert_allclose(results[0], results[1], atol=2e-4)


def test_calibrated_noise_in_millimetres_serves_maps_in_metres(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng, exact = np.random.default_rng(0), 1000 * surface((24, 32))
    for number in range(4):
        DepthMap(exact + 8 * rng.standard_normal(exact.shape), unit="mm").save(tmp_path / f"still{number}.png")
    law = tmp_path / "sensor.json"
    assert main(["calibrate", str(tmp_path / "still*.png"), "-o", str(law)]) == 0
    assert "in mm" in capsys.readouterr().out
    stored = json.loads(law.read_text(encoding="utf-8"))["noise"]
    assert stored["unit"] == "mm"
    assert stored["coefficient"] == pytest.approx(8, rel=0.1)
    assert main(["calibrate", str(tmp_path / "still*.png"), "-o", str(law)]) == 2
    assert "exists; give --force" in capsys.readouterr().err
    DepthMap(exact / 1000).save(tmp_path / "m.npy")
    assert upscale(tmp_path / "m.npy", "-o", tmp_path / "out.npy", "--noise", law) == 0
    DepthMap(exact).save(tmp_path / "d.pfm")
    assert upscale(tmp_path / "d.pfm", "-o", tmp_path / "out.pfm", "--noise", law) == 2
    assert "in mm, the map's are in disparity" in capsys.readouterr().err


def test_a_phone_s_confidence_takes_pixels_out_and_makes_them_doubtful(tmp_path: Path) -> None:
    values, confidence = surface(), np.full(SHAPE, 2, np.uint8)
    values[8:10, 3:5], confidence[8:10, 3:5] = 9.0, 0
    np.save(tmp_path / "depth.npy", values.astype(np.float32))
    Image.fromarray(confidence).save(tmp_path / "confidence.png")
    arguments = ["--weight", tmp_path / "confidence.png", "--holes", "fill"]
    assert upscale(tmp_path / "depth.npy", "-o", tmp_path / "out.npy", *arguments) == 0
    assert np.load(tmp_path / "out.npy").max() < 3


def test_a_range_is_upscaled_along_planes_and_stays_a_range(tmp_path: Path) -> None:
    plane = DepthMap(np.add.outer(0.01 * np.arange(12), 2 + 0.02 * np.arange(16)), camera=CAMERA)
    plane.to_kind("range").save(tmp_path / "range.npy")
    (tmp_path / "camera.json").write_text(CAMERA.to_json(), encoding="utf-8")
    given = ["--camera", tmp_path / "camera.json", "--kind", "range"]
    assert upscale(tmp_path / "range.npy", "-o", tmp_path / "out.npy", *given) == 0
    large = CAMERA.rescaled(4, 4)
    z = read(tmp_path / "out.npy", kind="range", camera=large).to_kind("z").values
    y, x = ((np.arange(4 * side) + 0.5) / 4 - 0.5 for side in SHAPE)
    assert np.abs(z - (2 + np.add.outer(0.01 * y, 0.02 * x)))[6:-6, 6:-6].max() < 0.01


def test_points_are_read_by_others_and_a_plane_is_planar(tmp_path: Path) -> None:
    trimesh = pytest.importorskip("trimesh")
    normal = np.array([0.2, -0.1, -1.0]) / np.linalg.norm([0.2, -0.1, -1.0])
    shape = (24, 32)
    camera = Camera(fx=40, fy=40, cx=15.5, cy=11.5)
    DepthMap(-2 / (camera.rays(shape) @ normal)).save(tmp_path / "in.npy")
    (tmp_path / "camera.json").write_text(camera.to_json(), encoding="utf-8")
    given = ["--camera", tmp_path / "camera.json", "--points", tmp_path / "cloud.ply"]
    assert upscale(tmp_path / "in.npy", "-o", tmp_path / "out.npy", *given) == 0
    cloud = trimesh.load(tmp_path / "cloud.ply", process=False)
    assert cloud.vertices.shape == (24 * 32 * 16, 3)
    assert np.abs(cloud.vertices @ normal + 2).max() < 0.02
    assert np.unique(cloud.colors[:, :3]).size > 50
    raw = (tmp_path / "cloud.ply").read_bytes()
    fields = [line.split()[2] for line in raw[:500].decode("latin-1").splitlines() if line.startswith("property")]
    assert fields[3:6] == ["nx", "ny", "nz"]


def test_a_map_without_a_known_pixel_has_all_that_was_asked_for(tmp_path: Path) -> None:
    DepthMap(np.full(SHAPE, np.nan)).save(tmp_path / "in.npy")
    (tmp_path / "camera.json").write_text(CAMERA.to_json(), encoding="utf-8")
    extras = ["--camera", tmp_path / "camera.json", "--confidence", tmp_path / "c.png"]
    extras += ["--preview", tmp_path / "p.png", "--points", tmp_path / "p.ply"]
    assert upscale(tmp_path / "in.npy", "-o", tmp_path / "out.npy", *extras) == 0
    assert np.isnan(np.load(tmp_path / "out.npy")).all()
    assert not read(tmp_path / "c.png", invalid=None).values.any()
    assert b"element vertex 0\n" in (tmp_path / "p.ply").read_bytes()


def test_one_map_of_a_file_of_several_is_chosen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.savez(tmp_path / "two.npz", near=surface(), far=surface() + 5)
    arguments = [tmp_path / "two.npz", "-o", tmp_path / "out.npz"]
    assert upscale(*arguments) == 2
    assert "choose by name (variable) among: near, far" in capsys.readouterr().err
    assert upscale(*arguments, "--variable", "far") == 0
    with np.load(tmp_path / "out.npz") as written:
        assert written["far"].min() > 5


@pytest.mark.parametrize("threads", [1, 3])
def test_many_maps_at_once_are_those_of_one_by_one_in_order(
    threads: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = torch.get_num_threads()
    (tmp_path / "in").mkdir()
    rng = np.random.default_rng(0)
    for number in range(9):
        side = int(rng.integers(6, 20))
        np.save(tmp_path / "in" / f"{number}.npy", rng.random((side, 12), dtype=np.float32) + number)
    (tmp_path / "in" / "4.npy").write_bytes(b"broken")
    written: list[str] = []
    real = command._Task.write

    def noting(task: command._Task, job: Job, made: Any) -> None:
        written.append(job.source.stem)
        real(task, job, made)

    monkeypatch.setattr(command._Task, "write", noting)
    torch.set_num_threads(threads)
    try:
        assert upscale(tmp_path / "in", "-o", tmp_path / "out", "--precision", "float32") == 1
        assert torch.get_num_threads() == threads
    finally:
        torch.set_num_threads(before)
    assert written == [str(number) for number in range(9) if number != 4]
    alone = tmp_path / "alone.npy"
    assert upscale(tmp_path / "in" / "7.npy", "-o", alone, "--precision", "float32") == 0
    np.testing.assert_allclose(np.load(tmp_path / "out" / "7.npy"), np.load(alone), atol=1e-4)  # other kernels


CLASHES: dict[str, tuple[list[str], str]] = {
    "over an existing picture": (["--preview", "there.png"], "there.png exists; give --force"),
    "confidence is the result": (["--confidence", "out.npy"], "would be written twice, or over an input"),
    "preview is no PNG": (["--preview", "p.jpg"], "--preview is {}/p.jpg; give a name that ends in .png"),
    "points are no PLY": (["--points", "p.obj", "--camera", "camera.json"], "ends in .ply"),
    "points without a camera": (["--points", "p.ply"], "no camera is given; give --camera"),
    "a broken camera": (["--camera", "there.png"], "there.png: camera: "),
    "a camera that is a folder": (["--camera", "."], "Is a directory; give a JSON file"),
    "a folder that is a file": (["-o", "there.png/x.npy"], "there.png: cannot be made a folder"),
}


@pytest.mark.parametrize("case", CLASHES)
def test_nothing_is_begun_that_cannot_end_well(
    case: str, metres: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments, message = CLASHES[case]
    (tmp_path / "there.png").write_bytes(b"{}")
    (tmp_path / "camera.json").write_text(CAMERA.to_json(), encoding="utf-8")
    given = [word if word.startswith("-") else tmp_path / word for word in arguments]
    out = [] if "-o" in given else ["-o", tmp_path / "out.npy"]
    assert upscale(metres, *out, *given) == 2
    error = capsys.readouterr().err
    assert message.format(tmp_path) in error
    assert error.count("\n") == 1
    assert (tmp_path / "there.png").read_bytes() == b"{}"
    assert not (tmp_path / "out.npy").exists()


def test_a_law_for_other_values_is_refused() -> None:
    assert NoiseLaw("quadratic", 2e-3, "m").in_unit("mm").sigma([2000.0])[0] == pytest.approx(8)
    assert NoiseLaw("constant", 5.0, "mm").in_unit("m").coefficient == pytest.approx(0.005)
    with pytest.raises(InputError, match="in disparity, the map's are in m"):
        NoiseLaw("constant", 1.0, "disparity").in_unit("m")
    with pytest.raises(InputError, match="unit is 'inch'"):
        NoiseLaw("constant", 1.0, "inch")  # type: ignore[arg-type]  # wrong on purpose
