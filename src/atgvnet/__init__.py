"""Accurate depth super-resolution: small, noisy depth maps in, sharp ones out, from the depth alone.

>>> import atgvnet
>>> depth = atgvnet.DepthMap([[1.0, 1.0], [2.0, 2.0]], unit="m")
>>> atgvnet.upscale(depth, scale=2, method="nearest").depth.shape
(4, 4)
"""

from importlib import import_module
from typing import TYPE_CHECKING

from atgvnet.errors import (
    AtgvnetError,
    FileError,
    FormatError,
    GuideError,
    InputError,
    TrainingError,
    UnitError,
    WeightsError,
)
from atgvnet.upscale import load, upscale

if TYPE_CHECKING:
    from atgvnet.benchmarks import evaluate
    from atgvnet.camera import Camera
    from atgvnet.depthmap import DepthMap
    from atgvnet.io import read, write
    from atgvnet.model import ATGVNet
    from atgvnet.upscaler import Result

__all__ = [
    "ATGVNet",
    "AtgvnetError",
    "Camera",
    "DepthMap",
    "FileError",
    "FormatError",
    "GuideError",
    "InputError",
    "Result",
    "TrainingError",
    "UnitError",
    "WeightsError",
    "__version__",
    "evaluate",
    "load",
    "read",
    "upscale",
    "write",
]

__version__ = "0.1.0"

# Fetched when first asked for (PEP 562), so that `import atgvnet` and the command line start at once.
_LAZY = {
    "ATGVNet": "atgvnet.model",
    "Camera": "atgvnet.camera",
    "DepthMap": "atgvnet.depthmap",
    "Result": "atgvnet.upscaler",
    "evaluate": "atgvnet.benchmarks",
    "read": "atgvnet.io",
    "write": "atgvnet.io",
}


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(_LAZY[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
