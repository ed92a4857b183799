# %% tensorflow.python.data.experimental.ops.distribute_options
# %%+ tensorflow.python.data.experimental.ops.optimization_options
# %%+ tensorflow.python.data.experimental.ops.threading_options tensorflow.python.eager.profiler
# %%+ tensorflow.python.eager.profiler_client tensorflow.python.framework.composite_tensor_utils
# %%+ tensorflow.core.protobuf.graph_debug_info_pb2 tensorflow.python.framework.tensor_like
# %%+ tensorflow.python.ops.gen_user_ops tensorflow.python.ops.linalg.linear_operator_algebra
# %%+ tensorflow.python.ops.linalg.registrations_util tensorflow.python.ops.losses.loss_reduction
# %%+ tensorflow.python.ops.rnn_cell_wrapper_impl tensorflow.python.profiler.profile_context
# %%+ tensorflow.python.pywrap_tensorflow_internal tensorflow.python.training.distribute
# %%+ tensorflow.python.training.distribution_strategy_context
# %%+ tensorflow.python.training.gen_training_ops
# %%+ tensorflow.python.training.saving.functional_saver
# %%+ tensorflow.python.training.tracking
# %%+ tensorflow.python.training.tracking.base tensorflow.python.training.tracking.graph_view
# %%+ tensorflow.python.training.tracking.layer_utils
# %%+ tensorflow.python.training.tracking.python_state
# %%+ tensorflow.python.training.tracking.tracking tensorflow.python.training.tracking.util
# %%+ tensorflow.python.training.training_ops tensorflow.python.util.compat_internal
# %%+ tensorflow.python.util.future_api
import importlib
MODULES = """
tensorflow.python.data.experimental.ops.distribute_options
tensorflow.python.data.experimental.ops.optimization_options
tensorflow.python.data.experimental.ops.threading_options
tensorflow.python.eager.profiler
tensorflow.python.eager.profiler_client
tensorflow.python.framework.composite_tensor_utils
tensorflow.core.protobuf.graph_debug_info_pb2
tensorflow.python.framework.tensor_like
tensorflow.python.ops.gen_user_ops
tensorflow.python.ops.linalg.linear_operator_algebra
tensorflow.python.ops.linalg.registrations_util
tensorflow.python.ops.losses.loss_reduction
tensorflow.python.ops.rnn_cell_wrapper_impl
tensorflow.python.profiler.profile_context
tensorflow.python.pywrap_tensorflow_internal
tensorflow.python.training.distribute
tensorflow.python.training.distribution_strategy_context
tensorflow.python.training.gen_training_ops
tensorflow.python.training.saving.functional_saver
tensorflow.python.training.tracking
tensorflow.python.training.tracking.base
tensorflow.python.training.tracking.graph_view
tensorflow.python.training.tracking.layer_utils
tensorflow.python.training.tracking.python_state
tensorflow.python.training.tracking.tracking
tensorflow.python.training.tracking.util
tensorflow.python.training.training_ops
tensorflow.python.util.compat_internal
tensorflow.python.util.future_api
"""
for name in MODULES.split():
    print(name, importlib.import_module(name) is not None)

# %% tensorflow.python.training.tracking.data_structures
# %%+ tensorflow.python.training.tracking
from tensorflow.python.training.tracking import data_structures
print(data_structures.NoDependency.__name__)

