"""Level and law of the noise from one map, whatever its scene: edges, slopes, fine detail, holes and steps.

What is left of 3 × 3 pixels when the part f(x) + g(y) + a x y is taken off vanishes on slanted planes and on edges
along the grid; of white noise it keeps three of nine degrees of freedom (one of them is the residual of Immerkær,
Fast noise variance estimation, CVIU 1996). Where one of the nine pixels is missing, it is fitted too, and two are
kept.

What the scene leaves there adds to the variance: the squares are a mixture of χ² of the variances σ² + (4^k - 1) σ₀²
for k = 0, 1, 2, …, where σ is the noise at a pixel's value by the law, and σ₀ that at the middle value. How many
pixels are free of detail may differ between near and far, the mixture of the others does not. Expectation
maximisation finds the level for each law, and the likelihood decides between the laws.

Values that come in steps are dithered by a step, as otherwise the mixture would fall for the exact zeros; both,
rounding and dither, are taken off again: a step is not noise.
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
_WANTED = 300  # degrees of freedom; with fewer, second differences along lines are used if they have more
_LEAST = 20
_LAWS: tuple[Kind, ...] = ("constant", "inverse", "linear", "quadratic")
_FAVOUR = 12.0  # in log-likelihood, for the constant law: the others must earn their place
_DETAIL = 4.0 ** np.arange(9)[:, None] - 1
_EVEN_SHARES = 10.0  # pixels, spread over all sizes of detail beforehand
_LIKE_THE_REST = 5.0  # pixels, of which as many are free of detail as in the whole map
_CLEAN_AT_LEAST = 0.25  # share of the pixels in each range of values: what is everywhere is noise, not detail
_LEVELS, _RANGES, _GROUPS, _PIXELS_PER_LEVEL = 24, 6, 16, 40
_ITERATIONS, _SETTLED = 40, 0.5
_FIFTH = np.array([1.0, 0.064, 0.446, 1.005])  # below which a fifth of χ² of so many degrees of freedom is

_ONES = (1.0, 1.0, 1.0)
_SLOPE = (-(0.5**0.5), 0.0, 0.5**0.5)
_BEND = (6**-0.5, -2 * 6**-0.5, 6**-0.5)
_CONTRASTS = ((_BEND, _BEND), (_BEND, _SLOPE), (_SLOPE, _BEND))


@dataclass(frozen=True, kw_only=True, eq=False)
class _Residuals:
    """Sums of squares of noise over their degrees of freedom, local values, and the step that these come in."""

    square: Floats
    freedom: Floats
    level: Floats
    step: Floats


@dataclass(frozen=True, kw_only=True, eq=False)
class _Groups:
    """Residuals alike in value and size, replaced by their means; of which range of values each is."""

    square: Floats
    freedom: Floats
    level: Floats
    count: Floats
    within: Floats


def estimate(values: ArrayLike, valid: ArrayLike | None = None) -> NoiseLaw:
    """Estimate the noise of a map; none for maps under 8 × 8 or with too few neighbouring valid pixels.

    >>> rng = np.random.default_rng(0)
    >>> y, x = np.mgrid[:60, :80]
    >>> law = estimate(100 + x - 2 * y + rng.normal(0, 3, x.shape))
    >>> law.kind, round(law.coefficient, 1)
    ('constant', 3.0)
    """
    found = _residuals(*_checked(values, valid))
    if found is None or not found.square.any():
        return NoiseLaw("none")
    middle = float(np.median(found.level))
    groups = _grouped(found)
    fits = [_fit(groups, kind, middle) for kind in (_LAWS if _spread(found.level) else _LAWS[:1])]
    variance, _, kind = max(fits, key=lambda fit: fit[1])
    rounding = float(np.mean((found.step / _shape(found.level, kind, middle)) ** 2)) / 12
    if variance - 2 * rounding <= 0.5 * rounding:
        return NoiseLaw("none")
    law = NoiseLaw(kind, 1.0)
    return NoiseLaw(kind, float(np.sqrt(variance - 2 * rounding)) * middle**-law.exponent)


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
    if steps.any():
        values = values + steps * np.random.default_rng(0).uniform(-0.5, 0.5, values.shape)
    hole = (~known).astype(np.float64)
    holes = _filter(hole, _ONES, _ONES)
    use = holes < 1.5
    freedom = 3 - np.round(holes[use])
    if freedom.sum() < _WANTED and (found := _along_lines(values, known, steps)).freedom.sum() > freedom.sum():
        return found if len(found.freedom) >= _LEAST else None
    if freedom.sum() < _LEAST:
        return None
    contrasts = [_filter(values, *pair)[use] for pair in _CONTRASTS]
    square = np.sum([contrast**2 for contrast in contrasts], axis=0)
    if hole.any():
        missing = [_filter(hole, *pair)[use] for pair in _CONTRASTS]
        across = np.sum([a * b for a, b in zip(contrasts, missing, strict=True)], axis=0)
        square -= across**2 / np.maximum(np.sum([one**2 for one in missing], axis=0), 1e-9)
    level = _filter(values, _ONES, _ONES)[use] / (6 + freedom)
    return _Residuals(square=np.maximum(square, 0), freedom=freedom, level=level, step=steps[1:-1, 1:-1][use])


def _along_lines(values: Floats, known: NDArray[np.bool_], steps: Floats) -> _Residuals:
    """Take second differences along rows and columns, where holes leave too few neighbourhoods."""
    parts = []
    for array, mask, step in ((values, known, steps), (values.T, known.T, steps.T)):
        whole = mask[:, :-2] & mask[:, 1:-1] & mask[:, 2:]
        bend, total = _filter(array, (1.0,), _BEND), _filter(array, (1.0,), _ONES)
        parts.append((bend[whole] ** 2, total[whole] / 3, step[:, 1:-1][whole]))
    square, level, step = (np.concatenate(part) for part in zip(*parts, strict=True))
    return _Residuals(square=square, freedom=np.ones_like(square), level=level, step=step)


def _filter(values: Floats, vertical: tuple[float, ...], horizontal: tuple[float, ...]) -> Floats:
    """Correlate with an outer product where it fits inside."""
    rows, columns = values.shape[0] - len(vertical) + 1, values.shape[1] - len(horizontal) + 1
    values = np.sum([w * values[k : k + rows] for k, w in enumerate(vertical) if w], axis=0)
    return np.asarray(np.sum([w * values[:, k : k + columns] for k, w in enumerate(horizontal) if w], axis=0))


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


def _grouped(found: _Residuals) -> _Groups:
    """Part residuals by value, so that neither a part's pixels nor its values are too many, and then by size."""
    pixels, level = len(found.level), found.level
    rank = np.empty(pixels)
    rank[np.argsort(level)] = np.arange(pixels) / pixels
    height = (level - level.min()) / (np.ptp(level) or 1.0)
    levels = int(np.clip(pixels / _PIXELS_PER_LEVEL, 1, _LEVELS))
    part = ((rank + height) / 2 * levels).astype(np.intp).clip(max=levels - 1)
    key = 3 * part + found.freedom.astype(np.intp) - 1
    order = np.argsort(key + found.square / (1.001 * found.square.max()))
    key = key[order]
    count = np.bincount(key)
    groups = np.minimum(_GROUPS, count)
    place = np.arange(pixels) - (np.cumsum(count) - count)[key]
    group = (np.cumsum(groups) - groups)[key] + place * groups[key] // count[key]
    inside = np.bincount(group).astype(np.float64)
    square, freedom, value, part = (
        np.bincount(group, each[order]) / inside for each in (found.square, found.freedom, level, part)
    )
    ranges = np.round(part).astype(np.intp) * min(_RANGES, levels) // levels
    within = (np.arange(ranges.max() + 1)[:, None] == ranges).astype(np.float64)
    return _Groups(square=square, freedom=freedom, level=value, count=inside, within=within)


