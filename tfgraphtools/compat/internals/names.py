"""Names of modules of ``tensorflow.python`` that live in another module of it now."""

import importlib

from tfgraphtools.compat.rows import Row, Table

_PYTHON = "tensorflow.python."

#: module -> where names of it live now: "its.new.module: names", names as "old=new" if renamed.
MOVED = {
    "data.ops.iterator_ops": ["data.ops.iterator_ops: IteratorV2=OwnedIterator"],
    "data.util.nest": ["data.util.nest: is_sequence=is_nested"],
    "eager.context": ["framework.config: list_devices=list_logical_devices"],
    "eager.def_function": [
        "eager.polymorphic_function.polymorphic_function: UnliftedInitializerVariable",
    ],
    "eager.function": ["eager.def_function: defun=function defun_with_attributes=function"],
    "eager.tape": ["eager.record: could_possibly_record record_operation stop_recording"],
    "feature_column.feature_column_v2": ["feature_column.feature_column_v2_types: FeatureColumn"],
    "framework.common_shapes": [
        "ops.array_ops: rank",
        "framework.tensor_shape: unknown_shape",
    ],
    "framework.func_graph": ["framework.auto_control_deps: AutomaticControlDependencies"],
    "framework.graph_util": ["framework.convert_to_constants: convert_variables_to_constants"],
    "framework.graph_util_impl": [
        "framework.convert_to_constants: convert_variables_to_constants",
    ],
    "framework.ops": [
        "framework.tensor: Tensor disable_tensor_equality enable_tensor_equality",
        "framework.indexed_slices: IndexedSlices IndexedSlicesValue "
        "convert_n_to_tensor_or_indexed_slices convert_to_tensor_or_indexed_slices "
        "internal_convert_n_to_tensor_or_indexed_slices "
        "internal_convert_to_tensor_or_indexed_slices",
        "framework.stack: default_session",
        "framework.tensor_conversion: convert_to_tensor_v2",
        "framework.tensor_conversion_registry: register_tensor_conversion_function",
    ],
    "framework.tensor_util": [
        "ops.shape_util: maybe_set_static_shape shape_tensor",
        "framework.tensor_util: is_tensor=is_tf_type",
    ],
    "ops.array_ops": ["ops.array_ops_stack: stack unstack"],
    "ops.control_flow_ops": [
        "ops.control_flow_assert: Assert",
        "ops.control_flow_case: case case_v2",
        "ops.cond: cond",
        "ops.control_flow_switch_case: switch_case",
        "ops.while_loop: while_loop while_loop_v2",
    ],
    "ops.control_flow_v2_func_graphs": ["framework.func_graph: FuncGraph"],
    "ops.custom_gradient": ["ops.handle_data_util: copy_handle_data"],
    "ops.functional_ops": ["ops.gen_functional_ops: partitioned_call"],
    "ops.gen_math_ops": ["ops.gen_special_math_ops: bessel_i0e bessel_i1e"],
    "ops.gradients_util": ["framework.func_graph: FuncGraph", "eager.backprop_util: IsTrainable"],
    "ops.nn": [
        "ops.rnn: bidirectional_dynamic_rnn dynamic_rnn raw_rnn static_bidirectional_rnn "
        "static_rnn static_state_saving_rnn",
    ],
    "ops.nn_impl": ["ops.nn_impl_distribute: compute_average_loss scale_regularization_loss"],
    "ops.parallel_for": [
        "ops.parallel_for.gradients: batch_jacobian jacobian",
        "ops.parallel_for.control_flow_ops: for_loop pfor",
    ],
    "ops.random_ops": ["ops.random_crop_ops: random_crop"],
    "ops.standard_ops": [
        "ops.array_ops_stack: stack unstack",
        "ops.cond: cond",
        "ops.random_crop_ops: random_crop",
        "ops.variable_v1: VariableV1 is_variable_initialized",
        "ops.while_loop: while_loop",
    ],
    "ops.variable_scope": [
        "ops.ref_variable: default_variable_creator",
        "ops.resource_variable_ops: default_variable_creator_v2",
        "ops.resource_variables_toggle: disable_resource_variables enable_resource_variables "
        "resource_variables_enabled",
        "ops.variable_v1: variable=VariableV1",
    ],
    "ops.variables": [
        "ops.variable_v1: VariableV1 is_variable_initialized",
        "ops.ref_variable: RefVariable",
    ],
    "pywrap_tensorflow": [
        "training.py_checkpoint_reader: NewCheckpointReader",
        "training.quantize_training: do_quantize_training_on_graphdef",
        "client.pywrap_tf_session: TF_NewSessionOptions TF_Reset",
        "client._pywrap_events_writer: EventsWriter",
    ],
    "util.nest": ["util.nest: is_sequence=is_nested"],
}


def entries():
    """(old module, old name, new module, new name) of all names, modules in full."""
    for module, places in MOVED.items():
        for place in places:
            new_module, _, names = place.partition(": ")
            for name in names.split():
                old_name, _, new_name = name.partition("=")
                yield _PYTHON + module, old_name, _PYTHON + new_module, new_name or old_name


def _provider(module, name):
    return lambda real: getattr(importlib.import_module(module), name)


TABLE = Table(
    "internal names that moved",
    "names",
    [
        Row(f"{old}.{name}", "TF 2.x", f"today's {new}.{now}", _provider(new, now))
        for old, name, new, now in entries()
    ],
)
