"""Measure one entry of the results, a method over a benchmark at a scale, in a process of its own.

A fresh process has opened no learned file (weights, dictionaries) before, so those that it opens are those that the
numbers depend on; and what takes too long can be ended.
"""

import hashlib
import multiprocessing
import os
import traceback
from dataclasses import asdict
from multiprocessing.connection import Connection
from pathlib import Path
from sys import addaudithook
from typing import Any

import torch  # noqa: F401  (once for all processes: they are forked from one that has it)

import atgvnet
import maps
from atgvnet.benchmarks import evaluate
from atgvnet.errors import AtgvnetError, InputError
from plan import Key

__all__ = ["TooSlowError", "measure"]

PACKAGE = Path(atgvnet.__file__).parent
LEARNED = (".safetensors", ".npz")


class TooSlowError(InputError):
    """A method was ended after the time that it was given."""


def measure(key: Key, data: Path, *, seconds: float, keep: bool) -> dict[str, Any]:
    """Give the rows, and the checksum of each learned file that was opened; `keep` leaves the maps for figures."""
    os.environ["PYTHONPATH"] = str(Path(__file__).parent)
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["measure"])
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(key, str(data), keep, there))
    process.start()
    there.close()
    try:
        if not here.poll(seconds):
            raise TooSlowError(f"it takes more than {seconds / 60:.1f} minutes")
        answer = here.recv()
    except EOFError:
        process.join()
        raise InputError(f"it ended with status {process.exitcode}") from None
    finally:
        process.kill()
        process.join()
    if isinstance(answer, str):
        raise InputError(answer)
    return dict(answer)


def _run(key: Key, data: str, keep: bool, answer: Connection) -> None:
    try:
        answer.send(_measured(key, data, keep))
    except AtgvnetError as error:
        answer.send(str(error))
    except Exception:  # whatever it is, it is told, and the others go on
        answer.send(traceback.format_exc(limit=-1).strip().splitlines()[-1])


def _measured(key: Key, data: str, keep: bool) -> dict[str, Any]:
    benchmark, scale, method = key
    opened: set[Path] = set()

    def watch(event: str, given: tuple[object, ...]) -> None:
        if event == "open" and isinstance(given[0], str | Path) and str(given[0]).endswith(LEARNED):
            opened.add(Path(given[0]))

    addaudithook(watch)
    kept: dict[str, Any] = {}
    found = evaluate(
        benchmark,
        data=data,
        scales=[scale],
        methods=[method],
        keep=lambda case, _method, values: kept.update({case.scene: values}) if keep else None,
    )
    rows = [asdict(row) for row in found]
    learned = {path.relative_to(PACKAGE).as_posix(): _sha256(path) for path in sorted(opened) if _is_ours(path)}
    if keep:
        maps.write(key, maps.stamp(rows, learned), kept)
    return {"rows": rows, "learned": learned}


def _is_ours(path: Path) -> bool:
    return PACKAGE in path.parents


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
