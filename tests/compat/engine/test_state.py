"""The undo log, and what it says is changed at this moment."""

import os
import types

import pytest

from tfgraphtools import compat
from tfgraphtools.compat.engine import skipped, state

pytestmark = [
    pytest.mark.skipif(compat.is_tf1(), reason="compat acts on TF 2.x"),
]


class Model:
    """A class of a library."""

    def fit(self):
        """A method of it."""


LIBRARY = types.ModuleType("library")
LIBRARY.load = len

#: id -> (what changes something, the patch that the log reports for it).
CHANGES = {
    "a function of a module": (
        lambda: state.set_attribute(LIBRARY, "load", max),
        ("library.load", "fix.x", "the process"),
    ),
    "a method, for user code": (
        lambda: state.set_attribute(Model, "fit", max, audience=state.USER_CODE),
        (__name__ + ".Model.fit", "fix.x", "user code"),
    ),
    "an environment variable": (
        lambda: state.set_item(os.environ, "TFGRAPHTOOLS_TEST", "1"),
        ("os.environ['TFGRAPHTOOLS_TEST']", "fix.x", "the process"),
    ),
    "a finder": (
        lambda: state.insert_finder(Model),
        ("sys.meta_path: " + __name__ + ".Model", "fix.x", "the process"),
    ),
    "nothing of others": (lambda: state.at_restore(int), None),
}


@pytest.mark.parametrize("name", CHANGES)
def test_patches(name):
    change, expected = CHANGES[name]
    before, place = state.patches(), state.mark()
    assert skipped.apply("fix.x", change)
    new = state.patches()[len(before) :]
    state.undo_since(place)
    assert [tuple(patch) for patch in new] == ([] if expected is None else [expected])
    assert state.patches() == before and LIBRARY.load is len


def test_a_change_outside_of_a_fix_names_its_module():
    place = state.mark()
    state.set_attribute(LIBRARY, "load", max)
    patch = state.patches()[-1]
    state.undo_since(place)
    assert patch.fix == __name__.partition("compat.")[2]


@pytest.mark.parametrize("options, is_patched", [((), True), (("--without", "pandas"), False)])
def test_list_patches(options, is_patched, compat_server, tmp_path):
    (tmp_path / "script.py").write_text("import pandas\nprint('done')\n")
    done = compat_server.run(tmp_path, "--list-patches", *options, "script.py")
    assert done.out == "done\n"
    line = "  pandas.DataFrame.all  [pandas.positional_arguments]  for user code\n"
    assert (line in done.err) == is_patched, done.err[-2000:]
