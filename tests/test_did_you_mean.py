"""Names that may be meant: one function finds them, with one limit of likeness."""

import pathlib

import pytest

import tfgraphtools
from tfgraphtools.errors import did_you_mean, nearest

pytestmark = [pytest.mark.quick, pytest.mark.once]

PACKAGE = pathlib.Path(tfgraphtools.__file__).resolve().parent


@pytest.mark.parametrize(
    "name, names, expected",
    [
        ("kernle", ["bias", "kernel"], ["kernel"]),
        ("kernel", ["a/kernel", "kernels", "b/kernel"], ["a/kernel", "b/kernel"]),
        ("x", ["kernel", "bias"], []),
        ("abcd", ["abce", "abcf", "abcg", "abch"], ["abch", "abcg", "abcf"]),
        ("x", [], []),
    ],
    ids=["typo", "the end of a name", "none alike", "three at most", "no names"],
)
def test_nearest(name, names, expected):
    assert nearest(name, names) == expected


def test_the_question():
    assert did_you_mean([]) == "" and did_you_mean(["a", "b"]) == "Did you mean 'a' or 'b'?"


def test_one_place_looks_for_names_that_are_alike():
    users = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if "get_close_matches" in path.read_text(encoding="utf-8")
    }
    assert users == {"errors.py"}
