"""Standalone Keras: its replacement where it is not installed, and the report of that."""

import pytest

from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

pytestmark = pytest.mark.quick

SCRIPT = """\
import os

from keras.layers import Dense
import keras.optimizers
print(Dense.__module__)
"""


def test_without_the_legacy_installation_it_is_said_once(tf1_run, tmp_path):
    script = tmp_path / "train.py"
    script.write_text(SCRIPT)
    done = tf1_run(script, environment={"TFGRAPHTOOLS_CACHE": str(tmp_path / "none")})
    assert done.stdout.startswith("tf_keras."), done.stderr
    said = [
        line for line in done.stderr.splitlines() if "import keras imports tf_keras here" in line
    ]
    assert len(said) == 1 and f"{script}:3: " in said[0] and "legacy install" in said[0]
