"""The tree of scopes: ops, parameters and FLOPs are those that TensorFlow counts."""

import numpy as np
import pytest

from tfgraphtools import graphs

COUNTED = "MatMul Conv2D DepthwiseConv2dNative Conv2DBackpropInput Conv2DBackpropFilter".split()


@pytest.fixture(scope="module")
def summary(training_graph):
    return graphs.show(training_graph.files["MetaGraphDef"])


def test_ops_and_parameters(summary, training_graph):
    root = summary.tree()
    own = [op.name for op in training_graph.graph.get_operations()]
    assert root.children["conv"].ops == sum(name.startswith("conv/") for name in own)
    state = ("Adam", "_power", "global_step")
    model = [v for v in training_graph.variables if not any(word in v.name for word in state)]
    assert root.parameters == sum(int(np.prod(v.shape.as_list())) for v in model)
    assert root.children["bn"].parameters == 3 * 12  # gamma, beta and the average
    assert summary.tree(1).children["bn"].children == {}
    assert summary.tree(0).children == {}


def test_flops_are_those_of_the_profiler(summary, training_graph, tf):
    from tensorflow.python.framework import ops
    from tensorflow.python.profiler.internal import flops_registry  # noqa: F401

    graph, total = training_graph.graph, 0
    counted = [op for op in graph.get_operations() if op.type in COUNTED]
    assert {op.type for op in counted} == set(COUNTED)
    for op in counted:
        value = ops.get_stats_for_node_def(graph, op.node_def, "flops").value
        assert value, op.name
        total += value
    depthwise = [
        op for op in graph.get_operations() if op.type.startswith("DepthwiseConv2dNativeB")
    ]
    assert len(depthwise) == 2  # which neither of us counts
    found = summary.tree().flops
    assert found == (total, 0, 0)


@pytest.mark.parametrize(
    "build, flops",
    [
        (lambda tf, x: tf.matmul(x([None, 3]), x([3, 4])), (0, 2 * 3 * 4, 0)),
        (lambda tf, x: tf.matmul(x([2, None]), x([None, 4])), (0, 0, 1)),
        (lambda tf, x: tf.matmul(x([None, 2]), x([None, 4]), transpose_a=True), (0, 16, 0)),
        (lambda tf, x: tf.matmul(x([2, 3]), x([4, 3]), transpose_b=True), (48, 0, 0)),
        (lambda tf, x: tf.matmul(x([5, 2, 3]), x([5, 3, 4])), (5 * 48, 0, 0)),
        (lambda tf, x: tf.matmul(x([None, 5, 2, 3]), x([1, 1, 3, 4])), (0, 5 * 48, 0)),
        (lambda tf, x: tf.matmul(x([5, 2, None]), x([5, None, 4])), (0, 0, 1)),
        (lambda tf, x: tf.matmul(x(None), x([3, 4])), (0, 0, 1)),
        (
            lambda tf, x: tf.nn.conv2d(x([None, None, 8, 3]), x([3, 3, 3, 2]), 1, "SAME"),
            (0, 0, 1),
        ),
        (
            lambda tf, x: tf.nn.conv3d(
                x([None, 4, 6, 8, 3]), x([3, 3, 3, 3, 2]), [1, 1, 1, 1, 1], "SAME"
            ),
            (0, 2 * (4 * 6 * 8 * 2) * (27 * 3), 0),
        ),
        (lambda tf, x: tf.nn.relu(x([2, 3])), (0, 0, 0)),
    ],
    ids=(
        "rows depth-unknown gradient transposed batch broadcast batch-depth rank image conv3d relu"
    ).split(),
)
def test_what_is_unknown_is_reported(build, flops, graph, tf, tmp_path):
    v1 = tf.compat.v1
    build(tf, lambda shape: v1.placeholder(tf.float32, shape))
    v1.train.export_meta_graph(str(tmp_path / "m.meta"))
    assert graphs.show(tmp_path / "m.meta").tree().flops == flops


def test_weights_of_a_frozen_graph_are_parameters(graph, tf, tmp_path):
    v1 = tf.compat.v1
    x = v1.placeholder(tf.float32, [None, 3], name="x")
    with v1.name_scope("dense"):
        tf.matmul(x, tf.constant(np.ones([3, 4], np.float32)), name="y")
    data = v1.get_default_graph().as_graph_def().SerializeToString()
    (tmp_path / "frozen.pb").write_bytes(data)
    root = graphs.show(tmp_path / "frozen.pb").tree()
    assert root.children["dense"].parameters == root.parameters == 12
    assert root.flops == (0, 2 * 12, 0)  # of a matrix product the weights say enough
