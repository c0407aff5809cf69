"""Standard deviation of a sensor's noise as a function of the value it reports, by name, number or calibrated file.

    none 0 · constant c · inverse c / |d| · linear c |d| · quadratic c d²

A law is tied to the unit its values have: where values are multiplied by k, so is the noise (`NoiseLaw.scaled`). One
that knows its unit is brought to a map's by `NoiseLaw.in_unit`.
"""

import json
import math
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from atgvnet.depthmap import Unit
from atgvnet.errors import InputError
from atgvnet.io import atomic

__all__ = ["LAWS", "Kind", "NoiseLaw", "load", "parse", "save"]

Kind = Literal["none", "constant", "inverse", "linear", "quadratic"]
_EXPONENT: dict[str, int] = {"none": 0, "constant": 0, "inverse": -1, "linear": 1, "quadratic": 2}


@dataclass(frozen=True, slots=True)
class NoiseLaw:
    """One kind of growth and its coefficient, and the unit of the values if that is known.

    >>> NoiseLaw("inverse", 651.0).sigma([70.0, 217.0])
    array([9.3, 3. ], dtype=float32)
    """

    kind: Kind
    coefficient: float = 0.0
    unit: Unit | None = None

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise InputError(f"noise: kind is {self.kind!r}; give one of {', '.join(get_args(Kind))}")
        number = isinstance(self.coefficient, int | float) and not isinstance(self.coefficient, bool)
        if not number or not math.isfinite(self.coefficient) or self.coefficient < 0:
            raise InputError(f"noise: coefficient is {self.coefficient!r}; give a finite number, 0 or more")
        if self.unit not in (None, *get_args(Unit)):
            raise InputError(f"noise: unit is {self.unit!r}; give one of {', '.join(get_args(Unit))}")

    @property
    def exponent(self) -> int:
        """The power of the value that the noise grows with."""
        return _EXPONENT[self.kind]

    def sigma(self, values: ArrayLike) -> NDArray[np.float32]:
        """Give the standard deviation at each value; 0 where the value is missing (not finite).

        Noise that falls with the value is bounded where it would exceed the value itself.
        """
        size = np.abs(np.asarray(values, dtype=np.float64))
        known = np.isfinite(size)
        if self.kind == "none":
            return np.zeros(size.shape, np.float32)
        size = np.where(known, size, 1.0)
        if self.kind == "inverse":
            size = 1 / np.maximum(size, math.sqrt(self.coefficient) or 1.0)
        with np.errstate(over="ignore"):
            power = size ** abs(self.exponent)
            return np.where(known, self.coefficient * power, 0.0).astype(np.float32)

    def scaled(self, factor: float) -> "NoiseLaw":
        """Give the law of values multiplied by a factor.

        >>> NoiseLaw("quadratic", 2.0).scaled(1000)
        NoiseLaw(kind='quadratic', coefficient=0.002, unit=None)
        """
        return NoiseLaw(self.kind, self.coefficient * factor ** (1 - self.exponent))

    def in_unit(self, unit: Unit) -> "NoiseLaw":
        """Give the law of values in this unit; a law that knows no unit stays as it is.

        >>> NoiseLaw("quadratic", 2.0, "m").in_unit("mm")
        NoiseLaw(kind='quadratic', coefficient=0.002, unit='mm')
        """
        if self.unit in (None, unit) or self.kind == "none":
            return self
        if "disparity" in (self.unit, unit):
            raise InputError(
                f"noise: the law is for values in {self.unit}, the map's are in {unit}; give another law"
            )
        return replace(self.scaled(1000 if unit == "mm" else 1 / 1000), unit=unit)


# Laws that are published; each in the unit its source uses.
LAWS = MappingProxyType(
    {
        "none": NoiseLaw("none"),
        # ATGV-Net and Park et al. 2011: disparities in 0…255.
        "paper": NoiseLaw("inverse", 651.0),
        # Khoshelham and Elberink 2012, the first Kinect, metres.
        "kinect": NoiseLaw("quadratic", 1.425e-3, "m"),
    }
)


def parse(text: str) -> NoiseLaw | Literal["auto"]:
    """Understand ``auto``, a name, a standard deviation, or the path of a file that `save` or a calibration wrote.

    >>> parse("0.5"), parse("auto")
    (NoiseLaw(kind='constant', coefficient=0.5, unit=None), 'auto')
    """
    text = str(text).strip()
    if text == "auto":
        return "auto"
    if text in LAWS:
        return LAWS[text]
    try:
        level = float(text)
    except ValueError:
        pass
    else:
        return NoiseLaw("constant", level)
    if text.endswith(".json") or Path(text).is_file():
        return load(text)
    names = ", ".join(LAWS)
    raise InputError(f"noise is {text!r}; give auto, a standard deviation, a JSON file or one of {names}")


def load(path: str | Path) -> NoiseLaw:
    """Read a law from a JSON object of kind, coefficient and, if wanted, unit, at the top or under ``noise``."""
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
        found = found.get("noise", found)
        return NoiseLaw(found["kind"], found["coefficient"], found.get("unit"))
    except OSError as error:
        raise InputError(f"noise: {path} cannot be read ({error.strerror}); give a JSON file") from error
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        hint = 'give a JSON object such as {"kind": "inverse", "coefficient": 651}'
        raise InputError(f"noise: {path} holds no law ({type(error).__name__}: {error}); {hint}") from error


def save(law: NoiseLaw, path: str | Path) -> None:
    """Write what `load` reads, whole or not at all."""
    with atomic(path) as stream:
        stream.write(json.dumps({"noise": asdict(law)}, indent=2).encode() + b"\n")
