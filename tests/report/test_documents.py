"""The README's Python runs as it is printed."""

import re
from pathlib import Path

import pytest

import atgvnet

ROOT = Path(__file__).parents[2]


def test_the_lines_of_the_readme_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "src").symlink_to(ROOT / "src")
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert len([line for line in code.splitlines() if line]) == 5
    exec(compile(code, "README.md", "exec"), {})  # noqa: S102
    assert capsys.readouterr().out == "(120, 160) in, (480, 640) out\n"
    assert atgvnet.read("example_x4.png").shape == (480, 640)
