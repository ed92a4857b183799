"""Names of ``framework``, ``eager`` and ``autograph`` below ``tensorflow.python`` that moved.

The layout is that of `moved.MOVED`, of which this is a part.
"""

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
    "autograph.pyct.compiler": [
        ("TF 2.2", "autograph.pyct.loader: ast_to_object=load_ast source_to_entity=load_source"),
        ("TF 2.2", "autograph.pyct.parser: ast_to_source=unparse"),
    ],
    "autograph.pyct.parser": [("TF 2.1", "autograph.pyct.parser: parse_str=parse")],
    "eager.context": [
        ("TF 2.1", "framework.config: list_devices=list_logical_devices"),
        ("TF 2.2", "eager.context: VirtualDeviceConfiguration=LogicalDeviceConfiguration"),
    ],
    "eager.def_function": [
        ("TF 2.11", "eager.polymorphic_function.polymorphic_function: UnliftedInitializerVariable"),
    ],
    "eager.tape": [
        ("TF 2.13", "eager.record: could_possibly_record record_operation stop_recording"),
    ],
    "framework.common_shapes": [
        ("TF 2.1", "ops.array_ops: rank"),
        ("TF 2.1", "framework.tensor_shape: unknown_shape"),
    ],
    "framework.composite_tensor": [
        (
            "TF 2.3",
            "keras.engine.training_utils_v1: is_composite_or_composite_value "
            "append_composite_tensor=_append_composite_tensor",
        ),
    ],
    "framework.config": [
        (
            "TF 2.x",
            "framework.config: get_virtual_device_configuration=get_logical_device_configuration",
        ),
        (
            "TF 2.x",
            "framework.config: set_virtual_device_configuration=set_logical_device_configuration",
        ),
    ],
    "framework.constant_op": [
        ("TF 2.x", "framework.constant_tensor_conversion: _constant_tensor_conversion_function"),
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
        ("TF 2.x", "framework.stack: _DefaultStack=DefaultStack _default_session_stack"),
        ("TF 2.x", "framework.tensor: _override_helper _eval_using_default_session"),
        ("TF 2.x", "eager.execute: _is_keras_symbolic_tensor"),
        ("TF 2.2", "framework.ops: name_scope=name_scope_v1"),  # which has names in eager code too
    ],
    "framework.tensor_util": [
        ("TF 2.13", "ops.shape_util: maybe_set_static_shape shape_tensor"),
        ("TF 2.x", "framework.tensor_util: is_tensor=is_tf_type"),
    ],
}
