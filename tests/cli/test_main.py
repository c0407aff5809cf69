"""The command line as a whole: exit status, one line for each error, help, completion."""

import functools
import importlib
import os
import shlex
import subprocess
import sys

import pytest

from atgvnet.cli import COMMANDS, main
from atgvnet.errors import FormatError


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["upscal"],
        ["--nonsense"],
        ["upscale"],
        ["upscale", "in.png"],
        ["upscale", "in.png", "-o", "out.png", "--scale", "four"],
        ["upscale", "in.png", "-o", "out.png", "--unit", "inch"],
        ["upscale", "no/such/file.png", "-o", "out.png"],
        ["compare", "a.png"],
        ["evaluate", "no-such-benchmark"],
        ["list", "everything"],
    ],
)
def test_wrong_use_is_one_line_and_status_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("atgvnet: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("error", "status", "line"),
    [
        (FormatError("a.png: truncated\nafter 3 bytes"), 2, "atgvnet: a.png: truncated after 3 bytes\n"),
        (OSError(28, "No space left on device"), 2, "atgvnet: [Errno 28] No space left on device\n"),
        (MemoryError("8 GiB"), 2, "atgvnet: MemoryError: 8 GiB; try a smaller map\n"),
        (KeyboardInterrupt(), 130, ""),
    ],
)
def test_what_is_raised_becomes_a_line_and_a_status(
    error: BaseException,
    status: int,
    line: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(kind: str) -> list[str]:
        raise error

    monkeypatch.setattr("atgvnet.cli.list.names", fail)
    assert main(["list"]) == status
    assert capsys.readouterr().err == line


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example_that_its_own_command_line_understands(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "--help"]) == 0
    example = " ".join(capsys.readouterr().out.split()).partition("Example: ")[2]
    words = shlex.split(example)
    assert words[:2] == ["atgvnet", command]
    module = importlib.import_module(f"atgvnet.cli.{command}")
    called: list[dict[str, object]] = []

    @functools.wraps(module.run)
    def record(**options: object) -> None:
        called.append(options)

    monkeypatch.setattr(module, "run", record)
    assert main(words[1:]) == 0
    assert len(called) == 1


def test_python_m_atgvnet_is_the_command() -> None:
    found = subprocess.run(
        [sys.executable, "-m", "atgvnet", "list", "benchmarks"], capture_output=True, text=True, check=True
    )
    assert "noisy-middlebury" in found.stdout


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("atgvnet up", "upscale"),
        ("atgvnet upscale --method near", "nearest"),
        ("atgvnet evaluate noisy", "noisy-middlebury"),
    ],
)
def test_the_shell_completes_commands_and_names(typed: str, expected: str) -> None:
    asked = {"_ATGVNET_COMPLETE": "complete_bash", "COMP_WORDS": typed, "COMP_CWORD": str(typed.count(" "))}
    command = [sys.executable, "-m", "atgvnet"]
    found = subprocess.run(command, env={**os.environ, **asked}, capture_output=True, text=True, check=True)
    assert found.stdout.split() == [expected]
