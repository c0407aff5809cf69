"""Learning of what `atgvnet.methods` looks up: dictionaries of patches, from synthetic scenes.

K-SVD (M. Aharon, M. Elad, A. Bruckstein, 2006; the approximate update of R. Rubinstein et al., 2008) finds atoms
a_1 … a_A of unit length and, for every sample, few coefficients:

    minimise  Σ_n ‖x_n − Σ_k q_nk a_k‖²   with at most T coefficients q_n· ≠ 0

by turns: code the samples with the atoms fixed (`atgvnet.methods._sparse`), then improve each atom and its
coefficients together by one step of power iteration on what the other atoms leave.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product

import numpy as np
from numpy.typing import NDArray

from atgvnet.methods._dictionary import Dictionary, describe
from atgvnet.methods._patches import patches_of
from atgvnet.methods._sparse import sparse_code
from atgvnet.methods.aodha import HIGH_RANGE
from atgvnet.resample import imresize
from atgvnet.scenes import render
from atgvnet.sensors.sampling import Sampling, reduce

__all__ = [
    "LEARNERS",
    "Recipe",
    "collect_patches",
    "gradients",
    "k_svd",
    "learn_dictionary",
    "principal_axes",
    "scenes",
]

Floats = NDArray[np.float32]
Report = Callable[[str], None]
_SAMPLINGS: dict[str, Sampling] = {"decimated": "decimate", "antialiased": "bicubic"}


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """What is learned from, and how; the sizes are those of Timofte et al., the number of maps Mac Aodha et al.'s."""

    families: tuple[str, ...] = ("authors", "cuboids", "clutter")
    maps: int = 31
    size: tuple[int, int] = (480, 480)
    seed: int = 8
    patches: int = 120_000
    atoms: int = 1024
    sparsity: int = 3
    rounds: int = 20
    energy: float = 0.999
    pairs: int = 24_000
    least_span: float = 2.0


def scenes(recipe: Recipe) -> Iterator[Floats]:
    """Render the maps: near is large, 24…224 in whole numbers as the benchmark's disparities are."""
    for index in range(recipe.maps):
        family = recipe.families[index % len(recipe.families)]
        depth = render(family, recipe.seed, index, recipe.size).depth
        low, high = float(depth.min()), float(depth.max())
        yield np.round(224 - (depth - low) / max(high - low, 1e-6) * 200).astype(np.float32)


def learn_dictionary(recipe: Recipe, sampling: str, scale: int, report: Report) -> Dictionary:
    """Learn the pair of dictionaries for a way of sampling and a factor."""
    rng = np.random.default_rng(recipe.seed)
    described, detail = _training_patches(recipe, sampling, scale, rng)
    axes = principal_axes(described, recipe.energy)
    samples = described @ axes
    report(f"{len(samples)} patches, {described.shape[1]} derivatives on {axes.shape[1]} axes")
    low = k_svd(samples, recipe.atoms, recipe.sparsity, recipe.rounds, rng, report)
    high, edges = np.split(_coupled(low, samples, detail, recipe.sparsity), [9 * scale**2], axis=1)
    return Dictionary(scale=scale, axes=axes, low=low, high=high, edges=edges)


