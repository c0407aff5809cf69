"""A sensor's law is found again from frames of a still scene."""

from pathlib import Path

import numpy as np
import pytest

from atgvnet.cli import main
from atgvnet.errors import InputError
from atgvnet.noise import NoiseLaw, calibrate, load

LAWS = [NoiseLaw("constant", 0.02), NoiseLaw("inverse", 0.05), NoiseLaw("linear", 0.01), NoiseLaw("quadratic", 0.004)]


def frames(law: NoiseLaw, count: int = 5) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    truth = np.tile(np.linspace(0.8, 5, 80, dtype=np.float32), (60, 1))
    truth[20:40, 20:50] = 1.5
    return [truth + law.sigma(truth) * rng.standard_normal(truth.shape, dtype=np.float32) for _ in range(count)]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.kind)
def test_the_law_is_found_again(law: NoiseLaw) -> None:
    found = calibrate(frames(law))
    assert found.kind == law.kind
    assert found.coefficient == pytest.approx(law.coefficient, rel=0.05)


def test_holes_and_flying_pixels_do_not_matter() -> None:
    taken = frames(LAWS[3], 8)
    rng = np.random.default_rng(1)
    for frame in taken:
        frame[rng.random(frame.shape) < 0.1] = np.nan
        frame[20:40, 20] = rng.uniform(1, 5, 20)
    found = calibrate(taken)
    assert found.kind == "quadratic"
    assert found.coefficient == pytest.approx(0.004, rel=0.08)


def test_frames_that_cannot_say_are_errors() -> None:
    one = frames(LAWS[0])[0]
    with pytest.raises(InputError, match="at least two"):
        calibrate([one])
    with pytest.raises(InputError, match="one camera"):
        calibrate([one, one[1:]])
    with pytest.raises(InputError, match="0 pixels are valid"):
        calibrate([np.full_like(one, np.nan)] * 3)
    assert calibrate([one, one]).kind == "none"


def test_the_command_writes_what_upscale_reads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = []
    for number, frame in enumerate(frames(LAWS[3])):
        paths.append(tmp_path / f"{number}.npy")
        np.save(paths[-1], frame)
    out = tmp_path / "sensor.json"
    assert main(["calibrate", *map(str, paths), "-o", str(out)]) == 0
    assert "quadratic" in capsys.readouterr().out
    assert load(out).coefficient == pytest.approx(0.004, rel=0.05)
    assert (
        main(["upscale", str(paths[0]), "-o", str(tmp_path / "up.npy"), "--noise", str(out), "--method", "bicubic"])
        == 0
    )
    assert main(["calibrate", str(paths[0]), "-o", str(out)]) == 2
