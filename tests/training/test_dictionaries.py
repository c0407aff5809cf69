"""Learning of dictionaries: planted atoms come back, and what is shipped is what the command makes."""

import numpy as np
import pytest

from atgvnet.methods._dictionary import load
from atgvnet.methods._patches import learned
from atgvnet.methods.aodha import HIGH_RANGE
from atgvnet.scenes import FAMILIES
from atgvnet.training.dictionaries import (
    LEARNERS,
    Recipe,
    collect_patches,
    gradients,
    k_svd,
    learn_dictionary,
    principal_axes,
    scenes,
)

SMALL = Recipe(maps=3, size=(96, 96), patches=3000, atoms=48, rounds=3, pairs=600)


def quiet(line):
    pass


def test_planted_atoms_come_back():
    rng = np.random.default_rng(0)
    atoms = rng.normal(size=(24, 16))
    atoms /= np.linalg.norm(atoms, axis=1, keepdims=True)
    chosen = np.stack([rng.permutation(24)[:2] for _ in range(2500)])
    samples = np.einsum("nt,ntk->nk", rng.choice([-1, 1], (2500, 2)) * rng.uniform(1, 2, (2500, 2)), atoms[chosen])
    found = k_svd(samples.astype(np.float32), 24, 2, 30, np.random.default_rng(1), quiet)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, rtol=1e-5)
    assert (np.abs(found @ atoms.T).max(axis=0) > 0.99).mean() >= 0.8


def test_axes_keep_the_energy_asked_for():
    rng = np.random.default_rng(2)
    samples = (rng.normal(size=(500, 8)) * [10, 5, 3, 1, 0.1, 0.05, 0.01, 0.01]).astype(np.float32)
    axes = principal_axes(samples, 0.999)
    np.testing.assert_allclose(axes.T @ axes, np.eye(axes.shape[1]), atol=1e-5)
    assert np.sum((samples @ axes) ** 2) >= 0.999 * np.sum(samples**2)
    assert np.sum((samples @ axes[:, 1:]) ** 2) < 0.999 * np.sum(samples**2)


def test_gradients_are_forward_differences():
    along_x, along_y = gradients(np.array([[1, 3], [6, 10]], np.float32))
    np.testing.assert_array_equal(along_x, [[2, 0], [4, 0]])
    np.testing.assert_array_equal(along_y, [[5, 7], [0, 0]])


def test_scenes_are_our_own_and_always_the_same():
    once, again = list(scenes(SMALL)), list(scenes(SMALL))
    assert set(SMALL.families) <= set(FAMILIES)
    assert len(once) == SMALL.maps
    for first, second in zip(once, again, strict=True):
        np.testing.assert_array_equal(first, second)
        assert (first.min(), first.max()) == (24, 224)
        np.testing.assert_array_equal(first, np.round(first))


@pytest.mark.parametrize("sampling", ["decimated", "antialiased"])
def test_pairs_are_scaled_to_the_small_patch(sampling):
    pairs = collect_patches(SMALL, quiet, sampling, 2)
    low = pairs["low"].astype(float)
    np.testing.assert_array_equal([low.min(axis=1).max(), low.max(axis=1).min()], [0, 1])
    if sampling == "decimated":
        bottom, top = HIGH_RANGE
        detailed = (bottom + pairs["high"] * ((top - bottom) / 255)).reshape(-1, 6, 6)
        np.testing.assert_allclose(detailed[:, 1::2, 1::2].reshape(-1, 9), low, atol=0.006)


def test_a_small_dictionary_explains_what_it_was_learned_from():
    lines = []
    learned_now = learn_dictionary(SMALL, "decimated", 2, lines.append)
    count = learned_now.axes.shape[1]
    assert learned_now.low.shape == (48, count)
    assert (learned_now.high.shape, learned_now.edges.shape) == ((48, 36), (48, 72))
    errors = [float(line.split()[-1]) for line in lines if "error" in line]
    assert errors[-1] < errors[0]


def test_all_that_is_shipped_can_be_learned_and_is_small():
    from importlib.resources import files

    folder = files("atgvnet.methods") / "data"
    shipped = {item.name.removesuffix(".npz"): item for item in folder.iterdir() if item.name.endswith(".npz")}
    assert set(shipped) == set(LEARNERS)
    assert max(len(item.read_bytes()) for item in shipped.values()) < 3_000_000


@pytest.mark.parametrize("sampling", ["decimated", "antialiased"])
@pytest.mark.parametrize("scale", [2, 4])
def test_what_is_shipped_has_its_form(sampling, scale):
    recipe, dictionary = Recipe(), load(sampling, scale)
    assert dictionary.axes.shape[0] == 4 * 9 * scale**2
    assert dictionary.low.shape == (recipe.atoms, dictionary.axes.shape[1])
    assert dictionary.high.shape == (recipe.atoms, 9 * scale**2)
    assert dictionary.edges.shape == (recipe.atoms, 18 * scale**2)
    np.testing.assert_allclose(np.linalg.norm(dictionary.low, axis=1), 1, rtol=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in LEARNERS if name.startswith("patches")])
def test_the_command_makes_the_shipped_patches(name):
    made, shipped = LEARNERS[name](Recipe(), quiet), learned(name)
    assert set(made) == set(shipped)
    for key, array in made.items():
        np.testing.assert_array_equal(array, shipped[key])
