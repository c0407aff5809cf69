"""`aodha`: patches of an external set, chosen together by a Markov random field.

O. Mac Aodha, N. D. F. Campbell, A. Nair, G. J. Brostow: Patch Based Synthesis for Single Depth Image
Super-Resolution. ECCV 2012.

The problem: which detailed patches, out of a set made from synthetic scenes, fit the small map and each other? The
small map, its noise removed by a bilateral filter, is cut into patches x_i of 3 × 3 pixels that overlap by one.
Every patch is scaled to 0…1 by its own least and largest value, so that shape alone is compared; the nearest
small patches of the set offer their detailed partners y_i, scaled back, as candidates. The labels minimise

    Σ_i ‖x_i − small(y_i)‖² s²  +  w Σ_ij ‖y_i − y_j‖² over the overlap of neighbours i, j

(s² gives both terms the same unit: squared depth times detailed pixels). Sequential tree-reweighted message passing
(V. Kolmogorov, 2006) lowers it: nodes are visited in order and in reverse, and each sends to the neighbours still
to come

    m_ij(b) = min_a [ ½ (unary_i(a) + Σ_k m_ki(a)) − m_ji(a) + w ‖y_i(a) − y_j(b)‖² ].
"""

from dataclasses import dataclass, replace
from functools import cache
from typing import ClassVar

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy.spatial import KDTree

from atgvnet.errors import InputError
from atgvnet.methods._patches import Progress, learned, sampling_of, staged
from atgvnet.methods.problem import Estimate, Problem

__all__ = ["HIGH_RANGE", "Aodha", "PatchSet", "bilateral", "label", "load"]

Floats = NDArray[np.float32]
Labels = NDArray[np.int64]

HIGH_RANGE = (-0.5, 1.5)
"""What the bytes 0…255 of the stored detailed patches stand for, in units of their small patch's range."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PatchSet:
    """Small patches (N, 9) scaled to 0…1, and their detailed partners (N, 3s, 3s) in the same units."""

    low: Floats
    high: Floats
    tree: KDTree

    @classmethod
    def of(cls, low: Floats, high: Floats) -> "PatchSet":
        """Index the patches."""
        return cls(low=low, high=high, tree=KDTree(low))


@cache
def load(sampling: str, scale: int) -> PatchSet:
    """Read the set shipped for a sampling and a factor."""
    stored = learned(f"patches_{sampling}_x{scale}")
    low, high = stored["low"].astype(np.float32), stored["high"].astype(np.float32)
    bottom, top = HIGH_RANGE
    return PatchSet.of(low, (bottom + high * ((top - bottom) / 255)).reshape(-1, 3 * scale, 3 * scale))


@dataclass(frozen=True, kw_only=True)
class Aodha:
    """Candidates a patch, weight w of the overlaps, passes; range of the bilateral filter in standard deviations."""

    guided: ClassVar[bool] = False
    source: ClassVar[str] = "Mac Aodha et al., Patch Based Synthesis for Single Depth Image SR, ECCV 2012"

    candidates: int = 30
    smoothness: float = 1.0
    passes: int = 8
    range_sigma: float = 3.0

    def __post_init__(self) -> None:
        if min(self.candidates, self.passes) < 1 or not min(self.smoothness, self.range_sigma) >= 0:
            raise InputError(f"{self}: give candidates ≥ 1, passes ≥ 1, smoothness ≥ 0, range_sigma ≥ 0")

    def __call__(self, problem: Problem, /) -> Estimate:
        """Upscale."""
        sampling = sampling_of(problem)

        def enlarge(values: Floats, scale: int, progress: Progress) -> Floats:
            return self.synthesise(values, load(sampling, scale), progress)

        smooth = bilateral(problem.values, self.range_sigma * problem.sigma)
        return Estimate(values=staged(replace(problem, values=smooth), enlarge))

    def synthesise(self, values: Floats, patches: PatchSet, progress: Progress) -> Floats:
        """Enlarge a map without holes by the set's factor."""
        height, width = values.shape
        cut, (rows, columns) = _cut(values)
        low = cut.min(axis=1)
        span = cut.max(axis=1) - low
        distance, names = self._search(cut, low, span, patches)
        scale = patches.high.shape[1] // 3
        unary = (distance * span[:, None] * scale) ** 2
        progress(0.3)
        field = (unary.reshape(rows, columns, -1), names.reshape(rows, columns, -1))
        ranges = (low.reshape(rows, columns), span.reshape(rows, columns))
        chosen = label(*field, *ranges, patches.high, self.smoothness, self.passes, lambda p: progress(0.3 + 0.7 * p))
        return _assemble(chosen, *ranges, patches.high)[scale:, scale:][: height * scale, : width * scale]

    def _search(self, cut: Floats, low: Floats, span: Floats, patches: PatchSet) -> tuple[Floats, Labels]:
        """Nearest patches of the set; a flat patch fits any of them, as their shape is scaled back to nothing."""
        count = min(self.candidates, len(patches.low))
        distance, names = np.zeros((len(cut), count), np.float32), np.zeros((len(cut), count), np.int64)
        uneven = np.flatnonzero(span > 1e-6 * np.abs(cut).max(initial=1e-30))
        shapes = (cut[uneven] - low[uneven, None]) / span[uneven, None]
        near = patches.tree.query(shapes, k=range(1, count + 1), workers=-1)
        distance[uneven], names[uneven] = near
        return distance, names


