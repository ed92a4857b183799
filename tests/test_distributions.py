"""Versions of installed distributions, by exact names. The oracle is `importlib.metadata`."""

import base64
import hashlib
import sys

import pytest

from tfgraphtools.compat import tf_version
from tfgraphtools.installed import distributions

pytestmark = [pytest.mark.quick, pytest.mark.once]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder of packages, the only one."""
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    distributions.forget()
    yield tmp_path
    monkeypatch.undo()
    distributions.forget()


def _write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


#: The metadata in a folder -> (a distribution, its version).
FORMS = {
    "wheel": ("numpy-2.4.0rc1.dist-info", "NumPy", "2.4.0rc1"),
    "local version": ("torch-2.1.0+cpu.dist-info", "torch", "2.1.0+cpu"),
    "another spelling": ("scikit_learn-1.9.1.dist-info", "scikit-learn", "1.9.1"),
    "dots": ("zope.interface-6.0.dist-info", "zope-interface", "6.0"),
    "setup.py install": ("six-1.16.0-py3.7.egg-info", "six", "1.16.0"),
    "egg": ("numpy-1.24.4-py3.8-linux-x86_64.egg", "numpy", "1.24.4"),
    "a name with a number": ("py2neo-4.3.dist-info", "py2neo", "4.3"),
    "another one": ("pandas_flavor-0.6.0.dist-info", "pandas", None),
    "what pip left": ("~umpy-1.0.dist-info", "numpy", None),
}


@pytest.mark.parametrize("metadata, name, expected", FORMS.values(), ids=FORMS)
def test_forms(metadata, name, expected, folder):
    _write(folder / metadata / "METADATA", "")
    assert distributions.version(name) == expected


def test_a_package_that_is_developed(folder):
    _write(folder / "my_code.egg-info" / "PKG-INFO", "Metadata-Version: 2.1\nVersion: 3.2\n")
    assert distributions.version("my-code") == "3.2"
    assert distributions.numbers("My.Code", 1) == (3,)


def test_the_first_folder_counts(folder, monkeypatch):
    for place, version in (("first", "1.0"), ("second", "2.0")):
        _write(folder / place / f"six-{version}.dist-info" / "METADATA", "")
    monkeypatch.setattr(sys, "path", [str(folder / "first"), str(folder / "second"), "/nowhere"])
    assert distributions.version("six") == "1.0"


def test_this_environment():
    metadata = pytest.importorskip("importlib.metadata")
    distributions.forget()
    names = {each.metadata["Name"] for each in metadata.distributions() if each.metadata["Name"]}
    assert len(names) > 20
    different = {
        name: (distributions.version(name), metadata.version(name))
        for name in names
        if distributions.version(name) != metadata.version(name)
    }
    assert different == {}


#: Distributions beside TensorFlow whose names begin as its own does.
OTHERS = ("datasets", "estimator", "hub", "io_gcs_filesystem", "metadata", "probability", "text")

OWNERS = ("tensorflow", "tensorflow_cpu", "tensorflow_macos", "tf_nightly", "my_tensorflow_build")


@pytest.mark.parametrize("owner", OWNERS)
def test_tensorflow_among_others(owner, folder):
    """`upgrade` took the version of whichever the file system listed first."""
    _write(folder / "tensorflow" / "__init__.py", "")
    for name in OTHERS:
        _write(folder / f"tensorflow_{name}-0.9.1.dist-info" / "RECORD", f"{name}/__init__.py,,\n")
    _write(folder / "aa_tensorflow_addons-0.1.dist-info" / "RECORD", "b/__init__.py,,\n")
    record = folder / f"{owner}-2.21.0.dist-info" / "RECORD"
    _write(record, "tensorflow/__init__.py,sha256=x,1\n")
    assert distributions.tensorflow_version(str(folder)) == "2.21.0"
    assert tf_version._numbers("2.21.0") == (2, 21)


def test_tensorflow_without_a_record(folder):
    for name in (*(f"tensorflow_{other}-0.9" for other in OTHERS), "tensorflow-2.21.0"):
        (folder / f"{name}.dist-info").mkdir()
    assert distributions.tensorflow_version(str(folder)) == "2.21.0"


def test_tensorflow_installed_over_another(folder):
    """Both claim the files; the digest says whose they are."""
    _write(folder / "tensorflow" / "__init__.py", "new")
    digest = base64.urlsafe_b64encode(hashlib.sha256(b"new").digest()).decode().rstrip("=")
    for name, has in (("tensorflow-2.9.0", "x"), ("tensorflow_cpu-2.21.0", digest)):
        line = f"tensorflow/__init__.py,sha256={has},3\n"
        _write(folder / f"{name}.dist-info" / "RECORD", line)
    assert distributions.tensorflow_version(str(folder)) == "2.21.0"


def test_no_tensorflow(folder):
    assert distributions.tensorflow_version(str(folder)) is None
    assert distributions.version("tensorflow") is None
