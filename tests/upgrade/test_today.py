"""Code of today stays as it is: no false alarms."""

import importlib.util
import os
import pathlib
import subprocess
import sys

import pytest

from tfgraphtools import upgrade

SOURCES = {
    "tf2": "import tensorflow as tf\n\n@tf.function\ndef f(x):\n    return tf.nn.dropout(x, 0.5)\n",
    "keras": "import tensorflow as tf\nm = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n",
    "explicit": "import tensorflow as tf\n\ndef lookup(x):\n"
    "    return tf.compat.v1.nn.embedding_lookup(x, [0])\n",
    "session-on-a-graph": "import tensorflow as tf\nwith tf.Graph().as_default() as graph:\n"
    "    tf.compat.v1.Session(graph=graph).run(tf.constant(1))\n",
    "two-versions": "import tensorflow as tf\nif tf.__version__ >= '2':\n"
    "    Session = tf.compat.v1.Session\nelse:\n    Session = tf.Session\ntf.function(f)\n",
    "guarded": "try:\n    from tensorflow.contrib import slim\nexcept ImportError:\n"
    "    import tf_slim as slim\nimport tensorflow as tf\ntf.data.Dataset\n",
    "numpy": "import numpy as np\nx = np.array([1.0]) / np.concatenate([a, b]).sum()\n",
    "library": "import json, re, pickle\njson.load(f)\nre.split('a', b)\npickle.load(f)\n",
    "methods-of-functions": "import numpy as np\n"
    "from unittest import mock\nnp.add.reduceat(a, b)\n"
    "mock.patch.object(a, 'b')\nmock.patch.dict(a)\n",
    "inner-imports": "import tensorflow.lite.python.lite\n"
    "from tensorflow.compiler.tf2xla.python import xla\nfrom tensorflow.lite.tools import x\n",
    "inner": "from tensorflow.python.ops import rnn_cell_impl, array_ops\nrnn_cell_impl.x\n",
}


V1 = "import tensorflow.compat.v1 as tf\n"
EXPLICIT = "import tensorflow as tf\n"

#: Code that somebody, or tf_upgrade_v2, has moved to compat.v1, and that plain TF 2 does not run.
BY_HAND = {
    "no-switch": V1 + "print(tf.Session().run(tf.placeholder_with_default(1, [])))\n",
    "explicit": EXPLICIT + "x = tf.compat.v1.placeholder_with_default(1, [])\n"
    "print(tf.compat.v1.Session().run(x))\n",
    "by-version": EXPLICIT + "if tf.__version__ >= '2.0':\n    tf = tf.compat.v1\n"
    "print(tf.Session().run(tf.placeholder_with_default(1, [])))\n",
    "layers": V1 + "tf.disable_eager_execution()\nx = tf.layers.dense(tf.ones([1, 2]), 1)\n"
    "print(int(x.shape[0]))\n",
    "cells": V1 + "tf.disable_v2_behavior()\ntf.nn.rnn_cell.BasicLSTMCell(2)\nprint(1)\n",
    "session-alone": V1 + "print(tf.Session().run(tf.constant(1)))\n",
}


@pytest.mark.parametrize(
    "name",
    [
        name if n < 1 else pytest.param(name, marks=pytest.mark.slow(in_ci=1))
        for n, name in enumerate(BY_HAND)
    ],
)
def test_code_on_compat_v1_runs_after_the_upgrade(name, upgraded):
    assert _plain(BY_HAND[name]).returncode, "it runs as it is"
    new = upgraded(BY_HAND[name])
    done = _plain(new)
    assert done.stdout == "1\n", done.stderr
    assert upgraded(new) == new


def _plain(source):
    command = [sys.executable, "-c", source]
    return subprocess.run(command, capture_output=True, text=True)


def test_compat_v1_beside_code_of_tf2_stays(upgraded):
    sources = {"new.py": "import tensorflow as tf\n\n@tf.function\ndef f(x):\n    return x\n"}
    sources.update({f"{name}.py": BY_HAND[name] for name in ("no-switch", "explicit", "layers")})
    assert upgraded(sources) == sources


def test_the_estimator_beside_compat_v1_in_code_of_tf2(upgraded):
    """Of names that both have, such as ``tf.where``, TF 2's are meant."""
    head = "import tensorflow as tf\nfrom tensorflow import estimator\n\n"
    new = head + "estimator.Estimator(f)\ntf.where(x)\ntf.compat.v1.placeholder(tf.float32)\n"
    sources = {f"{name}.py": head + "@tf.function\ndef f(x):\n    return x\n" for name in "abc"}
    changed = upgraded({**sources, "mixed.py": new})["mixed.py"]
    assert "import tensorflow as tf\n" in changed and "import tensorflow.compat.v1" not in changed
    assert "from tfgraphtools.tf1.compat.v2 import estimator\n" in changed


@pytest.mark.parametrize("name", SOURCES)
def test_unchanged(name, upgraded):
    assert upgraded(SOURCES[name]) == SOURCES[name]


def test_a_file_of_tf1_in_a_package_for_tf2(upgraded):
    """Neither it nor what it shares with the others changes; the report names it."""
    new = "import shared\nimport tensorflow as tf\n\n@tf.function\ndef f(x):\n    return x\n"
    sources = {f"new{number}.py": new for number in range(5)}
    sources["shared.py"] = "import tensorflow as tf\nx = tf.zeros([])\n"
    sources["old.py"] = "import shared\nimport tensorflow as tf\ntf.Session().run(shared.x)\n"
    assert upgraded(sources) == sources
    assert "old.py" in upgraded.report.notes[0]


def test_what_looks_like_python2_in_a_package_for_tf2(upgraded):
    """Python 3 can parse it, so it stays; what only Python 2 can parse does not."""
    new = "import tensorflow as tf\n\n@tf.function\ndef f(x):\n    return x\n"
    sources = {
        "a.py": new,
        "b.py": "import numpy as np\nimport tensorflow as tf\nnp.float_(1)\n",
        "c.py": "for k, v in d.iteritems():\n    print (k)\nxrange(3)\nraw_input()\n",
    }
    assert upgraded(sources) == sources
    assert upgraded({**sources, "d.py": "print 1\n"}) == {**sources, "d.py": "print(1)\n"}


def test_a_file_of_tf1_beside_a_file_of_tf2(upgraded):
    """It is upgraded; what a file of TF 2 imports as well is not."""
    sources = {
        "new.py": "import shared\nimport tensorflow as tf\n\n@tf.function\ndef f(x):\n    pass\n",
        "shared.py": "import tensorflow as tf\nx = tf.zeros([])\n",
        "old.py": "import shared\nimport tensorflow as tf\ntf.Session().run(shared.x)\n",
    }
    new = upgraded(sources)
    assert [name for name in sources if new[name] != sources[name]] == ["old.py"]


def test_tensorflows_own_sources():
    """A part of them; TFGRAPHTOOLS_ALL_SOURCES=1 reads all."""
    found = importlib.util.find_spec("tensorflow")
    if found is None:
        pytest.skip("no TensorFlow here")
    top = pathlib.Path(found.origin).parent / "python"
    parts = ["framework", "training", "summary"]
    folders = [top] if os.environ.get("TFGRAPHTOOLS_ALL_SOURCES") else [top / p for p in parts]
    if not folders[0].is_dir():
        pytest.skip("TensorFlow 1.15 keeps them elsewhere")
    report = upgrade.examine([str(folder) for folder in folders])
    assert len(report.files) > 50 and not report.changed, "\n".join(report.diff())
