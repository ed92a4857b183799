"""Every package of contrib imports; the names of the most used ones are there, or known gone."""

import json
import pathlib

import pytest

from tfgraphtools.compat.contrib import namespace
from tfgraphtools.compat.fixes.tensorflow import estimator
from tfgraphtools.compat.legacy import FOLDER

MOST_USED = "layers rnn learn framework slim training seq2seq legacy_seq2seq data metrics".split()

HERE = pathlib.Path(__file__).resolve().parent

#: Packages that do not import under run, and why. All that TF 1.15 ships do.
DO_NOT_IMPORT = {}


@pytest.mark.slow
def test_packages_import(run_script, legacy_cache):
    packages = namespace.parts([str(legacy_cache / FOLDER / "tensorflow" / "contrib")])
    walked = json.loads(run_script(HERE / "walk.py", *packages).splitlines()[-1])
    failed = {name: error for name, error in walked["packages"].items() if error}
    assert set(failed) == set(DO_NOT_IMPORT), failed
    assert len(packages) - len(failed) >= 76


@pytest.mark.slow
def test_names_are_there(run_script, tf1_server, tmp_path):
    """Of all packages in one test: a walk takes seconds, and workers share no fixture."""
    names_of_1_15 = tf1_server.start(tmp_path, [HERE / "walk.py"])
    ours = json.loads(run_script(HERE / "walk.py").splitlines()[-1])["names"]
    theirs = json.loads(names_of_1_15().checked().splitlines()[-1])["names"]
    assert set(theirs) == {*MOST_USED, "estimator"}
    gone = {row.name for table in estimator.TABLES for row in table.rows if table.kind == "gone"}
    for package, names in theirs.items():
        prefix = "tensorflow.estimator." if package == "estimator" else f"tf.contrib.{package}."
        missing = set(names) - set(ours[package])
        assert len(names) > 10, package
        assert not [name for name in missing if prefix + name not in gone], package
