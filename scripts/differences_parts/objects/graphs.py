"""What a script that builds a graph holds: name -> function that makes it."""

import numpy as np
import tensorflow as tf


def _inputs():
    return tf.placeholder(tf.float32, [None, 3], name="x")


def _product():
    x = _inputs()
    weights = tf.get_variable("w", [3, 2], initializer=tf.ones_initializer())
    return tf.matmul(x, weights, name="product")


def _graph():
    _product()
    tf.summary.scalar("loss", tf.constant(1.0))
    tf.train.get_or_create_global_step()
    tf.add_to_collection("mine", 3)
    return tf.get_default_graph()


def _of_collections():
    graph = _graph()
    return {name: graph.get_collection(name) for name in graph.get_all_collection_keys()}


def _while():
    return tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)], name="loop")


def _in_while():
    held = []

    def body(i):
        held.append(tf.add(i, 1, name="inside"))
        return held[0]

    tf.while_loop(lambda i: i < 3, body, [tf.constant(0)], name="loop")
    return held[0].op


def _in_cond():
    held = []

    def branch():
        held.append(tf.constant(2.0, name="inside"))
        return held[0]

    tf.cond(tf.placeholder(tf.bool, []), branch, lambda: tf.constant(1.0), name="cond")
    return held[0].op


def _gathered():
    table = tf.get_variable("table", [5, 2])
    return tf.gradients(tf.gather(table, [1, 3]), table)[0]


def _partitioned():
    with tf.variable_scope("parts", partitioner=tf.fixed_size_partitioner(2)):
        return tf.get_variable("v", [4, 2])


def _scope():
    with tf.variable_scope("outer", reuse=tf.AUTO_REUSE, initializer=tf.zeros_initializer()):
        with tf.variable_scope("inner") as scope:
            tf.get_variable("v", [2])
            return scope


def _template():
    made = tf.make_template("made", lambda x: x * tf.get_variable("v", []))
    made(tf.constant(1.0))
    return made


def _function():
    made = tf.function(lambda x: x + 1.0)
    made(tf.constant(1.0))
    return made


def _defun():
    from tensorflow.python.framework import function

    @function.Defun(tf.float32, func_name="plus")
    def plus(x):
        return x + 1.0

    plus(tf.constant(1.0))
    return plus


def _tape():
    with tf.GradientTape() as tape:
        x = tf.constant(1.0)
        tape.watch(x)
        x * x
    return tape


def _cell(cell):
    def make():
        made = cell()
        tf.nn.dynamic_rnn(made, tf.zeros([2, 4, 3]), dtype=tf.float32)
        return made

    return make


def _states(cell):
    return lambda: tf.nn.dynamic_rnn(cell(), tf.zeros([2, 4, 3]), dtype=tf.float32)[1]


def _initializer():
    return {
        name: getattr(tf, name)()
        for name in ("zeros_initializer ones_initializer constant_initializer "
                     "random_uniform_initializer random_normal_initializer "
                     "glorot_uniform_initializer truncated_normal_initializer "
                     "uniform_unit_scaling_initializer "
                     "variance_scaling_initializer orthogonal_initializer").split()
    }  # fmt: skip


def _dataset():
    found = tf.data.Dataset.from_tensor_slices({"a": np.arange(6.0), "b": np.arange(6)})
    return found.shuffle(3, seed=1).map(lambda row: row["a"]).batch(2).repeat().prefetch(1)


def _types():
    keys = "? b B h H i I l L q Q e f d g F D G S U V O M m p P a i1 i2 i4 i8 u1 u8 f2 f4 f8 c8 c16"
    return {key: np.dtype(np.typeDict[key]).str for key in keys.split()}


def _distribution():
    return tf.distributions.Normal(tf.constant(0.0), tf.constant([1.0, 2.0]))


