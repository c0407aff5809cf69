"""Progress on stderr, where a person looks on; nothing elsewhere."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

__all__ = ["Advance", "progress"]


class Advance(Protocol):
    """Takes how much is done, up to the total, and what is being done if it is not always the same."""

    def __call__(self, done: float, text: str | None = None, /) -> None:
        """Show it."""
        ...


@contextmanager
def progress(title: str, total: int, noun: str = "maps") -> Iterator[Advance]:
    """Show a bar with rate and time left."""
    if not sys.stderr.isatty():
        yield _ignore
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:.0f}/{task.total:.0f} " + noun + " {task.fields[rate]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=total, rate="")

        def advance(done: float, text: str | None = None, /) -> None:
            speed = bar.tasks[0].speed
            bar.update(task, completed=done, description=text or title, rate=f"{speed:.3g}/s" if speed else "")

        yield advance


def _ignore(done: float, text: str | None = None, /) -> None:
    """Take how much is done."""
