"""Level and law of the noise from one map, whatever its scene: edges, slopes, fine detail, holes and steps.

The product of the second differences in x and y vanishes on everything of the form f(x) + g(y) + a x y, so on slanted
planes and on edges along the grid; of white noise it keeps the highest frequencies (Immerkær, Fast noise variance
estimation, CVIU 1996). What the scene adds to this residual is kept out twice:

- only the calmer half of the pixels counts, by an odd third difference, which is uncorrelated with the even residual,
  so that under pure noise the choice does not bias; the half is taken among pixels of like values, so that it does
  not prefer those with less noise either;
- what is left is a mixture of Gaussians of the standard deviations σ, 2σ, 4σ, …: the noise, and noise plus detail.
  Expectation maximisation finds σ.

For each law, the residual is divided by its shape first; the likelihood decides between them. Values that come in
steps are dithered by a step, as otherwise the mixture would fall for the exact zeros; both, rounding and dither, are
taken off again: a step is not noise.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from atgvnet.errors import InputError
from atgvnet.noise._law import Kind, NoiseLaw

__all__ = ["estimate"]

Floats = NDArray[np.float64]

_SMALLEST_SIDE = 8
_ENOUGH = 2**20  # pixels
_CALM_SHARE = 0.5
_WANTED = 300  # whole 5 × 5 neighbourhoods; with fewer, second differences along lines are used
_LEAST = 20
_SCALES = 2.0 ** np.arange(8)[:, None]
_LAWS: tuple[Kind, ...] = ("constant", "inverse", "linear", "quadratic")
_FAVOUR = 6.0  # in log-likelihood, for the constant law: the others must earn their place

_SECOND, _MEAN = (1.0, -2.0, 1.0), (1 / 3, 1 / 3, 1 / 3)
_ODD, _SMOOTH = (-1.0, 2.0, 0.0, -2.0, 1.0), (0.0, 0.25, 0.5, 0.25, 0.0)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Residuals:
    """Noise of about the pixels' standard deviation, their local values, and the step these come in."""

    size: Floats
    level: Floats
    step: Floats


def estimate(values: ArrayLike, valid: ArrayLike | None = None) -> NoiseLaw:
    """Estimate the noise of a map; none for maps under 8 × 8 or with too few neighbouring valid pixels.

    >>> rng = np.random.default_rng(0)
    >>> y, x = np.mgrid[:60, :80]
    >>> law = estimate(100 + x - 2 * y + rng.normal(0, 3, x.shape))
    >>> law.kind, round(law.coefficient, 1)
    ('constant', 3.0)
    """
    found = _residuals(*_checked(values, valid))
    if found is None:
        return NoiseLaw("none")
    middle = float(np.median(found.level))
    fits = [_fit(found, kind, middle) for kind in (_LAWS if _spread(found.level) else _LAWS[:1])]
    variance, _, kind = max(fits, key=lambda fit: fit[1])
    if variance <= 0:
        return NoiseLaw("none")
    law = NoiseLaw(kind, 1.0)
    return NoiseLaw(kind, float(np.sqrt(variance)) * middle**-law.exponent)


def _checked(values: ArrayLike, valid: ArrayLike | None) -> tuple[Floats, NDArray[np.bool_]]:
    array = np.asarray(values, dtype=np.float64)
    known = np.isfinite(array)
    if array.ndim != 2:
        raise InputError(f"noise: the map's shape is {array.shape}; give height × width")
    if valid is not None:
        mask = np.asarray(valid, dtype=bool)
        if mask.shape != array.shape:
            raise InputError(f"noise: the mask is {mask.shape}, the map {array.shape}; give equal shapes")
        known &= mask
    array, known = _bands(array), _bands(known)
    return np.where(known, array, 0.0), known


