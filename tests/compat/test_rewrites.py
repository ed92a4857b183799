"""Every row as a change of source: today's name gives the very thing that `run` gives."""

import json
import pathlib

import pytest

from tfgraphtools import compat
from tfgraphtools.compat import rewrites
from tfgraphtools.compat.engine import rows

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

#: The largest share of rows that `run` provides and no source can say.
MOST_STAYS = 0.055


def test_every_row_says_what_becomes_of_it():
    kinds = {name: type(rewrite) for name, rewrite in rewrites.rewrites()}
    every = {row.name for table in rows.tables() for row in table.rows}
    assert set(kinds) == every
    stays = {n: kept.reason for n, kept in rewrites.rewrites() if isinstance(kept, rewrites.Stays)}
    assert all(stays.values())
    refused = {row.name for table in rows.tables() if table.kind == "gone" for row in table.rows}
    assert len(stays.keys() - refused) <= MOST_STAYS * len(every - refused)


@pytest.mark.parametrize(
    "name, expected",
    [
        ("tensorflow.placeholder", None),
        ("numpy.zeros", None),
        ("importlib.find_module", None),  # a row has this name for an attribute of objects
        ("unittest.TestCase", None),
        ("tensorflow.train.SummaryWriter.add_summary", None),  # its class is renamed
        ("numpy.lib.stride_tricks.as_strided", None),
        ("cgi.FieldStorage", None),  # a package of PyPI has the module
        ("tensorflow.mul", rewrites.Rename("tensorflow.compat.v1.multiply")),
        ("numpy.float", rewrites.Rename("builtins.float")),
        ("cPickle.dumps", rewrites.Rename("pickle.dumps")),
        ("tensorflow.contrib.rnn.GRUCell", "tensorflow.compat.v1.nn.rnn_cell.GRUCell"),
        ("sklearn.grid_search.GridSearchCV", "sklearn.model_selection.GridSearchCV"),
        ("tensorflow.array_ops.stack", "tensorflow.compat.v1.stack"),
        ("tensorflow.contrib.crf.crf_decode", "tfgraphtools.tf1.contrib.crf.crf_decode"),
        ("numpy.asscalar", "tfgraphtools.tf1.libraries.numpy.asscalar"),
    ],
)
def test_names(name, expected):
    found = rewrites.rewrite_of(name)
    assert (found.to if isinstance(expected, str) else found) == expected


@pytest.mark.slow
def test_every_name_is_there_and_the_same(plain_python):
    """All in one process: for each row, today's name and what `run` gives."""
    done = plain_python(ROOT / "tests" / "compat" / "check_rewrites.py")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == []
