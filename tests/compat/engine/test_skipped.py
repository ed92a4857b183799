"""A library that has renamed what a fix rests on: the fix is skipped, by name, and the rest works.

The oracle of the script is the same computation in NumPy. Where it fails without an internal, the
same script written for compat.v1 must fail with plain TensorFlow, too.
"""

import os
import pathlib
import re
import sys

import pytest

from tfgraphtools.compat import is_tf1, tf_version

if is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

import internals
from places import PACKAGE, ROOT

import forks
from tfgraphtools.compat.engine import after_import, skipped, state

HERE = pathlib.Path(__file__).resolve().parent
HELPERS = ROOT / "tests" / "helpers"

CHAINS = sorted(
    {chain for folder in ("compat", "_tf") for chain in internals.named(PACKAGE / folder)}
)

#: Deletions that the suite always tries: patches, switches, what runs in a step, and `_tf`.
SAMPLE = (
    "tensorflow.python.client.session.BaseSession._do_run",
    "tensorflow.python.eager.context.default_execution_mode",
    "tensorflow.python.framework.ops._gradient_registry",
    "tensorflow.python.framework.ops.is_symbolic_tensor",
    "tensorflow.python.framework.tensor.Tensor._USE_EQUALITY",
    "tensorflow.python.framework.tensor_util.MakeNdarray",
    "tensorflow.python.ops.nn_ops._dropout",
    "tensorflow.python.ops.variable_scope._VariableStore",
    "tensorflow.python.tf2.enable",
)

SCRIPT = """
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 3], name="x")
with tf.variable_scope("model"):
    hidden = tf.layers.dense(x, 4, tf.nn.relu, kernel_initializer=tf.ones_initializer())
    weights = tf.get_variable("weights", [4, 1], initializer=tf.constant_initializer(0.5))
output = tf.matmul(tf.nn.dropout(hidden, keep_prob=1.0), weights)
loss = tf.reduce_mean(tf.square(output - 1.0)) + 0.0 * tf.reduce_sum(weights)
step = tf.train.get_or_create_global_step()
train = tf.train.MomentumOptimizer(0.001, 0.9).minimize(loss, global_step=step)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(3):
        session.run(train, {x: np.ones([2, 3])})
    print(*session.run([loss, step], {x: np.ones([2, 3])}))
"""

PLAIN = SCRIPT.replace(
    "import tensorflow as tf", "import tensorflow.compat.v1 as tf; tf.disable_v2_behavior()"
)


def _expected():
    """The loss after three steps: all hidden units have the same numbers."""
    kernel, bias, weight = 1.0, 0.0, 0.5
    slots = [0.0, 0.0, 0.0]
    for _ in range(3):
        hidden = 3 * kernel + bias
        grad = 2 * (4 * hidden * weight - 1)
        grads = (grad * weight, grad * weight, grad * hidden)
        slots = [0.9 * slot + g for slot, g in zip(slots, grads)]
        kernel, bias, weight = (
            value - 0.001 * slot for value, slot in zip((kernel, bias, weight), slots)
        )
    return (4 * (3 * kernel + bias) * weight - 1) ** 2


@pytest.fixture(scope="module")
def server():
    """Forks of a process that has TensorFlow and the tables, and no module of ours that uses it."""
    environment = {
        "TF_USE_LEGACY_KERAS": "1",
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(HELPERS)]),
    }
    server = forks.Server(sys.executable, "plain", environment)
    server.preload(["tf_keras.src.layers", "tfgraphtools.runner", "tfgraphtools.cli.run"])
    yield server
    server.close()


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scripts")
    (folder / "script.py").write_text(SCRIPT)
    (folder / "plain.py").write_text(PLAIN)
    return folder


def _is_right(result):
    if result.code != 0:
        return False
    loss, step = result.out.split()
    return step == "3" and abs(float(loss) - _expected()) < 1e-4


def _check(server, scripts, name):
    """Runs the script without an internal; returns the result."""
    command = str(HELPERS / "without_internal.py")
    result = server.run(scripts, command, "run", name, "script.py")
    if not _is_right(result):
        without_us = server.run(scripts, command, "plain", name, "plain.py")
        assert not _is_right(without_us), result.out[-500:] + result.err[-3000:]
    for line in result.err.splitlines():
        if "is not applied" in line:
            assert re.match(r"tfgraphtools: fix [\w.*]+ is not applied: \w", line), line
    return result


def test_the_script_is_right_where_nothing_is_missing(server, scripts):
    for way, script in (("run", "script.py"), ("plain", "plain.py")):
        result = server.run(scripts, str(HELPERS / "without_internal.py"), way, "", script)
        assert _is_right(result), result
        assert "is not applied" not in result.err


@pytest.mark.parametrize("name", SAMPLE, ids=lambda name: name.rpartition("python.")[2])
def test_a_missing_internal_costs_one_fix(server, scripts, name):
    _check(server, scripts, name)


