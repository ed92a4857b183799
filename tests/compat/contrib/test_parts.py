"""Estimators as in TF 1.15; kernels that are gone; protobufs; life without the installation."""

import pathlib
import re

import numpy as np
import pytest

from tfgraphtools.compat.contrib import adaptations
from tfgraphtools.compat.legacy import FOLDER

#: What `estimating.py` prints.
LINES = 9

HERE = pathlib.Path(__file__).resolve().parent


@pytest.mark.slow
def test_estimators_as_on_1_15(run_script, tf1_server, tmp_path):
    on_1_15 = tf1_server.start(tmp_path, [HERE / "estimating.py"], seconds=300)
    printed = run_script(HERE / "estimating.py")
    ours, wanted = (
        [line for line in text.splitlines() if not line.startswith(("WARNING", "*"))]
        for text in (printed, on_1_15().checked())
    )
    wanted = [line for line in wanted if line.strip()][-LINES:]
    number = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")
    assert [number.sub("#", line) for line in ours[-LINES:]] == [
        number.sub("#", line) for line in wanted
    ]
    for mine, theirs in zip(ours[-LINES:], wanted):
        np.testing.assert_allclose(
            [float(n) for n in number.findall(mine)],
            [float(n) for n in number.findall(theirs)],
            rtol=1e-5,
        )


def _run(run_script, tmp_path, text, **options):
    script = tmp_path / "script.py"
    script.write_text(text, encoding="utf-8")
    return run_script(script, **options)


def test_one_process_of_small_things(run_script, tmp_path):
    """Messages of protobuf, one module under every import, and a kernel that is gone."""
    text = """
import tensorflow as tf
import tensorflow.contrib.slim as slim
from tensorflow.contrib import slim as again
from tensorflow.contrib.training.python.training import hparam_pb2
from tensorflow.contrib.eager.python import tfe
print(slim is again is tf.contrib.slim, tf.contrib.eager is tfe)
message = tf.contrib.training.HParams(rate=3).to_proto()
print(hparam_pb2.HParamDef.FromString(message.SerializeToString()).hparam["rate"].int64_value)
from tensorflow.contrib.periodic_resample import periodic_resample
try:
    periodic_resample(tf.zeros([2, 2, 4]), [4, 4, None])
except Exception as error:
    print(type(error).__name__, error)
try:
    tf.estimator.BoostedTreesClassifier
except AttributeError as error:
    print(error)
from tensorflow.contrib.boosted_trees.estimator_batch.estimator import (
    GradientBoostedDecisionTreeClassifier,
)
from tensorflow.contrib.boosted_trees.proto import learner_pb2
try:
    learner_pb2.LearnerConfig()
except Exception as error:
    print(type(error).__name__, error)
from tensorflow.python.util import nest
print(nest.is_nested([1]), len(dir(nest)) > 20)
for statement in ("from tensorflow.contrib.learn import TensorFlowDNNAutoencoder",
                  "import tensorflow.contrib.skflow", "tf.contrib.learn.TensorFlowDNNClassifier",
                  "tf.contrib.learn.ops.dnn",
                  "from tensorflow.contrib.learn import nothing", "from tensorflow import nothing"):
    try:
        exec(statement)
    except (ImportError, AttributeError) as error:
        print(error)
"""
    printed = _run(run_script, tmp_path, text).splitlines()
    assert printed[:2] == ["True True", "3"]
    assert printed[2].startswith("GoneKernelError periodic_resample of tensorflow.contrib")
    assert "no kernels" in printed[3]
    assert printed[4].startswith(
        "GoneKernelError LearnerConfig of tensorflow.contrib.boosted_trees"
    )
    assert printed[5] == "True True"
    assert "TF 0.9 removed it" in printed[6]
    assert all("TF 0.11 removed it" in line for line in printed[7:10])
    assert printed[10].startswith("cannot import name 'nothing' from 'tensorflow.contrib.learn'")
    assert printed[11].startswith("cannot import name 'nothing' from 'tensorflow'")


@pytest.mark.slow
def test_without_the_installation(run_script, tmp_path):
    text = """
import tensorflow as tf
import tensorflow.contrib.slim as slim
from tensorflow.contrib.layers import xavier_initializer
with slim.arg_scope([slim.conv2d], normalizer_fn=slim.batch_norm):
    y = slim.conv2d(tf.ones([2, 8, 8, 3]), 4, [3, 3], weights_initializer=xavier_initializer())
names = {}
exec("from tensorflow import *", names)
print(y.shape, slim is tf.contrib.slim is names["contrib"].slim)
for name in ("tensorflow.contrib.rnn", "tensorflow.contrib.seq2seq"):
    try:
        __import__(name)
    except ImportError as error:
        print(error)
try:
    tf.estimator
except ImportError as error:
    print(error)
"""
    pytest.importorskip("tf_slim")
    printed = _run(run_script, tmp_path, text, cache=tmp_path / "empty").splitlines()
    assert printed[0] == "(2, 8, 8, 4) True"
    assert len(printed) == 4
    assert all("'tfgraphtools legacy install'" in line for line in printed[1:])


