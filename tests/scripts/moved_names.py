# %% tensorflow.python.data.ops.iterator_ops.IteratorV2
from tensorflow.python.data.ops import iterator_ops
for name in """IteratorV2""".split():
    print(name, callable(getattr(iterator_ops, name)))

# %% tensorflow.python.data.util.nest.is_sequence
from tensorflow.python.data.util import nest
for name in """is_sequence""".split():
    print(name, callable(getattr(nest, name)))

# %% tensorflow.python.eager.context.list_devices
from tensorflow.python.eager import context
for name in """list_devices""".split():
    print(name, callable(getattr(context, name)))

# %% tensorflow.python.eager.def_function.UnliftedInitializerVariable
from tensorflow.python.eager import def_function
for name in """UnliftedInitializerVariable""".split():
    print(name, callable(getattr(def_function, name)))

# %% tensorflow.python.eager.tape.could_possibly_record
# %%+ tensorflow.python.eager.tape.record_operation tensorflow.python.eager.tape.stop_recording
from tensorflow.python.eager import tape
for name in """could_possibly_record record_operation stop_recording""".split():
    print(name, callable(getattr(tape, name)))

# %% tensorflow.python.feature_column.feature_column_v2.FeatureColumn
from tensorflow.python.feature_column import feature_column_v2
for name in """FeatureColumn""".split():
    print(name, callable(getattr(feature_column_v2, name)))

# %% tensorflow.python.framework.common_shapes.rank
# %%+ tensorflow.python.framework.common_shapes.unknown_shape
from tensorflow.python.framework import common_shapes
for name in """rank unknown_shape""".split():
    print(name, callable(getattr(common_shapes, name)))

# %% tensorflow.python.framework.func_graph.AutomaticControlDependencies
from tensorflow.python.framework import func_graph
for name in """AutomaticControlDependencies""".split():
    print(name, callable(getattr(func_graph, name)))

# %% tensorflow.python.framework.graph_util.convert_variables_to_constants
from tensorflow.python.framework import graph_util
for name in """convert_variables_to_constants""".split():
    print(name, callable(getattr(graph_util, name)))

# %% tensorflow.python.framework.graph_util_impl.convert_variables_to_constants
from tensorflow.python.framework import graph_util_impl
for name in """convert_variables_to_constants""".split():
    print(name, callable(getattr(graph_util_impl, name)))

# %% tensorflow.python.framework.ops.Tensor
# %%+ tensorflow.python.framework.ops.disable_tensor_equality
# %%+ tensorflow.python.framework.ops.enable_tensor_equality
# %%+ tensorflow.python.framework.ops.IndexedSlices
# %%+ tensorflow.python.framework.ops.IndexedSlicesValue
# %%+ tensorflow.python.framework.ops.convert_n_to_tensor_or_indexed_slices
# %%+ tensorflow.python.framework.ops.convert_to_tensor_or_indexed_slices
# %%+ tensorflow.python.framework.ops.internal_convert_n_to_tensor_or_indexed_slices
# %%+ tensorflow.python.framework.ops.internal_convert_to_tensor_or_indexed_slices
# %%+ tensorflow.python.framework.ops.default_session
# %%+ tensorflow.python.framework.ops.convert_to_tensor_v2
# %%+ tensorflow.python.framework.ops.register_tensor_conversion_function
from tensorflow.python.framework import ops
NAMES = """
Tensor disable_tensor_equality enable_tensor_equality IndexedSlices IndexedSlicesValue
convert_n_to_tensor_or_indexed_slices convert_to_tensor_or_indexed_slices
internal_convert_n_to_tensor_or_indexed_slices
internal_convert_to_tensor_or_indexed_slices default_session convert_to_tensor_v2
register_tensor_conversion_function
"""
for name in NAMES.split():
    print(name, callable(getattr(ops, name)))

# %% tensorflow.python.framework.tensor_util.maybe_set_static_shape
# %%+ tensorflow.python.framework.tensor_util.shape_tensor
# %%+ tensorflow.python.framework.tensor_util.is_tensor
from tensorflow.python.framework import tensor_util
for name in """maybe_set_static_shape shape_tensor is_tensor""".split():
    print(name, callable(getattr(tensor_util, name)))

# %% tensorflow.python.ops.array_ops.stack
# %%+ tensorflow.python.ops.array_ops.unstack
from tensorflow.python.ops import array_ops
for name in """stack unstack""".split():
    print(name, callable(getattr(array_ops, name)))

# %% tensorflow.python.ops.control_flow_ops.Assert
# %%+ tensorflow.python.ops.control_flow_ops.case tensorflow.python.ops.control_flow_ops.case_v2
# %%+ tensorflow.python.ops.control_flow_ops.cond
# %%+ tensorflow.python.ops.control_flow_ops.switch_case
# %%+ tensorflow.python.ops.control_flow_ops.while_loop
# %%+ tensorflow.python.ops.control_flow_ops.while_loop_v2
from tensorflow.python.ops import control_flow_ops
for name in """Assert case case_v2 cond switch_case while_loop while_loop_v2""".split():
    print(name, callable(getattr(control_flow_ops, name)))

# %% tensorflow.python.ops.control_flow_v2_func_graphs.FuncGraph
from tensorflow.python.ops import control_flow_v2_func_graphs
for name in """FuncGraph""".split():
    print(name, callable(getattr(control_flow_v2_func_graphs, name)))

# %% tensorflow.python.ops.custom_gradient.copy_handle_data
from tensorflow.python.ops import custom_gradient
for name in """copy_handle_data""".split():
    print(name, callable(getattr(custom_gradient, name)))

