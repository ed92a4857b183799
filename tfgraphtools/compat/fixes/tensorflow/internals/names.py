"""Names of modules of ``tensorflow.python`` that live in another module of it now."""

import importlib

from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.tensorflow.internals import datasets

_PYTHON = "tensorflow.python."

#: module -> where names of it live now: (since when, "its.new.module: names"), a renamed one as
#: "old=new". The versions are the first of which they were found missing.
MOVED = {
    **datasets.MOVED,
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
    "feature_column.feature_column_v2": [
        ("TF 2.14", "feature_column.feature_column_v2_types: FeatureColumn"),
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
    "layers.utils": [
        ("TF 2.x", "keras.utils.tf_utils: get_reachable_from_inputs"),
    ],
    "ops.array_ops": [
        ("TF 2.13", "ops.array_ops_stack: stack unstack"),
        ("TF 2.x", "ops.tensor_getitem_override: _check_index _slice_helper _SLICE_TYPE_ERROR"),
        ("TF 2.x", "ops.tensor_getitem_override: _SliceHelperVar=_slice_helper_var"),
    ],
    "ops.control_flow_ops": [
        ("TF 2.14", "ops.control_flow_assert: Assert"),
        ("TF 2.14", "ops.control_flow_case: case case_v2"),
        ("TF 2.14", "ops.cond: cond"),
        ("TF 2.13", "ops.control_flow_switch_case: switch_case"),
        ("TF 2.14", "ops.while_loop: while_loop while_loop_v2"),
        ("TF 2.x", "ops.control_flow_assert: _summarize_eager"),
        ("TF 2.x", "ops.cond: _UnpackIfSingleton _cast_indexed_slice_indices cond_for_tf_v2"),
        (
            "TF 2.x",
            "ops.control_flow_case: _assert_at_most_n_true _case_create_default_action "
            "_case_verify_and_canonicalize_args _case_helper",
        ),
        (
            "TF 2.x",
            "ops.control_flow_switch_case: _indexed_case_verify_and_canonicalize_args "
            "_indexed_case_helper",
        ),
    ],
    "ops.control_flow_v2_func_graphs": [
        ("TF 2.3", "framework.func_graph: FuncGraph"),
    ],
    "ops.control_flow_v2_toggles": [
        (
            "TF 2.x",
            "ops.control_flow_util_v2: output_all_intermediates=set_output_all_intermediates",
        ),
    ],
    "ops.custom_gradient": [
        ("TF 2.6", "ops.handle_data_util: copy_handle_data"),
        ("TF 2.x", "ops.custom_gradient: get_dependent_variables=_get_dependent_variables"),
    ],
    "ops.gen_math_ops": [
        ("TF 2.3", "ops.gen_special_math_ops: bessel_i0e bessel_i1e"),
    ],
    "ops.gradients_util": [
        ("TF 2.13", "framework.func_graph: FuncGraph"),
        ("TF 2.1", "eager.backprop_util: IsTrainable"),
    ],
    "ops.lookup_ops": [
        ("TF 2.x", "ops.lookup_ops: _check_table_dtypes=check_table_dtypes"),
    ],
    "ops.math_ops": [
        ("TF 2.x", "framework.sparse_tensor: _sparse_dense_truediv"),
        ("TF 2.x", "ops.bincount_ops: bincount=bincount_v1 bincount_v1"),
        ("TF 2.x", "ops.gen_special_math_ops: bessel_i0e bessel_i1e"),
        (
            "TF 2.x",
            "profiler.internal.flops_registry: _calc_mat_mul_flops _calc_batch_mat_mul_flops",
        ),
    ],
    "ops.nn": [
        (
            "TF 2.0",
            "ops.rnn: bidirectional_dynamic_rnn dynamic_rnn raw_rnn static_rnn "
            "static_state_saving_rnn",
        ),
        ("TF 1.9", "ops.rnn: static_bidirectional_rnn"),
    ],
    "ops.nn_grad": [
        (
            "TF 2.x",
            "ops.nn_fused_batch_norm_grad: _BatchNormGrad _FusedBatchNormGradGrad "
            "_FusedBatchNormGradGradV2 _FusedBatchNormGradGradV3",
        ),
    ],
    "ops.nn_impl": [
        ("TF 2.15", "ops.nn_impl_distribute: compute_average_loss scale_regularization_loss"),
        ("TF 2.x", "ops.nn_impl: l2_normalize_v2=l2_normalize"),
    ],
    "ops.nn_ops": [
        ("TF 2.x", "ops.nn_ops: _convert_padding=convert_padding"),
    ],
    "ops.parallel_for": [
        ("TF 2.15", "ops.parallel_for.gradients: batch_jacobian jacobian"),
        ("TF 2.15", "ops.parallel_for.control_flow_ops: for_loop"),
        ("TF 2.x", "ops.parallel_for.control_flow_ops: pfor"),
    ],
    "ops.ragged.ragged_dispatch": [
        ("TF 2.x", "ops.ragged.ragged_array_ops: _ragged_expand_dims_v1 _ragged_size_v1"),
        ("TF 2.x", "ops.ragged.ragged_gather_ops: _ragged_gather_v1 _ragged_gather_nd_v1"),
        ("TF 2.x", "ops.ragged.ragged_squeeze_op: _ragged_squeeze_v1"),
    ],
    "ops.random_ops": [
        ("TF 2.14", "ops.random_crop_ops: random_crop"),
    ],
    "ops.resource_variable_ops": [
        (
            "TF 2.x",
            "ops.resource_variable_ops: "
            "variable_handle_from_shape_and_dtype=_variable_handle_from_shape_and_dtype",
        ),
        ("TF 2.x", "ops.ref_variable: _to_proto_fn"),
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
    "ops.summary_ops_v2": [
        (
            "TF 2.x",
            "ops.summary_ops_v2: ResourceSummaryWriter=_ResourceSummaryWriter "
            "NoopSummaryWriter=_NoopSummaryWriter _graph=graph",
        ),
    ],
    "ops.variable_scope": [
        ("TF 2.14", "ops.ref_variable: default_variable_creator"),
        ("TF 2.13", "ops.resource_variable_ops: default_variable_creator_v2"),
        (
            "TF 2.16",
            "ops.resource_variables_toggle: disable_resource_variables "
            "enable_resource_variables resource_variables_enabled _DEFAULT_USE_RESOURCE",
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
        (
            "TF 2.2",
            "client.pywrap_tf_session: "
            "TF_AddControlInput TF_AddInput TF_AddInputList TF_ApiDefMapGet "
            "TF_ApiDefMapPut TF_Buffer TF_CloseSession TF_DeleteApiDefMap TF_DeleteBuffer "
            "TF_DeleteDeviceList TF_DeleteFunction TF_DeleteImportGraphDefOptions "
            "TF_DeleteImportGraphDefResults TF_DeleteLibraryHandle TF_DeleteSession "
            "TF_DeleteSessionOptions TF_DeleteStatus TF_DeviceListCount "
            "TF_DeviceListIncarnation TF_DeviceListMemoryBytes TF_DeviceListName "
            "TF_DeviceListType TF_FinishOperation TF_FunctionImportFunctionDef "
            "TF_FunctionSetAttrValueProto TF_FunctionToFunctionDef TF_GetAllOpList "
            "TF_GetAllRegisteredKernels TF_GetBuffer TF_GetCode TF_GetOpList "
            "TF_GetRegisteredKernelsForOp TF_GetXlaConstantFoldingDisabled "
            "TF_GraphCopyFunction TF_GraphImportGraphDefWithResults TF_GraphNextOperation "
            "TF_GraphSetOutputHandleShapesAndTypes_wrapper TF_GraphToFunction_wrapper "
            "TF_GraphToGraphDef TF_ImportGraphDefOptionsAddInputMapping "
            "TF_ImportGraphDefOptionsAddReturnOperation "
            "TF_ImportGraphDefOptionsAddReturnOutput "
            "TF_ImportGraphDefOptionsRemapControlDependency "
            "TF_ImportGraphDefOptionsSetPrefix TF_ImportGraphDefOptionsSetUniquifyNames "
            "TF_ImportGraphDefOptionsSetValidateColocationConstraints "
            "TF_ImportGraphDefResultsMissingUnusedInputMappings_wrapper "
            "TF_ImportGraphDefResultsReturnOperations "
            "TF_ImportGraphDefResultsReturnOutputs TF_Input TF_LoadLibrary "
            "TF_NewApiDefMap TF_NewBuffer TF_NewBufferFromString "
            "TF_NewImportGraphDefOptions TF_NewOperation TF_NewServer TF_NewSession "
            "TF_NewSessionRef TF_NewStatus TF_OperationDevice TF_OperationGetAttrBool "
            "TF_OperationGetAttrInt TF_OperationGetAttrType TF_OperationGetAttrValueProto "
            "TF_OperationGetControlOutputs_wrapper TF_OperationInputType TF_OperationName "
            "TF_OperationNumInputs TF_OperationNumOutputs TF_OperationOpType "
            "TF_OperationOutputType TF_OperationToNodeDef TF_Output TF_Reset_wrapper "
            "TF_ServerJoin TF_ServerStart TF_ServerStop TF_ServerTarget "
            "TF_SessionListDevices TF_SessionMakeCallable TF_SessionPRunSetup_wrapper "
            "TF_SessionPRun_wrapper TF_SessionReleaseCallable TF_SessionRunCallable "
            "TF_SessionRun_wrapper TF_SetAttrValueProto TF_SetDevice TF_SetXlaAutoJitMode "
            "TF_SetXlaConstantFoldingDisabled TF_SetXlaEnableLazyCompilation "
            "TF_SetXlaMinClusterSize TF_TryEvaluateConstant_wrapper",
        ),
        ("TF 2.1", "client._pywrap_events_writer: EventsWriter"),
        (
            "TF 2.2",
            "client.pywrap_tf_session: GRAPH_DEF_VERSION GRAPH_DEF_VERSION_MIN_CONSUMER "
            "GRAPH_DEF_VERSION_MIN_PRODUCER TENSOR_HANDLE_KEY",
        ),
        (
            "TF 2.2",
            "util._pywrap_util_port: IsGoogleCudaEnabled IsMklEnabled IsBuiltWithROCm "
            "GpuSupportsHalfMatMulAndConv",
        ),
        (
            "TF 2.2",
            "lib.io._pywrap_file_io: CopyFile CreateDir DeleteFile DeleteRecursively FileExists "
            "ReadFileToString RecursivelyCreateDir RenameFile WriteStringToFile",
        ),
    ],
    "saved_model.load": [
        ("TF 2.x", "trackable.resource: _RestoredResource=RestoredResource"),
    ],
    "saved_model.loader_impl": [
        ("TF 2.x", "saved_model.loader_impl: _parse_saved_model=parse_saved_model"),
    ],
    "saved_model.utils_impl": [
        (
            "TF 2.x",
            "saved_model.path_helpers: get_or_create_variables_dir get_or_create_assets_dir "
            "get_assets_dir",
        ),
    ],
    "training.experimental.mixed_precision": [
        (
            "TF 2.x",
            "training.experimental.mixed_precision: enable_mixed_precision_graph_rewrite="
            "enable_mixed_precision_graph_rewrite_v1",
        ),
        (
            "TF 2.x",
            "training.experimental.mixed_precision: disable_mixed_precision_graph_rewrite="
            "disable_mixed_precision_graph_rewrite_v1",
        ),
    ],
    "training.tracking.base": [
        ("TF 2.x", "checkpoint.restore: CheckpointPosition"),
    ],
    "training.tracking.data_structures": [
        ("TF 2.x", "trackable.data_structures: _wrap_or_unwrap=wrap_or_unwrap"),
    ],
    "training.tracking.graph_view": [
        ("TF 2.x", "trackable.trackable_utils: _escape_local_name=escape_local_name"),
    ],
    "training.tracking.tracking": [
        ("TF 2.x", "trackable.asset: TrackableAsset=Asset"),
        ("TF 2.x", "trackable.resource: CapturableResource TrackableResource"),
        ("TF 2.x", "trackable.resource: ResourceTracker resource_tracker_scope"),
        ("TF 2.4", "keras.utils.layer_utils: cached_per_instance"),
    ],
    "summary": [
        (
            "TF 2.1",
            "summary.summary: FileWriter audio get_summary_description histogram image merge "
            "merge_all scalar tensor_summary text",
        ),
    ],
    "util.deprecation": [
        ("TF 2.2", "util.deprecation: DeprecatedNamesAlreadySet=DeprecatedNamesAlreadySetError"),
    ],
    "util.nest": [
        ("TF 2.13", "util.nest: is_sequence=is_nested"),
        (
            "TF 2.x",
            "util.nest_util: "
            "_STRUCTURES_HAVE_MISMATCHING_TYPES=STRUCTURES_HAVE_MISMATCHING_TYPES "
            "_STRUCTURES_HAVE_MISMATCHING_LENGTHS=STRUCTURES_HAVE_MISMATCHING_LENGTHS "
            "_SHALLOW_TREE_HAS_INVALID_KEYS=SHALLOW_TREE_HAS_INVALID_KEYS",
        ),
        (
            "TF 2.x",
            "util.nest_util: _get_attrs_items _DotString _DOT _yield_flat_up_to=yield_flat_up_to",
        ),
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