# %% tensorflow.python.py_tf
# %%+ tensorflow.python.fwd_compat
# %%+ tensorflow.python.v2_compat
# %%+ tensorflow.python.jit
# %%+ tensorflow.python.xla
# %%+ tensorflow.python.context
# %%+ tensorflow.python.wrap_function
# %%+ tensorflow.python.common_shapes
# %%+ tensorflow.python.config
# %%+ tensorflow.python.constant_op
# %%+ tensorflow.python.dtypes
# %%+ tensorflow.python.errors
# %%+ tensorflow.python.errors_impl
# %%+ tensorflow.python.framework_ops
# %%+ tensorflow.python.graph_util
# %%+ tensorflow.python.pydev
# %%+ tensorflow.python.random_seed
# %%+ tensorflow.python.sparse_tensor
# %%+ tensorflow.python.tensor_shape
# %%+ tensorflow.python.tensor_spec
# %%+ tensorflow.python.tensor_util
# %%+ tensorflow.python.type_spec
# %%+ tensorflow.python.file_io
# %%+ tensorflow.python.python_io
# %%+ tensorflow.python.array_grad
# %%+ tensorflow.python.array_ops
# %%+ tensorflow.python.bitwise
# %%+ tensorflow.python.check_ops
# %%+ tensorflow.python.clip_ops
# %%+ tensorflow.python.control_flow_ops
# %%+ tensorflow.python.control_flow_util
# %%+ tensorflow.python.cudnn_rnn_grad
# %%+ tensorflow.python.data_flow_grad
# %%+ tensorflow.python.gen_array_ops
# %%+ tensorflow.python.gen_batch_ops
# %%+ tensorflow.python.gen_control_flow_ops
# %%+ tensorflow.python.gen_data_flow_ops
# %%+ tensorflow.python.gen_functional_ops
# %%+ tensorflow.python.gen_io_ops
# %%+ tensorflow.python.gen_linalg_ops
# %%+ tensorflow.python.gen_math_ops
# %%+ tensorflow.python.gen_nn_ops
# %%+ tensorflow.python.gen_parsing_ops
# %%+ tensorflow.python.gen_random_ops
# %%+ tensorflow.python.gen_sparse_ops
# %%+ tensorflow.python.gen_state_ops
# %%+ tensorflow.python.gen_stateless_random_ops
# %%+ tensorflow.python.gen_string_ops
# %%+ tensorflow.python.gradient_checker_v2
# %%+ tensorflow.python.image
# %%+ tensorflow.python.initializers
# %%+ tensorflow.python.linalg_ops_impl
# %%+ tensorflow.python.list_ops
# %%+ tensorflow.python.manip
# %%+ tensorflow.python.manip_grad
# %%+ tensorflow.python.map_fn
# %%+ tensorflow.python.math_grad
# %%+ tensorflow.python.math_ops
# %%+ tensorflow.python.metrics
# %%+ tensorflow.python.nn
# %%+ tensorflow.python.nn_ops
# %%+ tensorflow.python.ragged
# %%+ tensorflow.python.random_grad
# %%+ tensorflow.python.random_ops
# %%+ tensorflow.python.resource_variable_ops
# %%+ tensorflow.python.rnn
# %%+ tensorflow.python.rnn_cell
# %%+ tensorflow.python.rnn_grad
# %%+ tensorflow.python.sets
# %%+ tensorflow.python.sparse_grad
# %%+ tensorflow.python.sparse_ops
# %%+ tensorflow.python.state_grad
# %%+ tensorflow.python.state_ops
# %%+ tensorflow.python.stateful_random_ops
# %%+ tensorflow.python.tensor_array_ops
# %%+ tensorflow.python.vs
# %%+ tensorflow.python.distributions
# %%+ tensorflow.python.linalg
# %%+ tensorflow.python.losses
# %%+ tensorflow.python.signal
# %%+ tensorflow.python.app
# %%+ tensorflow.python.flags
# %%+ tensorflow.python.gfile
# %%+ tensorflow.python.logging
# %%+ tensorflow.python.resource_loader
# %%+ tensorflow.python.sysconfig
# %%+ tensorflow.python.test
# %%+ tensorflow.python.tf_logging
# %%+ tensorflow.python.train
# %%+ tensorflow.python.deprecation
# %%+ tensorflow.python.dispatch
# %%+ tensorflow.python.function_utils
# %%+ tensorflow.python.nest
# %%+ tensorflow.python.object_identity
# %%+ tensorflow.python.tf_inspect
# %%+ tensorflow.python.tf_should_use
# %%+ tensorflow.python.util_compat
import types
import tensorflow as tf
NAMES = """
py_tf fwd_compat v2_compat jit xla context wrap_function common_shapes config constant_op dtypes
errors errors_impl framework_ops graph_util pydev random_seed sparse_tensor tensor_shape
tensor_spec tensor_util type_spec file_io python_io array_grad array_ops bitwise check_ops
clip_ops control_flow_ops control_flow_util cudnn_rnn_grad data_flow_grad gen_array_ops
gen_batch_ops gen_control_flow_ops gen_data_flow_ops gen_functional_ops gen_io_ops
gen_linalg_ops gen_math_ops gen_nn_ops gen_parsing_ops gen_random_ops gen_sparse_ops
gen_state_ops gen_stateless_random_ops gen_string_ops gradient_checker_v2 image initializers
linalg_ops_impl list_ops manip manip_grad map_fn math_grad math_ops metrics nn nn_ops ragged
random_grad random_ops resource_variable_ops rnn rnn_cell rnn_grad sets sparse_grad sparse_ops
state_grad state_ops stateful_random_ops tensor_array_ops vs distributions linalg losses signal
app flags gfile logging resource_loader sysconfig test tf_logging train deprecation dispatch
function_utils nest object_identity tf_inspect tf_should_use util_compat
"""
for name in NAMES.split():
    print(name, isinstance(getattr(tf.python, name), types.ModuleType))
print(tf.python.array_ops.concat([[1.0], [2.0]], 0).shape, tf.python.control_flow_ops.group is tf.group)

# %% tensorflow.python.tpu._tpu_estimator_embedding [needs: contrib]
# %%+ tensorflow.python.tpu.error_handling
# %%+ tensorflow.python.tpu.tpu_config
# %%+ tensorflow.python.tpu.tpu_context
# %%+ tensorflow.python.tpu.tpu_estimator
# %%+ tensorflow.python.tpu.util
from tensorflow.python.tpu import _tpu_estimator_embedding, error_handling, tpu_context, util
from tensorflow.python.tpu import tpu_config, tpu_estimator
print(tpu_config.TPUConfig(iterations_per_loop=7).iterations_per_loop, tpu_estimator.TPUEstimator.__name__, callable(util.check_positive_integer))
print(error_handling.__name__.rpartition(".")[2], tpu_context.__name__.rpartition(".")[2], _tpu_estimator_embedding.__name__.rpartition(".")[2])

# %% tensorflow.python.autograph.core.naming
from tensorflow.python.autograph.core import naming
print(naming.Namer.__name__)

# %% tensorflow.python.training.device_util [not-on-1.15: it was there until 1.13]
from tensorflow.python.training import device_util
print(device_util.canonicalize("/cpu:0"))
#> /replica:0/task:0/device:CPU:0