def test_the_fix_and_the_internal_are_named(server, scripts):
    result = _check(server, scripts, "tensorflow.python.ops.nn_ops._dropout")
    line = r"tfgraphtools: fix tensorflow\.nn\.dropout is not applied: TensorFlow \d+\.\d+ has no "
    assert re.search(line + r"tensorflow\.python\.ops\.nn_ops\._dropout\. ", result.err)


#: What is run without `tensorflow.python.ops.nn_ops._dropout`, on a TensorFlow newer than tested.
COMMAND = """
import sys
import tensorflow
from tensorflow.python.ops import nn_ops
del nn_ops._dropout
from tfgraphtools.compat import tf_version as installed
installed.NEWEST = (2, 15)
from tfgraphtools.cli import main
main(sys.argv[1:])
"""


@pytest.mark.parametrize("words", [["doctor", "script.py"], ["run", "--list-fixes"]], ids=" ".join)
def test_commands_list_what_is_not_applied(server, scripts, words):
    result = server.run_python(scripts, "-c", COMMAND, *words)
    line = "fix tensorflow.nn.dropout is not applied: TensorFlow "
    assert any(one.startswith(line) for one in result.out.splitlines()), result
    version = "{}.{}".format(*tf_version.tensorflow_version())
    newer = f"tfgraphtools: TensorFlow {version} is newer than 2.15, the newest that is tested."
    assert result.err.count(newer) == 1


def test_a_name_that_a_row_cannot_provide_is_the_libraries(server, scripts):
    (scripts / "names.py").write_text(
        "import tensorflow as tf\n"
        "from tensorflow.python.ops import nn_ops\n"
        "print(tf.test.compute_gradient is not None, tf.nn.max_pool is not None)\n"
        "print(tf.app.flags is not None)\n"
        "tf.no_such_name\n"
    )
    result = server.run(scripts, str(HELPERS / "without_internal.py"), "run", "", "names.py")
    assert result.code == 1 and "is not applied" not in result.err
    assert "AttributeError: module 'tensorflow' has no attribute 'no_such_name'" in result.err
    assert "the error is in tfgraphtools" not in result.err


OURS = """
from tfgraphtools.compat.fixes import build
import tensorflow as tf
build.lookup("tensorflow.python.ops.nn_ops:no_such_name")
"""


def test_our_own_failure_names_us(server, scripts):
    (scripts / "ours.py").write_text(OURS)
    result = server.run(scripts, str(HELPERS / "without_internal.py"), "run", "", "ours.py")
    assert result.code == 1
    assert re.search(r"tfgraphtools: the error is in tfgraphtools, .*build\.py:\d+", result.err)


@pytest.mark.slow
def test_every_internal_that_is_named(server, scripts):
    names = [name for name in internals.resolved(CHAINS) if not name.endswith("__file__")]
    assert len(names) > 200
    if not os.environ.get("TFGRAPHTOOLS_WHOLE"):
        names = names[::5]
    wrong = []
    for name in names:
        try:
            _check(server, scripts, name)
        except AssertionError as error:
            wrong.append(f"{name}: {error}"[-1500:])
    assert wrong == []


class _Library:
    """Stands for a module of a library."""

    first = 1
    second = 2


@pytest.fixture
def restored():
    yield
    state.restore()


def test_a_fix_that_fails_leaves_nothing(restored, capsys):
    def change():
        state.set_attribute(_Library, "first", 10)
        state.set_attribute(_Library, "renamed", 20)

    assert not skipped.apply("a.fix", change)
    assert (_Library.first, hasattr(_Library, "renamed")) == (1, False)
    assert not skipped.apply("a.fix", change)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("tfgraphtools: fix a.fix is not applied: ") and "renamed" in line
    assert list(skipped.reasons()) == ["a.fix"]


def test_the_next_fix_is_applied(restored, capsys):
    skipped.apply("a.fix", state.set_attribute, _Library, "renamed", 20)
    assert skipped.apply("another.fix", state.set_attribute, _Library, "second", 30)
    assert _Library.second == 30
    state.restore()
    assert _Library.second == 2


def test_a_fix_of_a_loaded_module_is_applied_by_itself(restored, capsys):
    after_import.call("json", lambda module: module.renamed, "json.fix")
    assert "fix json.fix is not applied: json 2" in capsys.readouterr().err


def test_a_new_attribute_is_announced(restored):
    with pytest.raises(AttributeError, match="renamed"):
        state.set_attribute(_Library, "renamed", 1)
    state.set_attribute(_Library, "renamed", 1, new=True)
    assert _Library.renamed == 1
    state.restore()
    assert not hasattr(_Library, "renamed")


@pytest.mark.parametrize(
    "statement, missing",
    [
        ("import os; os.renamed", "os.renamed"),
        ("from os.path import renamed", None),
        ("import json.renamed", "json.renamed"),
        ("import no_such_library", None),
        ("from json import renamed", "json.renamed"),
        ("int('x')", None),
        ("(1).renamed", None),
    ],
)
def test_what_a_library_lacks_is_read_from_the_error(statement, missing):
    with pytest.raises(Exception) as raised:
        exec(statement, {})
    name = skipped.missing_name(raised.value)
    assert name == missing or (missing is None and name in ("posixpath.renamed", None))
