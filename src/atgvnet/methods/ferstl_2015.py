"""`ferstl-2015`: edges by sparse coding, then anisotropic total generalised variation.

D. Ferstl, M. Rüther, H. Bischof: Variational Depth Superresolution Using Example-Based Edge Representations.
ICCV 2015.

The problem: smoothing that stops at edges needs to know them in detail, and there is no guide. They are coded as
`atgvnet.methods.zeyde` codes detail, only that the atoms' partners are gradients; and neighbouring patches should
agree where they overlap. With descriptions x_i, coefficients q_i (on few atoms each, by orthogonal matching pursuit)
and E the field of gradients, cut into patches E_i,

    min over q, E of  Σ_i ‖x_i − A_low q_i‖² + μ ‖E_i − A_edges q_i‖²

by turns: E is the mean of the overlapping patches, q_i a small least-squares problem. E then directs the tensor
T = exp(−β|E|^γ) n nᵀ + n⊥ n⊥ᵀ of

    min over u, v of  α1 ‖T(∇u − v)‖ + α0 ‖∇v‖ + λ/2 ‖√ω (u − g)‖²

on the map scaled to 0…1. A decimated map says exactly what single pixels of u are, and ω is 1 there alone. Otherwise
g is bicubic interpolation with the detail that the same codes predict, known everywhere; the publication has the blur
kernel in the data term instead.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import torch
from numpy.typing import NDArray

from atgvnet.errors import InputError
from atgvnet.methods._dictionary import Dictionary, assemble, descriptions, load
from atgvnet.methods._patches import Progress, patches_of, sampling_of, staged
from atgvnet.methods._sparse import sparse_code
from atgvnet.methods.problem import Estimate, Problem
from atgvnet.prepare import Range
from atgvnet.resample import imresize
from atgvnet.solver import minimise
from atgvnet.solver.tensor import diffusion_tensor

__all__ = ["Codes", "Ferstl2015", "agreed"]

Floats = NDArray[np.float32]
Indices = NDArray[np.intp]


@dataclass(frozen=True, kw_only=True)
class Ferstl2015:
    """Edge-coded total generalised variation.

    Parameters
    ----------
    atoms, turns, overlap
        Coefficients a patch, turns of the coding, and μ.
    beta, gamma, alpha1, alpha0
        As above, for maps of 0…1.
    exact, noisy
        λ where the map is exact, and times σ where it is noisy.
    iterations
        The most of the minimisation.
    """

    atoms: int = 3
    turns: int = 3
    overlap: float = 0.1
    beta: float = 9.0
    gamma: float = 0.85
    alpha1: float = 1.0
    alpha0: float = 5.0
    exact: float = 1000.0
    noisy: float = 1.0
    iterations: int = 400

    guided: ClassVar[bool] = False
    source: ClassVar[str] = "Ferstl et al., Depth Superresolution Using Example-Based Edge Representations, ICCV 2015"

    def __post_init__(self) -> None:
        if min(self.atoms, self.iterations) < 1 or min(self.turns, self.overlap) < 0:
            raise InputError(f"{self}: give atoms ≥ 1, iterations ≥ 1, turns ≥ 0, overlap ≥ 0")
        if not min(self.beta, self.gamma, self.alpha1, self.alpha0, self.exact, self.noisy) > 0:
            raise InputError(f"{self}: give beta, gamma, alpha1, alpha0, exact and noisy above 0")

    def __call__(self, problem: Problem, /) -> Estimate:
        """Upscale."""
        sampling = sampling_of(problem)
        spread = Range.of(problem.values, problem.valid)
        sigma = float(np.median(problem.sigma[problem.valid])) / spread.span if problem.valid.any() else 0.0
        fidelity = min(self.exact, self.noisy / sigma) if sigma > 0 else self.exact

        def enlarge(values: Floats, scale: int, progress: Progress) -> Floats:
            dictionary = load(sampling, scale)
            coded = spread.apply(values)
            first, edges = self._coded(coded, dictionary, lambda done: progress(0.3 * done))
            weight = np.ones_like(first)
            if sampling == "decimated":
                weight[:] = 0
                weight[scale // 2 :: scale, scale // 2 :: scale] = 1
                first[scale // 2 :: scale, scale // 2 :: scale] = coded
            return spread.undo(self._smoothed(first, edges, weight, fidelity, lambda p: progress(0.3 + 0.7 * p)))

        return Estimate(values=staged(problem, enlarge))

    def _coded(self, values: Floats, dictionary: Dictionary, progress: Progress) -> tuple[Floats, Floats]:
        """Bicubic interpolation with the detail predicted, and the gradients predicted (2, H, W)."""
        scale, shape = dictionary.scale, values.shape
        enlarged = imresize(values, size=(shape[0] * scale, shape[1] * scale))
        samples = descriptions(enlarged, dictionary)
        codes, edges = agreed(dictionary, samples, shape, self.atoms, self.turns, self.overlap, progress)
        detail = assemble(lambda part: codes.patches(dictionary.high, part), 1, shape, scale)
        return enlarged + detail[0], edges

    def _smoothed(self, first: Floats, edges: Floats, weight: Floats, fidelity: float, progress: Progress) -> Floats:
        tensor = diffusion_tensor(torch.from_numpy(edges)[None], self.beta, self.gamma)[0].numpy()
        strengths = {"lam": fidelity, "alpha1": self.alpha1, "alpha0": self.alpha0}
        return minimise(
            first, tensor, weight, **strengths, tolerance=1e-2, iterations=self.iterations, progress=progress
        ).u


@dataclass(frozen=True, kw_only=True, eq=False)
class Codes:
    """Which atoms (N, T) each patch is a sum of, and with which coefficients (N, T)."""

    chosen: Indices
    coefficients: Floats

    def patches(self, atoms: Floats, part: slice = slice(None)) -> Floats:
        """Sum the atoms."""
        result = np.zeros((len(self.chosen[part]), atoms.shape[1]), np.float32)
        for atom, coefficient in zip(self.chosen[part].T, self.coefficients[part].T, strict=True):
            result += coefficient[:, None] * atoms[atom]
        return result


def agreed(
    dictionary: Dictionary,
    samples: Floats,
    shape: tuple[int, int],
    atoms: int,
    turns: int,
    overlap: float,
    progress: Progress,
) -> tuple[Codes, Floats]:
    """Code the patches of a map so that their gradients agree where they overlap; the codes and the gradients."""
    chosen, coefficients = sparse_code(dictionary.low, samples, atoms)
    codes = Codes(chosen=chosen, coefficients=coefficients)
    edges = _gradients(codes, dictionary, shape)
    for turn in range(turns):
        codes = _refitted(codes, dictionary, samples, edges, overlap)
        edges = _gradients(codes, dictionary, shape)
        progress((turn + 1) / turns)
    return codes, edges


def _gradients(codes: Codes, dictionary: Dictionary, shape: tuple[int, int]) -> Floats:
    return assemble(lambda part: codes.patches(dictionary.edges, part), 2, shape, dictionary.scale)


def _refitted(codes: Codes, dictionary: Dictionary, samples: Floats, edges: Floats, overlap: float) -> Codes:
    """Fit the coefficients to the descriptions and, weighed, to the gradients; the atoms stay."""
    scale = dictionary.scale
    gram = dictionary.low @ dictionary.low.T + overlap * dictionary.edges @ dictionary.edges.T
    products = gram[codes.chosen[:, :, None], codes.chosen[:, None, :]]
    products += 1e-6 * np.trace(gram) / len(gram) * np.eye(codes.chosen.shape[1], dtype=np.float32)
    around = patches_of(np.pad(edges, ((0, 0), (scale, scale), (scale, scale))), scale)
    sums = np.empty_like(codes.coefficients)
    for k, atom in enumerate(codes.chosen.T):
        sums[:, k] = np.einsum("nk,nk->n", samples, dictionary.low[atom])
        sums[:, k] += overlap * np.einsum("nk,nk->n", around, dictionary.edges[atom])
    solved = np.linalg.solve(products, sums[..., None])[..., 0]
    return Codes(chosen=codes.chosen, coefficients=np.asarray(solved, np.float32))
