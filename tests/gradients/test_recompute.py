"""recompute_gradients against tf.gradients: the same to the bit, for less memory."""

import os
import subprocess
import sys
import textwrap

import architectures
import numpy as np
import pytest

from tfgraphtools.errors import ArgumentError

CONTROL_FLOW = ["cond", "while-loop", "loop-that-reads-a-variable", "lstm-dynamic-rnn"]
CASES = [(name, version) for name in CONTROL_FLOW for version in ("v1", "v2")]
CASES += [(name, "v1") for name in architectures.ARCHITECTURES if name not in CONTROL_FLOW]


def _exact_config(v1):
    """Without Grappler, whose fused kernels round otherwise."""
    config = v1.ConfigProto()
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    config.graph_options.optimizer_options.opt_level = -1
    return config


def _tensors(tf, grads):
    return [tf.convert_to_tensor(grad) for grad in grads if grad is not None]


def _recomputed(graph):
    return [op for op in graph.get_operations() if op.name.startswith("recompute")]


@pytest.mark.costly(in_ci=8)
@pytest.mark.parametrize("name,version", CASES, ids=lambda part: part)
def test_equal_to_plain_gradients(tf, v1, graph, gradients, name, version):
    resource = len(name) % 2 or not tf.__version__.startswith("1")
    (v1.enable_resource_variables if resource else v1.disable_resource_variables)()
    (v1.enable_control_flow_v2 if version == "v2" else v1.disable_control_flow_v2)()
    v1.set_random_seed(3)
    ys, xs, grad_ys = architectures.ARCHITECTURES[name](tf, v1)
    ways = {"plain": v1.gradients(ys, xs, grad_ys)}
    for way in ("memory", "speed"):
        ways[way] = gradients.recompute_gradients(ys, xs, grad_ys, checkpoints=way)
    for grads in ways.values():
        assert [g is None for g in grads] == [g is None for g in ways["plain"]]
    copies = _recomputed(graph)
    if name in CONTROL_FLOW and version == "v1":
        assert not copies
    assert copies or name not in ("resnet", "perceptron", "transformer-with-dropout")
    assert not any(op.op_def and op.op_def.is_stateful for op in copies if op.type != "NoOp")
    fetches = {way: _tensors(tf, grads) for way, grads in ways.items()}
    initialize = v1.global_variables_initializer()
    for config, rounding in ((_exact_config(v1), 0), (None, 2e-6)):
        with v1.Session(config=config) as session:
            session.run(initialize)
            values = session.run(fetches)
        for way in ("memory", "speed"):
            for expected, ours in zip(values["plain"], values[way]):
                scale = rounding * max(np.abs(value).max() for value in values["plain"])
                np.testing.assert_allclose(ours, expected, rtol=0, atol=scale)


def _chain(tf, v1, length=30):
    x = v1.placeholder_with_default(np.ones([3, 8], np.float32), [None, 8])
    w, h, hs = v1.get_variable("w", initializer=0.3 * np.eye(8, dtype=np.float32)), x, []
    for _ in range(length):
        h = tf.tanh(tf.matmul(h, w) + 0.1) + h
        hs.append(h)
    return tf.reduce_sum(h), w, hs


@pytest.mark.parametrize("way", ["list", "collection", "memory"])
def test_what_is_kept(tf, v1, graph, gradients, way):
    """A chain is copied op for op, but for the last segment and the checkpoints themselves."""
    y, w, hs = _chain(tf, v1)
    checkpoints = {"list": hs[9:29:10], "collection": "collection", "memory": "memory"}[way]
    for hidden in hs[9:29:10]:
        graph.add_to_collection("checkpoints", hidden)
    gradients.recompute_gradients(y, w, checkpoints=checkpoints)
    copied = [op for op in _recomputed(graph) if op.type == "Tanh"]
    segments = {op.name.split("/")[1] for op in copied}
    if way == "memory":
        assert 2 <= len(segments) <= 12 and 15 <= len(copied) <= 29
    else:
        assert len(segments) == 2 and len(copied) == 20
    waiting = [op for op in _recomputed(graph) if op.control_inputs]
    assert len({control for op in waiting for control in op.control_inputs}) >= len(segments)


def test_updates_of_batch_normalisation_happen_once(tf, v1, graph, gradients):
    loss = architectures.residual(tf, v1, 5)
    moving = [v for v in v1.global_variables() if "moving" in v.name]
    optimizer = gradients.RecomputeOptimizer(v1.train.GradientDescentOptimizer(0.1))
    updates = graph.get_collection(v1.GraphKeys.UPDATE_OPS)
    with v1.control_dependencies(updates):
        step = optimizer.minimize(loss)
    assert any(op.type.startswith("FusedBatchNorm") for op in _recomputed(graph))
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        start = session.run(moving)
        means = [update.op.inputs[-1] for update in updates]
        batch_means = session.run(means)  # no step: no update has run
        session.run(step)
        for before, mean, after in zip(start, batch_means, session.run(moving)):
            np.testing.assert_allclose(after - before, mean, rtol=1e-4, atol=1e-6)


