"""Which code numbers depend on, as a digest that comments, docstrings and formatting do not change."""

import ast
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import atgvnet
from atgvnet.methods import METHODS

__all__ = ["digest", "method_digest"]

PACKAGE = Path(atgvnet.__file__).parent
# Reading files and raising errors moves no number.
IGNORED = ("camera", "cli", "depthmap", "errors", "io", "training")


@cache
def method_digest(method: str, benchmark: str) -> str:
    """Digest all that a method runs on a benchmark."""
    own = f"atgvnet.benchmarks.{benchmark.replace('-', '_')}"
    return digest(METHODS[method].partition(":")[0], own, "atgvnet.benchmarks.metrics")


def digest(*modules: str) -> str:
    """Digest modules, and all that they import of the package."""
    found: set[Path] = set()
    waiting = [path for module in modules for path in _files(module)]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += _parsed(path)[1]
    return hashlib.sha256("".join(_parsed(path)[0] for path in sorted(found)).encode()).hexdigest()[:16]


@cache
def _parsed(path: Path) -> tuple[str, tuple[Path, ...]]:
    """Give a file's code without its docstrings, and the files that it imports."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imported = tuple(dict.fromkeys(_imports(tree)))
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and _is_text(body[0]):
            node.body = body[1:] or [ast.Pass()]  # type: ignore[attr-defined]
    return ast.unparse(tree), imported


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _imports(tree: ast.Module) -> Iterator[Path]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from _files(node.module)
            for name in node.names:
                yield from _files(f"{node.module}.{name.name}")
        elif isinstance(node, ast.Import):
            for name in node.names:
                yield from _files(name.name)


def _files(module: str) -> Iterable[Path]:
    """Give the file of a module of the package that counts, if it is one."""
    parts = module.split(".")
    if parts[0] != PACKAGE.name or parts[1:2] == [] or parts[1] in IGNORED:
        return []
    path = PACKAGE.joinpath(*parts[1:])
    return [one for one in (path.with_suffix(".py"), path / "__init__.py") if one.is_file()]