def _training_patches(recipe: Recipe, sampling: str, scale: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    described, detail = [], []
    for truth in scenes(recipe):
        small = reduce(truth, scale, _SAMPLINGS[sampling])
        enlarged = imresize(small, size=truth.shape)
        targets = np.pad(np.stack([truth - enlarged, *gradients(truth)]), ((0, 0), (scale, scale), (scale, scale)))
        chosen = rng.choice(small.size, min(recipe.patches // recipe.maps, small.size), replace=False)
        described.append(patches_of(describe(enlarged, scale), scale)[chosen])
        detail.append(patches_of(targets, scale)[chosen])
    return np.concatenate(described), np.concatenate(detail)


def gradients(values: Floats) -> tuple[Floats, Floats]:
    """Forward differences along x and y, zero across the last column and row."""
    along_x = np.diff(values, axis=1, append=values[:, -1:])
    along_y = np.diff(values, axis=0, append=values[-1:])
    return along_x, along_y


def principal_axes(samples: Floats, energy: float) -> Floats:
    """Find the axes (F, K) that keep this share of the samples' energy."""
    values, vectors = np.linalg.eigh(samples.T.astype(np.float64) @ samples)
    dropped = int(np.searchsorted(np.cumsum(values) / values.sum(), 1 - energy))
    return np.asarray(vectors[:, dropped:], np.float32)


def k_svd(
    samples: Floats, count: int, sparsity: int, rounds: int, rng: np.random.Generator, report: Report
) -> Floats:
    """Learn atoms (count, K) of unit length."""
    lengths = np.linalg.norm(samples, axis=1)
    usable = np.flatnonzero(lengths > 1e-3 * lengths.max())
    first = rng.choice(usable, count, replace=len(usable) < count)
    atoms = samples[first] / lengths[first, None]
    for turn in range(rounds):
        chosen, coefficients = _code(atoms, samples, sparsity)
        residual = samples - np.einsum("nt,ntk->nk", coefficients, atoms[chosen])
        report(f"round {turn + 1} of {rounds}: error {np.sqrt(np.mean(residual**2)):.4f}")
        _improve(atoms, chosen, coefficients, residual)
        _revive(atoms, chosen, residual, samples)
    return np.asarray(atoms, np.float32)


def _code(atoms: Floats, samples: Floats, sparsity: int) -> tuple[NDArray[np.intp], Floats]:
    parts = [sparse_code(atoms, part, sparsity) for part in np.array_split(samples, len(samples) // 8192 + 1)]
    return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])


def _improve(atoms: Floats, chosen: NDArray[np.intp], coefficients: Floats, residual: Floats) -> None:
    """Change each atom, and the coefficients of the samples that use it, against what the others leave of them."""
    order = np.argsort(chosen, axis=None, kind="stable")
    bounds = np.searchsorted(chosen.ravel()[order], np.arange(len(atoms) + 1))
    for atom in range(len(atoms)):
        users, terms = np.divmod(order[bounds[atom] : bounds[atom + 1]], chosen.shape[1])
        left = residual[users] + coefficients[users, terms][:, None] * atoms[atom]
        direction = coefficients[users, terms] @ left
        length = np.linalg.norm(direction)
        if length == 0:
            continue
        atoms[atom] = direction / length
        coefficients[users, terms] = left @ atoms[atom]
        residual[users] = left - coefficients[users, terms][:, None] * atoms[atom]


def _revive(atoms: Floats, chosen: NDArray[np.intp], residual: Floats, samples: Floats) -> None:
    """Give atoms that hardly any sample uses, or that repeat another, a sample that is badly represented."""
    uses = np.bincount(chosen.ravel(), minlength=len(atoms))
    twin = (np.tril(np.abs(atoms @ atoms.T), -1) > 0.99).any(axis=1)
    idle = np.flatnonzero((uses < 4) | twin)
    worst = np.argsort(-np.einsum("nk,nk->n", residual, residual), kind="stable")[: len(idle)]
    for atom, sample in zip(idle, worst, strict=False):
        length = np.linalg.norm(samples[sample])
        if length > 0:
            atoms[atom] = samples[sample] / length


def _coupled(low: Floats, samples: Floats, detail: Floats, sparsity: int) -> Floats:
    """Find the detail atoms that explain the details with the descriptions' coefficients, by least squares."""
    chosen, coefficients = _code(low, samples, sparsity)
    products = np.zeros((len(low), len(low)))
    for a in range(sparsity):
        for b in range(sparsity):
            np.add.at(products, (chosen[:, a], chosen[:, b]), coefficients[:, a] * coefficients[:, b])
    sums = np.zeros((len(low), detail.shape[1]))
    for a in range(sparsity):
        np.add.at(sums, chosen[:, a], coefficients[:, a, None] * detail)
    ridge = 1e-6 * np.trace(products) / len(low)
    return np.linalg.solve(products + ridge * np.eye(len(low)), sums).astype(np.float32)


def _dictionary(recipe: Recipe, report: Report, sampling: str, scale: int) -> dict[str, Floats]:
    learned = learn_dictionary(recipe, sampling, scale, report)
    return {"axes": learned.axes, "low": learned.low, "high": learned.high, "edges": learned.edges}


def collect_patches(recipe: Recipe, report: Report, sampling: str, scale: int) -> dict[str, NDArray[np.generic]]:
    """Collect pairs of uneven small patches and their detailed partners, both scaled by the small one's range."""
    rng = np.random.default_rng(recipe.seed)
    low, high = [], []
    for truth in scenes(recipe):
        small = patches_of(reduce(truth, scale, _SAMPLINGS[sampling])[None], 1)
        bottom, span = small.min(axis=1, keepdims=True), np.ptp(small, axis=1, keepdims=True)
        detailed = (patches_of(truth[None], scale) - bottom) / np.maximum(span, 1e-6)
        within = (detailed.min(axis=1) >= HIGH_RANGE[0]) & (detailed.max(axis=1) <= HIGH_RANGE[1])
        usable = np.flatnonzero(within & (span[:, 0] >= recipe.least_span))
        chosen = rng.choice(usable, min(recipe.pairs // recipe.maps, len(usable)), replace=False)
        low.append((small[chosen] - bottom[chosen]) / span[chosen])
        high.append((detailed[chosen] - HIGH_RANGE[0]) * (255 / (HIGH_RANGE[1] - HIGH_RANGE[0])))
    report(f"{sum(map(len, low))} pairs")
    return {"low": np.concatenate(low).astype(np.float16), "high": np.rint(np.concatenate(high)).astype(np.uint8)}


_PAIRS = tuple(product(_SAMPLINGS, (2, 4)))
LEARNERS: dict[str, Callable[[Recipe, Report], Mapping[str, NDArray[np.generic]]]] = {
    **{f"dictionary_{how}_x{scale}": partial(_dictionary, sampling=how, scale=scale) for how, scale in _PAIRS},
    **{f"patches_{how}_x{scale}": partial(collect_patches, sampling=how, scale=scale) for how, scale in _PAIRS},
}
