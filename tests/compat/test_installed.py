"""Which TensorFlow is there, and the refusal of one that is too old for `run`."""

import importlib.machinery
import importlib.util
import sys
import types

import pytest

from tfgraphtools import cli, compat, errors
from tfgraphtools.compat import tf_version
from tfgraphtools.compat.engine import environment, rows
from tfgraphtools.installed import distributions

pytestmark = pytest.mark.quick

# What pip leaves of a package: its metadata, and the package that its RECORD lists.
PACKAGES = {
    "tensorflow": ("tensorflow-2.13.1", "tensorflow", (2, 13)),
    "cpu": ("tensorflow_cpu-2.15.0.post1", "tensorflow", (2, 15)),
    "nightly": ("tf_nightly-2.22.0.dev20260101", "tensorflow", (2, 22)),
    "gpu-1.15": ("tensorflow_gpu-1.15.5", "tensorflow_core", (1, 15)),
    "nvidia-1.15": ("nvidia_tensorflow-1.15.5+nv22.12", "tensorflow_core", (1, 15)),
    "2.0": ("tensorflow-2.0.4", "tensorflow_core", (2, 0)),
    "another package": ("tensorflow_hub-0.16.1", "tensorflow_hub", None),
}


@pytest.mark.parametrize("name", PACKAGES)
def test_version_of_a_package(tmp_path, monkeypatch, name):
    metadata, package, expected = PACKAGES[name]
    (tmp_path / "tensorflow").mkdir()
    (tmp_path / "tensorflow" / "__init__.py").write_text("raise ImportError('not to be imported')")
    (tmp_path / (metadata + ".dist-info")).mkdir()
    record = f"{package}/__init__.py,sha256=x,1\n{package}/other.py,,\n"
    (tmp_path / (metadata + ".dist-info") / "RECORD").write_text(record)
    monkeypatch.delitem(sys.modules, "tensorflow", raising=False)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert tf_version.tensorflow_version() == expected
    if expected is not None:
        assert compat.is_tf1() is (expected[0] == 1)


def test_version_of_this_environment(tf, monkeypatch):
    expected = tuple(map(int, tf.__version__.split(".")[:2]))
    assert tf_version.tensorflow_version() == expected
    monkeypatch.delitem(sys.modules, "tensorflow")
    assert tf_version.tensorflow_version() == expected


@pytest.fixture
def pretend(monkeypatch):
    """A function that has TensorFlow be of this version."""

    def set_version(version):
        module = types.ModuleType("tensorflow")
        module.__version__ = version
        monkeypatch.setitem(sys.modules, "tensorflow", module)

    return set_version


@pytest.mark.parametrize("version", ["2.0.0", "2.9.3", "2.15.1"])
def test_too_old(pretend, capsys, tmp_path, version):
    pretend(version)
    (tmp_path / "train.py").write_text("import tensorflow as tf\n")
    for command in ("run", "doctor"):
        assert cli.main([command, str(tmp_path / "train.py")]) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        short = ".".join(version.split(".")[:2])
        assert err.startswith(
            f"tfgraphtools: {command}: expected TensorFlow 2.16 or newer, got TensorFlow {short}. "
        )
        assert 'pip install "tensorflow>=2.16"' in err
    with pytest.raises(errors.UnsupportedVersionError, match="got TensorFlow"):
        compat.activate()
    assert not compat.is_active()


@pytest.mark.parametrize("version", ["1.15.5", "2.16.0", "2.16.0-rc0", "2.21.0", "3.0.1"])
def test_supported(pretend, version):
    pretend(version)
    tf_version.require_tensorflow("tfgraphtools run")


def test_python_is_too_old(python_in, tmp_path):
    pretend_36 = "import sys; sys.version_info = (3, 6, 15, 'final', 0); import tfgraphtools"
    done = python_in(tmp_path, "-c", pretend_36)
    assert done.returncode == 1
    assert "expected Python 3.7 or newer, got Python 3.6. Use a newer one" in done.stderr


def test_a_stand_in_without_a_version(monkeypatch):
    monkeypatch.setitem(sys.modules, "tensorflow", types.ModuleType("tensorflow"))
    assert tf_version.tensorflow_version() is None
    tf_version.require_tensorflow("tfgraphtools run")


@pytest.mark.parametrize(
    "present, missing", [((), "tensorflow"), (("tensorflow",), "tf_keras")], ids=["both", "keras"]
)
def test_the_package_that_is_missing_is_named(present, missing, monkeypatch):
    monkeypatch.delitem(sys.modules, "tensorflow", raising=False)
    spec = importlib.machinery.ModuleSpec("tensorflow", None)
    find = {name: spec for name in present}.get
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, package=None: find(name))
    with pytest.raises(errors.MissingExtraError) as raised:
        environment.require("tfgraphtools run")
    assert ("tf_keras, which" in str(raised.value)) == (missing == "tf_keras")
    assert ("no module named 'tensorflow'" in str(raised.value)) == (missing == "tensorflow")


#: The folder of the metadata -> (the library as rows call it, its version as rows compare it).
METADATA = {
    "numpy-2.4.0rc1.dist-info": ("NumPy", (2, 4)),
    "scikit_learn-1.9.1.dist-info": ("scikit-learn", (1, 9)),
    "scikit_learn-0.24.2-py3.9.egg-info": ("scikit-learn", (0, 24)),
    "pandas-3.1.1+local.dist-info": ("pandas", (3, 1)),
    "numpy-1.24.4-py3.8-linux-x86_64.egg": ("NumPy", (1, 24)),
    "pandas_flavor-0.6.0.dist-info": ("pandas", (99, 0)),
}


@pytest.mark.skipif(sys.version_info < (3, 8), reason="nothing is fixed beside TF 1.15")
@pytest.mark.parametrize("name, expected", METADATA.items(), ids=METADATA)
def test_version_by_which_rows_decide(name, expected, tmp_path, monkeypatch):
    (tmp_path / name).mkdir()
    monkeypatch.setattr(sys, "path", [str(tmp_path), "", str(tmp_path / "nothing")])
    distributions.forget()
    try:
        assert rows._version_of(expected[0]) == expected[1]
    finally:
        monkeypatch.undo()
        distributions.forget()


def test_versions_of_this_environment():
    metadata = pytest.importorskip("importlib.metadata")
    for library in ("NumPy", "pandas", "SciPy", "scikit-learn", "pytest"):
        try:
            expected = tuple(map(int, metadata.version(library).split(".")[:2]))
        except metadata.PackageNotFoundError:
            expected = (99, 0)
        assert rows._version_of(library) == expected
