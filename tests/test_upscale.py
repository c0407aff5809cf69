"""The facade: sizes, holes, weights, units, and every way of asking for the impossible."""

import math
from pathlib import Path

import numpy as np
import pytest

import atgvnet
from atgvnet import Camera, DepthMap
from atgvnet.methods.problem import Estimate, Problem
from atgvnet.noise import NoiseLaw
from atgvnet.upscaler import Upscaler, known_pixels

NAN = math.nan


def ramp(height: int = 8, width: int = 10) -> DepthMap:
    return DepthMap(100 + 3 * np.arange(width) + np.zeros((height, 1)), unit="mm")


class Recorder:
    """A method that keeps the problem and answers with nearest neighbours."""

    guided = False
    source = "here"

    def __call__(self, problem: Problem, /) -> Estimate:
        self.problem = problem
        return Estimate(values=np.full(problem.size, 7, np.float32))


@pytest.mark.parametrize("scale", [1, 1.5, 2, 3, 4, 5.08, 16])
def test_the_result_has_the_size_asked_for(scale: float) -> None:
    depth = ramp()
    result = atgvnet.upscale(depth, scale=scale, method="bilinear").depth
    assert result.shape == (round(8 * scale), round(10 * scale))
    assert result.unit == "mm"


def test_a_size_of_another_aspect_moves_the_camera_with_it() -> None:
    camera = Camera(fx=50, fy=60, cx=4.5, cy=3.5)
    depth = DepthMap(ramp().values, unit="mm", camera=camera)
    result = atgvnet.upscale(depth, size=(24, 50), method="nearest").depth
    assert result.camera == Camera(fx=250, fy=180, cx=24.5, cy=11.5)


def test_a_plane_keeps_its_place_under_the_pixel_centre_rule() -> None:
    result = atgvnet.upscale(ramp(), scale=4, method="bilinear").depth
    x = (np.arange(40) + 0.5) / 4 - 0.5
    np.testing.assert_allclose(result.values[5, 2:-2], (100 + 3 * x)[2:-2], rtol=1e-6)


def test_load_once_and_call_often_is_the_same() -> None:
    upscaler = atgvnet.load("bicubic", scale=3)
    expected = atgvnet.upscale(ramp(), scale=3, method="bicubic").depth.values
    for _ in range(2):
        np.testing.assert_array_equal(upscaler(ramp()).depth.values, expected)


def test_the_default_method_is_named_in_one_place_and_works() -> None:
    assert atgvnet.upscale(ramp(), scale=2).depth.shape == (16, 20)


def test_holes_are_kept_where_they_were() -> None:
    values = np.ones((6, 6))
    values[2:4, 2:4] = NAN
    result = atgvnet.upscale(DepthMap(values), scale=4, method="nearest").depth
    assert result.valid.sum() == pytest.approx(32 * 16, abs=12)
    assert not result.valid[9:15, 9:15].any()
    assert result.valid[:7].all()


def test_holes_are_filled_all_or_by_size() -> None:
    values = np.ones((12, 12))
    values[1, 1] = values[6:10, 6:10] = NAN
    depth = DepthMap(values)
    assert atgvnet.upscale(depth, scale=2, method="nearest", holes="fill").depth.valid.all()
    some = atgvnet.upscale(depth, scale=2, method="nearest", holes=1).depth.valid
    assert some[2:4, 2:4].all()
    assert not some[14:18, 14:18].any()


