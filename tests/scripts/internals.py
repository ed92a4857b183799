# %% tensorflow.python.framework.ops.RegisterShape [not-on-1.15: the shape of ops is known]
# %%+ tensorflow.python.framework.common_shapes.call_cpp_shape_fn
# %%+ tensorflow.python.framework.ops._set_call_cpp_shape_fn
# %%+ tensorflow.python.framework.ops.register_dense_tensor_like_type
# %%+ tensorflow.python.framework.ops.set_shapes_for_outputs
from tensorflow.python.framework import common_shapes, ops

@ops.RegisterShape("MyOp")
def _shape(op):
    return common_shapes.call_cpp_shape_fn(op)
ops._set_call_cpp_shape_fn(common_shapes.call_cpp_shape_fn)

ops.register_dense_tensor_like_type(dict)
ops.set_shapes_for_outputs(None)
print(callable(_shape))
#> True

# %% tensorflow.python.framework.op_def_library.OpDefLibrary
# %%+ tensorflow.python.framework.op_def_registry.register_op_list
# %%+ tensorflow.python.framework.op_def_registry.get_registered_ops
import tensorflow as tf
from tensorflow.core.framework import op_def_pb2
from tensorflow.python.framework import op_def_library, op_def_registry
ops = op_def_pb2.OpList()
op_def_registry.register_op_list(ops)
library = op_def_library.OpDefLibrary()
library.add_op_list(ops)
print("MatMul" in op_def_registry.get_registered_ops())

# %% tensorflow.python.framework.tensor_shape.scalar
from tensorflow.python.framework import tensor_shape
print(tensor_shape.scalar())

# %% tensorflow.python.ops.gen_nn_ops._* tensorflow.python.ops.gen_array_ops._*
# %%+ tensorflow.python.ops.gen_math_ops._* tensorflow.python.ops.gen_control_flow_ops._*
# %%+ tensorflow.python.ops.gen_data_flow_ops._* tensorflow.python.ops.gen_image_ops._*
# %%+ tensorflow.python.ops.gen_io_ops._* tensorflow.python.ops.gen_linalg_ops._*
# %%+ tensorflow.python.ops.gen_logging_ops._* tensorflow.python.ops.gen_random_ops._*
# %%+ tensorflow.python.ops.gen_resource_variable_ops._* tensorflow.python.ops.gen_sparse_ops._*
# %%+ tensorflow.python.ops.gen_state_ops._* tensorflow.python.ops.gen_string_ops._*
# %%+ [not-on-1.15: until 1.5]
import importlib
for name in """
nn._relu_grad array._concat_v2 math._tanh_grad control_flow._switch data_flow._stack image._decode_png
io._save linalg._cholesky logging._scalar_summary random._random_gamma
resource_variable._read_variable_op sparse._sparse_concat state._variable string._string_join
""".split():
    module, function = name.split(".")
    module = importlib.import_module("tensorflow.python.ops.gen_%s_ops" % module)
    print(name, callable(getattr(module, function)))
#> nn._relu_grad True
#> array._concat_v2 True
#> math._tanh_grad True
#> control_flow._switch True
#> data_flow._stack True
#> image._decode_png True
#> io._save True
#> linalg._cholesky True
#> logging._scalar_summary True
#> random._random_gamma True
#> resource_variable._read_variable_op True
#> sparse._sparse_concat True
#> state._variable True
#> string._string_join True

# %% tensorflow.python.ops.rnn_cell_impl._linear tensorflow.python.ops.rnn_cell._linear
# %%+ tensorflow.python.ops.rnn_cell_impl._like_rnncell tensorflow.python.layers.base._Layer
# %%+ tensorflow.python.eager.context.in_graph_mode
# %%+ [not-on-1.15: until 1.8]
import tensorflow as tf
from tensorflow.python.eager import context
from tensorflow.python.layers.base import _Layer
from tensorflow.python.ops import rnn_cell, rnn_cell_impl
with tf.variable_scope("a", initializer=tf.ones_initializer()):
    y = rnn_cell_impl._linear([tf.ones([2, 3]), tf.ones([2, 1])], 2, True)
with tf.variable_scope("b", initializer=tf.ones_initializer()):
    z = rnn_cell._linear(tf.ones([1, 3]), 1, False)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    print(session.run([y, z]), [v.name for v in tf.global_variables()])
