"""Doing many jobs: files are read ahead and written behind in threads while the maps between are computed.

Results are written in the order of the jobs. A file that fails is named at the end and stops no other.
"""

import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from itertools import islice
from threading import Event, Lock
from typing import Generic, Protocol, TypeVar

import typer

from atgvnet.cli.batch import Job, make_folder
from atgvnet.cli.progress import Advance, progress
from atgvnet.errors import AtgvnetError

__all__ = ["Task", "run_all"]

AHEAD, BEHIND = 2, 2
SOME_FAILED = 1
MISHAPS = (AtgvnetError, OSError, MemoryError)

Given = TypeVar("Given")
Made = TypeVar("Made")


class Task(Protocol[Given, Made]):
    """What is done to each file, in three parts; only `compute` may run for several at once."""

    def read(self, job: Job) -> Given:
        """Read what the computation needs."""
        ...

    def compute(self, given: Given, progress: Callable[[float], None]) -> Made:
        """Compute."""
        ...

    def write(self, job: Job, made: Made) -> None:
        """Write what came out."""
        ...


def run_all(jobs: Sequence[Job], task: Task[Given, Made], title: str, at_once: int = 1) -> None:
    """Do all jobs; a single one fails with its error, of several the failed ones are named at the end."""
    failures: list[str] = []
    alone = len(jobs) == 1
    written: deque[tuple[Job, Future[None]]] = deque()
    with (
        progress(title, len(jobs)) as advance,
        ThreadPoolExecutor(1, "writer") as writer,
        _makers(task, advance, at_once) as begin,
    ):
        left = iter(jobs)
        coming = deque((job, begin(job)) for job in islice(left, at_once + AHEAD))
        while coming:
            job, result = coming.popleft()
            try:
                made = result()
            except MISHAPS as error:
                _note(failures, job, error, alone=alone)
            else:
                written.append((job, writer.submit(_write, task, job, made)))
                del made
            coming.extend((job, begin(job)) for job in islice(left, 1))
            while len(written) > (BEHIND if coming else 0):
                _finish(failures, *written.popleft(), alone=alone)
    if failures:
        print(*failures, f"atgvnet: {len(failures)} of {len(jobs)} failed", sep="\n", file=sys.stderr)
        raise typer.Exit(SOME_FAILED)


@contextmanager
def _makers(task: Task[Given, Made], advance: Advance, at_once: int) -> Iterator[Callable[[Job], Callable[[], Made]]]:
    """Give what begins a job and gives what waits for its result.

    Several at once are computed in threads of their own, a single one by whoever waits.
    """
    shares = _Shares(advance)
    with (
        ThreadPoolExecutor(1, "reader") as reader,
        ThreadPoolExecutor(at_once, "computer") if at_once > 1 else nullcontext() as computer,
    ):

        def begin(job: Job) -> Callable[[], Made]:
            making = _Making(task, reader.submit(task.read, job), shares.of_one_more())
            return making if computer is None else computer.submit(making).result

        try:
            yield begin
        finally:
            shares.stopped.set()


class _Making(Generic[Given, Made]):
    """A map that is being read, then computed."""

    def __init__(self, task: Task[Given, Made], reading: "Future[Given]", progress: Callable[[float], None]) -> None:
        self.task, self.reading, self.progress = task, reading, progress

    def __call__(self) -> Made:
        """Compute it."""
        try:
            return self.task.compute(self.reading.result(), self.progress)
        finally:
            del self.reading
            self.progress(1.0)


class _Shares:
    """How much of all jobs is done, from how much is of each."""

    def __init__(self, advance: Advance) -> None:
        self.advance = advance
        self.stopped = Event()
        self.lock = Lock()
        self.total = 0.0

    def of_one_more(self) -> Callable[[float], None]:
        """Give what takes the done share of one more job, and ends it where nobody waits any longer."""
        before = 0.0

        def progress(share: float) -> None:
            nonlocal before
            with self.lock:
                self.total += share - before
                before = share
                self.advance(self.total)
            if self.stopped.is_set():
                raise KeyboardInterrupt

        return progress


def _write(task: Task[Given, Made], job: Job, made: Made) -> None:
    make_folder(job.target.parent)
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
