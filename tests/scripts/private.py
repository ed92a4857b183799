# %% tensorflow.private_attributes
import tensorflow as tf
from tensorflow.python.framework import ops
x = tf.placeholder(tf.float32, [2], name="x")
with tf.control_dependencies([tf.no_op(name="first")]):
    y = tf.add(x, 1.0, name="y")
graph = tf.get_default_graph()
print([t.name for t in y.op._inputs], [t.name for t in y.op._outputs], [op.name for op in y.op._control_inputs])
print(y._value_index, [getattr(op, "name", op) for op in x.consumers()], graph._version >= 3, graph._next_id_counter >= 3, graph._last_id >= 3)
print(y.op._node_def.name, y.op._node_def.input, sorted(y.op._node_def.attr), y.op._op_def.name, [arg.name for arg in y.op._op_def.input_arg])
shapes = [tf.placeholder(tf.float32, [None, 3]).shape, tf.TensorShape(None), tf.TensorShape([])]
print([shape._dims for shape in shapes], [size.value for size in shapes[0]._dims], shapes[0]._dims is None)
class Own:
    _dims, _node_def = 3, 4
print(Own._dims, Own()._node_def)

# %% tensorflow.python.framework.test_util.run_in_graph_and_eager_modes
import tensorflow as tf
from tensorflow.python.framework import test_util

class Test(test_util.TensorFlowTestCase):
    @test_util.run_in_graph_and_eager_modes(reset_test=False)
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

# %% tensorflow.python.feature_column.feature_column_v2.LinearModel
# %%+ tensorflow.python.feature_column.feature_column_v2._LinearModelLayer [needs: contrib]
import tensorflow as tf
from tensorflow.python.feature_column import feature_column_v2
columns = [tf.feature_column.numeric_column("price"), tf.feature_column.categorical_column_with_identity("wire", 3)]
model = feature_column_v2.LinearModel(columns, units=2, name="m")
out = model({"price": tf.constant([[1.0], [5.0]]), "wire": tf.constant([[0], [2]])})
print(out.shape, [v.name for v in model.variables], [v.name for v in tf.trainable_variables()])
train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(tf.square(out - 1.0)))
print(model.bias.name, sorted(feature_column_v2._LinearModelLayer(columns[:1]).get_config()))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(train)
    print(session.run(out).tolist())

# %% tensorflow.core.protobuf.config_pb2.RPCOptions
# %%+ tensorflow.python.framework.composite_tensor.is_composite_or_composite_value
# %%+ tensorflow.python.framework.composite_tensor.append_composite_tensor
# %%+ tensorflow.python.ops.array_ops._SLICE_TYPE_ERROR
# %%+ tensorflow.python.ops.summary_ops_v2.keras_model tensorflow.python.ops.variable_scope._DEFAULT_USE_RESOURCE
# %%+ tensorflow.python.eager.context.VirtualDeviceConfiguration tensorflow.python.util.nest._STRUCTURES_HAVE_MISMATCHING_TYPES
# %%+ tensorflow.python.util.nest._STRUCTURES_HAVE_MISMATCHING_LENGTHS tensorflow.python.util.nest._SHALLOW_TREE_HAS_INVALID_KEYS
# %%+ tensorflow.python.util.deprecation.DeprecatedNamesAlreadySet
# %%+ tensorflow.python.data.ops.multi_device_iterator_ops.MultiDeviceIteratorV2
import tensorflow as tf
from tensorflow.core.protobuf import config_pb2
from tensorflow.python.data.ops import multi_device_iterator_ops
from tensorflow.python.eager import context
from tensorflow.python.framework import composite_tensor_utils
from tensorflow.python.ops import array_ops, summary_ops_v2, variable_scope
from tensorflow.python.util import deprecation, nest
print(config_pb2.RPCOptions().use_rpc_for_inprocess_master)
one, other = (tf.SparseTensorValue([[0, 0]], [value], [1, 1]) for value in (1, 2))
print(composite_tensor_utils.is_composite_or_composite_value(one), [part.tolist() if hasattr(part, "tolist") else part for part in composite_tensor_utils.append_composite_tensor(one, other)[:2]])
print(array_ops._SLICE_TYPE_ERROR, callable(summary_ops_v2.keras_model), variable_scope._DEFAULT_USE_RESOURCE)
print(context.VirtualDeviceConfiguration(memory_limit=3).memory_limit, issubclass(deprecation.DeprecatedNamesAlreadySet, Exception), callable(multi_device_iterator_ops.MultiDeviceIteratorV2))
print(nest._STRUCTURES_HAVE_MISMATCHING_TYPES, nest._STRUCTURES_HAVE_MISMATCHING_LENGTHS, nest._SHALLOW_TREE_HAS_INVALID_KEYS)

