"""`make results`: measure what is not measured yet or not any more, and write `docs/results.md`.

    .venv/bin/python tools/results.py --data DIR [--minutes 6] [--benchmark NAME]... [--method NAME]...
    .venv/bin/python tools/results.py --check     # does the document stand? no measuring; status 1 if not

Numbers are kept in `docs/results.json` as soon as they are there, each with the checksums of the weights that it was
made with: a run that was interrupted goes on where it was. Within the minutes given, what is missing comes first,
networks before others, then what was measured with earlier code, quick methods before slow ones. The document never
has numbers of other weights than those that are shipped: where there was no time to replace them, the status is 1.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import figures
from atgvnet.benchmarks import BENCHMARKS, Row
from atgvnet.benchmarks.selection import Selection, find
from atgvnet.errors import InputError
from code_of import method_digest
from demo import draw_banner, upscaled
from document import compose, summarise
from ledger import Entry, Failure, Ledger, Made, broken_weights
from measure import TooSlowError, measure
from plan import Key, everything, networks, weights_for
from taken import take_over

ROOT = Path(__file__).parents[1]
LEDGER = ROOT / "docs" / "results.json"
DOCUMENT = ROOT / "docs" / "results.md"
README = ROOT / "README.md"
NETWORK_SECONDS = 15.0  # expected of one that was never measured
REDRAW_SECONDS, LATE = 15.0, 40.0  # of a method whose maps are gone, and after the end when none is run any more
LEAST = 3.0  # seconds that are worth beginning anything


def main() -> int:
    given = _arguments()
    if wrong := broken_weights():
        print("damaged weights:", *wrong, sep="\n  ", file=sys.stderr)
        return 1
    ledger = Ledger.read(given.ledger)
    if given.check:
        return _check(ledger, given)
    if given.data is not None:
        take_over(ledger)
        _measure(ledger, given)
        _time(ledger, given)
        if not given.no_figures:
            _draw(ledger, given)
    missing = _missing(ledger)
    given.document.write_text(compose(ledger.standing(), missing), encoding="utf-8")
    given.readme.write_text(summarise(ledger.standing(), given.readme.read_text(encoding="utf-8")), encoding="utf-8")
    print(f"{given.document}: {len(ledger.standing().entries)} entries, {len(missing)} missing")
    if stale := ledger.complaints():
        print("not measured anew, and left out:", *stale, "run `make results` again", sep="\n  ", file=sys.stderr)
    return 1 if stale else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure, and write docs/results.md.")
    parser.add_argument("--data", type=Path, help="folder that holds the benchmarks' data; without it nothing is run")
    parser.add_argument("--check", action="store_true", help="only tell whether the document stands")
    parser.add_argument("--minutes", type=float, default=6, help="after which nothing new is measured")
    parser.add_argument("--benchmark", action="append", help="measure only this")
    parser.add_argument("--method", action="append", help="measure only this")
    parser.add_argument("--again", action="store_true", help="measure also what stands, or failed")
    parser.add_argument("--speed", choices=("new", "again", "none"), default="new", help="benchmarks of speed to run")
    parser.add_argument("--no-figures", action="store_true", help="leave the figures as they are")
    parser.add_argument("--ledger", type=Path, default=LEDGER)
    parser.add_argument("--document", type=Path, default=DOCUMENT)
    parser.add_argument("--readme", type=Path, default=README)
    given = parser.parse_args()
    given.until = time.monotonic() + 60 * given.minutes
    return given


def _check(ledger: Ledger, given: argparse.Namespace) -> int:
    wrong = ledger.complaints()
    missing = _missing(ledger)
    if not given.document.is_file() or given.document.read_text(encoding="utf-8") != compose(
        ledger.standing(), missing
    ):
        wrong.append(f"{given.document} is not what {given.ledger} gives")
    readme = given.readme.read_text(encoding="utf-8")
    if readme != summarise(ledger.standing(), readme):
        wrong.append(f"the table of {given.readme} is not what {given.ledger} gives")
    if wrong:
        print("run `make results`:", *wrong, sep="\n  ", file=sys.stderr)
    return 1 if wrong else 0


def _missing(ledger: Ledger) -> list[Key]:
    """Name what could be in the document and is not, for no reason that is told."""
    return [key for key in everything() if not ledger.stands(key) and key not in ledger.failures]


def _left(given: argparse.Namespace) -> float:
    return float(given.until - time.monotonic())


def _measure(ledger: Ledger, given: argparse.Namespace) -> None:
    _note_absent_data(ledger, given.data)
    keys = _wanted(ledger, given)
    for count, key in enumerate(keys, start=1):
        if _expected(ledger, key) > _left(given):
            continue
        print(f"[{count}/{len(keys)}] {key[2]} on {key[0]} ×{key[1]:g}", flush=True)
        seconds = _patience(ledger, key, given)
        try:
            ledger.entries[key] = _entry(key, given, seconds)
            ledger.failures.pop(key, None)
        except InputError as error:
            print(f"  left out: {error}", flush=True)
            slow = seconds / 60 / Made.now().busy if isinstance(error, TooSlowError) else None
            if slow and (ledger.stands(key) or key[2] in networks()):
                continue  # the next run will find the machine less busy
            ledger.entries.pop(key, None)
            ledger.failures[key] = Failure(
                why=_relative(str(error), given.data), code=method_digest(key[2], key[0]), minutes=slow
            )
        ledger.write(given.ledger)


def _relative(text: str, data: Path) -> str:
    """Leave out where the data lie on this machine."""
    return text.replace(f"{data}/", "").replace(f"{data.resolve()}/", "")


def _note_absent_data(ledger: Ledger, data: Path) -> None:
    """Ask each benchmark for one case, and give up those that have none."""
    for name, benchmark in BENCHMARKS.items():
        why = ""
        try:
            next(iter(Selection(find(name), data, benchmark.scales[:1], None)))
        except InputError as error:
            why = _relative(str(error), data)
        for key in everything():
            if key[0] != name:
                continue
            if why and key not in ledger.entries:
                ledger.failures[key] = Failure(why=why)
            elif not why and ledger.failures.get(key, Failure(why="", code="any")).code == "":
                del ledger.failures[key]


def _wanted(ledger: Ledger, given: argparse.Namespace) -> list[Key]:
    chosen = [
        key
        for key in everything()
        if (not given.benchmark or key[0] in given.benchmark)
        and (not given.method or key[2] in given.method)
        and (given.again or _is_due(ledger, key))
    ]
    learned = set(networks())
    return sorted(chosen, key=lambda key: (key[2] not in learned, ledger.stands(key), _expected(ledger, key)))


def _is_due(ledger: Ledger, key: Key) -> bool:
    if ledger.stands(key):
        return ledger.entries[key].aged()
    failure = ledger.failures.get(key)
    return failure is None or failure.minutes is not None or failure.code not in ("", method_digest(key[2], key[0]))


def _expected(ledger: Ledger, key: Key) -> float:
    """Guess how many seconds measuring takes."""
    failure = ledger.failures.get(key)
    if failure is not None and failure.minutes is not None:
        return 66 * failure.minutes
    if key in ledger.entries:
        return ledger.entries[key].seconds
    return NETWORK_SECONDS if key[2] in networks() else LEAST


def _patience(ledger: Ledger, key: Key, given: argparse.Namespace) -> float:
    """Give the seconds that one may take: what is not known to be quick must leave some for others."""
    left = max(_left(given), LEAST)
    return left if key in ledger.entries else max(left / 3, min(left, 60))


def _entry(key: Key, given: argparse.Namespace, seconds: float) -> Entry:
    benchmark, scale, method = key
    made, weights, code = Made.now(), weights_for(key), method_digest(method, benchmark)
    found = measure(key, given.data, seconds=seconds, keep=figures.shows(key))
    rows = [Row(**row) for row in found["rows"]]
    return Entry(
        benchmark=benchmark,
        scale=scale,
        method=method,
        rows=rows,
        learned=found["learned"],
        weights=weights,
        code=code,
        made=made,
    )


def _time(ledger: Ledger, given: argparse.Namespace) -> None:
    """Run the benchmarks of speed that were not run yet, or all of them again."""
    for script in sorted((ROOT / "benchmarks").glob("*.py")):
        if "__main__" not in script.read_text(encoding="utf-8"):  # what the others share
            continue
        known = script.stem in ledger.speed and given.speed == "new"
        if known or given.speed == "none" or _left(given) < 10 * LEAST:
            continue
        print(f"benchmarks/{script.name}", flush=True)
        made = Made.now()
        try:
            printed = _last_line(script, _left(given))
            ledger.speed[script.stem] = {"figures": json.loads(printed), "made": asdict(made)}
        except (InputError, ValueError) as error:
            print(f"  left out: {error}")
            continue
        ledger.write(given.ledger)


def _last_line(script: Path, seconds: float) -> str:
    """Run a script of ours, and give the last line that it printed."""
    command: Sequence[str] = [sys.executable, str(script)]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        raise InputError(f"it takes more than {seconds / 60:.1f} minutes") from None
    if done.returncode:
        raise InputError((done.stderr.strip().splitlines() or ["no reason given"])[-1])
    return done.stdout.strip().splitlines()[-1]


def _draw(ledger: Ledger, given: argparse.Namespace) -> None:
    """Draw the figures whose maps, or whose code, have changed."""
    (ROOT / figures.OUT).mkdir(parents=True, exist_ok=True)
    standing = ledger.standing()
    for name, figure in figures.FIGURES.items():
        drawn = figures.plan(figure, standing, REDRAW_SECONDS if _left(given) > -LATE else 0)
        stem = ROOT / figures.OUT / name
        if not drawn.stamps or (ledger.figures.get(name) == drawn and figures.is_there(stem)):
            continue
        try:
            print(*figures.draw(figure, stem, given.data, drawn.stamps), flush=True)
        except InputError as error:
            print(f"{name}: left as it is, {error}")
            continue
        ledger.figures[name] = drawn
        ledger.write(given.ledger)
    banner = ROOT / figures.OUT / "before-after.png"
    before, after = upscaled()
    draw_banner(before, after, banner)
    print(banner)


if __name__ == "__main__":
    sys.exit(main())
