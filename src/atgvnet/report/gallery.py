"""What is kept of an evaluation for its page: each map packed as soon as it is there, so that memory stays small."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from atgvnet.benchmarks.case import Case
from atgvnet.report.codec import Packed, pack
from atgvnet.report.curves import Rings
from atgvnet.report.inset import small_input
from atgvnet.report.scales import Floats, depth_range, error_limit, typical_error

__all__ = ["Gallery", "Kept", "Sheet", "counted"]

Key = tuple[str, float, str]  # benchmark, scale and scene

LONG_SIDE = 2048
_MARGIN = 0.5  # of the truth's range: how far beyond it results are told apart


@dataclass(frozen=True, kw_only=True, eq=False, slots=True)
class Kept:
    """A method's result."""

    packed: Packed
    typical_error: float
    rings: list[float | None]


def counted(case: Case) -> NDArray[np.bool_]:
    """Tell where the error of a case counts."""
    return case.truth.valid if case.counted is None else case.truth.valid & case.counted


class Sheet:
    """All that is shown of one case. Of very large maps only every n-th pixel is kept."""

    def __init__(self, case: Case) -> None:
        truth = case.truth.values
        self.unit = case.truth.unit
        self.shape = case.truth.shape
        self.scale = case.scale
        self.stride = -(-max(truth.shape) // LONG_SIDE)
        self.range = depth_range(truth)
        self.methods: dict[str, Kept] = {}
        self._case = case
        self._counted = counted(case)
        self._rings = Rings.of(truth, self._counted)
        self._span = _span(truth)
        self.truth = self._pack(truth)
        self.input = pack(small_input(case), self._span)
        everything = np.array_equal(self._counted, case.truth.valid)
        self.counted = None if everything else self._pack(self._counted.astype(np.float32), (0.0, 1.0))

    def add(self, method: str, values: Floats) -> None:
        """Keep a method's result."""
        errors = np.where(self._counted, values - self._case.truth.values, np.float32(np.nan))
        self.methods[method] = Kept(
            packed=self._pack(values),
            typical_error=typical_error(errors),
            rings=self._rings.rms(errors),
        )

    @property
    def error_limit(self) -> float:
        """Error from which pixels are brightest."""
        return error_limit(kept.typical_error for kept in self.methods.values())

    def _pack(self, values: Floats, span: tuple[float, float] | None = None) -> Packed:
        return pack(values[:: self.stride, :: self.stride], span or self._span)


def _span(truth: Floats) -> tuple[float, float]:
    known = truth[np.isfinite(truth)]
    if known.size == 0:
        return 0.0, 1.0
    low, high = float(known.min()), float(known.max())
    margin = _MARGIN * (high - low) or 1.0
    return low - margin, high + margin


@dataclass(frozen=True, slots=True)
class Gallery:
    """The sheets of an evaluation, filled by it: ``evaluate(…, keep=gallery.keep)``."""

    sheets: dict[Key, Sheet] = field(default_factory=dict)

    def keep(self, case: Case, method: str, values: Floats) -> None:
        """Keep one result."""
        key = case.benchmark, case.scale, case.scene
        if key not in self.sheets:
            self.sheets[key] = Sheet(case)
        self.sheets[key].add(method, values)
