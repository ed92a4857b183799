"""Tests that were written for the pytest of TF 1's days: what `run -m pytest` makes of them.

The outcomes are those of pytest 5.4.3 on Python 3.7; of 4.6.11 and 3.10.1 where 5.4.3 stops at what
it dropped; and of 7.4.4 for the ``setup`` of modules. In 3.10.1 tests that yield took no fixtures.
"""

import re

import pytest

from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

from tests.runner.test_loading import python, tfgraphtools  # noqa: E402 (it skips, too)

#: Name -> (the file, its outcomes as "test: outcome").
FILES = {
    "nose_methods": (
        """
log = []
class TestNose(object):
    def setup(self):
        self.x = 3
    def setup_method(self, method):
        self.name = method.__name__
    def teardown(self):
        log.append(self.name)
    def test_one(self):
        assert self.x == 3 and log == []
    def test_two(self):
        assert self.name == "test_two" and log == ["test_one"]
class TestOfTheClass:
    log = []
    @classmethod
    def setup(cls):
        cls.log.append(1)
    @classmethod
    def teardown(cls):
        cls.log.append(2)
    def test_one(self):
        assert self.log == [1]
    def test_two(self):
        assert self.log == [1, 2, 1]
""",
        "TestNose.one: passed, TestNose.two: passed, TestOfTheClass.one: passed, "
        "TestOfTheClass.two: passed",
    ),
    "replaced_builtins": (
        """
import tensorflow as tf
def test_reads(monkeypatch):
    monkeypatch.setattr("builtins.input", lambda *_: "typed")
    assert input() == "typed" and tf.placeholder(tf.float32).shape.ndims is None
def test_later():
    assert input.__name__ == "input"
""",
        "reads: passed, later: passed",
    ),
    "nose_modules": (
        """
log = []
def setup():
    log.append("setup")
def test_one():
    assert log == ["setup"]
def test_two():
    assert log == ["setup"]
""",
        "one: passed, two: passed",
    ),
    "no_nose": (
        """
import pytest, unittest
class TestFixture:
    @pytest.fixture(autouse=True)
    def setup(self, tmpdir):
        self.folder = tmpdir
    def test_one(self):
        assert self.folder
class TestOfUnittest(unittest.TestCase):
    def setup(self):
        raise ValueError
    def test_one(self):
        pass
@pytest.fixture
def setup():
    return 7
def test_one(setup):
    assert setup == 7
""",
        "TestFixture.one: passed, TestOfUnittest.one: passed, one: passed",
    ),
    "with_setup": (
        """
state = []
def test_one():
    assert state == [1]
test_one.setup = lambda: state.append(1)
test_one.teardown = state.pop
def test_two():
    assert state == []
""",
        "one: passed, two: passed",
    ),
    "functions": (
        """
import pytest, warnings
def test_warns():
    with pytest.warns(None) as record:
        warnings.warn("hi")
    assert [str(one.message) for one in record] == ["hi"]
def test_warns_not():
    with pytest.warns(None) as record:
        pass
    assert len(record) == 0
def test_warns_of_a_class():
    with pytest.warns(UserWarning):
        pass
def test_message():
    with pytest.raises(ValueError, message="no error"):
        raise ValueError
def test_message_not():
    with pytest.raises(ValueError, message="no error"):
        pass
def test_text():
    zero = 0
    pytest.raises(ZeroDivisionError, "1 / zero")
def test_text_not():
    pytest.raises(ZeroDivisionError, "1 / 1")
def test_skips():
    pytest.skip(msg="no")
def test_fails():
    pytest.fail(msg="no")
def test_exceptions():
    with pytest.raises(pytest.skip.Exception):
        pytest.skip("no")
""",
        "warns: passed, warns_not: passed, warns_of_a_class: failed, message: passed, "
        "message_not: failed, text: passed, text_not: failed, skips: skipped, fails: failed, "
        "exceptions: passed",
    ),
    "fixtures": (
        """
import pytest
@pytest.yield_fixture(scope="module")
def one():
    yield 1
@pytest.fixture("module")
def two():
    return 2
@pytest.fixture("function", [3, 4])
def more(request):
    return request.param
@pytest.fixture
def five():
    return 5
@pytest.fixture
@pytest.mark.usefixtures("tmpdir")
def six(request):
    return request.getfixturevalue("five") + 1
def test_them(one, two, more, five, six, request):
    assert (one, two, five, six) == (1, 2, 5, 6) and more in (3, 4)
""",
        "them[3]: passed, them[4]: passed",
    ),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder of these files; the names tell which is which."""
    tests_folder = tmp_path_factory.mktemp("old")
    for name, (text, _) in FILES.items():
        (tests_folder / f"test_{name}.py").write_text(text)
    return tests_folder


@pytest.fixture(scope="module")
def outcomes(folder):
    """How -> file -> "test: outcome" of a run."""
    outcomes_of = {}

    def of(how):
        if how not in outcomes_of:
            words = ["-v", "-p", "no:cacheprovider", "--color=no"]
            if how == "run":
                done = tfgraphtools(folder, "run", "-m", "pytest", *words)
            else:
                done = python(folder, "-m", "pytest", "-p", "tfgraphtools", *words)
            outcomes_of[how] = parsed(done.stdout)
            assert outcomes_of[how], done.stdout + done.stderr
        return outcomes_of[how]

    return of


def parsed(text):
    files = {}
    for file, test, outcome in re.findall(r"^test_(\w+)\.py::(\S+) ([A-Z]+)", text, re.MULTILINE):
        test = test.replace("::", ".").replace("test_", "")
        files.setdefault(file, {})[test] = outcome.lower()
    return files


@pytest.mark.parametrize("how", ["run", pytest.param("plugin", marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", FILES)
def test_outcomes(name, how, outcomes):
    expected = dict(outcome.split(": ") for outcome in FILES[name][1].split(", "))
    assert outcomes(how)[name] == expected


def test_disabled(folder):
    """Without the row it is pytest's own: silent about ``setup``."""
    words = ["--without", "pytest.nose", "-m", "pytest", "-q"]
    done = tfgraphtools(folder, "run", *words, "test_nose_methods.py")
    assert "has no attribute 'x'" in done.stdout, done.stdout


def test_reported(folder):
    done = tfgraphtools(folder, "run", "--report", "-m", "pytest", "-q", "test_fixtures.py")
    assert "pytest.fixture" in done.stderr and "pytest.nose" not in done.stderr, done.stderr
