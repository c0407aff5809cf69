"""Benchmarks: what the paper measured, the same way; metrics; tables with the paper's own rows beside ours."""

from atgvnet.benchmarks.case import Benchmark, Case
from atgvnet.benchmarks.evaluate import Row, compare, evaluate
from atgvnet.benchmarks.registry import BENCHMARKS

__all__ = ["BENCHMARKS", "Benchmark", "Case", "Row", "compare", "evaluate"]
