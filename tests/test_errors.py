"""The tree in the docstring is the tree of the classes."""

import re

import pytest

from atgvnet import errors


def test_every_exception_is_a_child_of_the_root_and_drawn_in_the_docstring() -> None:
    drawn = re.findall(r"\b([A-Z]\w+Error)\b(?=  )", errors.__doc__ or "")
    assert sorted(drawn) == sorted(errors.__all__)
    for name in errors.__all__:
        assert issubclass(getattr(errors, name), errors.AtgvnetError)


@pytest.mark.parametrize(
    ("name", "builtin"), [("InputError", ValueError), ("UnitError", ValueError), ("FileError", OSError)]
)
def test_errors_are_caught_by_those_who_know_only_the_builtin_ones(name: str, builtin: type[Exception]) -> None:
    with pytest.raises(builtin):
        raise getattr(errors, name)("what, which value, what to do")


def test_a_format_error_is_a_file_error_with_its_message() -> None:
    error = errors.FormatError("a.png: it is truncated")
    assert isinstance(error, errors.FileError)
    assert str(error) == "a.png: it is truncated"
