# %% tensorflow.nn.softmax_cross_entropy_with_logits
# %%+ tensorflow.nn.sparse_softmax_cross_entropy_with_logits
# %%+ tensorflow.nn.sigmoid_cross_entropy_with_logits [not-on-1.15: there it is an error]
import tensorflow as tf
logits, labels = [[2.0, 1.0, 0.0]], [[0.0, 0.0, 1.0]]
with tf.Session() as session:
    print(session.run(tf.nn.softmax_cross_entropy_with_logits(logits, labels)))
    print(session.run(tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits)))
    print(session.run(tf.nn.softmax_cross_entropy_with_logits(_sentinel=None, labels=labels, logits=logits)))
    print(session.run(tf.nn.sparse_softmax_cross_entropy_with_logits(logits, [2])))
    print(session.run(tf.nn.sigmoid_cross_entropy_with_logits([2.0], [0.0])))
    print(session.run(tf.nn.sigmoid_cross_entropy_with_logits(None, [0.0], [2.0])))
#> [2.407606]
#> [2.407606]
#> [2.407606]
#> [2.407606]
#> [2.126928]
#> [2.126928]

# %% tensorflow.add tensorflow.math.add
import tensorflow as tf

@tf.RegisterGradient("Nothing")
def _nothing(op, grad):
    return grad * 0, grad * 0

x = tf.constant([1.0, 2.0])
for add in (tf.add, tf.math.add):
    with tf.get_default_graph().gradient_override_map({"Add": "Nothing"}):
        y = add(x, x)
    print(y.op.type, tf.Session().run(tf.gradients(y, x)[0]).tolist())
print(tf.add(1, 2, name="sum").op.type, (x + x).op.type)
ragged = tf.ragged.constant([[1.0, 2.0], [3.0]])
print(tf.Session().run([tf.add(ragged, 1.0), tf.math.add(x=ragged, y=ragged)]))

# %% tensorflow.cond [not-on-1.15: a Python bool was taken until 1.8]
import tensorflow as tf
with tf.Session() as session:
    print(session.run(tf.cond(True, lambda: 1, lambda: 2)))
    print(session.run(tf.cond(tf.constant(False), fn1=lambda: 1, fn2=lambda: 2)))
#> 1
#> 2

# %% tensorflow.type [fails-not: it says False]
import tensorflow as tf
x = tf.constant(1.0)
print(type(x) is tf.Tensor, type(x) == tf.Tensor, type(x).__name__, type(x) in (tf.Tensor, int))
print(type(3) is int, isinstance(x, tf.Tensor), type("C", (), {}).__name__)
def shadowed(type):
    return type(4)
print(shadowed(float))

# %% tensorflow.Tensor.OVERLOADABLE_OPERATORS [not-on-1.15: == is among them, so that a == a is False]
import tensorflow as tf

class Parameter(object):
    def __init__(self, value):
        self.tensor = tf.constant(value)

def _overload(operator):
    setattr(Parameter, operator, lambda a, *others: getattr(tf.Tensor, operator)(a.tensor, *others))

for name in tf.Tensor.OVERLOADABLE_OPERATORS:
    _overload(name)
a, b = Parameter(2.0), Parameter(3.0)
print(a == a, a != a, a == b, [b, a].index(a))
print(tf.Session().run([a + 1.0, 2.0 * b, -a, a < 3.0]))
#> True False False 1
#> [3.0, 6.0, -2.0, True]

# %% tensorflow.Operation.type [not-on-1.15: there x + y is an AddV2 too] [fails-not: it runs nothing]
from tensorflow.compat.v1 import Graph, compat, gather, matmul, matrix_diag, matrix_diag_part, nn, ones, placeholder
import tensorflow as tf
with Graph().as_default():
    x = ones([2, 2])
    image = placeholder("float32", [1, 2, 2, 2])
    made = [x + x, gather(x, [0]), matmul(ones([1, 2, 2]), ones([1, 2, 2])), matrix_diag(x), matrix_diag_part(x)]
    made.append(nn.fused_batch_norm(image, x[0], x[0])[0])
    found = [tensor.op.type for tensor in made]
EARLIER = {"Add", "Gather", "BatchMatMul", "MatrixDiag", "MatrixDiagPart", "FusedBatchNorm"}
print(found)
print([tensor.op.type in EARLIER for tensor in made])
#> ['Add', 'Gather', 'BatchMatMul', 'MatrixDiag', 'MatrixDiagPart', 'FusedBatchNorm']
#> [True, True, True, True, True, True]

