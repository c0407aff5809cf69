"""Maps as text for the page: lossless but for a fine rounding, a quarter smaller than PNG, read without a canvas.

(Browsers that guard against fingerprints alter what a page reads back from pictures.)

A value is a *level*, 1…65535; 0 is a missing one. Levels are coded row by row:

- A level is predicted from its neighbours on the left, above and above left: their gradient, or at an edge one of
  them.
- What is left over is its sign and its magnitude; of that first the number of bits, in unary, then the bits.
- Each of these yes-or-no decisions goes to an arithmetic coder, whose probabilities adapt to what was seen in the
  same *context*: whether the gradients between the four known neighbours are small or large, up or down.

`assets/codec.js` is the other half.
"""

import base64
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from atgvnet.report.scales import Floats

__all__ = ["CONTEXTS", "LENGTHS", "Packed", "encode", "pack"]

Levels = NDArray[np.uint16]
Bytes = NDArray[np.uint8]
Counts = NDArray[np.int64]

CONTEXTS = 125
LENGTHS = 18  # of magnitudes, in bits, and 0
_STEPS = 4094  # from the lowest to the highest level of a map that is not of integers
_LAST = 65535

_PRECISION = 12  # bits of a probability
_EVEN = 1 << (_PRECISION - 1)
_RATE = 5  # each decision moves its probability by 2^-5 of the way
_ENOUGH = 20  # bytes for a level, at the very most


@dataclass(frozen=True, kw_only=True, slots=True)
class Packed:
    """A map as text; a level stands for ``low + (level - 1) * step``."""

    width: int
    height: int
    low: float
    step: float
    text: str


def pack(values: Floats, span: tuple[float, float]) -> Packed:
    """Pack a map; what lies outside the span is moved to its ends, what is not finite is missing."""
    low, high = span
    known = np.isfinite(values)
    inside = np.clip(values[known].astype(np.float64), low, high)
    low, step = _steps(inside, low, high)
    levels = np.zeros(values.shape, dtype=np.uint16)
    levels[known] = np.rint((inside - low) / step) + 1
    text = base64.b64encode(encode(levels).tobytes()).decode("ascii")
    return Packed(width=values.shape[1], height=values.shape[0], low=low, step=step, text=text)


def _steps(inside: NDArray[np.float64], low: float, high: float) -> tuple[float, float]:
    """Give the lowest level's value, and the step; integers stay what they are."""
    if inside.size and np.ptp(inside) < _LAST and np.array_equal(inside, np.rint(inside)):
        return float(inside.min()), 1.0
    return low, (high - low) / _STEPS if high > low else 1.0


class _Chances(NamedTuple):
    """Of a decision's being yes, by context."""

    lengths: Counts
    signs: Counts
    seconds: Counts


@njit(cache=True, nogil=True)
def encode(levels: Levels) -> Bytes:
    """Code levels (H, W) as bytes."""
    height, width = levels.shape
    chances = _Chances(
        np.full((CONTEXTS, LENGTHS), _EVEN, dtype=np.int64),
        np.full((CONTEXTS, 1), _EVEN, dtype=np.int64),
        np.full((CONTEXTS, LENGTHS), _EVEN, dtype=np.int64),
    )
    out = np.zeros(_ENOUGH * levels.size + 16, dtype=np.uint8)
    state = np.array([0, 0xFFFFFFFF, 0], dtype=np.int64)  # the interval's ends, and the number of bytes written
    for y in range(height):
        for x in range(width):
            predicted, context = _look_around(levels, y, x)
            _put_left_over(out, state, chances, context, int(levels[y, x]) - predicted)
    for place in (24, 16, 8, 0):
        out[state[2]] = (state[1] >> place) & 0xFF
        state[2] += 1
    return out[: state[2]]


@njit(cache=True, nogil=True)
def _look_around(levels: Levels, y: int, x: int) -> tuple[int, int]:
    """Predict a level from its neighbours (0 outside the map), and give the context that they make."""
    left = int(levels[y, x - 1]) if x > 0 else 0
    up = int(levels[y - 1, x]) if y > 0 else 0
    corner = int(levels[y - 1, x - 1]) if x > 0 and y > 0 else 0
    right = int(levels[y - 1, x + 1]) if y > 0 and x + 1 < levels.shape[1] else 0
    predicted = min(max(left + up - corner, min(left, up)), max(left, up))
    return predicted, 25 * _class(left - corner) + 5 * _class(corner - up) + _class(up - right)


@njit(cache=True, nogil=True)
def _class(gradient: int) -> int:
    return min(max(gradient, -2), 2) + 2


@njit(cache=True, nogil=True)
def _put_left_over(out: Bytes, state: Counts, chances: _Chances, context: int, left_over: int) -> None:
    """Code what prediction left over: the number of bits of its magnitude, its sign, the bits after the first."""
    magnitude, length = abs(left_over), 0
    while magnitude >> length:
        _put(out, state, chances.lengths[context], length, 1)
        length += 1
    _put(out, state, chances.lengths[context], length, 0)
    if length:
        _put(out, state, chances.signs[context], 0, int(left_over < 0))
    if length > 1:
        _put(out, state, chances.seconds[context], length, (magnitude >> (length - 2)) & 1)
    for place in range(length - 3, -1, -1):
        _narrow(out, state, _EVEN, (magnitude >> place) & 1)


@njit(cache=True, nogil=True)
def _put(out: Bytes, state: Counts, chances: Counts, index: int, bit: int) -> None:
    """Code a decision, and learn from it."""
    _narrow(out, state, int(chances[index]), bit)
    if bit:
        chances[index] += ((1 << _PRECISION) - chances[index]) >> _RATE
    else:
        chances[index] -= chances[index] >> _RATE


@njit(cache=True, nogil=True)
def _narrow(out: Bytes, state: Counts, chance: int, bit: int) -> None:
    """Narrow the interval to the part that the decision has, and write the bytes that are settled."""
    low, high = state[0], state[1]
    middle = low + ((high - low) >> _PRECISION) * chance
    if bit:
        high = middle
    else:
        low = middle + 1
    while (low ^ high) < (1 << 24):
        out[state[2]] = high >> 24
        state[2] += 1
        low = (low << 8) & 0xFFFFFFFF
        high = ((high << 8) & 0xFFFFFFFF) | 0xFF
    state[0], state[1] = low, high
