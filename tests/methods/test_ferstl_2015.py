"""Edge-coded total generalised variation: patches that agree, edges where they are, steps put where edges say."""

import numpy as np
import pytest

from atgvnet.errors import InputError
from atgvnet.methods import Problem
from atgvnet.methods._dictionary import Dictionary, descriptions, load
from atgvnet.methods._patches import patches_of
from atgvnet.methods.ferstl_2015 import Codes, Ferstl2015, agreed
from atgvnet.methods.problem import silent
from atgvnet.resample import imresize
from atgvnet.scenes import render
from atgvnet.sensors.sampling import reduce


def small_dictionary(rng):
    low = rng.normal(size=(30, 12))
    return Dictionary(
        scale=2,
        axes=np.linalg.qr(rng.normal(size=(144, 12)))[0].astype(np.float32),
        low=(low / np.linalg.norm(low, axis=1, keepdims=True)).astype(np.float32),
        high=rng.normal(size=(30, 36)).astype(np.float32),
        edges=rng.normal(size=(30, 72)).astype(np.float32),
    )


def test_every_turn_lowers_the_energy_of_the_coding():
    rng = np.random.default_rng(0)
    dictionary, samples = small_dictionary(rng), rng.normal(size=(42, 12)).astype(np.float32)
    energies = []
    for turns in range(5):
        codes, edges = agreed(dictionary, samples, (6, 7), 3, turns, 0.1, silent)
        around = patches_of(np.pad(edges, ((0, 0), (2, 2), (2, 2))), 2)
        fit = np.sum((samples - codes.patches(dictionary.low)) ** 2)
        energies.append(fit + 0.1 * np.sum((around - codes.patches(dictionary.edges)) ** 2))
    assert (np.diff(energies) < 0).all()


def test_without_overlap_codes_are_those_of_each_patch_alone():
    rng = np.random.default_rng(1)
    dictionary, samples = small_dictionary(rng), rng.normal(size=(20, 12)).astype(np.float32)
    alone, _ = agreed(dictionary, samples, (4, 5), 3, 0, 0.0, silent)
    together, _ = agreed(dictionary, samples, (4, 5), 3, 2, 0.0, silent)
    np.testing.assert_allclose(together.coefficients, alone.coefficients, atol=1e-3)


def test_patches_are_sums_of_atoms():
    atoms = np.eye(4, dtype=np.float32)
    codes = Codes(chosen=np.array([[0, 2], [1, 1]]), coefficients=np.array([[3, -1], [2, 2]], np.float32))
    np.testing.assert_array_equal(codes.patches(atoms), [[3, 0, -1, 0], [0, 4, 0, 0]])
    np.testing.assert_array_equal(codes.patches(atoms, slice(1, 2)), [[0, 4, 0, 0]])


@pytest.mark.parametrize(("sampling", "name"), [("decimate", "decimated"), ("bicubic", "antialiased")])
def test_edges_are_predicted_where_they_are(sampling, name):
    """On a scene that was not learned from: nearer to the true gradient than that of bicubic interpolation."""
    depth = render("cuboids", 99, 5, (128, 160)).depth
    truth = (200 * (depth - depth.min()) / np.ptp(depth)).astype(np.float32)
    enlarged = imresize(reduce(truth, 4, sampling), size=truth.shape)
    dictionary = load(name, 4)
    _, edges = agreed(dictionary, descriptions(enlarged, dictionary), (32, 40), 3, 3, 0.1, silent)

    def gradient(values):
        return np.stack([np.diff(values, axis=1)[:-1], np.diff(values, axis=0)[:, :-1]])

    def error(found):
        return np.sqrt(np.mean((found - gradient(truth)) ** 2))

    assert error(edges[:, :-1, :-1]) < 0.95 * error(gradient(enlarged))


def test_a_step_falls_on_the_edge_that_is_predicted():
    """Between samples four pixels apart, nothing but the edge says where."""
    values = np.where(np.arange(48) < 22, 0.2, 0.8) * np.ones((32, 1))
    values = values.astype(np.float32)
    weight, edges = np.zeros_like(values), np.zeros((2, 32, 48), np.float32)
    weight[2::4, 2::4] = 1
    edges[0, :, 21] = 0.6
    start = np.full_like(values, 0.5)
    start[2::4, 2::4] = values[2::4, 2::4]
    method = Ferstl2015(iterations=1500)
    found = method._smoothed(start, edges, weight, 1000.0, silent)
    blind = method._smoothed(start, 0 * edges, weight, 1000.0, silent)
    assert np.abs(found - values)[4:-4, 8:-8].max() < 0.05
    assert np.abs(blind - values)[4:-4, 8:-8].max() > 0.1


def test_decimated_samples_are_kept():
    """Exact input stays exact where it is known."""
    low = np.random.default_rng(2).uniform(60, 180, (14, 12)).astype(np.float32)
    given = Problem(
        values=low, size=(28, 24), sigma=0 * low, weight=0 * low + 1, unit="disparity", benchmark="laserscan"
    )
    np.testing.assert_allclose(Ferstl2015()(given).values[1::2, 1::2], low, atol=3)


@pytest.mark.parametrize("options", [{"atoms": 0}, {"overlap": -1.0}, {"beta": 0.0}, {"exact": 0.0}])
def test_wrong_parameters_are_refused(options):
    with pytest.raises(InputError):
        Ferstl2015(**options)
