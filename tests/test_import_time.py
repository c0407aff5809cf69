"""`atgvnet --help` answers at once."""

import resource
import subprocess
import sys

import pytest

from atgvnet.cli import COMMANDS

LIGHT = {"__main__", "annotated_doc", "atgvnet", "shellingham", "typer"}
SITE = {"_distutils_hack", "_virtualenv", "sitecustomize", "usercustomize"}
HEAVY = {"OpenEXR", "PIL", "cv2", "matplotlib", "numba", "numpy", "rich", "safetensors", "scipy", "tifffile", "torch"}


def test_help_imports_typer_and_nothing_else() -> None:
    assert {name for name in _imported_by("--help") if not name.startswith("_sysconfigdata")} - SITE <= LIGHT


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_imports_nothing_heavy(command: str) -> None:
    assert not _imported_by(command, "--help") & HEAVY


def test_import_atgvnet_is_light() -> None:
    program = f"import sys, atgvnet; assert not {HEAVY!r} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)


def test_help_takes_at_most_twelve_times_the_bare_interpreter() -> None:
    bare, full = [], []
    for _ in range(10):
        bare.append(_seconds([sys.executable, "-c", "pass"]))
        full.append(_seconds([sys.executable, "-m", "atgvnet", "--help"]))
    assert min(full) <= 12 * min(bare)


def _imported_by(*arguments: str) -> set[str]:
    program = (
        "import sys\n"
        "from atgvnet.cli import main\n"
        f"assert main({arguments!r}) == 0\n"
        "names = {name.partition('.')[0] for name in sys.modules} - set(sys.stdlib_module_names)\n"
        "print(*sorted(names), file=sys.stderr)\n"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(found.stderr.split())


def _seconds(command: list[str]) -> float:
    """Give the processor's time, which other processes on a busy machine do not lengthen."""
    start = _used()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return _used() - start


def _used() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime
