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
# %%+ tensorflow.python.training.tensorboard_logging tensorflow.python.training.tracking
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
tensorflow.python.training.tensorboard_logging
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
