"""Which methods take part where, and with which weights: networks where they have some, all others everywhere."""

from collections.abc import Iterable

from atgvnet.benchmarks import BENCHMARKS
from atgvnet.methods import METHODS, get
from atgvnet.weights import scales

__all__ = ["SPARSE", "Key", "everything", "methods_for", "networks", "takes_part", "weights_for"]

Key = tuple[str, float, str]  # benchmark, scale and method

# Here a network's factor is not the benchmark's: sparse ranges are gathered on a coarser grid first.
SPARSE = ("tofmark", "synthetic")


def networks() -> list[str]:
    """Give the methods that need weights."""
    return [method for method in METHODS if _model(method)]


def weights_for(key: Key) -> list[str]:
    """Name the weights that a method can choose on a benchmark at a scale; one, but where input is sparse."""
    benchmark, scale, method = key
    if not (model := _model(method)):
        return []
    own = scales(model, benchmark)
    prefix, there = (f"{model}-{benchmark}", own) if own else (model, scales(model))
    if benchmark in SPARSE:
        return [f"{prefix}-x{each}" for each in there]
    return [f"{prefix}-x{each}" for each in there if each >= scale][:1]


def takes_part(key: Key) -> bool:
    """Tell whether a method has what it needs: weights for this benchmark, or for any map, at the scale or above."""
    return not _model(key[2]) or bool(weights_for(key))


def methods_for(benchmark: str, scale: float, wanted: Iterable[str] = METHODS) -> list[str]:
    """Give the methods of `wanted` that the package has and that take part."""
    return [method for method in wanted if method in METHODS and takes_part((benchmark, scale, method))]


def everything() -> list[Key]:
    """Give all that there is to measure, benchmark by benchmark."""
    return [
        (name, scale, method)
        for name, benchmark in BENCHMARKS.items()
        for scale in benchmark.scales
        for method in methods_for(name, scale)
    ]


def _model(method: str) -> str | None:
    return getattr(get(method), "weights", None)