def bilateral(values: Floats, width: Floats, radius: int = 2) -> Floats:
    """Mean of the neighbours that differ little compared with `width`; a width of 0 changes nothing."""
    total, counts = np.where(np.isfinite(values), values, 0), np.isfinite(values).astype(np.float32)
    own = counts > 0
    spread = np.maximum(width, 1e-30)
    padded = np.pad(values, radius, constant_values=np.nan)
    for dy, dx in np.ndindex(2 * radius + 1, 2 * radius + 1):
        if (dy, dx) == (radius, radius):
            continue
        neighbour = padded[dy : dy + values.shape[0], dx : dx + values.shape[1]]
        squared = (dy - radius) ** 2 + (dx - radius) ** 2
        with np.errstate(over="ignore"):
            weight = np.exp(-squared / (2 * radius) - ((neighbour - values) / spread) ** 2 / 2)
        weight = np.where(np.isfinite(neighbour) & (width > 0), weight, 0)
        total, counts = total + weight * np.nan_to_num(neighbour), counts + weight
    return np.where(own, total / np.maximum(counts, 1e-30), np.nan).astype(np.float32)


def _cut(values: Floats) -> tuple[Floats, tuple[int, int]]:
    """Cut 3 × 3 patches around every second pixel, in rows (N, 9); one border pixel is repeated, or two."""
    height, width = values.shape
    padded = np.pad(values, ((1, 2 - height % 2), (1, 2 - width % 2)), mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3))[::2, ::2]
    rows, columns = windows.shape[:2]
    return windows.reshape(rows * columns, 9), (rows, columns)


def _assemble(chosen: Labels, low: Floats, span: Floats, high: Floats) -> Floats:
    """Put the chosen patches side by side and average them where they overlap."""
    (rows, columns), side = chosen.shape, high.shape[1]
    scale = side // 3
    total = np.zeros((scale * (2 * rows + 1), scale * (2 * columns + 1)), np.float32)
    counts = np.zeros_like(total)
    step = 2 * scale
    for dy, dx in np.ndindex(side, side):
        at = (slice(dy, dy + step * (rows - 1) + 1, step), slice(dx, dx + step * (columns - 1) + 1, step))
        total[at] += low + span * high[chosen, dy, dx]
        counts[at] += 1
    return np.asarray(total / counts, np.float32)


def label(
    unary: Floats,
    names: Labels,
    low: Floats,
    span: Floats,
    high: Floats,
    smoothness: float,
    passes: int,
    progress: Progress,
) -> Labels:
    """Choose one candidate per node: the names (R, C) of the detailed patches."""
    messages = np.zeros((4, *unary.shape), np.float32)
    for turn in range(passes):
        for backward in (False, True):
            _pass(unary, messages, names, low, span, high, smoothness, backward)
        progress((turn + 1) / passes)
    best = (unary + messages.sum(axis=0)).argmin(axis=2)
    return np.take_along_axis(names, best[..., None], axis=2)[..., 0]


@njit(cache=True, nogil=True)
def _strips(names: Labels, low: float, span: float, high: Floats, side: int) -> Floats:
    """Cut the third of each candidate, (K, 3 s²), on the side 0 left, 1 right, 2 top or 3 bottom."""
    full = high.shape[1]
    scale = full // 3
    first = 0 if side in (0, 2) else full - scale
    result = np.empty((len(names), full * scale), np.float32)
    for k in range(len(names)):
        for along in range(full):
            for across in range(scale):
                y, x = (along, first + across) if side < 2 else (first + across, along)
                result[k, along * scale + across] = low + span * high[names[k], y, x]
    return result


@njit(cache=True, nogil=True, fastmath=True)
def _send(score: Floats, mine: Floats, theirs: Floats, smoothness: float, message: Floats) -> None:
    for b in range(len(message)):
        best = np.float32(np.inf)
        for a in range(len(score)):
            cost = np.float32(0)
            for n in range(mine.shape[1]):
                difference = mine[a, n] - theirs[b, n]
                cost += difference * difference
            best = min(best, score[a] + smoothness * cost)
        message[b] = best
    message -= message.min()


@njit(cache=True, nogil=True)
def _pass(
    unary: Floats,
    messages: Floats,
    names: Labels,
    low: Floats,
    span: Floats,
    high: Floats,
    smoothness: float,
    backward: bool,
) -> None:
    """Visit all nodes in one order; messages are kept at their receiver, from the left, right, top and bottom."""
    rows, columns = low.shape
    step = -1 if backward else 1
    for n in range(rows * columns):
        node = rows * columns - 1 - n if backward else n
        y, x = node // columns, node % columns
        score = unary[y, x].copy()
        for side in range(4):
            score += messages[side, y, x]
        chain = 1.0 if rows == 1 or columns == 1 else 0.5
        for vertical in range(2):
            to_y, to_x = (y + step, x) if vertical else (y, x + step)
            if not (0 <= to_y < rows and 0 <= to_x < columns):
                continue
            towards = 2 * vertical + (0 if backward else 1)
            away = 2 * vertical + (1 if backward else 0)
            mine = _strips(names[y, x], low[y, x], span[y, x], high, towards)
            theirs = _strips(names[to_y, to_x], low[to_y, to_x], span[to_y, to_x], high, away)
            reduced = chain * score - messages[towards, y, x]
            _send(reduced.astype(np.float32), mine, theirs, smoothness, messages[away, to_y, to_x])
