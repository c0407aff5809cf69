"""What users install: the wheel, in an environment that has nothing else, upscales the map that it carries."""

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# As in the Makefile: the CPU build of PyTorch where its index can be reached.
TORCH = ["torch", "--retries", "0", "--extra-index-url", "https://download.pytorch.org/whl/cpu"]
PROGRAM = """
import importlib.metadata, pathlib, sys
import atgvnet
example = pathlib.Path(atgvnet.__file__).parent / "assets" / "example.png"
assert pathlib.Path(sys.prefix) in example.parents, example
assert importlib.metadata.version("atgvnet") == atgvnet.__version__
print(example)
"""


@pytest.mark.timeout(600)
def test_the_wheel_upscales_its_example_in_an_empty_environment(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("atgvnet-*.whl")
    venv.create(tmp_path / "empty", with_pip=True)
    python = tmp_path / "empty" / "bin" / "python"
    install = [python, "-m", "pip", "install", "-qq", "--no-compile", "-c", ROOT / "constraints.txt"]
    _run(tmp_path, *install, *TORCH)
    _run(tmp_path, *install, wheel)
    _run(tmp_path, python, "-m", "pip", "check")
    example = _run(tmp_path, python, "-c", PROGRAM).strip()
    result = tmp_path / "result.png"
    _run(tmp_path, python.with_name("atgvnet"), "upscale", example, "-o", result, "--scale", "4")
    shape = f"import atgvnet; print(atgvnet.read({str(result)!r}).shape)"
    assert _run(tmp_path, python, "-c", shape).strip() == "(480, 640)"


def _run(folder: Path, *command: str | Path) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    found = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    return found.stdout