STRATEGIES = """
import tensorflow as tf
of = tf.contrib.distribute
for strategy in (
    of.MirroredStrategy(["/cpu:0"]), of.CollectiveAllReduceStrategy(), of.ParameterServerStrategy()
):
    with strategy.scope():
        rate = tf.Variable(2.0)
        data = tf.data.Dataset.from_tensors([[1.0], [3.0]]).repeat()
        iterator = strategy.make_dataset_iterator(data)
        def step(x):
            loss = tf.reduce_mean(rate * x)
            with tf.control_dependencies([tf.train.GradientDescentOptimizer(0.1).minimize(loss)]):
                return tf.identity(loss)
        loss = strategy.reduce(
            tf.distribute.ReduceOp.MEAN, strategy.experimental_run(step, iterator)
        )
    with tf.Session() as session:
        session.run([iterator.initialize(), tf.global_variables_initializer()])
        print(*["%.4f" % session.run(loss) for _ in range(3)], of.get_loss_reduction())

from tensorflow.contrib.seq2seq.python.ops import basic_decoder, sampler
from tensorflow.python.eager import context
with context.eager_mode():
    decoder = basic_decoder.BasicDecoderV2(tf.nn.rnn_cell.GRUCell(2), sampler.TrainingSampler())
    state = tf.zeros([3, 2])
    decoded = decoder(tf.ones([3, 4, 2]), initial_state=state, sequence_length=[4, 2, 1])
print(*[outputs.shape for outputs in decoded[1:]])
"""


@pytest.mark.slow
def test_strategies_and_layers_of_contrib(run_script, tmp_path):
    """Their classes have what today's TensorFlow asks them for."""
    printed = _run(run_script, tmp_path, STRATEGIES).splitlines()
    assert printed[:3] == ["4.0000 3.6000 3.2000 ReduceOp.SUM"] * 3  # of 1.15
    assert printed[-1] == "(3, 2) (3,)"


@pytest.mark.slow
def test_names_that_1_15_lost_say_what_to_use(run_script, tmp_path):
    """As attributes and as modules; ``import *`` of an inner module takes what moved."""
    text = """
import tensorflow as tf
from tfgraphtools.compat.fixes import removed
lines = [line for line in removed.lines_of("TF") if not line.now]
parts = ("tensorflow.contrib.", "tensorflow.estimator.")
gone = {line.old: line.instead for line in lines if line.old.startswith(parts)}
for name, why in gone.items():
    module, _, leaf = name.rpartition(".")
    for statement in (f"from {module} import {leaf}", f"import {module}.{leaf}"):
        try:
            exec(statement)
        except ImportError as error:
            assert str(error) == f"{name}: {why}", (name, error)
        else:
            raise SystemExit(name)
try:
    import tensorflow.contrib.gan.python.losses
except ModuleNotFoundError as error:
    print(error)
print(hasattr(tf.contrib, "gan"), callable(tf.contrib.tpu.outside_compilation))
with tf.device(tf.contrib.framework.VariableDeviceChooser(num_tasks=2)):
    print([tf.Variable(1.0).device for _ in range(3)])
from tensorflow_estimator.contrib.estimator.python.estimator import replicate_model_fn
with tf.device(replicate_model_fn._local_device_setter("/job:w/cpu:0", ["/job:ps"], lambda op: 0)):
    print(tf.Variable(1.0).device, tf.no_op().device)
names = {}
exec("from tensorflow import *", names)
print([name for name in ("contrib", "core", "examples", "python", "tools") if name in names])
"""
    printed = _run(run_script, tmp_path, text).splitlines()
    assert printed[0].startswith("tensorflow.contrib.gan: TF 1.15 has none.")
    assert printed[1:] == [  # of 1.15
        "False True",
        "['/job:ps/task:1/device:CPU:0', '/job:ps/task:1/device:CPU:0', "
        "'/job:ps/task:1/device:CPU:0']",
        "/job:ps /job:w/device:CPU:0",
        "['contrib', 'core', 'python', 'tools']",
    ]


@pytest.mark.parametrize("module", sorted(adaptations.ADAPTATIONS))
def test_an_adaptation_finds_its_words(module, legacy_cache):
    file = legacy_cache.joinpath(FOLDER, *module.split("."))
    source = file.with_suffix(".py").read_bytes()
    assert adaptations.adapted(module, source) != source


def test_a_module_that_is_not_adapted_stays_as_it_is():
    assert adaptations.adapted("tensorflow.contrib.other", b"words") == b"words"


@pytest.mark.slow
def test_modules_of_115(run_script, tf1_server, tmp_path):
    """Coders of structures, shape functions and datasets of 1.15."""
    on_1_15 = tf1_server.start(tmp_path, [HERE / "modules_of_115.py"], seconds=120)
    printed = run_script(HERE / "modules_of_115.py")
    assert printed.splitlines() == on_1_15().checked().splitlines()[-len(printed.splitlines()) :]
