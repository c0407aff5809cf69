"""Which methods take part where: all that need nothing, networks where they have weights of their own."""

from collections.abc import Iterable

from atgvnet.benchmarks import BENCHMARKS
from atgvnet.methods import METHODS, get
from atgvnet.weights import scales

__all__ = ["SPARSE", "Key", "everything", "methods_for", "takes_part"]

Key = tuple[str, float, str]  # benchmark, scale and method

# Here a network's factor is not the benchmark's: sparse ranges are gathered on a coarser grid first.
SPARSE = ("tofmark", "synthetic")


def takes_part(benchmark: str, scale: float, method: str) -> bool:
    """Tell whether a method has what it needs: weights for this benchmark, or for any map, at the scale or above."""
    weights = getattr(get(method), "weights", None)
    if weights is None:
        return True
    own = scales(weights, benchmark) or scales(weights)
    return bool(own) and (benchmark in SPARSE or own[-1] >= scale)


def methods_for(benchmark: str, scale: float, wanted: Iterable[str] = METHODS) -> list[str]:
    """Give the methods of `wanted` that the package has and that take part."""
    return [method for method in wanted if method in METHODS and takes_part(benchmark, scale, method)]


def everything() -> list[Key]:
    """Give all that there is to measure, benchmark by benchmark."""
    return [
        (name, scale, method)
        for name, benchmark in BENCHMARKS.items()
        for scale in benchmark.scales
        for method in methods_for(name, scale)
    ]