# %% tensorflow.Operation
import copy
import tensorflow as tf
graph = tf.get_default_graph()
a, b = tf.constant([1.0, 2.0]), tf.constant([10.0, 20.0])
product = tf.multiply(a, b, name="product").op
node_def = copy.deepcopy(product.node_def)
node_def.name = "again"
again = tf.Operation(node_def, graph, [b, b], [tf.float32], [], None, product, product.op_def)
print(again.name, again.type, again.outputs[0], graph.get_operation_by_name("again") is again)
print(isinstance(again, tf.Operation), tf.Session().run(again.outputs[0]))

# %% tensorflow.Operation._add_input [not-on-1.15: since 1.8 an op wants its inputs when it is made]
import copy
import tensorflow as tf
graph = tf.get_default_graph()

def again(op, inputs, control_inputs=()):
    node_def = copy.deepcopy(op.node_def)
    node_def.name = "again/" + op.name
    new = tf.Operation(node_def, graph, [], op._output_types[:], [], [], None, op.op_def)
    graph._add_op(new)
    new._add_control_inputs(list(control_inputs))
    for tensor in inputs:
        new._add_input(tensor)
    return new

a, b = tf.constant([1.0, 2.0]), tf.constant([[10.0], [20.0]])
with tf.control_dependencies([tf.no_op(name="first")]):
    three = tf.constant(3.0, name="three")
nothing = again(graph.get_operation_by_name("first"), [])
new_three = again(three.op, [], [nothing])
plain = a * three
product = again(plain.op, [b, new_three.outputs[0]])
print(product.name, product.outputs[0].shape, isinstance(product, tf.Operation))
print(new_three.control_inputs == [nothing], [op.name for op in graph.get_operations()][-3:])
print(tf.Session().run(product.outputs[0]).tolist())
#> again/mul (2, 1) True
#> True ['again/three', 'mul', 'again/mul']
#> [[30.0], [60.0]]

# %% tensorflow.Dimension
import tensorflow as tf
print(tf.placeholder(tf.float32, [None, 784 / 2]).shape.as_list(), tf.zeros([4.0, 1500.0]).shape)
print(tf.get_variable("w", [8 / 2, 2]).shape, tf.TensorShape([3.0]) == [3], int(tf.Dimension(4.0)))
try:
    tf.placeholder(tf.float32, [2.5])
except (TypeError, ValueError):
    print("no dimension")

# %% tensorflow.enable_eager_execution [needs: contrib]
import tensorflow as tf
config = tf.ConfigProto(device_count={"CPU": 3})
config.gpu_options.allow_growth = True
tf.enable_eager_execution(config=config, device_policy=tf.contrib.eager.DEVICE_PLACEMENT_SILENT)
tf.enable_eager_execution()
with tf.device("cpu:2"):
    x = tf.constant([1.0, 2.0]) * 2
print(x.numpy(), x.device.endswith("CPU:2"), len(tf.config.experimental.list_logical_devices("CPU")))
try:
    tf.enable_eager_execution(config=tf.ConfigProto())
except ValueError as error:
    print(str(error)[:40])

# %% tensorflow.python.util.tf_inspect.getfullargspec
import inspect
import tensorflow as tf
from tensorflow.python.util import tf_inspect
for function in (tf.greater, tf.ones, tf.zeros, tf.compat.v2.size, tf.compat.v2.shape):
    print(tf_inspect.getfullargspec(function))
def mine(x: int, layout=None, out_type=None): pass
print(tf_inspect.getfullargspec(mine))

# %% tensorflow.test.TestCase.assertAllEqual
import tensorflow as tf

class Test(tf.test.TestCase):
    def test_lists(self):
        a, b, c = (tf.constant(x, name=name) for x, name in ((1.0, "a"), (1.0, "b"), (2.0, "c")))
        self.assertAllEqual([[a, b], [b, c]], ([a, b], [b, c]))
        with self.assertRaises(AssertionError):
            self.assertAllEqual([[a, b], [b, c]], [[a, a], [b, c]])
        print("compared")

Test("test_lists").test_lists()

