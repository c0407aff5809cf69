"""`make results`: measure what is not measured yet or not any more, and write `docs/results.md`.

    .venv/bin/python tools/results.py --data DIR [--benchmark NAME]... [--method NAME]... [--minutes 30]
    .venv/bin/python tools/results.py --check     # does the document stand? no measuring; status 1 if not

Numbers are kept in `docs/results.json` as soon as they are there, each with the checksums of the weights that it was
made with: a run that was interrupted goes on where it was. What took too long is not tried again but with `--again`.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import figures
from atgvnet.benchmarks import Row
from atgvnet.errors import InputError
from demo import draw as draw_demo
from demo import upscaled
from document import compose, summarise
from ledger import Entry, Ledger, Made, choices
from plan import Key, everything

ROOT = Path(__file__).parents[1]
LEDGER = ROOT / "docs" / "results.json"
DOCUMENT = ROOT / "docs" / "results.md"
README = ROOT / "README.md"
SPEED_MINUTES = 10
TOO_SLOW = "it takes more than"


def main() -> int:
    given = _arguments()
    ledger = Ledger.read(given.ledger)
    if given.check:
        return _check(ledger, given)
    if given.data is not None:
        _measure(ledger, _wanted(ledger, given), given)
        if given.speed != "none":
            _time(ledger, given)
        if not given.no_figures:
            _draw(given)
    if stale := ledger.complaints():
        print("not measured anew:", *stale, sep="\n  ", file=sys.stderr)
        return 1
    given.document.write_text(compose(ledger), encoding="utf-8")
    given.readme.write_text(summarise(ledger, given.readme.read_text(encoding="utf-8")), encoding="utf-8")
    print(f"{given.document}: {len(ledger.entries)} entries")
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure, and write docs/results.md.")
    parser.add_argument("--data", type=Path, help="folder that holds the benchmarks' data; without it nothing is run")
    parser.add_argument("--check", action="store_true", help="only tell whether the document stands")
    parser.add_argument("--benchmark", action="append", help="measure only this")
    parser.add_argument("--method", action="append", help="measure only this")
    parser.add_argument("--again", action="store_true", help="measure also what stands or took too long")
    parser.add_argument("--minutes", type=float, default=30, help="longest that one method may take at one scale")
    parser.add_argument("--speed", choices=("new", "again", "none"), default="new", help="benchmarks of speed to run")
    parser.add_argument("--no-figures", action="store_true", help="leave the figures as they are")
    parser.add_argument("--ledger", type=Path, default=LEDGER)
    parser.add_argument("--document", type=Path, default=DOCUMENT)
    parser.add_argument("--readme", type=Path, default=README)
    return parser.parse_args()


def _check(ledger: Ledger, given: argparse.Namespace) -> int:
    wrong = ledger.complaints()
    if not given.document.is_file() or given.document.read_text(encoding="utf-8") != compose(ledger):
        wrong.append(f"{given.document} is not what {given.ledger} gives")
    readme = given.readme.read_text(encoding="utf-8")
    if readme != summarise(ledger, readme):
        wrong.append(f"the table of {given.readme} is not what {given.ledger} gives")
    if wrong:
        print("run `make results`:", *wrong, sep="\n  ", file=sys.stderr)
    return 1 if wrong else 0


def _wanted(ledger: Ledger, given: argparse.Namespace) -> list[Key]:
    chosen = [
        (benchmark, scale, method)
        for benchmark, scale, method in everything()
        if (not given.benchmark or benchmark in given.benchmark) and (not given.method or method in given.method)
    ]
    return chosen if given.again else [key for key in chosen if not (ledger.stands(key) or _was_slow(ledger, key))]


def _was_slow(ledger: Ledger, key: Key) -> bool:
    return ledger.failures.get(key, "").startswith(TOO_SLOW)


def _measure(ledger: Ledger, keys: Sequence[Key], given: argparse.Namespace) -> None:
    for count, key in enumerate(keys, start=1):
        print(f"[{count}/{len(keys)}] {key[2]} on {key[0]} ×{key[1]:g}", flush=True)
        ledger.failures.pop(key, None)
        try:
            ledger.entries[key] = _entry(key, given)
        except InputError as error:
            ledger.entries.pop(key, None)
            ledger.failures[key] = str(error)
            print(f"  left out: {error}")
        ledger.write(given.ledger)


def _entry(key: Key, given: argparse.Namespace) -> Entry:
    benchmark, scale, method = key
    made = Made.now()
    among = choices(method, benchmark)
    command = [str(ROOT / "tools" / "measure.py"), benchmark, f"{scale:g}", method, str(given.data)]
    found = json.loads(_run(command, given.minutes))
    rows = [Row(**row) for row in found["rows"]]
    return Entry(
        benchmark=benchmark,
        scale=scale,
        method=method,
        rows=rows,
        learned=found["learned"],
        choices=among,
        made=made,
    )


def _run(command: Sequence[str], minutes: float) -> str:
    """Run a script of ours, and give the last line that it printed."""
    try:
        done = subprocess.run(
            [sys.executable, *command], cwd=ROOT, capture_output=True, text=True, timeout=60 * minutes, check=False
        )
    except subprocess.TimeoutExpired:
        raise InputError(f"{TOO_SLOW} {minutes:g} minutes") from None
    if done.returncode:
        raise InputError(
            (done.stderr.strip().splitlines() or ["no reason given"])[-1].removeprefix("atgvnet.errors.")
        )
    return done.stdout.strip().splitlines()[-1]


def _time(ledger: Ledger, given: argparse.Namespace) -> None:
    """Run the benchmarks of speed that were not run yet, or all of them again."""
    for script in sorted((ROOT / "benchmarks").glob("*.py")):
        if script.stem in ledger.speed and given.speed == "new":
            continue
        print(f"benchmarks/{script.name}", flush=True)
        made = Made.now()
        try:
            figures_of = json.loads(_run([str(script)], SPEED_MINUTES))
        except (InputError, ValueError) as error:
            print(f"  left out: {error}")
            continue
        ledger.speed[script.stem] = {"figures": figures_of, "made": asdict(made)}
        ledger.write(given.ledger)


def _draw(given: argparse.Namespace) -> None:
    figures.OUT.mkdir(parents=True, exist_ok=True)
    draw_demo(*upscaled(), ROOT / figures.OUT / "before-after.png")
    for name, figure in figures.FIGURES.items():
        try:
            print(*figures.draw(figure, ROOT / figures.OUT / name, given.data))
        except InputError as error:
            print(f"{name}: left out, {error}")


if __name__ == "__main__":
    sys.exit(main())
