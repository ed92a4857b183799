"""Every row of every table: a TF1 script fails without it, and prints what 1.15 prints with it."""

import importlib.util
import itertools
import os
import sys

import pytest
from recorded_cells import key, recordings, runs_on_115

from row_scripts import cells, difference
from tfgraphtools import compat
from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.fixes import removed
from tfgraphtools.compat.fixes.keras import standalone

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

CELLS = cells()
ROWS = [row for table in rows.tables() for row in table.rows]
NEEDED = {row.name for row in ROWS if rows.is_needed(row)}
FIXES = {row.name for row in ROWS if row.since} & NEEDED
TOO_OLD = {row.name for row in ROWS} - NEEDED
LIBRARIES = "sklearn.linear_model sklearn.cluster scipy.stats pandas matplotlib.pyplot".split()


def _skip_what_is_missing(cell):
    for name in cell.remarks.get("needs", "").split():
        missing = _is_missing(name)
        if missing:
            pytest.skip("needs " + name)


def _is_missing(name):
    if name == "keras-2.2.4":
        return standalone.folder() is None
    return _contrib_is_missing() if name == "contrib" else not importlib.util.find_spec(name)


def _contrib_is_missing():
    if importlib.util.find_spec("tfgraphtools.compat.legacy") is None:
        return True
    from tfgraphtools.compat import legacy

    return legacy.find() is None


@pytest.fixture(scope="module")
def preloaded(interpreters):
    """The interpreters, which have imported what many cells import."""
    for server in filter(None, interpreters.values()):
        server.preload(LIBRARIES)
    interpreters["plain"].preload(["keras"])
    return interpreters


@pytest.fixture
def start(preloaded, tmp_path):
    """A function that starts a cell's script under one interpreter, in a folder of its own."""

    def start_cell(cell, kind, name, words=()):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "cell.py").write_text(cell.text, encoding="utf-8")
        return preloaded[kind].start(folder, [*words, "cell.py"], outputs=folder)

    return start_cell


@pytest.fixture(scope="module")
def recorded():
    """{key of a cell: what 1.15 printed}; nothing in a whole run, which asks 1.15 itself."""
    return {} if os.environ.get("TFGRAPHTOOLS_WHOLE") else recordings()


@pytest.fixture
def expected_output(preloaded, start, recorded):
    """A function that returns what a cell prints on 1.15, as known or as it does now."""

    def output_of(cell):
        if key(cell) in recorded:
            return recorded[key(cell)]
        if not runs_on_115(cell) or not preloaded["1.15"]:
            return cell.expected
        return start(cell, "1.15", "1.15")().checked()

    return output_of


def test_recordings_are_of_the_text():
    """A cell that changed has no recording, and runs on 1.15 again."""
    recorded = recordings()
    known = [cell for cell in CELLS if key(cell) in recorded]
    assert len(known) > 250 and all(map(runs_on_115, known))
    assert [
        cell.name for cell in known if key(cell._replace(text=cell.text + "1\n")) in recorded
    ] == []


@pytest.mark.slow(in_ci=0)
@pytest.mark.parametrize(
    "cell", [cell for cell in CELLS if key(cell) in recordings()], ids=lambda cell: cell.name
)
def test_recordings_are_what_115_prints(cell, start, preloaded):
    _skip_what_is_missing(cell)
    if not preloaded["1.15"]:
        pytest.skip("needs TF 1.15")
    printed = start(cell, "1.15", "1.15")().checked()
    assert difference(recordings()[key(cell)], printed, _tolerance(cell)) is None


@pytest.mark.slow(in_ci=0)
def test_every_recording_has_its_cell():
    assert sorted(set(recordings()) - {key(cell) for cell in CELLS}) == []


@pytest.mark.parametrize(
    "cell",
    [pytest.param(cell, marks=[pytest.mark.slow] * ("slow" in cell.remarks)) for cell in CELLS],
    ids=lambda cell: cell.name,
)
def test_cell(cell, start, expected_output):
    """It prints what 1.15 prints."""
    _skip_what_is_missing(cell)
    result = start(cell, "compat", "compat", _options(cell))
    expected = expected_output(cell)
    printed = result().checked()
    assert printed, "a cell prints something"
    if expected:
        assert difference(printed, expected, _tolerance(cell)) is None


