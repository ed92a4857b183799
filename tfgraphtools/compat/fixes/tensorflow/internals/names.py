"""Names of modules of ``tensorflow.python`` that live in another module of it now."""

import importlib

from tfgraphtools.compat.engine.rows import Row, Table

_PYTHON = "tensorflow.python."

#: module -> where names of it live now: (since when, "its.new.module: names"), a renamed one as
#: "old=new". The versions are the first of which they were found missing.
MOVED = {
    "autograph": [
        ("TF 2.1", "autograph.core.converter: ConversionOptions Feature"),
        (
            "TF 2.1",
            "autograph.impl.api: AutoGraphError StackTraceMapper convert converted_call "
            "do_not_convert to_code=to_code_v1 to_graph=to_graph_v1",
        ),
        ("TF 2.1", "autograph.lang.directives: set_element_type set_loop_options"),
        ("TF 2.1", "autograph.lang.special_functions: stack"),
    ],
    "data.ops.iterator_ops": [
        ("TF 2.1", "data.ops.iterator_ops: IteratorV2=OwnedIterator"),
    ],
    "data.util.nest": [
        ("TF 2.8", "data.util.nest: is_sequence=is_nested"),
    ],
    "eager.context": [
        ("TF 2.1", "framework.config: list_devices=list_logical_devices"),
    ],
    "eager.def_function": [
        ("TF 2.11", "eager.polymorphic_function.polymorphic_function: UnliftedInitializerVariable"),
    ],
    "eager.tape": [
        ("TF 2.13", "eager.record: could_possibly_record record_operation stop_recording"),
    ],
    "feature_column.feature_column_v2": [
        ("TF 2.14", "feature_column.feature_column_v2_types: FeatureColumn"),
    ],
    "framework.common_shapes": [
        ("TF 2.1", "ops.array_ops: rank"),
        ("TF 2.1", "framework.tensor_shape: unknown_shape"),
    ],
    "framework.func_graph": [
        ("TF 2.1", "framework.auto_control_deps: AutomaticControlDependencies"),
    ],
    "framework.graph_util": [
        ("TF 2.13", "framework.convert_to_constants: convert_variables_to_constants"),
    ],
    "framework.graph_util_impl": [
        ("TF 2.13", "framework.convert_to_constants: convert_variables_to_constants"),
    ],
    "framework.ops": [
        ("TF 2.15", "framework.tensor: Tensor"),
        ("TF 2.14", "framework.tensor: disable_tensor_equality enable_tensor_equality"),
        (
            "TF 2.13",
            "framework.indexed_slices: IndexedSlices IndexedSlicesValue "
            "convert_n_to_tensor_or_indexed_slices convert_to_tensor_or_indexed_slices "
            "internal_convert_n_to_tensor_or_indexed_slices "
            "internal_convert_to_tensor_or_indexed_slices",
        ),
        ("TF 2.13", "framework.stack: default_session"),
        ("TF 2.13", "framework.tensor_conversion: convert_to_tensor_v2"),
        ("TF 2.13", "framework.tensor_conversion_registry: register_tensor_conversion_function"),
    ],
    "framework.tensor_util": [
        ("TF 2.13", "ops.shape_util: maybe_set_static_shape shape_tensor"),
        ("TF 2.x", "framework.tensor_util: is_tensor=is_tf_type"),
    ],
    "ops.array_ops": [
        ("TF 2.13", "ops.array_ops_stack: stack unstack"),
    ],
    "ops.control_flow_ops": [
        ("TF 2.14", "ops.control_flow_assert: Assert"),
        ("TF 2.14", "ops.control_flow_case: case case_v2"),
        ("TF 2.14", "ops.cond: cond"),
        ("TF 2.13", "ops.control_flow_switch_case: switch_case"),
        ("TF 2.14", "ops.while_loop: while_loop while_loop_v2"),
    ],
    "ops.control_flow_v2_func_graphs": [
        ("TF 2.3", "framework.func_graph: FuncGraph"),
    ],
    "ops.custom_gradient": [
        ("TF 2.6", "ops.handle_data_util: copy_handle_data"),
    ],
    "ops.functional_ops": [
        ("TF 2.13", "ops.gen_functional_ops: partitioned_call"),
    ],
    "ops.gen_math_ops": [
        ("TF 2.3", "ops.gen_special_math_ops: bessel_i0e bessel_i1e"),
    ],
    "ops.gradients_util": [
        ("TF 2.13", "framework.func_graph: FuncGraph"),
        ("TF 2.1", "eager.backprop_util: IsTrainable"),
    ],
    "ops.nn": [
        (
            "TF 2.0",
            "ops.rnn: bidirectional_dynamic_rnn dynamic_rnn raw_rnn static_rnn "
            "static_state_saving_rnn",
        ),
        ("TF 1.9", "ops.rnn: static_bidirectional_rnn"),
    ],
    "ops.nn_impl": [
        ("TF 2.15", "ops.nn_impl_distribute: compute_average_loss scale_regularization_loss"),
    ],
    "ops.parallel_for": [
        ("TF 2.15", "ops.parallel_for.gradients: batch_jacobian jacobian"),
        ("TF 2.15", "ops.parallel_for.control_flow_ops: for_loop"),
        ("TF 2.x", "ops.parallel_for.control_flow_ops: pfor"),
    ],
    "ops.random_ops": [
        ("TF 2.14", "ops.random_crop_ops: random_crop"),
    ],
    "ops.rnn": [
        ("TF 1.0", "ops.rnn: rnn=static_rnn bidirectional_rnn=static_bidirectional_rnn"),
        ("TF 1.0", "ops.rnn: state_saving_rnn=static_state_saving_rnn"),
    ],
    "ops.standard_ops": [
        ("TF 2.13", "ops.array_ops_stack: stack unstack"),
        ("TF 2.x", "ops.cond: cond"),
        ("TF 2.14", "ops.random_crop_ops: random_crop"),
        ("TF 2.13", "ops.variable_v1: VariableV1 is_variable_initialized"),
        ("TF 2.x", "ops.while_loop: while_loop"),
    ],
    "ops.variable_scope": [
        ("TF 2.14", "ops.ref_variable: default_variable_creator"),
        ("TF 2.13", "ops.resource_variable_ops: default_variable_creator_v2"),
        (
            "TF 2.16",
            "ops.resource_variables_toggle: disable_resource_variables "
            "enable_resource_variables resource_variables_enabled",
        ),
        ("TF 2.14", "ops.variable_v1: variable=VariableV1"),
    ],
    "ops.variables": [
        ("TF 2.13", "ops.variable_v1: VariableV1 is_variable_initialized"),
        ("TF 2.13", "ops.ref_variable: RefVariable"),
    ],
    "pywrap_tensorflow": [
        ("TF 2.1", "training.py_checkpoint_reader: NewCheckpointReader"),
        ("TF 2.1", "training.quantize_training: do_quantize_training_on_graphdef"),
        ("TF 2.2", "client.pywrap_tf_session: TF_NewSessionOptions TF_Reset"),
        ("TF 2.1", "client._pywrap_events_writer: EventsWriter"),
    ],
    "util.nest": [
        ("TF 2.13", "util.nest: is_sequence=is_nested"),
    ],
}


def entries():
    """(since when, old module, old name, new module, new name) of all names; full module names."""
    for module, places in MOVED.items():
        for since, place in places:
            new_module, _, names = place.partition(": ")
            for name in names.split():
                old_name, _, new_name = name.partition("=")
                yield since, _PYTHON + module, old_name, _PYTHON + new_module, new_name or old_name


def _provider(module, name):
    return lambda real: getattr(importlib.import_module(module), name)


TABLE = Table(
    "internal names that moved",
    "names",
    [
        Row(f"{old}.{name}", since, f"today's {new}.{now}", _provider(new, now))
        for since, old, name, new, now in entries()
    ],
)