print(rnn_cell_impl._like_rnncell(tf.nn.rnn_cell.GRUCell(3)), rnn_cell_impl._like_rnncell(3))
print(_Layer is tf.layers.Layer, context.in_graph_mode(), context.in_eager_mode())
#> [array([[4., 4.],
#>        [4., 4.]], dtype=float32), array([[3.]], dtype=float32)] ['a/kernel:0', 'a/bias:0', 'b/kernel:0']
#> True False
#> True True False

# %% tensorflow.python.eager.function.defun [needs: contrib]
# %%+ [slow: traces functions]
import tensorflow as tf
from tensorflow.python.eager import function
tfe = tf.contrib.eager

class Model(object):
    def __init__(self):
        self.calls = 0
    @function.defun
    def scaled(self, x):
        self.calls += 1
        with tf.variable_scope("m", reuse=tf.AUTO_REUSE):
            return x * tf.get_variable("w", [], initializer=tf.constant_initializer(3.0))

def grow(x, twice=False):
    w = tf.get_variable("g%d" % x.shape.ndims, [2], initializer=tf.ones_initializer())
    if tf.reduce_sum(x) > 1.0:
        x = x * 2
    return {"y": x * w, "z": [x, twice]} if twice else x * w

model, graph_function = Model(), function.defun(grow)
print(graph_function.__name__, graph_function.python_function is grow)
x = tf.constant([1.0, 2.0])
traced = function.defun(lambda x: x - 1)
results = [traced(x), model.scaled(x), model.scaled(x), model.scaled(tf.ones([2, 2])), graph_function(x), graph_function(tf.ones([1, 2]), twice=True)["y"]]
print(model.calls, [(v.name, type(v).__name__) for v in tf.global_variables()])
loss = tf.reduce_sum(results[1]) + tf.reduce_sum(results[4])
gradients = tf.gradients(loss, tf.global_variables())
print([value is not None for value in gradients])
concrete = function.defun(lambda x: x * 3).get_concrete_function(tf.TensorSpec([2], tf.float32))
relaxed = tfe.defun(lambda x: x + 1, input_signature=[tf.TensorSpec([None], tf.float32)])
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    print(s.run(results))
    print(s.run([g for g in gradients if g is not None]))
    print(s.run([concrete(x), relaxed(x), relaxed(tf.zeros([3])), tf.contrib.eager.defun(lambda: tf.constant(2.0))()]))

total = tf.Variable([1.0, 2.0])
data = tf.data.Dataset.range(2).map(lambda i: (i, tf.data.experimental.cardinality(tf.data.Dataset.range(3))))
item = data.make_one_shot_iterator().get_next()
def body(i, y):
    return i + 1, y + total
with tf.Session() as s:
    loop = tf.while_loop(lambda i, y: i < 3, body, [0, tf.zeros([2])])
    s.run(tf.global_variables_initializer())
    print(s.run([loop, item]))

# %% tensorflow.python.eager.function.defun [needs: contrib] [slow: traces functions]
import tensorflow as tf
tf.enable_eager_execution()
tfe = tf.contrib.eager
v = tfe.Variable(2.0)
calls = []
@tfe.defun
def f(x, n=1):
    calls.append(n)
    v.assign_add(1.0)
    return x * v * n
print(f(3.0).numpy(), f(tf.constant(3.0)).numpy(), f(tf.constant(1.0), n=2).numpy(), f(tf.constant(4.0), n=2).numpy(), len(calls))
with tf.GradientTape() as t:
    y = f(tf.constant(1.0))
print(t.gradient(y, v).numpy())
layer = tf.keras.layers.Dense(1, kernel_initializer="ones")
g = tfe.defun(layer)
print(g(tf.ones([1, 2])).numpy(), g(tf.ones([3, 2])).shape, len(layer.weights))
class M(tf.keras.Model):
    def __init__(self):
        super(M, self).__init__()
        self.d = tf.keras.layers.Dense(1, kernel_initializer="ones")
    @tfe.defun
    def call(self, x):
        return self.d(x)
m = M()
print(m(tf.ones([2, 3])).numpy().tolist(), m(tf.ones([1, 3])).numpy().tolist())

