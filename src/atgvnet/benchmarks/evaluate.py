"""Run methods over a benchmark, one row of figures for each map."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from atgvnet.benchmarks.case import Case, Run
from atgvnet.benchmarks.selection import Selection, find
from atgvnet.depthmap import DepthMap
from atgvnet.errors import AtgvnetError, GuideError, InputError, WeightsError
from atgvnet.methods.problem import Estimate, Problem

if TYPE_CHECKING:
    from atgvnet.benchmarks.metrics import Metrics

__all__ = ["Keep", "Progress", "Row", "Run", "compare", "evaluate"]

Floats = NDArray[np.float32]
Progress = Callable[[float, str], None]
Keep = Callable[[Case, str, Floats], None]

_WARM_UP = 48  # pixels of the input's corner


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """A method's figures on one map; errors are in the truth's unit, `seconds` the method's own (`Metrics`)."""

    benchmark: str
    scale: float
    scene: str
    method: str
    rmse: float
    mae: float
    rmse_edge: float | None
    flying: float | None
    seconds: float
    coverage: float = 1.0


def evaluate(
    benchmark: str | Path,
    *,
    data: str | Path | None = None,
    scales: Sequence[float] | None = None,
    scenes: Sequence[str] | None = None,
    methods: Iterable[str | Run] | Mapping[str, Run] | None = None,
    progress: Progress | None = None,
    keep: Keep | None = None,
) -> list[Row]:
    """Run methods over a benchmark.

    Parameters
    ----------
    benchmark
        One of `BENCHMARKS`, or a folder of input and truth pairs.
    data
        The folder that holds the benchmarks' data.
    scales, scenes
        Which of them; by default all that are at hand.
    methods
        Names, files of methods, or callables on a `Problem` (named by the keys of a mapping); by default all that
        the package has, but for those that lack a guide or weights for a case.
    progress
        Called with the share of the work done, 0…1, and what is being done.
    keep
        Called with each case, the method's name and its result, cropped and finished, for pictures of them.

    Raises
    ------
    InputError
        If there is no such benchmark, scale, scene or method, or a file of the data is missing.
    """
    cases = Selection(find(benchmark), data, scales, scenes)
    runs = _runs(methods)
    report = _Report(progress, len(cases) * len(runs))
    rows = []
    warm: set[str] = set()
    for case in cases:
        for name, run in runs.items():
            if isinstance(run, _Named):
                run = case.own.get(name, run)
                if name not in warm:
                    _warm_up(case, run)
                    warm.add(name)
            row = _row(case, name, run, report, keep, lenient=methods is None)
            rows += [row] if row else []
    if not rows:
        raise InputError(f"{benchmark}: none of the methods can run on it; name one to see why")
    return rows


def compare(result: DepthMap, truth: DepthMap) -> "Metrics":
    """Measure a map against its truth, in the truth's unit, wherever both are known.

    >>> truth = DepthMap([[1.0, 2.0], [3.0, 4.0]], unit="m")
    >>> compare(DepthMap([[1000, 2000], [3000, 4500]], unit="mm"), truth).mae
    0.125
    """
    from atgvnet.benchmarks.metrics import measure

    return measure(result.to_unit(truth.unit).to_kind(truth.kind).values, truth.values)


@dataclass(frozen=True)
class _Named:
    """A method that the package has under a name."""

    run: Run

    def __call__(self, problem: Problem) -> Estimate:
        return self.run(problem)


def _runs(methods: Iterable[str | Run] | Mapping[str, Run] | None) -> dict[str, Run]:
    if isinstance(methods, Mapping):
        return dict(methods)
    from atgvnet.methods import METHODS

    chosen = list(METHODS if methods is None else methods)
    if not chosen:
        raise InputError("no method is given; name at least one")
    return {_name(method): _Named(_get(method)) if isinstance(method, str) else method for method in chosen}


def _get(name: str) -> Run:
    if name.endswith(".py"):
        from atgvnet.custom import load_method

        return load_method(Path(name))
    from atgvnet.methods import get

    return get(name)


def _name(method: str | Run) -> str:
    if isinstance(method, str):
        return Path(method).stem if method.endswith(".py") else method
    return str(getattr(method, "__name__", type(method).__name__))


def _warm_up(case: Case, run: Run) -> None:
    """Let a method compile and load on a corner of a map, so that its seconds are those of its work."""
    problem = case.problem()
    height, width = (min(side, _WARM_UP) for side in problem.values.shape)
    size = (min(round(height * problem.scale[0]), case.size[0]), min(round(width * problem.scale[1]), case.size[1]))
    corner = replace(
        problem,
        values=problem.values[:height, :width],
        sigma=problem.sigma[:height, :width],
        weight=problem.weight[:height, :width],
        size=size,
        guide=None if problem.guide is None else problem.guide[: size[0], : size[1]],
    )
    with suppress(AtgvnetError):
        run(corner)


class _Report:
    """Progress over all runs, each of which reports its own."""

    def __init__(self, progress: Progress | None, runs: int) -> None:
        self._progress = progress or (lambda _share, _text: None)
        self._runs = max(runs, 1)
        self._done = 0

    def begin(self, text: str) -> Callable[[float], None]:
        """Announce a run; the answer takes the share of it that is done."""
        start = self._done
        self._done += 1
        self._progress(start / self._runs, text)
        return lambda share: self._progress((start + share) / self._runs, text)


def _row(case: Case, name: str, run: Run, report: _Report, keep: Keep | None, *, lenient: bool) -> Row | None:
    inner = report.begin(f"{case.benchmark} ×{case.scale:g} {case.scene} {name}")
    start = time.perf_counter()
    try:
        values = run(case.problem(inner)).values
    except (GuideError, WeightsError):
        if lenient:
            return None
        raise
    seconds = time.perf_counter() - start
    inner(1.0)
    result = case.result(values)
    if keep:
        keep(case, name, result)
    return _measured(case, name, result, seconds)


def _measured(case: Case, name: str, result: Floats, seconds: float) -> Row:
    from atgvnet.benchmarks.metrics import measure

    found = measure(result, case.truth.values, case.counted)
    return Row(
        benchmark=case.benchmark,
        scale=case.scale,
        scene=case.scene,
        method=name,
        rmse=found.rmse,
        mae=found.mae,
        rmse_edge=found.rmse_edge,
        flying=found.flying,
        seconds=seconds,
        coverage=found.coverage,
    )