# %% tensorflow.python.tf2.enabled [fails-not: other answers]
import os
from tensorflow.python import tf2
answers = [tf2.enabled()]
for value in "10":
    os.environ["TF2_BEHAVIOR"] = value
    answers.append(tf2.enabled())
print(answers)

# %% tensorflow.python.ops.functional_ops.partitioned_call
import tensorflow as tf
from tensorflow.python.framework import function
from tensorflow.python.ops import functional_ops, math_ops

@function.Defun(tf.float32, tf.float32)
def both(x, y):
    return x + y, x - y

@function.Defun(tf.float32)
def printed(x):
    return tf.Print(x, [], "")

@function.Defun(tf.int32)
def nothing(x):
    tf.no_op()

with tf.Session() as session:
    print(session.run(functional_ops.partitioned_call(args=[tf.constant(1.0), tf.constant(2.0)], f=both)))
    print(session.run(functional_ops.partitioned_call([tf.constant(3.0)], printed, executor_type="")))
    print(type(functional_ops.partitioned_call([tf.constant(3)], nothing)).__name__)
    print(session.run(math_ops.bincount([1, 2, 2], minlength=4)))

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
options.experimental_distribute.auto_shard = False
print(options.experimental_distribute.auto_shard)
try:
    tf.data.Options().experimental_optimization.autotune = 1
except TypeError as error:
    print(str(error)[:40])
with tf.Session() as session:
    dataset = tf.data.Dataset.range(3).map(lambda x: x + 1).with_options(options)
    print(session.run(tf.data.make_one_shot_iterator(dataset.batch(3)).get_next()).tolist())

# %% tensorflow.python.pywrap_tensorflow.TF_bfloat16_type tensorflow.config.experimental_list_devices
# %%+ tensorflow.python.framework.tensor_shape.vector tensorflow.python.framework.tensor_shape.matrix
import numpy as np
import tensorflow as tf
from tensorflow.python import pywrap_tensorflow
from tensorflow.python.framework import tensor_shape
print(np.array([1.5]).astype(pywrap_tensorflow.TF_bfloat16_type()).dtype)
print("CPU:0" in tf.config.experimental_list_devices()[0])
print(tensor_shape.vector(3), tensor_shape.vector(None), tensor_shape.matrix(2, None))

# %% tensorflow.python.framework.test_ops._op_def_lib tensorflow.python.ops.gen_array_ops._op_def_lib
# %%+ tensorflow.python.ops.gen_control_flow_ops._op_def_lib tensorflow.python.ops.gen_data_flow_ops._op_def_lib
# %%+ tensorflow.python.ops.gen_image_ops._op_def_lib tensorflow.python.ops.gen_io_ops._op_def_lib
# %%+ tensorflow.python.ops.gen_linalg_ops._op_def_lib tensorflow.python.ops.gen_logging_ops._op_def_lib
# %%+ tensorflow.python.ops.gen_math_ops._op_def_lib tensorflow.python.ops.gen_nn_ops._op_def_lib
# %%+ tensorflow.python.ops.gen_random_ops._op_def_lib tensorflow.python.ops.gen_resource_variable_ops._op_def_lib
# %%+ tensorflow.python.ops.gen_sparse_ops._op_def_lib tensorflow.python.ops.gen_state_ops._op_def_lib
# %%+ tensorflow.python.ops.gen_string_ops._op_def_lib
import importlib
from tensorflow.python.framework import test_ops
print(test_ops._op_def_lib.apply_op("Simple", a=3).dtype)
for name in """
array control_flow data_flow image io linalg logging math nn random resource_variable
sparse state string
""".split():
    print(name, hasattr(importlib.import_module("tensorflow.python.ops.gen_%s_ops" % name)._op_def_lib, "apply_op"))