# %% tensorflow.python.debug.log_usage
import os
import tempfile
import tensorflow as tf
from tensorflow.python import debug
x = tf.constant(2.0, name="x") + 1.0
folder = tempfile.mkdtemp()
session = debug.DumpingDebugWrapperSession(tf.Session(), folder, log_usage=False)
print(session.run(x), len(os.listdir(folder)))
hook = debug.DumpingDebugHook(os.path.join(folder, "hook"), None, None, False)
with tf.train.MonitoredSession(hooks=[hook]) as session:
    print(session.run(x), len(os.listdir(os.path.join(folder, "hook"))))
for kind in (debug.TensorBoardDebugHook, debug.GrpcDebugHook):
    print(type(kind("localhost:6064", log_usage=False)).__name__)
for kind in (debug.TensorBoardDebugWrapperSession, debug.GrpcDebugWrapperSession):
    print(type(kind(tf.Session(), "localhost:6064", log_usage=True)).__name__)
print(type(debug.LocalCLIDebugWrapperSession(tf.Session(), None, False, ui_type="curses")).__name__)

# %% tensorflow.python.debug.watch_graph tensorflow.python.debug.lib.debug_utils.watch_graph
# %%+ tensorflow.python.debug.watch_graph_with_blacklists tensorflow.python.debug.WatchOptions
# %%+ tensorflow.python.debug.lib.debug_utils.watch_graph_with_blacklists
# %%+ tensorflow.python.debug.wrappers.framework.WatchOptions
import tensorflow as tf
from tensorflow.python import debug
from tensorflow.python.debug.lib import debug_utils
from tensorflow.python.debug.wrappers import framework
x = tf.multiply(tf.constant(2.0, name="x"), 3.0, name="product")
words = {"op_type_regex_whitelist": "Mul", "node_name_regex_whitelist": "pro.*"}
for module in (debug, debug_utils):
    for watch, options in (
        (module.watch_graph, words),
        (module.watch_graph_with_blacklists, {"node_name_regex_blacklist": "x|.*y"}),
    ):
        run = tf.RunOptions()
        watch(run, x.graph, debug_urls="file:///tmp", **options)
        print(sorted(watched.node_name for watched in run.debug_options.debug_tensor_watch_opts))
for kind in (debug.WatchOptions, framework.WatchOptions):
    print(type(kind(tensor_dtype_regex_whitelist="f.*")).__name__)

# %% tensorflow.python.tools.freeze_graph.freeze_graph
# %%+ tensorflow.python.tools.freeze_graph.freeze_graph_with_def_protos
import os
import tempfile
import tensorflow as tf
from tensorflow.python.tools import freeze_graph
folder = tempfile.mkdtemp()
product = tf.multiply(tf.Variable(2.0, name="a"), tf.Variable(3.0, name="b"), name="product")
saver = tf.train.Saver()
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    path = saver.save(session, os.path.join(folder, "model"))
names = ("product", "save/restore_all", "save/Const:0", os.path.join(folder, "out.pb"), True, "")
tf.train.write_graph(product.graph, folder, "graph.pb")
graphs = [
    freeze_graph.freeze_graph(os.path.join(folder, "graph.pb"), "", False, path, *names,
                              variable_names_blacklist="b"),
    freeze_graph.freeze_graph_with_def_protos(product.graph.as_graph_def(), None, path, *names,
                                              variable_names_blacklist="a,b"),
]
for graph in graphs:
    print(sorted(node.op for node in graph.node))

# %% tensorflow.test.TestCase.session [fails-not: no device]
import tensorflow as tf
class Test(tf.test.TestCase):
    def runTest(self):
        for session in (self.session, self.cached_session, self.test_session):
            for how in ({}, {"use_gpu": True}):
                with session(**how):
                    print(repr(tf.constant(1.0).device))
Test().runTest()

# %% tensorflow.Tensor.__hash__
import tensorflow as tf
tf.enable_eager_execution()
values = [tf.constant(1), tf.constant(1), tf.Variable(1)]
names = {value: number for number, value in enumerate(values)}
print(len(set(values)), [names[value] for value in values], values[0] == values[1], values[1] in values, tf.constant(1) in names)
print(len({x for x in tf.data.Dataset.range(3)}))

# %% tensorflow.python.data.experimental.ops.snapshot.snapshot
import os
import tempfile
import tensorflow as tf
from tensorflow.python.data.experimental.ops import snapshot
folder = tempfile.mkdtemp()
def elements():
    data = tf.data.Dataset.range(40).apply(snapshot.snapshot(folder, compression="GZIP", shard_size_bytes=1 << 20, num_writer_threads=1))
    item = data.make_one_shot_iterator().get_next()
    with tf.Session() as session:
        return [session.run(item) for _ in range(40)]
