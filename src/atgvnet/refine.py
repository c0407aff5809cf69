"""What is done to a network's result for any sensor: edges made crisp, and the map that was measured reproduced.

A pixel of most sensors is the mean over its area, so the result's mean over it should be the pixel's value again.
`consistent` moves the result there (iterated back-projection: Irani and Peleg, Improving resolution by image
registration, CVGIP 1991) without leaving the values around, so that neither noise nor wild pixels come back:

    u ← clip(u + bicubic upsampling of ω(s − mean of u)),   ω(r) = r · r⁴ / (r⁴ + (3 σ)⁴)

Sensors that sample points instead show it: their maps have edges, but hardly a pixel between both sides (`mixing`).
"""

from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from atgvnet.resample import imresize

__all__ = ["REACH", "bounded", "consistent", "crisp", "mixing", "refined"]

LEAST_CONTRAST, FULL_CONTRAST = 0.04, 0.06
FIRST, LAST = 3, 2  # rounds of moving before and after the edges are made crisp
REACH = 3 * (FIRST + LAST) + 3  # low-resolution pixels: three for each round, two for the extremes, one for bounds
DEVIATIONS = 3.0
LEAST_SLACK, SLACK = 0.015, 2.0  # of the range, which quantised maps need, and of the contrast
EDGE = 0.1  # of the range: what counts as an edge
FEWEST = 20  # edges, that tell how a sensor samples
POINTS, AREAS = 0.1, 0.3  # shares of edges with a pixel between: below and above, it is sure

Floats = NDArray[np.float32]
Extremes = tuple[Tensor, Tensor]


def refined(values: Tensor, low: Tensor, sigma: Tensor, valid: Tensor, mixed: float) -> Tensor:
    """Refine a result (1, 1, H, W) of a map (1, 1, h, w), both in the network's range.

    `mixed` tells how far pixels are means over their areas: 1 for means, 0 for points.
    """
    values = bounded(values, low, sigma, valid)
    if mixed <= 0:
        return crisp(values)
    known = valid * mixed
    moved = consistent(values, low, sigma, known, extremes(values), FIRST)
    around = extremes(moved)
    return consistent(_crisp(moved, around), low, sigma, known, around, LAST)


def bounded(values: Tensor, low: Tensor, sigma: Tensor, valid: Tensor) -> Tensor:
    """Keep a result near what was measured around it.

    That is, within the extremes of the 3 × 3 pixels around, widened by a little, by twice their contrast and by three
    standard deviations; where one of the nine is missing, anything may be.
    """
    scale = values.shape[-1] // low.shape[-1]
    least, most = extremes(low)
    slack = LEAST_SLACK + SLACK * (most - least) + DEVIATIONS * sigma
    slack = slack.masked_fill(extremes(valid)[0] <= 0, torch.inf)
    bottom, top = (functional.interpolate(bound, scale_factor=scale) for bound in (least - slack, most + slack))
    return values.clamp(bottom, top)


def crisp(values: Tensor) -> Tensor:
    """Move what lies between the extremes of its 3 × 3 neighbourhood towards the nearer one.

    At the share s of the way from the least to the largest, s becomes s² (3 − 2 s). Planes stay as they are: their
    pixels lie half-way. Nor does anything move where the extremes are closer than the least contrast.

    >>> crisp(torch.tensor([[[[0.0, 0.2, 1.0]]]]))
    tensor([[[[0.0000, 0.1040, 1.0000]]]])
    """
    return _crisp(values, extremes(values))


def _crisp(values: Tensor, around: Extremes) -> Tensor:
    low, high = around
    contrast = high - low
    share = (values - low) / contrast.clamp_min(LEAST_CONTRAST)
    sharp = torch.addcmul(low, contrast, share * share * (3 - 2 * share))
    trust = ((contrast - LEAST_CONTRAST) / (FULL_CONTRAST - LEAST_CONTRAST)).clamp_(0, 1)
    return torch.lerp(values, sharp, trust)


def consistent(values: Tensor, low: Tensor, sigma: Tensor, known: Tensor, around: Extremes, rounds: int) -> Tensor:
    """Let the means over the map's known pixels be its values, but for noise, and within these extremes."""
    scale = values.shape[-1] // low.shape[-1]
    noise = (DEVIATIONS * sigma).square().square() + 1e-20
    for _ in range(rounds):
        mean = functional.avg_pool2d(values, scale)
        residual = (low.clamp(*extremes(mean)) - mean) * known
        power = residual.square().square_()
        step = imresize(residual * (power / (power + noise)), scale=scale, method="bicubic")
        values = step.add_(values).clamp_(*around)
    return values


def extremes(values: Tensor) -> Extremes:
    """Give the least and the largest value of each 3 × 3 neighbourhood."""
    least, most = values, values
    for axis in (-2, -1):
        least, most = _along(least, torch.minimum, axis), _along(most, torch.maximum, axis)
    return least, most


def _along(values: Tensor, chosen: Callable[..., Tensor], axis: int) -> Tensor:
    """Compare each value with both its neighbours along an axis."""
    length = values.shape[axis] - 1
    result = values.clone()
    first, last = result.narrow(axis, 0, length), result.narrow(axis, 1, length)
    chosen(first, values.narrow(axis, 1, length), out=first)
    chosen(last, values.narrow(axis, 0, length), out=last)
    return result


def mixing(low: Floats, valid: NDArray[np.bool_]) -> float:
    """Tell from a map in the network's range whether its pixels are means over areas (1), points (0) or in between.

    Of the edges along rows and columns between flat pairs of pixels, means have one pixel between the pairs in about
    every other; points hardly ever. Too few edges, and means are assumed.
    """
    between = direct = 0
    for values, known in ((low, valid), (low.T, valid.T)):
        values = np.where(known, values, np.float32(np.nan))
        direct += int(_edges(values, 4)[0].sum())
        found, share = _edges(values, 5)
        between += int((found & (share > 0.2) & (share < 0.8)).sum())
    if between + direct < FEWEST:
        return 1.0
    return float(np.clip((between / (between + direct) - POINTS) / (AREAS - POINTS), 0, 1))


def _edges(values: Floats, length: int) -> tuple[NDArray[np.bool_], Floats]:
    """Find windows of so many pixels along rows with an edge between flat ends, and where their third pixel lies."""
    count = max(values.shape[1] - length + 1, 0)
    window = [values[:, k : k + count] for k in range(length)]
    with np.errstate(invalid="ignore", divide="ignore"):
        step = window[-2] - window[1]
        flat = np.maximum(abs(window[1] - window[0]), abs(window[-1] - window[-2])) < 0.1 * abs(step)
        return flat & (abs(step) > EDGE), (window[2] - window[1]) / step