@pytest.mark.parametrize("seed", range(40))
def test_an_output_pixel_is_known_if_its_input_pixel_and_all_around_are(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scale = int(rng.integers(1, 5))
    valid = rng.random(rng.integers(1, 8, 2)) < 0.7
    size = (valid.shape[0] * scale, valid.shape[1] * scale)
    known = known_pixels(valid, size, "keep")
    same = np.kron(valid, np.ones((scale, scale), bool))
    padded = np.pad(valid, 1, mode="edge")
    around = [padded[1 + y :][: valid.shape[0], 1 + x :][:, : valid.shape[1]] for y in (-1, 0, 1) for x in (-1, 0, 1)]
    alike = np.kron(np.all(around, axis=0) | ~np.any(around, axis=0), np.ones((scale, scale), bool))
    np.testing.assert_array_equal(known[alike], same[alike])


def test_what_is_stored_under_a_missing_pixel_never_matters() -> None:
    valid = np.ones((8, 10), bool)
    valid[3, 4] = False
    values = [np.where(valid, ramp().values, filler) for filler in (0, 65535, NAN, np.inf)]
    results = [atgvnet.upscale(DepthMap(array, valid), scale=2, method="bicubic").depth.values for array in values]
    for result in results[1:]:
        np.testing.assert_array_equal(result, results[0])


def test_weight_zero_is_missing_bit_for_bit() -> None:
    weight = np.ones((8, 10))
    weight[3, 4] = 0
    expected = atgvnet.upscale(DepthMap(ramp().values, weight > 0, "mm"), scale=2, method="bicubic")
    found = atgvnet.upscale(ramp(), scale=2, method="bicubic", weight=weight)
    np.testing.assert_array_equal(found.depth.values, expected.depth.values)


def test_a_method_is_given_noise_weight_and_unit() -> None:
    method = Recorder()
    values = np.array([[2.0, NAN], [4.0, 8.0]])
    weight = [[2, 2], [1, 0]]
    Upscaler(method=method, scale=2, noise=NoiseLaw("quadratic", 0.5))(DepthMap(values, unit="mm"), weight=weight)
    np.testing.assert_array_equal(method.problem.values, np.float32([[2, NAN], [4, NAN]]))
    np.testing.assert_array_equal(method.problem.sigma, [[2, 0], [8, 0]])
    np.testing.assert_array_equal(method.problem.weight, [[1, 0], [0.5, 0]])
    assert method.problem.unit == "mm"


@pytest.mark.parametrize(("noise", "sigma"), [("none", 0), (0.25, 0.25), ("0.25", 0.25), ("paper", 6.51)])
def test_noise_is_a_name_or_a_number(noise: str | float, sigma: float) -> None:
    method = Recorder()
    Upscaler(method=method, noise=noise)(DepthMap([[100.0]]))
    assert method.problem.sigma == pytest.approx(np.array([[sigma]]))


def test_a_guide_reaches_the_method_in_0_to_1() -> None:
    method = Recorder()
    Upscaler(method=method, scale=2)(DepthMap([[1.0]]), guide=np.full((2, 2, 3), 255, np.uint8))
    np.testing.assert_array_equal(method.problem.guide, np.ones((2, 2, 3), np.float32))


def test_progress_reaches_the_method() -> None:
    method, seen = Recorder(), []
    Upscaler(method=method)(ramp(), progress=seen.append)
    method.problem.progress(0.5)
    assert seen == [0.5]


@pytest.mark.parametrize("method", ["nearest", "bilinear", "bicubic"])
@pytest.mark.parametrize("values", [[[3.0]], [[NAN]], [[NAN, 3.0, NAN]], np.full((1, 9), NAN), np.full((5, 2), -4.0)])
def test_the_smallest_maps_work(method: str, values: object) -> None:
    depth = DepthMap(values)
    result = atgvnet.upscale(depth, scale=3, method=method, holes="fill").depth
    known = depth.values[depth.valid]
    assert result.valid.all() if known.size else not result.valid.any()
    np.testing.assert_allclose(result.values[result.valid], known[0] if known.size else 0, rtol=1e-6)


def test_a_method_that_gives_another_size_is_told_so() -> None:
    def wrong(problem: Problem, /) -> Estimate:
        return Estimate(values=problem.values)

    with pytest.raises(atgvnet.InputError, match=r"gave a map of \(8, 10\), not \(16, 20\)"):
        Upscaler(method=wrong, scale=2)(ramp())


BAD: list[tuple[dict[str, object], str]] = [
    ({"scale": 0.5}, "scale is 0.5"),
    ({"scale": NAN}, "scale is nan"),
    ({"scale": math.inf}, "scale is inf"),
    ({"scale": 1e9}, "at most"),
    ({"size": (4, 4)}, "give a larger one"),
    ({"size": (0, 40)}, "give a larger one"),
    ({"holes": "drop"}, "holes is 'drop'"),
    ({"holes": -1}, "holes is -1"),
    ({"noise": "loud"}, "noise is 'loud'"),
    ({"noise": -1.0}, "coefficient is -1"),
    ({"method": "magic"}, "method is 'magic'"),
    ({"method": "nearest", "model": "fast"}, "give one of them"),
    ({"model": "magic"}, "magic"),
    ({"tile": 64}, "tile is 64"),
    ({"tile": 0}, "tile is 0"),
    ({"precision": "float64"}, "precision is 'float64'"),
    ({"precision": "bfloat16"}, "precision is 'bfloat16'"),
    ({"ensemble": True}, "ensemble is True"),
    ({"device": "cuda"}, "device is 'cuda'"),
    ({"weight": np.ones((2, 2))}, "weight: the shape"),
    ({"weight": np.full((8, 10), -1.0)}, "weight: it holds negative"),
    ({"weight": np.full((8, 10), NAN)}, "non-finite"),
    ({"guide": np.ones((8, 10, 3))}, "the guide is"),
    ({"guide": np.ones((32, 40))}, "the guide is"),
]


@pytest.mark.parametrize(("options", "message"), BAD, ids=[message for _, message in BAD])
def test_what_cannot_work_is_one_typed_error(options: dict[str, object], message: str) -> None:
    with pytest.raises(atgvnet.AtgvnetError, match=message):
        atgvnet.upscale(ramp(), **({"method": "nearest"} if "model" not in options else {}) | options)


def test_a_network_is_told_how_to_compute() -> None:
    upscaler = atgvnet.load("fast", tile=64, precision="float32", ensemble=True, device="cpu")
    run = upscaler.method.run
    assert (run.tile, run.precision, run.ensemble, run.device) == (64, "float32", True, "cpu")
    with pytest.raises(atgvnet.InputError, match="device is 'abacus'"):
        atgvnet.load("fast", device="abacus")


def test_a_method_that_needs_a_guide_says_so() -> None:
    class Guided(Recorder):
        guided = True

    with pytest.raises(atgvnet.GuideError, match="needs a guide; give a colour image of 32x40"):
        Upscaler(method=Guided())(ramp())


def test_the_result_is_saved_as_the_input_was(tmp_path: Path) -> None:
    DepthMap([[1.0, 2.0], [NAN, 4.0]], unit="m").save(tmp_path / "in.png", depth_scale=5000)
    depth = atgvnet.read(tmp_path / "in.png", depth_scale=5000)
    atgvnet.upscale(depth, scale=2, method="nearest").depth.save(tmp_path / "out.png")
    again = atgvnet.read(tmp_path / "out.png", depth_scale=5000)
    np.testing.assert_array_equal(again.values[0], [1, 1, 2, 2])
    assert not again.valid[3, 0]
