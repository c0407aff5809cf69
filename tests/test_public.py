"""The names that users rely on."""

import importlib
import inspect
import pkgutil

import pytest

import atgvnet

PUBLIC = {
    "ATGVNet",
    "AtgvnetError",
    "Camera",
    "DepthMap",
    "FileError",
    "FormatError",
    "GuideError",
    "InputError",
    "Result",
    "TrainingError",
    "UnitError",
    "WeightsError",
    "__version__",
    "evaluate",
    "load",
    "read",
    "upscale",
    "write",
}
MODULES = [module.name for module in pkgutil.walk_packages(atgvnet.__path__, "atgvnet.")]


def test_these_names_and_no_others_are_public() -> None:
    assert set(atgvnet.__all__) == PUBLIC
    assert set(dir(atgvnet)) >= PUBLIC


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_each_public_name_is_there(name: str) -> None:
    assert getattr(atgvnet, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="downscale"):
        _ = atgvnet.downscale


@pytest.mark.parametrize("name", [name for name in MODULES if name != "atgvnet.__main__"])
def test_each_module_says_what_it_exports(name: str) -> None:
    module = importlib.import_module(name)
    defined = [entry for entry, value in vars(module).items() if entry[0] != "_" and not inspect.ismodule(value)]
    exported = getattr(module, "__all__", [])
    assert [entry for entry in exported if not hasattr(module, entry)] == []
    assert hasattr(module, "__all__") or not defined


def test_the_facade_is_a_function_whatever_is_imported_first() -> None:
    importlib.import_module("atgvnet.upscale")
    assert inspect.isfunction(atgvnet.upscale)


def test_upscale_has_the_promised_signature() -> None:
    signature = inspect.signature(atgvnet.upscale)
    names = "depth scale size method model noise guide weight holes tile precision ensemble device"
    assert list(signature.parameters) == names.split()
    defaults = {
        name: entry.default for name, entry in signature.parameters.items() if entry.default is not entry.empty
    }
    assert defaults == {
        "scale": 4,
        "size": None,
        "method": None,
        "model": None,
        "noise": "auto",
        "guide": None,
        "weight": None,
        "holes": "keep",
        "tile": None,
        "precision": "auto",
        "ensemble": False,
        "device": None,
    }
