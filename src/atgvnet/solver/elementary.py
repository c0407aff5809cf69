"""Logarithm and exponential that the compiler can vectorise.

LLVM has no vector versions of the C library's functions, and calling those pixel by pixel takes as long as all the
iterations together. In float32 a few multiplications and the bits of the number do; the polynomials were fitted to
one unit in the last place. In float64, which serves to check gradients, the C library's functions are good enough.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit, types
from numba.extending import intrinsic, overload

__all__ = ["exp", "expm1", "log"]

LN2 = np.float32(math.log(2))
LN2_HIGH, LN2_LOW = np.float32(0.693359375), np.float32(-2.12194440e-4)
LOG2_E = np.float32(1 / math.log(2))
LEAST, MOST = np.float32(-87), np.float32(87)
HALF, ONE = np.float32(0.5), np.float32(1)
E2, E3, E4, E5, E6 = (np.float32(c) for c in (0.5, 0.16666577, 0.04166646, 0.00836318, 0.00139337))
L3, L5, L7, L9 = (np.float32(c) for c in (0.66666667, 0.40000095, 0.28553709, 0.23255342))


def log(x: float) -> float:
    """Natural logarithm of a positive normal number."""
    return math.log(x)


def exp(x: float) -> float:
    """Exponential, of ±87 at most."""
    return math.exp(x)


def expm1(x: float) -> float:
    """Exponential less 1, of ±87 at most."""
    return math.expm1(x)


def _bitcast(wanted: Any) -> Any:
    def typing(_: Any, x: Any) -> tuple[Any, Callable[..., Any]]:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.bitcast(args[0], context.get_value_type(signature.return_type))

        return wanted(x), generate

    return intrinsic(typing)


_as_int = _bitcast(types.int32)
_as_float = _bitcast(types.float32)


@overload(log)
def _log(x: Any) -> Callable[[Any], Any]:
    def log64(x: Any) -> Any:
        return math.log(x)

    def log32(x: Any) -> Any:
        bits = _as_int(x)
        exponent = (bits - 0x3F3504F3) >> 23
        mantissa = _as_float(np.int32(bits - (exponent << 23)))
        t = (mantissa - ONE) / (mantissa + ONE)
        z = t * t
        return np.float32(exponent) * LN2 + (t + t + t * z * (L3 + z * (L5 + z * (L7 + z * L9))))

    return log32 if x == types.float32 else log64


@njit(cache=True, fastmath={"contract"})
def _power_and_rest(x: Any) -> Any:
    """Split eˣ into a power of two and what it is to be multiplied by, less 1."""
    x = min(max(x, LEAST), MOST)
    whole = np.int32(math.floor(x * LOG2_E + HALF))
    r = (x - np.float32(whole) * LN2_HIGH) - np.float32(whole) * LN2_LOW
    power = _as_float(np.int32((whole + 127) << 23))
    return power, r + r * r * (E2 + r * (E3 + r * (E4 + r * (E5 + r * E6))))


@overload(exp)
def _exp(x: Any) -> Callable[[Any], Any]:
    def exp64(x: Any) -> Any:
        return math.exp(x)

    def exp32(x: Any) -> Any:
        power, rest = _power_and_rest(x)
        return power * rest + power

    return exp32 if x == types.float32 else exp64


@overload(expm1)
def _expm1(x: Any) -> Callable[[Any], Any]:
    def expm1_64(x: Any) -> Any:
        return math.expm1(x)

    def expm1_32(x: Any) -> Any:
        power, rest = _power_and_rest(x)
        return power * rest + (power - ONE)

    return expm1_32 if x == types.float32 else expm1_64
