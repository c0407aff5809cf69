"""Progress is for people who look on."""

import io
import re
import sys
import time

import pytest

from atgvnet.cli.progress import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_nothing_is_shown_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("upscaling", 2) as advance:
        advance(1)
    assert capsys.readouterr() == ("", "")


def test_a_terminal_shows_title_and_count(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with progress("upscaling", 2) as advance:
        advance(1.0)
        advance(2.0, "finishing")
    assert "finishing" in terminal.getvalue()
    assert "2/2 maps" in terminal.getvalue()


def test_a_terminal_shows_the_rate_and_the_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    with progress("upscaling", 100) as advance:
        for done in range(1, 9):
            advance(float(done))
            time.sleep(0.05)
    shown = terminal.getvalue()
    assert re.search(r"[1-9]\d*(\.\d+)?/s", shown)
    assert re.search(r"\d:\d\d:\d\d.*\d:\d\d:\d\d", shown)
