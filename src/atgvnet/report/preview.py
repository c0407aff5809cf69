"""One picture of an upscaled map: input, result and discontinuities side by side, with bars of the unit."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from atgvnet.depthmap import DepthMap
from atgvnet.io import atomic

__all__ = ["draw_preview"]

COLOURS, MISSING = "viridis", "0.35"
WIDTH, DPI, LONGEST = 15.0, 110, 1600


def draw_preview(before: DepthMap, after: DepthMap, edges: NDArray[np.float32] | None, path: str | Path) -> None:
    """Draw; without a network's discontinuities (2, H, W), the result's own gradient is shown."""
    from matplotlib import colormaps
    from matplotlib.figure import Figure

    height, width = after.shape
    figure = Figure(figsize=(WIDTH, 0.9 + WIDTH / 3.2 * height / width), layout="constrained")
    panels = figure.subplots(1, 3)
    low, high = _limits(after if after.valid.any() else before)
    colours = colormaps[COLOURS].with_extremes(bad=MISSING)
    for panel, depth, name in zip(panels, (before, after), ("input", "result"), strict=False):
        shown = panel.imshow(_thin(depth.values), cmap=colours, vmin=low, vmax=high, interpolation="nearest")
        panel.set_title(f"{name}, {depth.shape[1]} × {depth.shape[0]}")
        figure.colorbar(shown, ax=panel, label=_label(after), shrink=0.8)
    strength = _strength(after, edges)
    panels[2].imshow(_thin(strength), cmap="magma", vmin=0, vmax=_top(strength), interpolation="nearest")
    panels[2].set_title("discontinuities")
    for panel in panels:
        panel.set_axis_off()
    with atomic(path) as stream:
        figure.savefig(stream, format="png", dpi=DPI)


def _label(depth: DepthMap) -> str:
    return "disparity [pixels]" if depth.unit == "disparity" else f"{depth.kind} [{depth.unit}]"


def _strength(after: DepthMap, edges: NDArray[np.float32] | None) -> NDArray[np.float32]:
    """Length of the discontinuities' vectors."""
    if edges is not None:
        return np.asarray(np.hypot(edges[0], edges[1]))
    x, y = (np.diff(after.values, axis=axis, append=np.nan) for axis in (1, 0))
    return np.asarray(np.hypot(x, y), dtype=np.float32)


def _top(strength: NDArray[np.float32]) -> float:
    known = strength[np.isfinite(strength)]
    return float(np.quantile(known, 0.99)) or 1.0 if known.size else 1.0


def _limits(depth: DepthMap) -> tuple[float, float]:
    if not depth.valid.any():
        return 0.0, 1.0
    low, high = np.nanquantile(depth.values, (0.005, 0.995))
    return float(low), float(high) if high > low else float(low) + 1


def _thin(values: NDArray[np.float32]) -> NDArray[np.float32]:
    step = -(-max(values.shape) // LONGEST)
    return values[::step, ::step]
