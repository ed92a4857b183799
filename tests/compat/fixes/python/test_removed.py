"""What left Python after 3.11: made here, compared with the module itself while Python has it."""

import importlib
import importlib.util
import io
import sys
import warnings

import pytest

from tfgraphtools import compat
from tfgraphtools.compat.engine import attributes, registry, rows, views
from tfgraphtools.compat.fixes import removed
from tfgraphtools.compat.fixes.python import dead_modules, imp, pkg_resources

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

pytestmark = pytest.mark.quick

HAS_THEM = sys.version_info < (3, 12)  # Python itself is the oracle
real = pytest.mark.skipif(not HAS_THEM, reason="this Python has them no more")


@pytest.fixture
def module(monkeypatch):
    """The module that user code gets under the newest Python."""
    monkeypatch.setattr(rows, "is_needed", lambda row: True)
    registry.begin(rows.tables())
    yield views.module
    registry.end()


def _python(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module(name)


@real
def test_imp_is_as_pythons(tmp_path):
    theirs = _python("imp")
    assert {name for name in dir(theirs) if name[0] != "_"} - set(dir(imp)) <= {
        *"create_dynamic extension_suffixes get_frozen_object importlib init_frozen".split(),
        *"is_frozen_package machinery os source_from_cache sys tokenize types util".split(),
        *"SourcelessFileLoader warnings".split(),
    }
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text("VALUE = 1\n")
    (tmp_path / "single.py").write_text("VALUE = 2\n")
    for name in ("package", "single"):
        file, path, details = imp.find_module(name, [str(tmp_path)])
        expected = theirs.find_module(name, [str(tmp_path)])
        assert (path, details) == expected[1:]
        assert (file is None) == (expected[0] is None)
    assert imp.find_module("sys") == theirs.find_module("sys")
    with pytest.raises(ImportError, match="No module named 'nowhere'"):
        imp.find_module("nowhere")
    kinds = [name for name in dir(theirs) if name.isupper() and name[0] != "_"]
    assert [getattr(imp, kind) for kind in kinds] == [getattr(theirs, kind) for kind in kinds]


def test_imp_loads(tmp_path, module):
    (tmp_path / "single.py").write_text("VALUE = 2\nNAME = __name__\n")
    loaded = module("imp").load_source("other_name", str(tmp_path / "single.py"))
    assert (loaded.VALUE, loaded.NAME) == (2, "other_name")
    assert sys.modules.pop("other_name") is loaded
    file, path, details = imp.find_module("single", [str(tmp_path)])
    again = imp.load_module("single", file, path, details)
    assert sys.modules.pop("single") is again and again.VALUE == 2


@real
@pytest.mark.parametrize("call", [("%.2f", 1234.567), ("%d", 1234567, True), ("%s", "x")], ids=str)
def test_locale_format(call, module):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert module("locale").format(*call) == _python("locale").format(*call)


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
    fallback = next(f for row, _, f in attributes._FALLBACKS[name] if row.name.startswith("unit"))
    fallback(_Case())(*arguments)


def test_other_attributes(tmp_path):
    rows.tables()
    parser = __import__("configparser").ConfigParser()
    attributes._FALLBACKS["readfp"][0][2](parser)(io.StringIO("[a]\nb = 1\n"))
    assert parser.get("a", "b") == "1"
    finder = importlib.machinery.FileFinder(
        str(tmp_path), (importlib.machinery.SourceFileLoader, [".py"])
    )
    (tmp_path / "found.py").write_text("")
    loader = attributes._FALLBACKS["find_module"][0][2](finder)("found")
    assert loader.path == str(tmp_path / "found.py")


@real
def test_pkg_resources_is_there_without_setuptools(compat_server, tmp_path):
    text = "import numpy, pkg_resources\nfound = pkg_resources.get_distribution('numpy')\n"
    text += "print(found.version == numpy.__version__)"
    (tmp_path / "old.py").write_text(text)
    assert compat_server.run(tmp_path, "old.py").checked() == "True\n"


def test_pkg_resources_is_as_setuptools():
    theirs = pytest.importorskip("pkg_resources")
    versions = "1.9 1.10 1.10rc1 2.0.post1 2.0".split()
    plain = sorted(versions, key=pkg_resources._Version)
    assert plain == sorted(versions, key=theirs.parse_version)
    assert (
        pkg_resources.get_distribution("numpy").version == theirs.get_distribution("numpy").version
    )
    assert pkg_resources.resource_filename("numpy", "linalg") == theirs.resource_filename(
        "numpy", "linalg"
    )
    assert pkg_resources.resource_exists("numpy", "nothing") is False
    with pytest.raises(pkg_resources.DistributionNotFound):
        pkg_resources.get_distribution("no-such-distribution")
    with pytest.raises(pkg_resources.VersionConflict):
        pkg_resources.require("numpy<1.0")
    assert pkg_resources.require(["numpy>=1.0,!=1.5"])[0].key == "numpy"


@pytest.mark.parametrize("name", ["binhex", "formatter", "parser", "symbol"])
def test_what_is_gone_says_why(name, module):
    with pytest.raises(ModuleNotFoundError, match=f"Python 3.* removed {name}"):
        module(name)


PACKAGES = {
    line.old: line.now[len("package ") :]
    for line in removed.lines_of("Python")
    if line.now.startswith("package ")
}


@pytest.mark.parametrize("name", sorted(PACKAGES))
def test_dead_batteries_are_found_or_name_their_package(name, module):
    """Python itself has them here; without them the error names the package."""
    if importlib.util.find_spec(name) is not None:
        assert module(name).__name__ == name
    else:
        with pytest.raises(ModuleNotFoundError, match=f"pip install {PACKAGES[name]}"):
            module(name)


def test_parts_of_dead_modules():
    cgi = dead_modules._part("cgi", "pip install legacy-cgi")
    assert cgi.escape("<") == "&lt;"
    with pytest.raises(AttributeError, match="pip install legacy-cgi"):
        cgi.FieldStorage()
    assert dead_modules._part("pipes", "").quote("a b") == "'a b'"


@pytest.mark.parametrize("library", ["ast", "gast"])
def test_kinds_of_constants(module, library):
    ast = module(library)
    assert isinstance(ast.parse("1").body[0].value, ast.Num)
    assert isinstance(ast.Str(s="x"), ast.Str) and not isinstance(ast.Str("x"), ast.Num)
    assert isinstance(ast.NameConstant(True), ast.NameConstant)
    assert ast.Num(lineno=1, n=3).value == ast.NameConstant(value=3).value == 3