print(elements() == list(range(40)), bool(os.listdir(folder)), elements() == list(range(40)))

# %% gradients.constants
import numpy as np
import tensorflow as tf
values = np.array([[40.0, 1.0], [-40.0, 50.0]], "f")
for shape in ([None, 2], [2, 2], None):
    x = tf.placeholder(tf.float32, shape)
    p = tf.sigmoid(x)
    for near in (1 - p + 1e-8, 1e-8 + (1 - p), 1 - p - 1e-8, 1e-8 - (p - 1), -(p - 1) + 1e-8, (1 - p) / 2.0 + 1e-8):
        loss = tf.log(near)
        with tf.Session() as session:
            loss_and_slope = session.run([loss, tf.gradients(loss, x)[0]], {x: values})
            print([[one if np.isfinite(one) else "infinite" for one in np.round(a.ravel() + 0.0, 3).tolist()] for a in loss_and_slope])

# %% tensorflow.parse_example
import tensorflow as tf
def integers(*values):
    return tf.train.Feature(int64_list=tf.train.Int64List(value=values))
def floats(*values):
    return tf.train.Feature(float_list=tf.train.FloatList(value=values))
example = tf.train.Example(features=tf.train.Features(feature={
    "a": floats(1.0, 2.0), "v": integers(3, 4), "i": integers(1), "w": floats(5.0)})).SerializeToString()
sequence = tf.train.SequenceExample(
    context=tf.train.Features(feature={"v": integers(7)}),
    feature_lists=tf.train.FeatureLists(feature_list={
        "s": tf.train.FeatureList(feature=[integers(1), integers(2)])})).SerializeToString()
features = {
    "a": tf.FixedLenFeature([2], tf.float32), "b": tf.FixedLenFeature([1], tf.string, [b"none"]),
    "v": tf.VarLenFeature(tf.int64), "s": tf.SparseFeature("i", "w", tf.float32, 10),
    "m": tf.FixedLenSequenceFeature([1], tf.int64, allow_missing=True, default_value=9)}
context = {"a": tf.FixedLenFeature([1], tf.float32, [6.0]), "v": tf.VarLenFeature(tf.int64)}
steps = {"s": tf.FixedLenSequenceFeature([1], tf.int64), "t": tf.VarLenFeature(tf.string)}
parsed = [
    tf.parse_example([example], features),
    tf.parse_example(tf.placeholder_with_default([example], None), features, name="batch"),
    tf.parse_single_example(example, features),
    tf.io.parse_single_example(tf.constant(example), features, name="one"),
    *tf.parse_single_sequence_example(sequence, context, steps),
]
with tf.Session() as session:
    for found in parsed:
        for key, value in sorted(session.run(found).items()):
            part = getattr(found[key], "values", found[key])
            print(key, part.name, part.shape, getattr(value, "values", value).tolist())
graph = tf.get_default_graph()
print(len(graph.get_operations()), graph.get_tensor_by_name("ParseExample/ParseExample:0").op.type)
parse = tf.data.Dataset.from_tensors(example).map(lambda x: tf.parse_single_example(x, features)["a"])
print(tf.Session().run(parse.make_one_shot_iterator().get_next()))
try:
    tf.parse_single_sequence_example(sequence, {}, {})
except ValueError as error:
    print("ValueError")
