"""Progress on stderr, where a person looks on; nothing elsewhere."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["progress"]


@contextmanager
def progress(title: str, total: int, noun: str = "maps") -> Iterator[Callable[[float], None]]:
    """Show a bar with rate and time left; call what is given with how much is done, up to the total."""
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

        def advance(done: float) -> None:
            speed = bar.tasks[0].speed
            bar.update(task, completed=done, rate=f"{speed:.2g}/s" if speed else "")

        yield advance


def _ignore(done: float) -> None:
    """Take how much is done."""
