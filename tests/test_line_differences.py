"""How lines became others: exact, and few comparisons whatever the lines. Oracle: `difflib`."""

import difflib
import random

import pytest

from tfgraphtools import line_differences

pytestmark = [pytest.mark.quick, pytest.mark.once]


class Line(str):
    """A line that counts how often it is compared."""

    compared = 0

    def __eq__(self, other):
        Line.compared += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def _rebuilt(old, new):
    """Checks opcodes; returns the lines that they make of the old ones."""
    lines, start, other = [], 0, 0
    for kind, first, end, other_first, other_end in line_differences.opcodes(old, new):
        assert (first, other_first) == (start, other) and kind in KINDS
        assert kind != "equal" or old[first:end] == new[other_first:other_end]
        lines += old[first:end] if kind == "equal" else new[other_first:other_end]
        start, other = end, other_end
    assert (start, other) == (len(old), len(new))
    return lines


KINDS = ("equal", "replace", "insert", "delete")

CASES = {
    "nothing": ([], []),
    "the same": (["a", "b"], ["a", "b"]),
    "all new": ([], ["a"]),
    "all gone": (["a"], []),
    "in the middle": (["a", "b", "c"], ["a", "x", "y", "c"]),
    "at the start": (["b"], ["a", "b"]),
    "moved": (["a", "b", "c"], ["c", "a", "b"]),
}


@pytest.mark.parametrize("old, new", CASES.values(), ids=CASES)
def test_as_difflib(old, new):
    expected = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    assert line_differences.opcodes(old, new) == expected
    assert _rebuilt(old, new) == new


@pytest.mark.parametrize("most", [0, 5, 1 << 20])
@pytest.mark.parametrize("seed", range(30))
def test_random_lines(seed, most, monkeypatch):
    monkeypatch.setattr(line_differences, "_MOST_PAIRS", most)
    draw = random.Random(seed)
    old = [draw.choice("abcdefgh" * (seed % 3) + "xyz") * draw.randrange(1, 3) for _ in range(60)]
    new = [line for line in old if draw.random() > 0.2]
    for _ in range(draw.randrange(12)):
        new.insert(draw.randrange(len(new) + 1), draw.choice(["new", "a", "x"]))
    assert _rebuilt(old, new) == new


COUNT = 12000


def _lines(count):
    head, same = [Line(f"x{n}") for n in range(20)], [Line("x = 1") for _ in range(count)]
    return {
        "first changed": ([Line("a"), *same], [Line("b"), *same, Line("c")]),
        "around": ([*same, Line("m"), *same], [Line("f"), *same[:-5], Line("m"), *same, Line("l")]),
        "blank between": (
            [line for n in range(count) for line in (Line(""), Line(n % 7))],
            [line for n in range(count) for line in (Line(n % 5), Line(""))],
        ),
        "no common order": ([*head, *same, Line("e")], [*head[::-1], *same, Line("g")]),
    }


@pytest.mark.parametrize("name", _lines(1))
def test_comparisons_grow_with_the_lines(name):
    """Of 12,000 equal lines `difflib` looks at 144,000,000 pairs."""
    old, new = _lines(COUNT)[name]
    Line.compared = 0
    assert _rebuilt(old, new) == new
    assert Line.compared < 40 * (len(old) + len(new))