# %% tensorflow.python.eager.function.defun_with_attributes
import tensorflow as tf
from tensorflow.python.eager import function
traced = function.defun_with_attributes(lambda x: x - 1, attributes={})
print(tf.Session().run(traced(tf.constant(3))))

# %% tensorflow.python.ops.gradients_util._IsBackpropagatable
import tensorflow as tf
from tensorflow.python.ops import gradients_util
print(gradients_util._IsBackpropagatable(tf.constant(1.0)), gradients_util._IsBackpropagatable(tf.constant(1)), gradients_util._IsBackpropagatable(tf.constant(1.0, tf.bfloat16)))
@tf.RegisterGradient("Mine")
def mine(op, grad):
    return tf.ones_like(op.inputs[0]) * 7.0
x = tf.constant([1.5, 2.5])
with tf.get_default_graph().gradient_override_map({"Cast": "Mine"}):
    rounded = tf.cast(x, tf.int32)
y = tf.cast(rounded, tf.float32)
print(tf.gradients(y, x))
original = gradients_util._IsBackpropagatable
gradients_util._IsBackpropagatable = lambda tensor: True
try:
    slopes = tf.gradients(y, x)
finally:
    gradients_util._IsBackpropagatable = original
print(slopes[0] is None, tf.gradients(y, x))

# %% tensorflow.python.debug.log_usage
from tensorflow.python import debug
from tensorflow.python.debug.wrappers import framework
options = framework.WatchOptions(node_name_regex_whitelist="a.*", op_type_regex_whitelist="Add", tensor_dtype_regex_whitelist="float")
print(options.node_name_regex_whitelist, options.op_type_regex_whitelist, options.tensor_dtype_regex_whitelist, options.debug_ops)
print(debug.WatchOptions().node_name_regex_whitelist)

# %% tensorflow.python.keras.testing_utils.should_run_tf_function
# %%+ tensorflow.python.keras.testing_utils.experimental_run_tf_function_scope
import numpy as np
import tensorflow as tf
from tensorflow.python.keras import keras_parameterized, testing_utils
class Test(keras_parameterized.TestCase):
    @keras_parameterized.run_all_keras_modes
    def test_model(self):
        model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones", input_shape=(2,))])
        model.compile("sgd", "mse", run_eagerly=testing_utils.should_run_eagerly(), experimental_run_tf_function=testing_utils.should_run_tf_function())
        print(round(float(model.train_on_batch(np.ones((2, 2)), np.ones((2, 1)))), 4))
with testing_utils.experimental_run_tf_function_scope(False) as value:
    print(value, testing_utils.should_run_tf_function())
with testing_utils.experimental_run_tf_function_scope(True):
    print(testing_utils.should_run_tf_function())

# %% tensorflow.python.autograph.pyct.transformer.EntityInfo tensorflow.python.autograph.pyct.transformer.Context
# %%+ tensorflow.python.autograph.pyct.common_transformers.anf.transform
import gast
from tensorflow.python.autograph.pyct import transformer
from tensorflow.python.autograph.pyct.common_transformers import anf
for info in (
    transformer.EntityInfo(source_code="a", source_file=None, future_features=(), namespace={"b": 1}),
    transformer.EntityInfo("a", None, ("division",), {}),
):
    context = transformer.Context(info)
    print(info.source_code, info.future_features, info.namespace, context.info is info, isinstance(info, transformer.EntityInfo))
class Names(object):
    def __init__(self, context):
        self.number = 0
    def new_name(self, stem="tmp"):
        self.number += 1
        return "%s_of_mine_%d" % (stem, self.number)
made = anf.transform(gast.parse("def f(x):\n  return g(h(x))\n"), context, gensym_source=Names)
print([node.id for node in gast.walk(made) if isinstance(node, gast.Name) and "mine" in node.id])