@pytest.mark.slow
@pytest.mark.parametrize("way", ["plain", "without"])
@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.name)
def test_cell_needs_its_rows(cell, way, start, expected_output):
    """It fails without them, or differs: under plain TF 2.x, and under ``run --without``."""
    _skip_what_is_missing(cell)
    if TOO_OLD.intersection(cell.rows) and not FIXES.intersection(cell.rows):
        pytest.skip("the installed libraries are too old to need any of its rows")
    if way == "without" and "without-not" in cell.remarks:
        pytest.skip(cell.remarks["without-not"])
    without = itertools.chain.from_iterable(("--without", row) for row in cell.rows)
    kind, options = (way, []) if way == "plain" else ("compat", [*_options(cell), *without])
    result = start(cell, kind, way, options)()
    if result.code == 0:
        assert difference(result.out, expected_output(cell), _tolerance(cell)), "it prints the same"


def _options(cell):
    return cell.remarks.get("options", "").split()


def _tolerance(cell):
    return float(cell.remarks.get("tolerance", 1e-5))


#: Rows that one script cannot show, and the tests that do.
SHOWN_ELSEWHERE = {
    "tensorflow.compat.v2.estimator": "tests/upgrade/test_programs.py, for code of TF 2",
    "packages.tf1": "test_loading.py, with a package that is installed",
    "sessions.small_steps": "test_session.py",
    "graphs.ownership": "test_contract.py",
    "sessions.empty_products": "test_session.py, which asks for oneDNN",
    "sessions.feeds": "test_session.py",
    "sessions.first": "tests/runner/test_harm.py, where a process forks",
    "sessions.fusions": "test_fusions.py, which asks for oneDNN",
    "pkg_resources": "test_removed.py, where setuptools has it no more",
    "numpy.argsort": "test_order.py, whatever the processor can",
    "numpy.argpartition": "test_order.py",
    "numpy.partition": "test_order.py",
    "numpy.order_of_equals": "test_order.py",
    "builtins.StandardError": "test_recorded_programs.py, beside Python 2.7",
    "python2.hashes": "test_recorded_programs.py",
    "python2.text": "test_recorded_programs.py",
    **{
        row.name: "test_numpy1_forms.py, beside NumPy 1.18"
        for row in ROWS
        if row.name.startswith(("operator.", "heapq.", "itertools.", "bisect."))
    },
    **{
        "numpy." + name: "test_numpy1_forms.py, beside NumPy 1.18"
        for name in ("fill_diagonal", "insert", "place", "put", "putmask")
    },
    **{
        line.old: "test_names.py, which walks the names of 1.15"
        for line in removed.lines_of("TF")
        if line.old.startswith(("tensorflow.python.keras.", "tensorflow.contrib."))
    },
    **{
        row.name: "test_old_tests.py, which runs pytest"
        for row in ROWS
        if row.name.startswith("pytest.")
    },
}


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="test_removed.py has these")
def test_every_row_has_a_cell():
    with_cells = set(itertools.chain.from_iterable(cell.rows for cell in CELLS))
    # test_removed.py has those of later Pythons
    every = {row.name for table in _tables_that_provide() for row in table.rows} & NEEDED
    without = sorted(every - with_cells - set(SHOWN_ELSEWHERE))
    assert without == [], " ".join(without)
    known = {row.name for table in rows.tables() for row in table.rows}
    assert sorted(with_cells - known) == [], "cells of no row"


def _tables_that_provide():
    return [table for table in rows.tables() if table.kind != "gone"]


def test_row_names_are_unique():
    names = [row.name for table in rows.tables() for row in table.rows]
    assert len(names) == len(set(names))


def test_tables_are_read_without_tensorflow_and_numpy(plain_python):
    code = (
        "import sys; from tfgraphtools.compat.engine import rows; rows.tables(); "
        "sys.exit('tensorflow' in sys.modules or 'numpy' in sys.modules)"
    )
    assert plain_python("-c", code).returncode == 0
