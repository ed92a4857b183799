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
from tfgraphtools._tf import v1 as tf

if not compat.is_tf1():
    pytest.skip("TF 1.15 has the modules that they stand for", allow_module_level=True)

contrib = importlib.import_module("tensorflow.contrib")

COPIES = pathlib.Path(tfgraphtools.__file__).parent / "upgrade" / "copies"
RANDOM = np.random.RandomState(0)


def _copy(name):
    spec = importlib.util.spec_from_file_location(name, str(COPIES / (name + ".py")))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _both(build, ours, theirs):
    """The values of what two modules build, each in a graph of its own."""
    values = []
    for module in (ours, theirs):
        with tf.Graph().as_default(), tf.Session() as session:
            tf.set_random_seed(1)
            built = build(module)
            session.run(tf.global_variables_initializer())
            values.append(session.run(built))
    return values


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"average_across_batch": False},
        {"average_across_timesteps": False},
        {"average_across_timesteps": False, "average_across_batch": False},
        {
            "average_across_timesteps": False,
            "average_across_batch": False,
            "sum_over_timesteps": True,
        },
        {
            "average_across_timesteps": False,
            "average_across_batch": False,
            "sum_over_timesteps": True,
            "sum_over_batch": True,
        },
    ],
    ids=str,
)
def test_sequence_loss(options):
    logits = RANDOM.randn(3, 4, 5).astype(np.float32)
    targets, weights = RANDOM.randint(0, 5, (3, 4)), RANDOM.rand(3, 4).astype(np.float32)
    weights[1, 2:] = 0

    def build(module):
        tensors = [tf.constant(one) for one in (logits, targets, weights)]
        return module.sequence_loss(*tensors, **options)

    ours, theirs = _both(build, _copy("tf1_seq2seq"), contrib.seq2seq)
    np.testing.assert_allclose(ours, theirs, rtol=1e-6)


@pytest.mark.parametrize("loop", [False, True], ids=["inputs", "loop_function"])
def test_legacy_decoder_and_losses(loop):
    values = RANDOM.randn(4, 3, 5).astype(np.float32)

    def build(module):
        inputs = [tf.constant(one) for one in values]
        cell = tf.nn.rnn_cell.GRUCell(5)
        function = (lambda before, step: before * step) if loop else None
        state = cell.zero_state(3, tf.float32)
        outputs, last = module.rnn_decoder(inputs, state, cell, function)
        targets = [tf.constant([1, 2, step % 5]) for step in range(4)]
        weights = [tf.constant([1.0, 0.5, 0.0])] * 4
        return [
            last,
            module.sequence_loss_by_example(outputs, targets, weights),
            module.sequence_loss_by_example(outputs, targets, weights, False),
            module.sequence_loss(outputs, targets, weights),
            module.sequence_loss(outputs, targets, weights, True, False),
        ]

    ours, theirs = _both(build, _copy("tf1_legacy_seq2seq"), contrib.legacy_seq2seq)
    for one, other in zip(ours, theirs):
        np.testing.assert_allclose(one, other, rtol=1e-6)


LOSSES = {
    "by name": lambda logits, labels: logits[:, 0] * 2 + labels,
    "labels first": lambda target, x: x[:, 0] * 2 + target,
    "logits first": lambda x, y: x[:, 0] * 2 + y,
}


@pytest.mark.parametrize("name", LOSSES)
def test_loss_function(name):
    """TF 1.15 takes the arguments by name; before 1.1 they had an order."""
    with tf.Graph().as_default(), tf.Session() as session:
        lists = [tf.constant([[1.0, 2.0]])], [tf.constant([3.0])], [tf.constant([1.0])]
        loss = _copy("tf1_legacy_seq2seq").sequence_loss(*lists, softmax_loss_function=LOSSES[name])
        assert session.run(loss) == 5


@pytest.mark.parametrize("steps", [1, 5])
def test_crf(steps):
    scores = RANDOM.randn(4, steps, 3).astype(np.float32)
    tags, lengths = RANDOM.randint(0, 3, (4, steps)), np.array([0, 1, steps, max(1, steps - 2)])

    def build(module):
        tensors = [tf.constant(one) for one in (scores, tags, lengths)]
        likelihood, transitions = module.crf_log_likelihood(*tensors)
        sources = [tensors[0], transitions] if steps > 1 else tensors[:1]
        return [likelihood, transitions, *tf.gradients(likelihood, sources)]

    ours, theirs = _both(build, _copy("tf1_crf"), contrib.crf)
    for one, other in zip(ours, theirs):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)
    found = [
        module.viterbi_decode(scores[0], ours[1]) for module in (_copy("tf1_crf"), contrib.crf)
    ]
    assert found[0][0] == list(found[1][0]) and found[0][1] == found[1][1]


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
            data = module.read_data_sets(str(tmp_path), validation_size=10, **options)
        fake = {"fake_data": True} if options.get("fake_data") else {}
        batches = [data.train.next_batch(17, **fake) for _ in range(8)]
        batches += [data.validation.next_batch(6, shuffle=False, **fake) for _ in range(3)]
        state = data.train.epochs_completed, data.train.num_examples, data.test.num_examples
        found.append((batches, state, capsys.readouterr().out))
    assert found[0][1:] == found[1][1:]
    for one, other in zip(found[0][0], found[1][0]):
        np.testing.assert_array_equal(one[0], other[0])
        np.testing.assert_array_equal(one[1], other[1])
        if not fake:
            assert one[0].dtype == other[0].dtype and one[1].dtype == other[1].dtype
