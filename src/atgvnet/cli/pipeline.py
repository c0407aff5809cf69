"""Doing many jobs: files are read ahead and written behind in threads while the map between is computed.

Results are written in the order of the jobs. A file that fails is named at the end and stops no other.
"""

import sys
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Protocol, TypeVar

import typer

from atgvnet.cli.batch import Job
from atgvnet.cli.progress import progress
from atgvnet.errors import AtgvnetError

__all__ = ["Task", "run_all"]

AHEAD = 3
SOME_FAILED = 1
MISHAPS = (AtgvnetError, OSError, MemoryError)

Given = TypeVar("Given")
Made = TypeVar("Made")


class Task(Protocol[Given, Made]):
    """What is done to each file, in three parts; only `compute` runs in the main thread."""

    def read(self, job: Job) -> Given:
        """Read what the computation needs."""
        ...

    def compute(self, given: Given, progress: Callable[[float], None]) -> Made:
        """Compute."""
        ...

    def write(self, job: Job, made: Made) -> None:
        """Write what came out."""
        ...


def run_all(jobs: Sequence[Job], task: Task[Given, Made], title: str) -> None:
    """Do all jobs; a single one fails with its error, of several the failed ones are named at the end."""
    failures: list[str] = []
    with (
        progress(title, len(jobs)) as advance,
        ThreadPoolExecutor(1, "reader") as reader,
        ThreadPoolExecutor(1, "writer") as writer,
    ):
        waiting = deque((job, reader.submit(task.read, job)) for job in jobs[:AHEAD])
        written: deque[tuple[Job, Future[None]]] = deque()
        for index, job in enumerate(jobs):
            _, reading = waiting.popleft()
            if index + AHEAD < len(jobs):
                waiting.append((jobs[index + AHEAD], reader.submit(task.read, jobs[index + AHEAD])))
            try:
                made = task.compute(reading.result(), _share_of(advance, index))
            except MISHAPS as error:
                _note(failures, job, error, alone=len(jobs) == 1)
            else:
                written.append((job, writer.submit(_write, task, job, made)))
            while len(written) > (AHEAD if index + 1 < len(jobs) else 0):
                _finish(failures, *written.popleft(), alone=len(jobs) == 1)
            advance(index + 1)
    if failures:
        print(*failures, f"atgvnet: {len(failures)} of {len(jobs)} failed", sep="\n", file=sys.stderr)
        raise typer.Exit(SOME_FAILED)


def _write(task: Task[Given, Made], job: Job, made: Made) -> None:
    job.target.parent.mkdir(parents=True, exist_ok=True)
    task.write(job, made)


def _finish(failures: list[str], job: Job, writing: "Future[None]", *, alone: bool) -> None:
    try:
        writing.result()
    except MISHAPS as error:
        _note(failures, job, error, alone=alone)


def _note(failures: list[str], job: Job, error: Exception, *, alone: bool) -> None:
    if alone:
        raise error
    failures.append(f"atgvnet: {job.source}: {' '.join(str(error).removeprefix(f'{job.source}: ').split())}")


def _share_of(advance: Callable[[float], None], index: int) -> Callable[[float], None]:
    return lambda share: advance(index + share)
