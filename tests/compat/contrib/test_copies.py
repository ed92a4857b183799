"""The modules that ``upgrade --no-runtime`` writes compute what TF 1.15's own compute."""

import gzip
import importlib.util
import pathlib
import struct
import sys
import types

import numpy as np
import pytest

import tfgraphtools
from tfgraphtools import compat

if not compat.is_tf1():
    pytest.skip("TF 1.15 has the modules that they stand for", allow_module_level=True)

from tfgraphtools._tf import v1 as tf  # noqa: E402  (which imports TensorFlow)

contrib = importlib.import_module("tensorflow.contrib")

PACKAGE = pathlib.Path(tfgraphtools.__file__).parent
RANDOM = np.random.RandomState(0)


def _copy(name):
    (path,) = PACKAGE.rglob(name + ".py")
    spec = importlib.util.spec_from_file_location(name, str(path))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("updates", [None, "updates"])
@pytest.mark.parametrize("training", [True, False, "tensor"])
@pytest.mark.parametrize("shape", [(6, 3), (4, 5, 5, 3)], ids=["vectors", "images"])
def test_batch_norm(shape, training, updates, monkeypatch):
    """Outputs, averages after a step, gradients, names of variables, and reuse."""
    scopes = importlib.import_module("tensorflow.contrib.framework.python.ops.arg_scope")
    monkeypatch.setitem(sys.modules, "tf_slim", types.ModuleType("tf_slim"))
    monkeypatch.setitem(sys.modules, "tf_slim.ops", types.ModuleType("tf_slim.ops"))
    monkeypatch.setitem(sys.modules, "tf_slim.ops.arg_scope", scopes)
    values = RANDOM.randn(*shape).astype(np.float32)
    found = []
    for module in (_copy("tf1_batch_norm"), contrib.layers):
        with tf.Graph().as_default() as graph, tf.Session() as session:
            flag = tf.constant(True) if training == "tensor" else training
            options = dict(
                is_training=flag, updates_collections=updates, scale=True, decay=0.9, scope="bn"
            )
            inputs = tf.constant(values)
            with scopes.arg_scope([module.batch_norm], epsilon=0.01):
                out = module.batch_norm(inputs, **options)
                out += module.batch_norm(inputs, reuse=True, **options)
            gradients = tf.gradients(out**2, [inputs, *tf.trainable_variables()])
            session.run(tf.global_variables_initializer())
            result = session.run([out, *gradients])
            session.run(graph.get_collection("updates"))
            names = [variable.name for variable in tf.global_variables()]
            found.append((names, result + session.run(tf.global_variables())))
    assert found[0][0] == found[1][0]
    for one, other in zip(found[0][1], found[1][1]):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)


def _write_mnist(folder):
    for part, count in (("train", 60), ("t10k", 20)):
        images = RANDOM.randint(0, 256, (count, 28, 28)).astype(np.uint8)
        labels = RANDOM.randint(0, 10, count).astype(np.uint8)
        for name, head, values in (
            ("images-idx3", (2051, count, 28, 28), images),
            ("labels-idx1", (2049, count), labels),
        ):
            data = struct.pack(f">{len(head)}i", *head) + values.tobytes()
            (folder / f"{part}-{name}-ubyte.gz").write_bytes(gzip.compress(data))


@pytest.mark.parametrize(
    "options",
    [
        {"one_hot": True, "seed": 3},
        {"reshape": False, "seed": 5},
        {"dtype": tf.uint8, "seed": 1},
        {"graph_seed": 7},
        {"fake_data": True, "one_hot": True},
        {"validation_size": 0, "seed": 2},
    ],
    ids=str,
)
def test_mnist(options, tmp_path, capsys):
    """The same batches in the same order, over epochs whose ends lie in batches."""
    from tensorflow.examples.tutorials.mnist import input_data as theirs

    options = dict(options)
    graph_seed = options.pop("graph_seed", None)
    _write_mnist(tmp_path)
    found = []
    for module in (_copy("mnist_input_data"), theirs):
        with tf.Graph().as_default():
            tf.set_random_seed(graph_seed)
            data = module.read_data_sets(str(tmp_path), **{"validation_size": 10, **options})
        fake = {"fake_data": True} if options.get("fake_data") else {}
        batches = [data.train.next_batch(17, **fake) for _ in range(8)]
        count = 3 if data.validation.num_examples else 0
        batches += [data.validation.next_batch(6, shuffle=False, **fake) for _ in range(count)]
        state = data.train.epochs_completed, data.train.num_examples, data.test.num_examples
        found.append((batches, state, capsys.readouterr().out))
    assert found[0][1:] == found[1][1:]
    for one, other in zip(found[0][0], found[1][0]):
        np.testing.assert_array_equal(one[0], other[0])
        np.testing.assert_array_equal(one[1], other[1])
        if not fake:
            assert one[0].dtype == other[0].dtype and one[1].dtype == other[1].dtype