# %% tensorflow.python.distribute.strategy_combinations.adagrad_optimizer_keras_v2_fn
# %%+ tensorflow.python.distribute.strategy_combinations.adagrad_optimizer_v1_fn
# %%+ tensorflow.python.distribute.strategy_combinations.adam_optimizer_keras_v2_fn
# %%+ tensorflow.python.distribute.strategy_combinations.adam_optimizer_v1_fn
# %%+ tensorflow.python.distribute.strategy_combinations.distributions_and_v1_and_v2_optimizers
# %%+ tensorflow.python.distribute.strategy_combinations.distributions_and_v1_optimizers
# %%+ tensorflow.python.distribute.strategy_combinations.distributions_and_v2_optimizers
# %%+ tensorflow.python.distribute.strategy_combinations.gradient_descent_optimizer_keras_v2_fn
# %%+ tensorflow.python.distribute.strategy_combinations.gradient_descent_optimizer_v1_fn
# %%+ tensorflow.python.distribute.strategy_combinations.optimizers_v1
# %%+ tensorflow.python.distribute.strategy_combinations.optimizers_v1_and_v2
# %%+ tensorflow.python.distribute.strategy_combinations.optimizers_v2
# %%+ tensorflow.python.distribute.strategy_combinations.rmsprop_optimizer_keras_v2_fn
# %%+ tensorflow.python.distribute.strategy_combinations.rmsprop_optimizer_v1_fn
from tensorflow.python.distribute import strategy_combinations as made
for name in """adagrad_optimizer_keras_v2_fn adagrad_optimizer_v1_fn adam_optimizer_keras_v2_fn adam_optimizer_v1_fn distributions_and_v1_and_v2_optimizers distributions_and_v1_optimizers distributions_and_v2_optimizers gradient_descent_optimizer_keras_v2_fn gradient_descent_optimizer_v1_fn optimizers_v1 optimizers_v1_and_v2 optimizers_v2 rmsprop_optimizer_keras_v2_fn rmsprop_optimizer_v1_fn""".split():
    found = getattr(made, name)
    print(name, found if isinstance(found, str) else str(found)[:40] if name.endswith("_fn") else bool(found))

# %% tensorflow.held_names
import os
import tensorflow as tf
from tensorflow.python import pywrap_tensorflow
from tensorflow.python.data.ops import dataset_ops
from tensorflow.python.keras.layers import convolutional, recurrent
from tensorflow.python.layers.base import base_layer, nest
from tensorflow.python.ops import rnn, rnn_cell_impl
from tensorflow.python.saved_model import loader_impl
print(nest.flatten({"b": 1, "a": [2, 3]}), recurrent.K.floatx(), convolutional.InputSpec.__name__)
print(rnn.tensor_array_ops.TensorArray is tf.TensorArray, loader_impl.file_io.FileIO.__name__)
print(rnn_cell_impl.array_ops.zeros is tf.zeros, rnn_cell_impl.math_ops.sigmoid is tf.sigmoid)
print(base_layer.Layer is tf.keras.layers.Layer, dataset_ops.np.int64(3))
print(int(pywrap_tensorflow.TFE_DEVICE_PLACEMENT_SILENT), pywrap_tensorflow.IsMapping({}), pywrap_tensorflow.TFE_Py_UID() > 0)
for module, name in ((nest, "nothing"), (rnn, "numpy")):
    print(hasattr(module, name))

# %% tensorflow.python.framework.ops.name_scope [fails-not: eager code has no names]
import tensorflow as tf
from tensorflow.python.framework import ops
node_def = ops._NodeDef("None", "_invalid", attrs={})
tf.enable_eager_execution()
with ops.name_scope("outer") as outer, ops.name_scope(None, "inner", [tf.constant(1.0)]) as inner:
    print(outer, inner)
try:
    ops.Operation(node_def, ops.Graph())
except ValueError as error:
    print("not a valid node name" in str(error))

# %% tensorflow.python.autograph.pyct.compiler tensorflow.python.autograph.pyct.compiler.ast_to_object tensorflow.python.autograph.pyct.compiler.ast_to_source
# %%+ tensorflow.python.autograph.pyct.compiler.source_to_entity tensorflow.python.autograph.pyct.parser.parse_str
# %%+ gast.Num gast.Str gast.Bytes gast.NameConstant gast.Ellipsis
import gast
from tensorflow.python.autograph.pyct import compiler, parser
kinds = "Num Str Bytes NameConstant Ellipsis".split()
for node in gast.parse("(1, 'a', b'c', None, True, 2j, ...)").body[0].value.elts:
    print([kind for kind in kinds if isinstance(node, getattr(gast, kind))])
print(gast.Str("a").value if hasattr(gast.Str("a"), "value") else gast.Str("a").s)
node = parser.parse_str("def f(x):\n    return x + 1")
print(type(node).__name__)
made, source = compiler.ast_to_object(node)[:2]
print(made.f(2), compiler.ast_to_source(node).split()[-6:], source.split()[-6:])
print(compiler.source_to_entity("y = 3", delete_on_exit=True)[0].y)