MADE = {
    "Graph": _graph,
    "Graph, empty": tf.Graph,
    "collections": _of_collections,
    "GraphDef": lambda: _product().graph.as_graph_def(),
    "MetaGraphDef": lambda: tf.train.export_meta_graph(graph=_graph()),
    "NodeDef": lambda: _product().op.node_def,
    "OpDef": lambda: _product().op.op_def,
    "Operation, MatMul": lambda: _product().op,
    "Operation, Placeholder": lambda: _inputs().op,
    "Operation, Const": lambda: tf.constant([1.0, 2.0], name="c").op,
    "Operation, Assign": lambda: tf.Variable(1.0).assign(2.0).op,
    "Operation, NoOp": lambda: tf.group(tf.constant(1.0), name="all"),
    "Operation, Conv2D": lambda: tf.nn.conv2d(
        tf.zeros([1, 4, 4, 1]), tf.zeros([2, 2, 1, 1]), [1, 1, 1, 1], "SAME").op,
    "Operation in a loop": _in_while,
    "Operation in a cond": _in_cond,
    "Tensor": _product,
    "Tensor, placeholder": _inputs,
    "Tensor, unknown rank": lambda: tf.placeholder(tf.float32, name="any"),
    "Tensor, constant": lambda: tf.constant([[1, 2]]),
    "Tensor of a loop": _while,
    "WhileContext": lambda: _in_while()._get_control_flow_context(),
    "CondContext": lambda: _in_cond()._get_control_flow_context(),
    "IndexedSlices": _gathered,
    "SparseTensor": lambda: tf.SparseTensor([[0, 1]], [2.0], [2, 2]),
    "SparseTensor, placeholder": lambda: tf.sparse_placeholder(tf.float32, [None, 3]),
    "SparseTensorValue": lambda: tf.SparseTensorValue([[0, 1]], [2.0], [2, 2]),
    "RaggedTensor": lambda: tf.ragged.constant([[1], [2, 3]]),
    "TensorArray": lambda: tf.TensorArray(tf.float32, 3).write(0, 1.0),
    "Variable": lambda: tf.Variable([1.0, 2.0], name="v"),
    "Variable of get_variable": lambda: tf.get_variable("v", [3, 2]),
    "Variable, int": lambda: tf.Variable(0, trainable=False, name="step"),
    "Variable, resource": lambda: tf.get_variable("v", [3, 2], use_resource=True),
    "Variable, partitioned": _partitioned,
    "Variable, one part": lambda: list(_partitioned())[1],
    "Variable, initialized_value": lambda: tf.Variable(1.0).initialized_value(),
    "VariableScope": _scope,
    "VariableScope, current": tf.get_variable_scope,
    "Template": _template,
    "TensorShape": lambda: tf.TensorShape([None, 3]),
    "TensorShape, known": lambda: tf.constant([[1.0, 2.0]]).shape,
    "TensorShape, unknown": lambda: tf.TensorShape(None),
    "TensorShape of a tensor": lambda: _inputs().get_shape(),
    "Dimension": lambda: tf.TensorShape([None, 3])[1],
    "Dimension, unknown": lambda: tf.TensorShape([None, 3])[0],
    "DType": lambda: tf.float32,
    "DType, ref": lambda: tf.float32._as_ref,
    "DType, string": lambda: tf.string,
    "TensorSpec": lambda: tf.TensorSpec([None, 3], tf.float32, "x"),
    "DeviceSpec": lambda: tf.DeviceSpec(job="ps", task=1, device_type="CPU", device_index=0),
    "op device": lambda: tf.DeviceSpec.from_string("/job:worker/task:0/device:GPU:1"),
    "function": _function,
    "Defun": _defun,
    "ConcreteFunction": lambda: tf.function(lambda x: x + 1.0).get_concrete_function(
        tf.TensorSpec([2], tf.float32)),
    "GradientTape": _tape,
    "BasicRNNCell": _cell(lambda: tf.nn.rnn_cell.BasicRNNCell(2)),
    "BasicLSTMCell": _cell(lambda: tf.nn.rnn_cell.BasicLSTMCell(2)),
    "LSTMCell": _cell(lambda: tf.nn.rnn_cell.LSTMCell(2, use_peepholes=True, num_proj=3)),
    "LSTMCell, unbuilt": lambda: tf.nn.rnn_cell.LSTMCell(2),
    "GRUCell": _cell(lambda: tf.nn.rnn_cell.GRUCell(2)),
    "MultiRNNCell": _cell(
        lambda: tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.GRUCell(2) for _ in range(2)])),
    "DropoutWrapper": _cell(
        lambda: tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.LSTMCell(2), 0.5, seed=1)),
    "ResidualWrapper": _cell(
        lambda: tf.nn.rnn_cell.ResidualWrapper(tf.nn.rnn_cell.GRUCell(3))),
    "LSTMStateTuple": _states(lambda: tf.nn.rnn_cell.LSTMCell(2)),
    "state of a GRUCell": _states(lambda: tf.nn.rnn_cell.GRUCell(2)),
    "initializers": _initializer,
    "initializer": lambda: tf.truncated_normal_initializer(stddev=0.02, seed=3),
    "Dataset": _dataset,
    "Dataset, of tensors": lambda: tf.data.Dataset.from_tensors(np.zeros([2, 3], "float32")),
    "Dataset, range": lambda: tf.data.Dataset.range(5),
    "Iterator, one shot": lambda: _dataset().make_one_shot_iterator(),
    "Iterator, initializable": lambda: _dataset().make_initializable_iterator(),
    "Iterator, of structure": lambda: tf.data.Iterator.from_structure(
        tf.float32, tf.TensorShape([None])),
    "Dataset.options": lambda: tf.data.Dataset.range(5).options(),
    "FixedLenFeature": lambda: tf.FixedLenFeature([2], tf.float32, [0.0, 1.0]),
    "VarLenFeature": lambda: tf.VarLenFeature(tf.int64),
    "Example": lambda: tf.train.Example(features=tf.train.Features(feature={
        "a": tf.train.Feature(int64_list=tf.train.Int64List(value=[1]))})),
    "Normal": _distribution,
    "lookup table": lambda: tf.contrib.lookup.index_table_from_tensor(["a", "b"], 1),
    "hash table": lambda: tf.contrib.lookup.HashTable(
        tf.contrib.lookup.KeyValueTensorInitializer(["a"], [1]), -1),
    "LinearOperator": lambda: tf.linalg.LinearOperatorDiag([1.0, 2.0]),
    "OpError": lambda: tf.errors.InvalidArgumentError(tf.constant(1.0).op.node_def, None, "why"),
    "numpy.typeDict": _types,
}  # fmt: skip