# %% tensorflow.python.ops.functional_ops.partitioned_call
from tensorflow.python.ops import functional_ops
for name in """partitioned_call""".split():
    print(name, callable(getattr(functional_ops, name)))

# %% tensorflow.python.ops.gen_math_ops.bessel_i0e
# %%+ tensorflow.python.ops.gen_math_ops.bessel_i1e
from tensorflow.python.ops import gen_math_ops
for name in """bessel_i0e bessel_i1e""".split():
    print(name, callable(getattr(gen_math_ops, name)))

# %% tensorflow.python.ops.gradients_util.FuncGraph
# %%+ tensorflow.python.ops.gradients_util.IsTrainable
from tensorflow.python.ops import gradients_util
for name in """FuncGraph IsTrainable""".split():
    print(name, callable(getattr(gradients_util, name)))

# %% tensorflow.python.ops.nn.bidirectional_dynamic_rnn
# %%+ tensorflow.python.ops.nn.dynamic_rnn tensorflow.python.ops.nn.raw_rnn
# %%+ tensorflow.python.ops.nn.static_rnn tensorflow.python.ops.nn.static_state_saving_rnn
from tensorflow.python.ops import nn
NAMES = """
bidirectional_dynamic_rnn dynamic_rnn raw_rnn static_rnn static_state_saving_rnn
"""
for name in NAMES.split():
    print(name, callable(getattr(nn, name)))

# %% tensorflow.python.ops.nn.static_bidirectional_rnn [not-on-1.15: until 1.4]
from tensorflow.python.ops import nn
print(nn.static_bidirectional_rnn.__name__)
#> static_bidirectional_rnn

# %% tensorflow.python.ops.nn_impl.compute_average_loss
# %%+ tensorflow.python.ops.nn_impl.scale_regularization_loss
from tensorflow.python.ops import nn_impl
for name in """compute_average_loss scale_regularization_loss""".split():
    print(name, callable(getattr(nn_impl, name)))

# %% tensorflow.python.ops.parallel_for.batch_jacobian
# %%+ tensorflow.python.ops.parallel_for.jacobian tensorflow.python.ops.parallel_for.for_loop
# %%+ tensorflow.python.ops.parallel_for.pfor
from tensorflow.python.ops import parallel_for
for name in """batch_jacobian jacobian for_loop pfor""".split():
    print(name, callable(getattr(parallel_for, name)))

# %% tensorflow.python.ops.random_ops.random_crop
from tensorflow.python.ops import random_ops
for name in """random_crop""".split():
    print(name, callable(getattr(random_ops, name)))

# %% tensorflow.python.ops.standard_ops.stack
# %%+ tensorflow.python.ops.standard_ops.unstack tensorflow.python.ops.standard_ops.cond
# %%+ tensorflow.python.ops.standard_ops.random_crop tensorflow.python.ops.standard_ops.VariableV1
# %%+ tensorflow.python.ops.standard_ops.is_variable_initialized
# %%+ tensorflow.python.ops.standard_ops.while_loop
from tensorflow.python.ops import standard_ops
NAMES = """
stack unstack cond random_crop VariableV1 is_variable_initialized while_loop
"""
for name in NAMES.split():
    print(name, callable(getattr(standard_ops, name)))

# %% tensorflow.python.ops.variable_scope.default_variable_creator
# %%+ tensorflow.python.ops.variable_scope.default_variable_creator_v2
# %%+ tensorflow.python.ops.variable_scope.disable_resource_variables
# %%+ tensorflow.python.ops.variable_scope.enable_resource_variables
# %%+ tensorflow.python.ops.variable_scope.resource_variables_enabled
# %%+ tensorflow.python.ops.variable_scope.variable
from tensorflow.python.ops import variable_scope
NAMES = """
default_variable_creator default_variable_creator_v2 disable_resource_variables
enable_resource_variables resource_variables_enabled variable
"""
for name in NAMES.split():
    print(name, callable(getattr(variable_scope, name)))

# %% tensorflow.python.ops.variables.VariableV1
# %%+ tensorflow.python.ops.variables.is_variable_initialized
# %%+ tensorflow.python.ops.variables.RefVariable
from tensorflow.python.ops import variables
for name in """VariableV1 is_variable_initialized RefVariable""".split():
    print(name, callable(getattr(variables, name)))

# %% tensorflow.python.pywrap_tensorflow.NewCheckpointReader
# %%+ tensorflow.python.pywrap_tensorflow.do_quantize_training_on_graphdef
# %%+ tensorflow.python.pywrap_tensorflow.TF_NewSessionOptions
# %%+ tensorflow.python.pywrap_tensorflow.TF_Reset
# %%+ tensorflow.python.pywrap_tensorflow.EventsWriter
from tensorflow.python import pywrap_tensorflow
NAMES = """
NewCheckpointReader do_quantize_training_on_graphdef TF_NewSessionOptions TF_Reset EventsWriter
"""
for name in NAMES.split():
    print(name, callable(getattr(pywrap_tensorflow, name)))

# %% tensorflow.python.util.nest.is_sequence
from tensorflow.python.util import nest
for name in """is_sequence""".split():
    print(name, callable(getattr(nest, name)))

# %% tensorflow.python.ops.rnn.rnn tensorflow.python.ops.rnn.bidirectional_rnn tensorflow.python.ops.rnn.state_saving_rnn [not-on-1.15: TF 1.0 renamed them]
from tensorflow.python.ops import rnn
print([function.__name__ for function in (rnn.rnn, rnn.bidirectional_rnn, rnn.state_saving_rnn)])
#> ['static_rnn', 'static_bidirectional_rnn', 'static_state_saving_rnn']
