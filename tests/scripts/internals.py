# %% tensorflow.python.framework.ops.RegisterShape [not-on-1.15: the shape of ops is known]
# %%+ tensorflow.python.framework.common_shapes.call_cpp_shape_fn
# %%+ tensorflow.python.framework.ops.register_dense_tensor_like_type
# %%+ tensorflow.python.framework.ops.set_shapes_for_outputs
from tensorflow.python.framework import common_shapes, ops

@ops.RegisterShape("MyOp")
def _shape(op):
    return common_shapes.call_cpp_shape_fn(op)

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
# %%+ tensorflow.python.framework.tensor_shape.vector
# %%+ tensorflow.python.framework.tensor_shape.matrix
from tensorflow.python.framework import tensor_shape
print(tensor_shape.scalar(), tensor_shape.vector(3), tensor_shape.matrix(2, None))

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
