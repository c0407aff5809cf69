"""How the benchmarks measure time."""

import time
from collections.abc import Callable

__all__ = ["best"]


def best(run: Callable[[], object], repeats: int) -> float:
    """Give the least seconds of so many runs, after one that warms up."""
    run()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)
