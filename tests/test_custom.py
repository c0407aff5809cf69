"""Somebody's own method from a file."""

from pathlib import Path

import numpy as np
import pytest

import atgvnet
from atgvnet import weights
from atgvnet.custom import find_method, load_method

MAP = atgvnet.DepthMap([[1.0, 2.0]])


def write(folder: Path, text: str) -> Path:
    path = folder / "mine.py"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_function_is_enough(tmp_path: Path) -> None:
    path = write(tmp_path, "import numpy as np\ndef upscale(problem):\n    return np.full(problem.size, 9)\n")
    np.testing.assert_array_equal(atgvnet.upscale(MAP, scale=2, method=path).depth.values, np.full((2, 4), 9))


def test_an_object_with_parameters_is_taken_as_it_is(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "from dataclasses import dataclass\nimport numpy as np\nfrom atgvnet.methods import Estimate\n\n"
        "@dataclass(frozen=True)\nclass Mine:\n    value: float = 3.0\n    guided = False\n    source = 'me'\n"
        "    def __call__(self, problem, /):\n"
        "        return Estimate(values=np.full(problem.size, self.value, np.float32))\n\n"
        "METHOD = Mine(value=5.0)\n",
    )
    np.testing.assert_array_equal(atgvnet.upscale(MAP, scale=1, method=str(path)).depth.values, [[5, 5]])


def test_a_name_finds_the_package_s_own() -> None:
    assert type(find_method("nearest")).__name__ == "Nearest"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "neither METHOD nor upscale"),
        ("METHOD = 3\n", "METHOD is 3; it must be callable"),
        ("x = 1\ny = 1 / 0\n", r"mine.py:2: ZeroDivisionError: division by zero"),
        ("def upscale(:\n", "SyntaxError"),
    ],
)
def test_a_file_that_cannot_serve_is_one_typed_error(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(atgvnet.InputError, match=message):
        load_method(write(tmp_path, text))


def test_what_a_function_raises_names_its_line(tmp_path: Path) -> None:
    path = write(tmp_path, "def upscale(problem):\n    return problem.depth\n")
    with pytest.raises(atgvnet.InputError, match=r"mine.py:2: AttributeError"):
        atgvnet.upscale(MAP, method=path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(atgvnet.FileError, match="there is no such file"):
        load_method(tmp_path / "none.py")


@pytest.mark.parametrize("model", ["universal", "universal-x4", str(weights.find("universal"))])
def test_a_network_is_found_by_its_name_its_weights_or_their_file(
    model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "universal").mkdir()
    monkeypatch.chdir(tmp_path)
    assert atgvnet.upscale(MAP, scale=4, model=model).depth.shape == (4, 8)


def test_a_folder_without_weights_is_one_typed_error(tmp_path: Path) -> None:
    with pytest.raises(atgvnet.WeightsError, match="none are"):
        atgvnet.upscale(MAP, model=str(tmp_path))