def _bands(array: NDArray[Any], height: int = 64) -> NDArray[Any]:
    """Keep evenly spaced bands of rows of a large map: a million pixels tell enough."""
    bands = max(1, _ENOUGH // (height * array.shape[1]))
    if bands * height >= array.shape[0]:
        return array
    starts = np.linspace(0, array.shape[0] - height, bands).astype(np.intp)
    return np.concatenate([array[start : start + height] for start in starts])


def _spread(level: Floats) -> bool:
    """Whether values differ enough, and are all positive, so that a law over them means something."""
    return bool(level.size >= _WANTED / 2 and level.min() > 1e-3 * level.max())


def _residuals(values: Floats, known: NDArray[np.bool_]) -> _Residuals | None:
    if min(values.shape) < _SMALLEST_SIDE:
        return None
    steps = _steps(values, known)
    dithered = values + steps * np.random.default_rng(0).uniform(-0.5, 0.5, values.shape)
    calm = _complete(known)
    if np.count_nonzero(calm) >= _WANTED:
        inner = dithered[1:-1, 1:-1]
        size, level = np.abs(_filter(inner, _SECOND, _SECOND))[calm] / 6, _filter(inner, _MEAN, _MEAN)[calm]
        rough = (_filter(dithered, _SMOOTH, _ODD) ** 2 + _filter(dithered, _ODD, _SMOOTH) ** 2)[calm]
        chosen = _calm(level, rough)
        return _Residuals(size=size[chosen], level=level[chosen], step=steps[2:-2, 2:-2][calm][chosen])
    return _along_lines(dithered, known, steps)


def _along_lines(values: Floats, known: NDArray[np.bool_], steps: Floats) -> _Residuals | None:
    """Take second differences along rows and columns, where holes leave no whole neighbourhoods."""
    parts = []
    for array, mask, step in ((values, known, steps), (values.T, known.T, steps.T)):
        whole = mask[:, :-2] & mask[:, 1:-1] & mask[:, 2:]
        second, mean = _filter(array, (1.0,), _SECOND), _filter(array, (1.0,), _MEAN)
        parts.append((np.abs(second[whole]) / np.sqrt(6), mean[whole], step[:, 1:-1][whole]))
    size, level, step = (np.concatenate(part) for part in zip(*parts, strict=True))
    return _Residuals(size=size, level=level, step=step) if size.size >= _LEAST else None


def _filter(values: Floats, vertical: tuple[float, ...], horizontal: tuple[float, ...]) -> Floats:
    """Correlate with an outer product where it fits inside."""
    rows, columns = values.shape[0] - len(vertical) + 1, values.shape[1] - len(horizontal) + 1
    values = np.sum([w * values[k : k + rows] for k, w in enumerate(vertical) if w], axis=0)
    return np.asarray(np.sum([w * values[:, k : k + columns] for k, w in enumerate(horizontal) if w], axis=0))


def _complete(known: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Find the 5 × 5 neighbourhoods without a missing pixel."""
    ones = (1.0,) * 5
    return _filter(known.astype(np.float64), ones, ones) > 24.5


def _calm(level: Floats, rough: Floats) -> NDArray[np.intp]:
    """Choose the calmer pixels among those of like values."""
    share = min(1.0, max(_CALM_SHARE, _WANTED / len(level)))
    bins = int(np.clip(len(level) * share / 100, 1, 12))
    like = np.array_split(np.argsort(level, kind="stable"), bins)
    chosen = [part[np.argsort(rough[part], kind="stable")[: max(1, round(len(part) * share))]] for part in like]
    return np.concatenate(chosen)


def _steps(values: Floats, known: NDArray[np.bool_]) -> Floats:
    """Give the distance between neighbouring levels around each value; 0 if values hardly ever repeat."""
    levels, position = np.unique(values[known], return_inverse=True)
    steps = np.zeros(values.shape)
    if len(levels) < 2 or 3 * len(levels) > len(position):
        return steps
    gaps = np.pad(np.diff(levels), (2, 3), mode="edge")
    around = np.median(np.lib.stride_tricks.sliding_window_view(gaps, 5), axis=1)
    steps[known] = around[: len(levels)][position]
    return steps


def _fit(found: _Residuals, kind: Kind, middle: float) -> tuple[float, float, Kind]:
    """Variance at the middle value, log-likelihood, and the law that they belong to."""
    shape = np.ones_like(found.level)
    if kind != "constant":
        shape = (found.level / middle) ** NoiseLaw(kind, 1.0).exponent
    sigma, likelihood = _core(found.size / shape)
    rounding = float(np.mean((found.step / shape) ** 2)) / 12
    favour = _FAVOUR if kind == "constant" else 0.0
    variance = sigma**2 - 2 * rounding
    return variance if variance > 0.5 * rounding else 0.0, likelihood - float(np.log(shape).sum()) + favour, kind


def _core(size: Floats, iterations: int = 40) -> tuple[float, float]:
    """Find σ of the mixture Σ w_k N(0, (σ 2^k)²) and the logarithm of its likelihood."""
    unit = float(np.sqrt(np.mean(size**2)))
    if unit == 0:
        return 0.0, np.inf
    size, count = _condensed(size / unit)
    total = count.sum()
    sigma = max(float(np.interp(0.3, np.cumsum(count) / total, size)) / 0.385, 1e-6)
    squares = (size / _SCALES) ** 2
    weight = np.full(_SCALES.shape, 0.5 / (len(_SCALES) - 1))
    weight[0] = 0.5
    for _ in range(iterations):
        parts = np.exp(squares * (-0.5 / sigma**2))
        parts *= weight / (sigma * _SCALES)
        parts += 1e-300
        density = parts.sum(axis=0)
        odds = count / density
        weight = (parts @ odds)[:, None] / total
        parts *= squares
        sigma = max(float(np.sqrt((parts @ odds).sum() / total)), 1e-6)
    return sigma * unit, float((count * np.log(density / unit)).sum())


def _condensed(size: Floats, groups: int = 400) -> tuple[Floats, Floats]:
    """Replace many sizes by the root mean squares of groups of like ones, and their counts."""
    size = np.sort(size)
    ends = np.linspace(0, len(size), min(groups, len(size)) + 1).astype(np.intp)
    count = np.diff(ends).astype(np.float64)
    return np.sqrt(np.add.reduceat(size**2, ends[:-1]) / count), count
