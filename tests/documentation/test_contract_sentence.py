"""What `run` promises to installed libraries stands in the same words wherever it is said."""

import pathlib
import re

import pytest

pytestmark = [pytest.mark.quick, pytest.mark.once]

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

SENTENCE = (
    "Only user code changes: your modules and packages written for TF1 get the names and results "
    "that they were written for; installed libraries keep what they have."
)

PLACES = [
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "docs/running.md",
    "docs/design.md",
    "docs/how-to/environment.md",
    "tfgraphtools/compat/__init__.py",
    "tfgraphtools/compat/fixes/__init__.py",
]

#: The same promise in other words.
OTHER_WORDS = re.compile(
    r"[Ii]nstalled (?:libraries|packages) keep (?!what they have)|[Nn]o module or class is modified"
)


def _text(path):
    return " ".join(path.read_text(encoding="utf-8").split())


@pytest.mark.parametrize("place", PLACES)
def test_the_sentence_stands_in(place):
    path = ROOT / place
    if not path.exists():
        pytest.skip("the tests of a wheel have no " + place)
    assert SENTENCE in _text(path)


def test_nothing_says_it_in_other_words():
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("tfgraphtools/**/*.py")]
    assert [p for p in pages if OTHER_WORDS.search(_text(p))] == []
