"""Every package of contrib imports; the names of the most used ones are there, or known gone."""

import json
import pathlib
import subprocess

import pytest

from tfgraphtools.compat import estimators
from tfgraphtools.compat.contrib import namespace
from tfgraphtools.compat.legacy import FOLDER

MOST_USED = "layers rnn learn framework slim training seq2seq legacy_seq2seq data metrics".split()

HERE = pathlib.Path(__file__).resolve().parent

#: Packages that do not import under run, and why. All that TF 1.15 ships do.
DO_NOT_IMPORT = {}


@pytest.fixture(scope="module")
def packages(legacy_cache):
    """The names of the packages of contrib."""
    return namespace.parts([str(legacy_cache / FOLDER / "tensorflow" / "contrib")])


@pytest.fixture(scope="module")
def walked(run_script, packages):
    """What the walk found under run."""
    return json.loads(run_script(HERE / "walk.py", *packages).splitlines()[-1])


@pytest.fixture(scope="module")
def walked_on_1_15(tf1_python):
    """The names that real TF 1.15 has."""
    done = subprocess.run(
        [tf1_python, str(HERE / "walk.py")], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    return json.loads(done.stdout.decode().splitlines()[-1])["names"]


def test_packages_import(walked, packages):
    failed = {name: error for name, error in walked["packages"].items() if error}
    assert set(failed) == set(DO_NOT_IMPORT), failed
    assert len(packages) - len(failed) >= 76


@pytest.mark.parametrize("package", [*MOST_USED, "estimator"])
def test_names_are_there(package, walked, walked_on_1_15):
    prefix = "tensorflow.estimator." if package == "estimator" else "tf.contrib." + package + "."
    gone = {row.name for table in estimators.TABLES for row in table.rows if table.kind == "gone"}
    missing = {
        name
        for name in set(walked_on_1_15[package]) - set(walked["names"][package])
        if prefix + name not in gone
    }
    assert len(walked_on_1_15[package]) > 10
    assert not missing
