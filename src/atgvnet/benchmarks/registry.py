"""All benchmarks by name."""

from atgvnet.benchmarks import (
    clean_middlebury,
    clean_middlebury_decimated,
    laserscan,
    noisy_middlebury,
    synthetic,
    tofmark,
)
from atgvnet.benchmarks.case import Benchmark

__all__ = ["BENCHMARKS"]

BENCHMARKS: dict[str, Benchmark] = {
    module.BENCHMARK.name: module.BENCHMARK
    for module in (
        noisy_middlebury,
        clean_middlebury,
        clean_middlebury_decimated,
        laserscan,
        tofmark,
        synthetic,
    )
}