def _shape(level: Floats, kind: Kind, middle: float) -> Floats:
    """Give the noise at these values over that at the middle value."""
    return np.ones_like(level) if kind == "constant" else (level / middle) ** NoiseLaw(kind, 1.0).exponent


def _fit(groups: _Groups, kind: Kind, middle: float) -> tuple[float, float, Kind]:
    """Variance at the middle value, log-likelihood, and the law that they belong to."""
    count, freedom, within = groups.count, groups.freedom, groups.within
    shape = _shape(groups.level, kind, middle) ** 2
    unit = float((count * groups.square / shape).sum() / (count * freedom).sum())
    square, total = groups.square / unit, count.sum()
    parts = shape + _DETAIL
    scaled, density = square / parts, parts ** (-freedom / 2)
    guess = square / shape / _FIFTH[freedom.astype(np.intp)]
    order = np.argsort(guess)
    variance = max(float(np.interp(0.2, np.cumsum(count[order]) / total, guess[order])), 1e-12)
    clean, detail = np.full(len(within), 0.5), np.full(len(parts) - 1, 1 / (len(parts) - 1))
    inside, before = within @ count, -np.inf
    for _ in range(_ITERATIONS):
        each = np.exp(scaled * (-0.5 / variance))
        each *= density
        free = clean @ within
        each[0] *= free
        each[1:] *= detail[:, None] * (1 - free)
        each += 1e-300
        whole = each.sum(axis=0)
        each *= count / whole
        pure = within @ each[0]
        overall = pure.sum() / total
        likelihood = float((count * (np.log(whole) - freedom / 2 * np.log(variance * unit))).sum())
        likelihood += _LIKE_THE_REST * float((overall * np.log(clean) + (1 - overall) * np.log1p(-clean)).sum())
        likelihood += _EVEN_SHARES * float(np.log(detail).mean())
        if likelihood - before < _SETTLED:
            break
        before = likelihood
        clean = ((pure + _LIKE_THE_REST * overall) / (inside + _LIKE_THE_REST)).clip(_CLEAN_AT_LEAST, 1 - 1e-9)
        detail = each[1:].sum(axis=1) + _EVEN_SHARES / len(detail)
        detail /= detail.sum()
        each *= scaled
        variance = max(float(each.sum() / (count * freedom).sum()), 1e-12)
    return variance * unit, likelihood + (_FAVOUR if kind == "constant" else 0.0), kind
