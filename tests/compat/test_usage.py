"""The ledger ``usage.tsv``: which fix is needed by whom. What nobody needs leaves, or is data.

A row without evidence is refused, unless it is one line of a table: a rename, whose code other
rows share.
"""

import collections
import functools
import inspect
import pathlib
import re

import pytest

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.fixes.build import in_place_of

pytestmark = [pytest.mark.quick, pytest.mark.once]

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent

#: What a line may say. The last two are of rows whose use no name shows.
EVIDENCE = re.compile(
    r"\d+ repositor(?:y|ies)|\d+ modules? of contrib, estimator or Keras 2\.2\.4|\d+ programs?"
    r"|\d+ files of a public index|repository [\w.-]+/[\w.-]+|suite [\w.-]+|contrib [\w.]+"
    r"|issue \S+|cell of (?P<cell>\S+)|test in (?P<test>\S+)"
)

#: How many rows have a cell or a test alone. It falls: a new row names who needs it.
MOST_UNSEEN = 300


def _ledger():
    text = (HERE / "usage.tsv").read_text(encoding="utf-8")
    lines = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    assert len({name for name, _ in lines}) == len(lines), "a row twice"
    return dict(lines)


def _code(row):
    function = row.run
    while isinstance(function, functools.partial):
        function = function.func
    return getattr(inspect.unwrap(function) if function else None, "__code__", None)


def _all_rows():
    return [(table, row) for table in rows.tables() for row in table.rows]


def _without_evidence(pairs, ledger):
    """The names of rows of code that the ledger does not have."""
    shared = collections.Counter(_code(row) for _, row in _all_rows())
    return [
        row.name
        for table, row in pairs
        if row.since is not None and row.name not in ledger
        if not (table.kind == "gone" and row.run is None)
        if not (table.kind in ("names", "calls", "modules") and shared[_code(row)] > 1)
    ]


def test_every_row_of_code_is_needed_by_somebody():
    assert _without_evidence(_all_rows(), _ledger()) == []


def test_a_row_without_evidence_is_refused():
    row = rows.Fix("numpy.nobodys", "NumPy 2.0", "nobody needs it", lambda real: None)
    table = rows.Table("new", "names", [row])
    assert _without_evidence([(table, row)], _ledger()) == ["numpy.nobodys"]
    assert _without_evidence([(table, row)], {"numpy.nobodys": "suite x"}) == []


def test_a_function_that_stands_for_another_needs_evidence():
    """Although its rows share the code that makes them."""

    @in_place_of("tensorflow.nobodys", "TF 2.0", "nobody needs it")
    def made_rows(original, used):
        return original()

    table = rows.Table("new", "calls", made_rows)
    assert _without_evidence([(table, *made_rows)], _ledger()) == ["tensorflow.nobodys"]


def test_each_line_is_of_a_row():
    assert sorted(_ledger().keys() - {row.name for _, row in _all_rows()}) == []


def test_the_evidence_can_be_read():
    for name, words in _ledger().items():
        for word in re.split(r", (?!estimator)", words):
            match = EVIDENCE.fullmatch(word)
            assert match, (name, word)
            path = match.group("cell") or match.group("test")
            assert path is None or (ROOT / path).exists(), (name, path)


def test_no_more_rows_without_a_user():
    unseen = [name for name, words in _ledger().items() if words.startswith(("cell of", "test in"))]
    assert len(unseen) <= MOST_UNSEEN
