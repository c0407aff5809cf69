"""A method by its name, a network by its weights, or somebody's own method from a Python file.

Such a file defines an object ``METHOD``, as `atgvnet.methods.problem.Method` has it, or simply a function
``upscale(problem)`` that gives an `Estimate` or an array of the wanted size.
"""

import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import ClassVar, cast

import numpy as np
from numpy.typing import ArrayLike

from atgvnet.errors import AtgvnetError, FileError, InputError
from atgvnet.methods import METHODS, get
from atgvnet.methods.problem import Estimate, Method, Problem

__all__ = ["FunctionMethod", "find_method", "load_method"]


@dataclass(frozen=True, kw_only=True)
class FunctionMethod:
    """A function of a problem as a method."""

    function: Callable[[Problem], Estimate | ArrayLike]
    path: Path
    guided: ClassVar[bool] = False
    source: ClassVar[str] = "the user's own file"

    def __call__(self, problem: Problem, /) -> Estimate:
        """Call the function; whatever it raises names the line of its file."""
        try:
            result = self.function(problem)
            return result if isinstance(result, Estimate) else Estimate(values=np.asarray(result, np.float32))
        except AtgvnetError:
            raise
        except Exception as error:
            raise _mishap(self.path, error) from error


def find_method(name: str | Path) -> Method:
    """Find a method of the package by its name, one in a file that ends in .py, or the network of these weights.

    >>> find_method("nearest").guided
    False
    """
    if Path(name).suffix == ".py":
        return load_method(Path(name))
    return _network(str(name)) or get(str(name))


def _network(weights: str) -> Method | None:
    """Give the network of a folder or file of weights, or of shipped ones by their full name."""
    if weights in METHODS:
        return None
    from atgvnet.weights import MODELS

    if weights not in MODELS and not Path(weights).exists():
        return None
    from atgvnet.methods.networks import NetworkMethod

    return NetworkMethod(weights=weights)


def load_method(path: Path) -> Method:
    """Run the file and take its method."""
    module = _run(path)
    if hasattr(module, "METHOD"):
        if not callable(module.METHOD):
            raise InputError(f"{path}: METHOD is {module.METHOD!r}; it must be callable on a problem")
        return cast(Method, module.METHOD)
    if callable(getattr(module, "upscale", None)):
        return FunctionMethod(function=module.upscale, path=path)
    raise InputError(f"{path}: it has neither METHOD nor upscale(problem); define one of them")


def _run(path: Path) -> ModuleType:
    if not path.is_file():
        raise FileError(f"{path}: there is no such file; give a Python file with a method")
    name = f"atgvnet_custom_{path.stem}"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise FileError(f"{path}: not a Python file; its name must end in .py")
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise _mishap(path, error) from error
    return module


def _mishap(path: Path, error: Exception) -> InputError:
    mine = path.resolve()
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if Path(frame.filename).resolve() == mine]
    place = f"{path}:{lines[-1]}" if lines else str(path)
    return InputError(f"{place}: {type(error).__name__}: {error}")
