"""Graphs that are copied op by op, by code that gives an op its inputs after it was made."""

import pytest

from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

COPIER = """\
import copy
import sys
import tensorflow as tf

graph = tf.get_default_graph()

def copied(op):
    name = "copied/" + op.name
    try:
        return graph.as_graph_element(name, allow_tensor=False)
    except KeyError:
        pass
    node_def = copy.deepcopy(op.node_def)
    node_def.name = name
    if "frame_name" in node_def.attr:
        node_def.attr["frame_name"].s = b"copied/" + node_def.attr["frame_name"].s
    new = tf.Operation(node_def, graph, [], op._output_types[:], [], [], None, op.op_def)
    graph._add_op(new)
    new._add_control_inputs([copied(other) for other in op.control_inputs])
    for tensor in op.inputs:
        new._add_input(copied(tensor.op).outputs[tensor.value_index])
    return new

def check(name, tensor):
    count = len(graph.get_operations())
    again = copied(tensor.op).outputs[tensor.value_index]
    added = [op.name for op in graph.get_operations()[count:]]
    assert all(name.startswith("copied/") for name in added), added
    assert len(added) == len(set(added))
    session = tf.Session()
    print(name, again.shape == tensor.shape, session.run([tensor, again]))
"""

GRAPHS = """
x = tf.constant([1.0, 2.0], name="x")
with tf.control_dependencies([tf.Assert(x[0] > 0, [x])]):
    ordered = tf.concat([x, tf.constant([3.0])], 0)
check("lists", tf.add_n([ordered, ordered, ordered]))
parts = tf.split(x, 2)
check("outputs", parts[1] - parts[0])
check("cond", tf.cond(x[0] > 3.0, lambda: x + 1.0, lambda: x - 1.0))
check("loop", tf.while_loop(lambda i, t: i < 4, lambda i, t: (i + 1, t * x[1] + 1.0), [0, 0.0])[1])
def body(i, t):
    return i + 1, t + tf.while_loop(lambda j: j < i, lambda j: j + 1, [0])
check("nested", tf.while_loop(lambda i, t: i < 4, body, [0, 0])[1])
check("scan", tf.scan(lambda a, b: a + b, tf.constant([1.0, 2.0, 3.0])))
"""

UNFINISHED = """
add = (tf.constant(1.0) + 2.0).op
node_def = copy.deepcopy(add.node_def)
node_def.name = "later"
later = tf.Operation(node_def, graph, [add.inputs[0]], [tf.float32], [], [], None, add.op_def)
print(later, isinstance(later, tf.Operation), later == add, later == later)
try:
    later.outputs
except AttributeError as error:
    print(error)
later._add_input(add.inputs[1])
made = graph.get_operation_by_name("later")
print(later.outputs[0].op.name, later == made, tf.Session().run(later.outputs))
with tf.control_dependencies([later]):
    print(tf.no_op().control_inputs == [later])
print(later in {later.outputs[0].op}, tf.Session().run(later), later)
"""


@pytest.fixture(scope="module")
def printed(tmp_path_factory, tf1_run_in):
    """What one process prints: of the copies, and then of the op that is not finished yet."""
    folder = tmp_path_factory.mktemp("operations")
    (folder / "copier.py").write_text(COPIER + GRAPHS + "print('--')\n" + UNFINISHED)
    result = tf1_run_in(folder, "copier.py")
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    return lines[: lines.index("--")], lines[lines.index("--") + 1 :]


def test_copies_give_what_the_originals_give(printed):
    assert printed[0] == [
        "lists True [array([3., 6., 9.], dtype=float32), array([3., 6., 9.], dtype=float32)]",
        "outputs True [array([1.], dtype=float32), array([1.], dtype=float32)]",
        "cond True [array([0., 1.], dtype=float32), array([0., 1.], dtype=float32)]",
        "loop True [15.0, 15.0]",
        "nested True [6, 6]",
        "scan True [array([1., 3., 6.], dtype=float32), array([1., 3., 6.], dtype=float32)]",
    ]


def test_an_unfinished_op(printed):
    assert printed[1] == [
        "<unfinished op 'later'> True False True",
        "the op 'later' has 1 of its 2 inputs: the attribute 'outputs' exists once it has all",
        "later True [3.0]",
        "True",
        "True None <tf.Operation 'later' type=AddV2>",
    ]
