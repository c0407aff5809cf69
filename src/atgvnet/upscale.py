"""The facade: one map in, one map out, everything in between decided by keywords.

Nothing heavy is imported before the first call, as `import atgvnet` imports this file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from atgvnet.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import ArrayLike

    from atgvnet.depthmap import DepthMap
    from atgvnet.noise import NoiseLaw
    from atgvnet.upscaler import Result, Upscaler

__all__ = ["load", "upscale"]


def upscale(
    depth: DepthMap,
    *,
    scale: float = 4,
    size: tuple[int, int] | None = None,
    method: str | Path | None = None,
    model: str | None = None,
    noise: NoiseLaw | str | float = "auto",
    guide: ArrayLike | None = None,
    weight: ArrayLike | None = None,
    holes: Literal["keep", "fill"] | int = "keep",
    tile: int | None = None,
    precision: Literal["auto", "float32", "bfloat16"] = "auto",
    ensemble: bool = False,
    device: str | None = None,
) -> Result:
    """Upscale one depth map.

    Parameters
    ----------
    depth
        The map.
    scale
        Factor, at least 1; fractions are welcome.
    size
        Height and width wanted instead of a factor.
    method
        Name of a method (`atgvnet list methods`), or a Python file with one; by default ``universal``.
    model
        Name of a network.
    noise
        ``"auto"`` estimates it from the map, ``"none"``, a standard deviation in the map's unit, the name of a law
        or a `NoiseLaw`.
    guide
        Colour image of the wanted size, for the methods that need one.
    weight
        Confidence of each input pixel, relative to the largest; 0 is as good as missing.
    holes
        ``"keep"`` leaves missing what was missing, ``"fill"`` fills everything, a number fills holes of at most
        so many input pixels.
    tile, precision, ensemble, device
        How a network computes: side of an output tile, number format, averaging over flips and rotations, and where.

    >>> from atgvnet import DepthMap
    >>> upscale(DepthMap([[1.0, 3.0]], unit="mm"), scale=2, method="nearest").depth.values
    array([[1., 1., 3., 3.],
           [1., 1., 3., 3.]], dtype=float32)
    """
    if method is not None and model is not None:
        raise InputError(f"method is {str(method)!r} and model {model!r}; give one of them")
    upscaler = load(
        method if model is None else model,
        scale=scale,
        size=size,
        noise=noise,
        holes=holes,
        tile=tile,
        precision=precision,
        ensemble=ensemble,
        device=device,
    )
    return upscaler(depth, guide=guide, weight=weight)


def load(
    name: str | Path | None = None,
    *,
    scale: float = 4,
    size: tuple[int, int] | None = None,
    noise: NoiseLaw | str | float = "auto",
    holes: Literal["keep", "fill"] | int = "keep",
    tile: int | None = None,
    precision: Literal["auto", "float32", "bfloat16"] = "auto",
    ensemble: bool = False,
    device: str | None = None,
    details: bool = True,
) -> Upscaler:
    """Load a method or a network once, to call it often; keywords are those of `upscale`.

    Without `details` a network gives the map alone, which saves memory and time.

    >>> upscaler = load("bilinear", scale=3)
    >>> from atgvnet import DepthMap
    >>> upscaler(DepthMap([[1.0]])).depth.shape
    (3, 3)
    """
    from atgvnet.custom import find_method
    from atgvnet.upscaler import DEFAULT_METHOD, Upscaler, configured

    method = find_method(DEFAULT_METHOD if name is None else name)
    method = configured(method, tile=tile, precision=precision, ensemble=ensemble, device=device, details=details)
    return Upscaler(method=method, scale=scale, size=size, noise=noise, holes=holes)
