"""Sparse coding: the pursuit against known combinations, the patch algebra, and detail on scenes it has not seen."""

import numpy as np
import pytest

from atgvnet.errors import InputError
from atgvnet.methods import Problem, get
from atgvnet.methods._dictionary import Dictionary, assemble, describe, descriptions, load
from atgvnet.methods._patches import patches_of, stages_of
from atgvnet.methods._sparse import sparse_code
from atgvnet.methods.zeyde import Zeyde
from atgvnet.resample import imresize
from atgvnet.scenes import render
from atgvnet.sensors.sampling import reduce


def unit(rows):
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def problem(values, size, benchmark=None):
    values = np.asarray(values, np.float32)
    return Problem(
        values=values,
        size=size,
        sigma=np.zeros_like(values),
        weight=np.ones_like(values),
        unit="disparity",
        benchmark=benchmark,
    )


def test_a_combination_of_atoms_is_found_again():
    rng = np.random.default_rng(0)
    atoms = unit(rng.normal(size=(60, 200)))
    chosen = np.stack([rng.permutation(60)[:3] for _ in range(50)])
    coefficients = rng.choice([-1, 1], (50, 3)) * rng.uniform(1, 3, (50, 3))
    samples = np.einsum("nt,ntk->nk", coefficients, atoms[chosen]).astype(np.float32)
    found, values = sparse_code(atoms, samples, 3)
    dense, truth = np.zeros((50, 60)), np.zeros((50, 60))
    np.put_along_axis(dense, found, values, axis=1)
    np.put_along_axis(truth, chosen, coefficients, axis=1)
    np.testing.assert_allclose(dense, truth, atol=1e-4)


def test_of_orthogonal_atoms_the_largest_projections_are_taken():
    rng = np.random.default_rng(1)
    atoms = np.linalg.qr(rng.normal(size=(12, 12)))[0].astype(np.float32)
    samples = rng.normal(size=(30, 12)).astype(np.float32)
    found, values = sparse_code(atoms, samples, 4)
    projections = samples @ atoms.T
    best = np.argsort(-np.abs(projections), axis=1)[:, :4]
    np.testing.assert_array_equal(np.sort(found, axis=1), np.sort(best, axis=1))
    np.testing.assert_allclose(values, np.take_along_axis(projections, found, axis=1), atol=1e-4)


def test_what_is_left_is_orthogonal_to_the_atoms_taken():
    rng = np.random.default_rng(2)
    atoms, samples = unit(rng.normal(size=(40, 10))), rng.normal(size=(30, 10)).astype(np.float32)
    found, values = sparse_code(atoms, samples, 3)
    left = samples - np.einsum("nt,ntk->nk", values, atoms[found])
    assert np.abs(np.einsum("nk,ntk->nt", left, atoms[found])).max() < 1e-4


def test_nothing_is_coded_as_nothing():
    atoms = unit(np.random.default_rng(3).normal(size=(5, 6)))
    assert (sparse_code(atoms, np.zeros((2, 6), np.float32), 3)[1] == 0).all()


@pytest.mark.parametrize("scale", [2, 4])
def test_patches_put_together_again_are_the_map(scale):
    planes = np.random.default_rng(4).normal(size=(2, 35 * scale, 7 * scale)).astype(np.float32)
    patches = patches_of(np.pad(planes, ((0, 0), (scale, scale), (scale, scale))), scale)
    np.testing.assert_allclose(assemble(lambda part: patches[part], 2, (35, 7), scale), planes, atol=1e-5)


def test_overlapping_patches_are_averaged():
    """Brute force: every patch has one value of its own."""
    values = np.random.default_rng(5).normal(size=(3, 4)).astype(np.float32)
    patches = np.repeat(values.reshape(-1, 1), 36, axis=1)
    found = assemble(lambda part: patches[part], 1, (3, 4), 2)[0]
    for y, x in np.ndindex(3, 4):
        around = values[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2]
        np.testing.assert_allclose(found[2 * y : 2 * y + 2, 2 * x : 2 * x + 2], around.mean(), rtol=1e-5)


def test_descriptions_are_derivatives():
    y, x = np.mgrid[:24, :32].astype(np.float32)
    first_x, first_y, second_x, second_y = describe(3 * x - 2 * y + 0.5 * x * x, 4)[:, 8:-8, 8:-8]
    np.testing.assert_allclose(first_x, (3 + x)[4:-4, 4:-4] * 4, rtol=1e-5)
    np.testing.assert_allclose(first_y, -8, rtol=1e-4)
    np.testing.assert_allclose(second_x, 0.5 * 16, rtol=1e-4)
    np.testing.assert_allclose(second_y, 0, atol=1e-4)


def test_a_planted_atom_gives_its_own_detail():
    rng = np.random.default_rng(6)
    dictionary = Dictionary(
        scale=2,
        axes=np.linalg.qr(rng.normal(size=(144, 30)))[0].astype(np.float32),
        low=unit(rng.normal(size=(20, 30))),
        high=rng.normal(size=(20, 36)).astype(np.float32),
        edges=rng.normal(size=(20, 72)).astype(np.float32),
    )
    detail = Zeyde(atoms=1)._detail(dictionary, 2.5 * dictionary.low)
    np.testing.assert_allclose(detail, 2.5 * dictionary.high, rtol=1e-4, atol=1e-4)


def test_bands_do_not_show():
    dictionary = load("decimated", 2)
    enlarged = np.random.default_rng(7).normal(size=(140, 12)).astype(np.float32)
    whole = patches_of(describe(enlarged, 2), 2) @ dictionary.axes
    np.testing.assert_allclose(descriptions(enlarged, dictionary), whole, atol=1e-5)


@pytest.mark.parametrize("method", ["zeyde", "timofte"])
@pytest.mark.parametrize(("sampling", "benchmark"), [("decimate", "laserscan"), ("bicubic", None)])
@pytest.mark.parametrize("scale", [2, 4])
def test_an_unseen_scene_gains_detail(method, sampling, benchmark, scale):
    """No seed of the recipe; errors are those away from the border."""
    depth = render("cuboids", 99, 5, (160, 192)).depth
    truth = (200 * (depth - depth.min()) / np.ptp(depth)).astype(np.float32)
    low = reduce(truth, scale, sampling)

    def error(found):
        return np.sqrt(np.mean((found - truth)[12:-12, 12:-12] ** 2))

    found = get(method)(problem(low, truth.shape, benchmark)).values
    assert error(found) < 0.92 * error(imresize(low, size=truth.shape))


@pytest.mark.parametrize("method", ["zeyde", "timofte"])
def test_unit_and_offset_do_not_matter(method):
    values = np.random.default_rng(8).uniform(50, 90, (9, 12)).astype(np.float32)
    once = get(method)(problem(values, (18, 24))).values
    again = get(method)(problem(values * 0.01 + 3, (18, 24))).values
    np.testing.assert_allclose((again - 3) / 0.01, once, atol=2e-2)


def test_factors_are_reached_in_stages():
    assert [stages_of(scale) for scale in (1, 1.5, 2, 2.5, 4, 6, 16)] == [[], [2], [2], [4], [4], [4, 2], [4, 4]]
    found = get("zeyde")(problem(np.full((4, 5), 7.0), (32, 40))).values
    np.testing.assert_allclose(found, 7, rtol=1e-5)


def test_wrong_parameters_are_refused():
    with pytest.raises(InputError):
        Zeyde(atoms=0)
