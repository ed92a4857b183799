"""Every package of contrib imports. `fixes/tensorflow/test_names.py` asks for the names in them."""

import json
import pathlib

import pytest

from tfgraphtools.compat.contrib import namespace
from tfgraphtools.compat.legacy import FOLDER

HERE = pathlib.Path(__file__).resolve().parent

#: Packages that do not import under run, and why. All that TF 1.15 ships do.
DO_NOT_IMPORT = {}


@pytest.mark.slow
def test_packages_import(run_script, legacy_cache):
    packages = namespace.parts([str(legacy_cache / FOLDER / "tensorflow" / "contrib")])
    walked = json.loads(run_script(HERE / "walk.py", *packages).splitlines()[-1])
    failed = {name: error for name, error in walked.items() if error}
    assert set(failed) == set(DO_NOT_IMPORT), failed
    assert len(packages) - len(failed) >= 76