def test_an_optimizer_inside_and_around_others(tf, v1, graph, gradients, variables):
    """Freezing and accumulation see the same gradients: the variables are the same to the bit."""
    from tfgraphtools import training

    def trained(recompute):
        with v1.Graph().as_default() as own:
            loss, w, _ = _chain(tf, v1, 20)
            wrap = gradients.RecomputeOptimizer if recompute else lambda optimizer: optimizer
            mask = np.eye(8, dtype=bool)
            optimizer = wrap(v1.train.AdamOptimizer(0.01))
            optimizer = wrap(training.FreezeOptimizer(optimizer, {"w": mask}))
            step = training.LRMultiplierOptimizer(optimizer, {"w": 0.5}).minimize(loss)
            assert bool(_recomputed(own)) == recompute
            assert optimizer.get_slot(w, "m") is not None and optimizer.get_slot_names()
            with v1.Session(config=_exact_config(v1)) as session:
                session.run(v1.global_variables_initializer())
                for _ in range(3):
                    session.run(step)
                return session.run(w)

    np.testing.assert_array_equal(trained(True), trained(False))


def test_a_ref_variable_is_updated_after_its_last_reader(tf, v1, graph, gradients):
    """An update in place would change what a copy that has not run yet computes from."""
    v1.disable_resource_variables()
    h, layers = tf.ones([2, 4]), []
    for i in range(16):
        layers.append(v1.get_variable(f"w{i}", initializer=0.1 * np.eye(4, dtype=np.float32)))
        h = tf.matmul(h, layers[-1]) + h
    grads = gradients.recompute_gradients(tf.reduce_sum(h), layers)
    copies = {op.name for op in _recomputed(graph)}
    checked = 0
    for grad, w in zip(grads, layers):
        for reader in graph.get_operation_by_name(w.op.name + "/read").outputs[0].consumers():
            if reader.name in copies:
                checked += 1
                assert reader in grad.op.control_inputs
    assert checked >= 5


def test_a_ref_variable_that_the_forward_pass_updates(tf, v1, graph, gradients):
    """As the vectors of spectral normalisation: a copy would read them after the update."""
    v1.disable_resource_variables()
    h, weights = tf.ones([2, 4]), []
    for i in range(9):
        weights.append(v1.get_variable(f"w{i}", [4, 4]))
        u = v1.get_variable(f"u{i}", [1, 4], initializer=v1.ones_initializer(), trainable=False)
        v = tf.nn.l2_normalize(tf.matmul(u, weights[-1], transpose_b=True))
        new = tf.nn.l2_normalize(tf.matmul(v, weights[-1]))
        with tf.control_dependencies([u.assign(new)]):
            h = tf.tanh(tf.matmul(h, weights[-1] / tf.reduce_sum(v * new)))
    loss = tf.reduce_sum(h)
    ours, theirs = gradients.recompute_gradients(loss, weights), v1.gradients(loss, weights)
    assert _recomputed(graph)
    with v1.Session(config=_exact_config(v1)) as session:
        session.run(v1.global_variables_initializer())
        values = session.run([ours, theirs])
    for recomputed, other in zip(*values):
        np.testing.assert_array_equal(recomputed, other)


def test_a_fed_x_is_seen(tf, v1, graph, gradients):
    """An x between variables and y may be fed: it is kept, not computed again."""
    y, w, hs = _chain(tf, v1)
    middle = hs[8]
    ours, theirs = gradients.recompute_gradients(y, [w, middle]), v1.gradients(y, [w, middle])
    with v1.Session(config=_exact_config(v1)) as session:
        session.run(v1.global_variables_initializer())
        values = session.run([ours, theirs], {middle: np.full([3, 8], 0.2, np.float32)})
    for recomputed, other in zip(*values):
        np.testing.assert_array_equal(recomputed, other)


@pytest.mark.parametrize("checkpoints", ["fast", 3, [], "collection", "other graph", "after y"])
def test_wrong_checkpoints(tf, v1, graph, gradients, checkpoints):
    y, w, _ = _chain(tf, v1, 4)
    if checkpoints == "other graph":
        with v1.Graph().as_default():
            checkpoints = [tf.constant(1.0)]
    checkpoints = [y * 2.0] if checkpoints == "after y" else checkpoints
    with pytest.raises(ArgumentError, match="checkpoints"):
        gradients.recompute_gradients(y, w, checkpoints=checkpoints)


PEAK = """
import os
import tensorflow as tf
from tfgraphtools import gradients
v1 = tf.compat.v1
v1.disable_eager_execution()
def memory(name):
    return next(int(l.split()[1]) for l in open("/proc/self/status") if l.startswith(name)) / 1024
def peak(way):
    x = tf.ones([2000, 500])
    h, w = x, v1.get_variable("w", [500])
    for _ in range(60):
        h = tf.sin(h * w)
    (grad,) = way(tf.reduce_sum(h), [w])
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        before = memory("VmRSS")
        session.run(grad.op)
        return memory("VmHWM") - before
for way in (v1.gradients, gradients.recompute_gradients):
    child = os.fork()  # each way has a process: a peak is that of its whole life
    if not child:
        print(peak(way), flush=True)
        os._exit(0)
    os.waitpid(child, 0)
"""


@pytest.mark.once
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_the_session_does_not_undo_it():
    """Grappler must not merge the copies with the originals: memory is measured, by default."""
    environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", MALLOC_MMAP_THRESHOLD_="65536")
    command = [sys.executable, "-c", textwrap.dedent(PEAK)]
    printed = subprocess.run(command, stdout=subprocess.PIPE, env=environment, check=True).stdout
    peak, ours = map(float, printed.split())
    assert peak > 300  # 60 sines and 60 products of 4 MB
    assert ours < 0.5 * peak
