"""Standalone Keras: its replacement where it is not installed, and the report of that."""

import pytest

from tfgraphtools import compat
from tfgraphtools.compat.fixes.keras import standalone

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


COUNTED = """\
import numpy as np
from keras import backend as K
from keras.layers import Dense
from keras.models import Sequential
from keras.optimizers import SGD, Adam, Adamax
import tensorflow as tf

for optimizer in (lambda: Adam(0.01), lambda: Adamax(0.01), lambda: SGD(0.125, decay=1.0)):
    steps = []
    for width in range(1, 9):
        K.clear_session()
        in_this_thread = tf.ConfigProto(inter_op_parallelism_threads=-1)
        K.set_session(tf.Session(config=in_this_thread))
        model = Sequential([Dense(width, input_dim=1), Dense(1, kernel_initializer="zeros")])
        model.compile(optimizer(), lambda _, predicted: K.mean(predicted))
        model.train_on_batch(np.ones((2, 1)), np.ones((2, 1)))
        steps.append(round(-float(model.get_weights()[3][0]), 5))
    print(steps)
"""


def test_optimizers_read_the_step_before_it_is_counted(tf1_run, tmp_path):
    """Expected: the first step of Adam, Adamax and SGD is the rate times the gradient, which is 1.

    Keras leaves the order open, and it changes with the process: each network is one more try.
    """
    if standalone.folder() is None:
        pytest.skip("Keras 2.2.4 is not installed: tfgraphtools legacy install")
    script = tmp_path / "train.py"
    script.write_text(COUNTED)
    steps = [f"[{', '.join([rate] * 8)}]" for rate in ("0.01", "0.01", "0.125")]
    assert tf1_run(script).stdout.splitlines() == steps
