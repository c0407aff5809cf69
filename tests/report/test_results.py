"""The results document never shows numbers of other weights or pretends that it has all."""

import hashlib
import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from atgvnet.benchmarks import Row

ROOT = Path(__file__).parents[2]
KEY = ("noisy-middlebury", 4.0, "fast")
WEIGHTS = "weights/fast-noisy-middlebury-x4.safetensors"
RMSE = 123.456


@pytest.fixture(autouse=True)
def tools(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))


@pytest.fixture
def results() -> ModuleType:
    import results

    return results


def write_ledger(path: Path, checksum: str) -> None:
    """Keep one number, made with the weights of that checksum."""
    from code_of import method_digest
    from ledger import Entry, Ledger, Made
    from plan import weights_for

    row = Row(
        benchmark=KEY[0], scale=4.0, scene="art", method="fast", rmse=RMSE, mae=1, rmse_edge=1, flying=0.1, seconds=1
    )
    entry = Entry(
        benchmark=KEY[0],
        scale=KEY[1],
        method=KEY[2],
        rows=[row],
        learned={WEIGHTS: checksum},
        weights=weights_for(KEY),
        code=method_digest("fast", KEY[0]),
        made=Made(commit="abc", date="2026-01-01", machine="a machine", load=0.5),
    )
    Ledger(entries={KEY: entry}).write(path)


def shipped_checksum() -> str:
    return hashlib.sha256((ROOT / "src" / "atgvnet" / WEIGHTS).read_bytes()).hexdigest()


def run(results: ModuleType, folder: Path, monkeypatch: pytest.MonkeyPatch, *options: str) -> int:
    (folder / "README.md").touch()
    files = {"--ledger": "ledger.json", "--document": "results.md", "--readme": "README.md"}
    given = [part for option, name in files.items() for part in (option, str(folder / name))]
    monkeypatch.setattr(sys, "argv", ["results.py", *given, *options])
    return int(results.main())


def test_numbers_of_other_weights_fail_loudly(
    results: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_ledger(tmp_path / "ledger.json", shipped_checksum())
    assert run(results, tmp_path, monkeypatch) == 0
    assert "123.46" in (tmp_path / "results.md").read_text()
    assert run(results, tmp_path, monkeypatch, "--check") == 0
    write_ledger(tmp_path / "ledger.json", "0" * 64)
    assert run(results, tmp_path, monkeypatch, "--check") == 1
    assert run(results, tmp_path, monkeypatch) == 1
    assert f"{WEIGHTS} is not the one that the numbers were made with" in capsys.readouterr().err
    assert "123.46" not in (tmp_path / "results.md").read_text()


def test_damaged_weights_are_named(tmp_path: Path) -> None:
    from ledger import broken_weights

    for suffix in (".safetensors", ".json"):
        shutil.copy((ROOT / "src" / "atgvnet" / WEIGHTS).with_suffix(suffix), tmp_path)
    assert broken_weights(tmp_path) == []
    path = tmp_path / Path(WEIGHTS).name
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    assert path.name in broken_weights(tmp_path)[0]


def test_a_method_without_weights_has_dashes_and_no_number_is_invented(tmp_path: Path) -> None:
    from document import compose
    from ledger import Entry, Ledger
    from plan import networks

    write_ledger(tmp_path / "ledger.json", shipped_checksum())
    ledger = Ledger.read(tmp_path / "ledger.json")
    text = compose(ledger)
    absent = [name for name in networks() if name != "fast"]
    assert all(f"| {name} | ours | − |" in text for name in absent)
    assert "Code that these depend on has changed" not in text
    old: Entry = replace(ledger.entries[KEY], code="other")
    assert "has changed since they were measured: noisy-middlebury ×4: fast" in compose(Ledger(entries={KEY: old}))


def test_only_what_computes_counts_as_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import code_of

    package = tmp_path / "atgvnet"
    package.mkdir()
    monkeypatch.setattr(code_of, "PACKAGE", package)

    def digest(method: str, helper: str) -> str:
        (package / "method.py").write_text(method)
        (package / "helper.py").write_text(helper)
        code_of._parsed.cache_clear()
        return str(code_of.digest("atgvnet.method"))

    method, helper = "from atgvnet.helper import f\nx = f(1)\n", "def f(x):\n    return x\n"
    before = digest(method, helper)
    commented = 'def f(x):\n    """Nothing."""\n    # nothing at all\n    return x\n'
    assert digest(f'"""A method."""\n\n{method}', commented) == before
    assert digest(method, helper.replace("return x", "return x + 1")) != before
    code_of._parsed.cache_clear()


def test_the_ledger_is_read_as_it_was_written(tmp_path: Path) -> None:
    from ledger import Drawn, Failure, Ledger

    write_ledger(tmp_path / "a.json", "0" * 64)
    ledger = Ledger.read(tmp_path / "a.json")
    ledger.failures["laserscan", 4.0, "he"] = Failure(why="it has no guide", code="abc")
    ledger.figures["tof"] = Drawn(stamps={"he": "1"}, code="2")
    ledger.speed["networks"] = {"figures": {"fast_fps": 1.0}, "made": {}}
    ledger.write(tmp_path / "b.json")
    assert Ledger.read(tmp_path / "b.json") == ledger
    assert json.loads((tmp_path / "b.json").read_text())["failures"][0]["method"] == "he"


@pytest.mark.slow
def test_measuring_ends_what_takes_too_long_and_names_what_was_opened(data: Path) -> None:
    from measure import TooSlowError, measure

    found = measure(("laserscan", 4.0, "universal"), data, seconds=120, keep=False)
    assert [Path(file).name for file in found["learned"]] == ["universal-x4.safetensors"]
    with pytest.raises(TooSlowError):
        measure(("noisy-middlebury", 16.0, "park"), data, seconds=0.01, keep=False)
