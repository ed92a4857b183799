# %% tensorflow.private_attributes
import tensorflow as tf
from tensorflow.python.framework import ops
x = tf.placeholder(tf.float32, [2], name="x")
with tf.control_dependencies([tf.no_op(name="first")]):
    y = tf.add(x, 1.0, name="y")
graph = tf.get_default_graph()
print([t.name for t in y.op._inputs], [t.name for t in y.op._outputs], [op.name for op in y.op._control_inputs])
print(y._value_index, [getattr(op, "name", op) for op in x.consumers()], graph._version >= 3, graph._next_id_counter >= 3)

# %% tensorflow.python.framework.test_util.run_in_graph_and_eager_modes
import tensorflow as tf
from tensorflow.python.framework import test_util

class Test(test_util.TensorFlowTestCase):
    @test_util.run_in_graph_and_eager_modes(reset_test=True)
    def testSum(self):
        print(self.evaluate(tf.constant(1) + 2))

    @test_util.run_in_graph_and_eager_modes
    def testPlain(self):
        print(self.evaluate(tf.constant(1) + 3))

    def runTest(self):
        self.testSum()
        self.testPlain()

print(Test().run() is not None)

# %% tensorflow.python.keras.optimizer_v2 tensorflow.python.feature_column.dense_features
# %%+ tensorflow.python.feature_column.dense_features_v2
import tensorflow as tf
from tensorflow.python.feature_column import dense_features, dense_features_v2
from tensorflow.python.keras.optimizer_v2 import adam, gradient_descent, optimizer_v2, rmsprop
print(adam.Adam(0.1).get_config()["learning_rate"], issubclass(rmsprop.RMSprop, optimizer_v2.OptimizerV2), gradient_descent.SGD.__name__)
print(dense_features.DenseFeatures.__name__, dense_features_v2.DenseFeatures.__name__)

# %% tensorflow.python.autograph.ConversionOptions tensorflow.python.autograph.Feature tensorflow.python.autograph.AutoGraphError
# %%+ tensorflow.python.autograph.StackTraceMapper tensorflow.python.autograph.convert tensorflow.python.autograph.converted_call
# %%+ tensorflow.python.autograph.do_not_convert tensorflow.python.autograph.to_code tensorflow.python.autograph.to_graph
# %%+ tensorflow.python.autograph.set_element_type tensorflow.python.autograph.set_loop_options tensorflow.python.autograph.stack
import tensorflow as tf
from tensorflow.python import autograph
from tensorflow.python.autograph import to_graph

def doubled(x):
    if x > 0:
        x = x * 2
    return x

print(tf.Session().run([to_graph(doubled)(tf.constant(3)), autograph.to_graph(doubled)(tf.constant(-3))]))
print("if" in autograph.to_code(doubled), [callable(getattr(autograph, name)) for name in ("convert", "do_not_convert", "converted_call", "set_element_type", "set_loop_options", "stack")])
print(autograph.AutoGraphError.__name__, autograph.ConversionOptions.__name__, autograph.Feature.__name__, autograph.StackTraceMapper.__name__)

# %% tensorflow.distribute.Strategy.experimental_run_v2
import tensorflow as tf
strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
with strategy.scope():
    found = strategy.experimental_run_v2(lambda x, y=0: x + y, args=(tf.constant(2),), kwargs={"y": 3})
with tf.Session() as session:
    print(session.run(found))

# %% tensorflow.renamed_methods
import tensorflow as tf
from tensorflow.python.data.ops import optional_ops
tf.enable_eager_execution()
some = optional_ops.Optional.from_value(3.0)
print(some.value_structure.dtype, bool(optional_ops.Optional.none_from_structure(some.value_structure).has_value()))

# %% tensorflow.data.options
import tensorflow as tf
options = tf.data.Options()
optimization = options.experimental_optimization
print(optimization.autotune, optimization.map_vectorization.enabled)
optimization.autotune = False
optimization.autotune_buffers = True
optimization.map_vectorization.enabled = True
options.experimental_stateful_whitelist = ["Sin"]
both = tf.data.Dataset.range(3).with_options(options).with_options(tf.data.Options()).options()
print(both.experimental_optimization.autotune, both.experimental_optimization.map_vectorization.enabled)
print(both.experimental_stateful_whitelist)
try:
    tf.data.Options().experimental_optimization.autotune = 1
except TypeError as error:
    print(str(error)[:40])
with tf.Session() as session:
    dataset = tf.data.Dataset.range(3).map(lambda x: x + 1).with_options(options)
    print(session.run(tf.data.make_one_shot_iterator(dataset.batch(3)).get_next()).tolist())

# %% protobuf.label protobuf.assertProtoEquals
import tensorflow as tf
from google.protobuf import descriptor_pb2
from tensorflow.core.framework import graph_pb2

for field in descriptor_pb2.UninterpretedOption.DESCRIPTOR.fields[:2]:
    print(field.name, field.label, field.label == field.LABEL_REPEATED)
print([field.label for field in descriptor_pb2.UninterpretedOption.NamePart.DESCRIPTOR.fields])
case = tf.test.TestCase("assertProtoEquals")
with tf.Graph().as_default() as graph:
    tf.constant([1.5, 0.1], name="c")
node = 'node { name: "c" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 2 } } float_val: 1.5 float_val: 0.1 } } } }'
made = graph_pb2.GraphDef(node=graph.as_graph_def().node)
for value in made.node[0].attr.values():
    if value.HasField("tensor"):
        value.tensor.ClearField("tensor_content")
        value.tensor.float_val.extend([1.5, 0.1])
for text in (node, node.replace("1.5", "1.6")):
    try:
        case.assertProtoEquals(text, made)
        print("equal")
    except AssertionError:
        print("differ")