#> a ParseExample/ParseExample:9 (1, 2) [[1.0, 2.0]]
#> b ParseExample/ParseExample:10 (1, 1) [[b'none']]
#> m ParseExample/ParseExample:11 (1, ?, 1) [[]]
#> s SparseMerge/SparseReorder:1 (?,) [5.0]
#> v ParseExample/ParseExample:5 (?,) [3, 4]
#> a batch/batch:9 (?, 2) [[1.0, 2.0]]
#> b batch/batch:10 (?, 1) [[b'none']]
#> m batch/batch:11 (?, ?, 1) [[]]
#> s SparseMerge_1/SparseReorder:1 (?,) [5.0]
#> v batch/batch:5 (?,) [3, 4]
#> a ParseSingleExample/ParseSingleExample:9 (2,) [1.0, 2.0]
#> b ParseSingleExample/ParseSingleExample:10 (1,) [b'none']
#> m ParseSingleExample/ParseSingleExample:11 (?, 1) []
#> s SparseMerge_2/SparseReorder:1 (?,) [5.0]
#> v ParseSingleExample/ParseSingleExample:5 (?,) [3, 4]
#> a one/one:9 (2,) [1.0, 2.0]
#> b one/one:10 (1,) [b'none']
#> m one/one:11 (?, 1) []
#> s SparseMerge_3/SparseReorder:1 (?,) [5.0]
#> v one/one:5 (?,) [3, 4]
#> a ParseSingleSequenceExample/ParseSingleSequenceExample:3 (1,) [6.0]
#> v ParseSingleSequenceExample/ParseSingleSequenceExample:1 (?,) [7]
#> s ParseSingleSequenceExample/ParseSingleSequenceExample:7 (?, 1) [[1], [2]]
#> t ParseSingleSequenceExample/ParseSingleSequenceExample:5 (?,) []
#> a many/many:3 (1, 1) [[6.0]]
#> v many/many:1 (?,) [7]
#> s many/many:7 (1, ?, 1) [[[1], [2]]]
#> t many/many:5 (?,) []
#> s many/many:8 (1,) [2]
#> 142 ParseExample
#> [1. 2.]
#> ValueError

# %% tensorflow.function
import tensorflow as tf
from tensorflow.python.eager import def_function, function

count = tf.Variable(1.0, use_resource=True)

class Agent(object):
    @tf.function
    def initialize(self):
        count.assign_add(10.0)

@tf.function(autograph=False)
def assign():
    count.assign(7.0)

@def_function.function
def assigned():
    with tf.control_dependencies([assign()]):
        return count.read_value()

@function.defun
def subtract():
    count.assign_sub(1.0)

agent = Agent()
ops = [agent.initialize(), tf.function(lambda: None)(), subtract(), assign()]
print([op.type for op in ops])
with tf.Session() as session:
    session.run(count.initializer)
    for fetched in (*ops, assigned()):
        print(session.run(fetched), session.run(count))

# %% tensorflow.Tensor._shape
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 5, 7])
for tensor in [x, tf.layers.flatten(x), tf.constant([1.0, 2.0]), tf.placeholder(tf.float32), tf.constant(1)]:
    print(tensor._shape, tensor._shape is tensor.shape, tensor._shape.ndims, tensor.get_shape())
print(int(x._shape[-1]), x._shape[1:].num_elements(), x._shape.as_list(), tf.reshape(x, [-1, int(x._shape[-1])]).shape)
x.set_shape([3, None, None])
print(x._shape, x.shape)
try:
    x._shape = tf.TensorShape([3, 5, 7])
except ValueError as error:
    print(error)

# %% names.scatter_nd
import tensorflow as tf
variable = tf.Variable([1.0, 2.0, 3.0])
resource = tf.Variable([1.0, 2.0, 3.0], use_resource=True)
calls = [
    lambda **n: tf.scatter_nd([[1]], [5.0], [3], **n), lambda **n: tf.scatter_nd([[1]], [5.0], [3], *n.values()),
    lambda **n: tf.tensor_scatter_add([1.0, 2.0], [[0]], [1.0], *n.values()), lambda **n: tf.tensor_scatter_sub([1.0, 2.0], [[0]], [1.0], *n.values()),
    lambda **n: tf.tensor_scatter_update([1.0, 2.0], [[0]], [1.0], *n.values()),
    *(lambda of=of, kind=kind, **n: getattr(tf, "scatter_nd_" + kind)(of, [[1]], [5.0], **n) for of in (variable, resource) for kind in ("add", "sub", "update")),
    lambda **n: tf.scatter_nd_sub(variable, [[1]], [5.0], False, *n.values()), lambda **n: variable.scatter_nd_add([[1]], [5.0], *n.values()),
    lambda **n: tf.state_ops.scatter_nd_update(variable, [[1]], [5.0], **n) if hasattr(tf, "state_ops") else tf.scatter_nd_update(variable, [[1]], [5.0], **n),
]
with tf.Session() as session:
    for number, call in enumerate(calls):
        for options in ({}, {"name": "n%d" % number}):
            session.run(tf.global_variables_initializer())
            result = call(**options)
            print(number, getattr(result, "op", result).name if not hasattr(result, "handle") or options else "", session.run(result).tolist())
