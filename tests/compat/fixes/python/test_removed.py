"""What left Python after 3.11: made here, compared with the module itself while Python has it."""

import importlib
import importlib.util
import io
import sys
import warnings

import pytest

from tfgraphtools import compat
from tfgraphtools.compat.engine import rows, views
from tfgraphtools.compat.engine.translate import removed_attributes
from tfgraphtools.compat.engine.views import lookup
from tfgraphtools.compat.fixes import removed
from tfgraphtools.compat.fixes.python import cgi_and_pipes

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

pytestmark = pytest.mark.quick

HAS_THEM = sys.version_info < (3, 12)  # Python itself is the oracle
real = pytest.mark.skipif(not HAS_THEM, reason="this Python has them no more")


@pytest.fixture
def module(monkeypatch):
    """The module that user code gets under the newest Python."""
    monkeypatch.setattr(rows, "is_needed", lambda row: True)
    lookup.begin(rows.tables())
    yield views.module
    lookup.end()


def _python(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module(name)


class _Case(__import__("unittest").TestCase):
    def runTest(self):
        """No test."""


@pytest.mark.parametrize(
    "name, arguments",
    [
        ("assertEquals", (1, 1)),
        ("assertNotEquals", (1, 2)),
        ("assert_", (1,)),
        ("assertAlmostEquals", (1.0, 1.0 + 1e-9)),
        ("assertItemsEqual", ([1, 2], [2, 1])),
        ("assertRegexpMatches", ("abc", "b")),
        ("failUnless", (1,)),
        ("failIf", (0,)),
        ("assertDictContainsSubset", ({"a": 1}, {"a": 1, "b": 2})),
    ],
)
def test_assertions(name, arguments):
    compat_rows = rows.tables()  # the fallbacks are known once the tables are loaded
    assert compat_rows
    fallback = next(
        f for row, _, f in removed_attributes._FALLBACKS[name] if row.name.startswith("unit")
    )
    fallback(_Case())(*arguments)


def test_other_attributes(tmp_path):
    rows.tables()
    parser = __import__("configparser").ConfigParser()
    removed_attributes._FALLBACKS["readfp"][0][2](parser)(io.StringIO("[a]\nb = 1\n"))
    assert parser.get("a", "b") == "1"
    finder = importlib.machinery.FileFinder(
        str(tmp_path), (importlib.machinery.SourceFileLoader, [".py"])
    )
    (tmp_path / "found.py").write_text("")
    loader = removed_attributes._FALLBACKS["find_module"][0][2](finder)("found")
    assert loader.path == str(tmp_path / "found.py")


@pytest.mark.parametrize("name", ["binhex", "formatter", "parser", "symbol"])
def test_what_is_gone_says_why(name, module):
    with pytest.raises(ModuleNotFoundError, match=f"Python 3.* removed {name}"):
        module(name)


PACKAGES = {
    line.old: line.now[len("package ") :]
    for line in removed.lines_of("Python", "setuptools")
    if line.now.startswith("package ")
}


@pytest.mark.parametrize("name", sorted(PACKAGES))
def test_dead_batteries_are_found_or_name_their_package(name, module):
    """Python itself has most of them here; without them the error names the package."""
    if importlib.util.find_spec(name) is not None:
        assert module(name).__name__ == name
    elif name not in cgi_and_pipes._PARTS:
        with pytest.raises(ModuleNotFoundError, match=f"pip install {PACKAGES[name]}"):
            module(name)


def test_parts_of_dead_modules():
    cgi = cgi_and_pipes._part("cgi", "pip install legacy-cgi")
    assert cgi.escape("<") == "&lt;"
    with pytest.raises(AttributeError, match="pip install legacy-cgi"):
        cgi.FieldStorage()
    assert cgi_and_pipes._part("pipes", "").quote("a b") == "'a b'"


def test_every_name_is_provided(module):
    for row in removed.tables_of("Python")[0].rows:
        parent, _, name = row.name.rpartition(".")
        if importlib.util.find_spec(parent) is not None:
            assert getattr(module(parent), name) is not None, row.name
