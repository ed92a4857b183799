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

# %% tensorflow.python.pywrap_tensorflow.TENSOR_HANDLE_KEY
# %%+ tensorflow.python.pywrap_tensorflow.GRAPH_DEF_VERSION
# %%+ tensorflow.python.pywrap_tensorflow.GRAPH_DEF_VERSION_MIN_CONSUMER
# %%+ tensorflow.python.pywrap_tensorflow.GRAPH_DEF_VERSION_MIN_PRODUCER
# %%+ tensorflow.python.pywrap_tensorflow.IsGoogleCudaEnabled
# %%+ tensorflow.python.pywrap_tensorflow.IsMklEnabled
# %%+ tensorflow.python.pywrap_tensorflow.IsBuiltWithROCm
# %%+ tensorflow.python.pywrap_tensorflow.GpuSupportsHalfMatMulAndConv
import tensorflow as tf
from tensorflow.python import pywrap_tensorflow
print(pywrap_tensorflow.TENSOR_HANDLE_KEY, pywrap_tensorflow.GRAPH_DEF_VERSION == tf.GRAPH_DEF_VERSION)
print(pywrap_tensorflow.GRAPH_DEF_VERSION_MIN_CONSUMER, pywrap_tensorflow.GRAPH_DEF_VERSION_MIN_PRODUCER)
for name in "IsGoogleCudaEnabled IsMklEnabled IsBuiltWithROCm GpuSupportsHalfMatMulAndConv".split():
    print(name, type(getattr(pywrap_tensorflow, name)()).__name__)

# %% tensorflow.python.pywrap_tensorflow.CopyFile tensorflow.python.pywrap_tensorflow.CreateDir
# %%+ tensorflow.python.pywrap_tensorflow.DeleteFile
# %%+ tensorflow.python.pywrap_tensorflow.DeleteRecursively
# %%+ tensorflow.python.pywrap_tensorflow.FileExists
# %%+ tensorflow.python.pywrap_tensorflow.ReadFileToString
# %%+ tensorflow.python.pywrap_tensorflow.RecursivelyCreateDir
# %%+ tensorflow.python.pywrap_tensorflow.RenameFile
# %%+ tensorflow.python.pywrap_tensorflow.WriteStringToFile
import tensorflow as tf
from tensorflow.python import pywrap_tensorflow as p
p.CreateDir(b"made")
p.RecursivelyCreateDir(b"made/x/y")
p.WriteStringToFile(b"made/a", b"hello")
p.CopyFile(b"made/a", b"made/b", True)
p.RenameFile(b"made/b", b"made/c", True)
p.FileExists(b"made/c")
print(p.ReadFileToString(b"made/c"))
p.DeleteFile(b"made/a")
p.DeleteRecursively(b"made/x")
try:
    p.FileExists(b"made/a")
except tf.errors.NotFoundError as error:
    print("not found")

# %% tensorflow.python.summary.FileWriter tensorflow.python.summary.audio
# %%+ tensorflow.python.summary.get_summary_description tensorflow.python.summary.histogram
# %%+ tensorflow.python.summary.image tensorflow.python.summary.merge
# %%+ tensorflow.python.summary.merge_all tensorflow.python.summary.scalar
# %%+ tensorflow.python.summary.tensor_summary tensorflow.python.summary.text
from tensorflow.python import summary
for name in """FileWriter audio get_summary_description histogram image merge merge_all scalar tensor_summary text""".split():
    print(name, callable(getattr(summary, name)))

# %% tensorflow.python.util.nest.is_sequence
from tensorflow.python.util import nest
for name in """is_sequence""".split():
    print(name, callable(getattr(nest, name)))

# %% tensorflow.python.ops.rnn.rnn tensorflow.python.ops.rnn.bidirectional_rnn tensorflow.python.ops.rnn.state_saving_rnn [not-on-1.15: TF 1.0 renamed them]
from tensorflow.python.ops import rnn
print([function.__name__ for function in (rnn.rnn, rnn.bidirectional_rnn, rnn.state_saving_rnn)])
#> ['static_rnn', 'static_bidirectional_rnn', 'static_state_saving_rnn']

# %% tensorflow.python.data.experimental.ops.error_ops._IgnoreErrorsDataset
# %%+ tensorflow.python.data.experimental.ops.grouping._GroupByWindowDataset
# %%+ tensorflow.python.data.experimental.ops.interleave_ops._DirectedInterleaveDataset
# %%+ tensorflow.python.data.experimental.ops.resampling._get_prob_original_static
# %%+ tensorflow.python.data.experimental.ops.resampling._filter_ds
# %%+ tensorflow.python.data.experimental.ops.resampling._estimate_initial_dist_ds
# %%+ tensorflow.python.data.experimental.ops.resampling._get_target_to_initial_ratio
# %%+ tensorflow.python.data.experimental.ops.resampling._estimate_data_distribution
# %%+ tensorflow.python.data.experimental.ops.resampling._calculate_acceptance_probs_with_mixing
# %%+ tensorflow.python.data.experimental.ops.scan_ops._ScanDataset
# %%+ tensorflow.python.data.experimental.ops.snapshot._SnapshotDataset
# %%+ tensorflow.python.data.experimental.ops.take_while_ops._TakeWhileDataset
# %%+ tensorflow.python.data.experimental.ops.unique._UniqueDataset
# %%+ tensorflow.python.data.ops.dataset_ops.AutotuneAlgorithm
# %%+ tensorflow.python.data.ops.dataset_ops.Options
# %%+ tensorflow.python.data.ops.dataset_ops.CacheDataset
# %%+ tensorflow.python.data.ops.dataset_ops.ConcatenateDataset
# %%+ tensorflow.python.data.ops.dataset_ops.FilterDataset
# %%+ tensorflow.python.data.ops.dataset_ops.FlatMapDataset
# %%+ tensorflow.python.data.ops.dataset_ops._GeneratorDataset
# %%+ tensorflow.python.data.ops.dataset_ops.SparseTensorSliceDataset
# %%+ tensorflow.python.data.ops.dataset_ops.TensorSliceDataset
# %%+ tensorflow.python.data.ops.dataset_ops.TensorDataset
# %%+ tensorflow.python.data.ops.dataset_ops.InterleaveDataset
# %%+ tensorflow.python.data.ops.dataset_ops.ParallelInterleaveDataset
# %%+ tensorflow.python.data.ops.dataset_ops.MapDataset
# %%+ tensorflow.python.data.ops.dataset_ops.ParallelMapDataset
# %%+ tensorflow.python.data.ops.dataset_ops.PaddedBatchDataset
# %%+ tensorflow.python.data.ops.dataset_ops._is_padded_shape_compatible_with
# %%+ tensorflow.python.data.ops.dataset_ops._padded_shape_to_tensor
# %%+ tensorflow.python.data.ops.dataset_ops._padding_value_to_tensor
# %%+ tensorflow.python.data.ops.dataset_ops.RangeDataset
# %%+ tensorflow.python.data.ops.dataset_ops.ShardDataset
# %%+ tensorflow.python.data.ops.dataset_ops.SkipDataset
# %%+ tensorflow.python.data.ops.dataset_ops.TakeDataset
# %%+ tensorflow.python.data.ops.dataset_ops._UnbatchDataset
# %%+ tensorflow.python.data.ops.dataset_ops.WindowDataset
# %%+ tensorflow.python.data.ops.dataset_ops.ZipDataset
# %%+ tensorflow.python.data.util.nest._sequence_like tensorflow.python.data.util.nest._yield_value
# %%+ tensorflow.python.framework.config.get_virtual_device_configuration
# %%+ tensorflow.python.framework.config.set_virtual_device_configuration
# %%+ tensorflow.python.framework.constant_op._constant_tensor_conversion_function
# %%+ tensorflow.python.framework.ops._DefaultStack
# %%+ tensorflow.python.framework.ops._default_session_stack
# %%+ tensorflow.python.framework.ops._override_helper
# %%+ tensorflow.python.framework.ops._eval_using_default_session
# %%+ tensorflow.python.framework.ops._is_keras_symbolic_tensor
# %%+ tensorflow.python.layers.utils.get_reachable_from_inputs
# %%+ tensorflow.python.ops.array_ops._check_index tensorflow.python.ops.array_ops._slice_helper
# %%+ tensorflow.python.ops.array_ops._SliceHelperVar
# %%+ tensorflow.python.ops.control_flow_ops._summarize_eager
# %%+ tensorflow.python.ops.control_flow_ops._UnpackIfSingleton
# %%+ tensorflow.python.ops.control_flow_ops._cast_indexed_slice_indices
# %%+ tensorflow.python.ops.control_flow_ops.cond_for_tf_v2
# %%+ tensorflow.python.ops.control_flow_ops._assert_at_most_n_true
# %%+ tensorflow.python.ops.control_flow_ops._case_create_default_action
# %%+ tensorflow.python.ops.control_flow_ops._case_verify_and_canonicalize_args
# %%+ tensorflow.python.ops.control_flow_ops._case_helper
# %%+ tensorflow.python.ops.control_flow_ops._indexed_case_verify_and_canonicalize_args
# %%+ tensorflow.python.ops.control_flow_ops._indexed_case_helper
# %%+ tensorflow.python.ops.control_flow_v2_toggles.output_all_intermediates
# %%+ tensorflow.python.ops.custom_gradient.get_dependent_variables
# %%+ tensorflow.python.ops.lookup_ops._check_table_dtypes
# %%+ tensorflow.python.ops.math_ops._sparse_dense_truediv
# %%+ tensorflow.python.ops.math_ops.bincount tensorflow.python.ops.math_ops.bincount_v1
# %%+ tensorflow.python.ops.math_ops.bessel_i0e
# %%+ tensorflow.python.ops.math_ops.bessel_i1e tensorflow.python.ops.math_ops._calc_mat_mul_flops
# %%+ tensorflow.python.ops.math_ops._calc_batch_mat_mul_flops
# %%+ tensorflow.python.ops.nn_grad._BatchNormGrad
# %%+ tensorflow.python.ops.nn_grad._FusedBatchNormGradGrad
# %%+ tensorflow.python.ops.nn_grad._FusedBatchNormGradGradV2
# %%+ tensorflow.python.ops.nn_grad._FusedBatchNormGradGradV3
# %%+ tensorflow.python.ops.nn_impl.l2_normalize_v2 tensorflow.python.ops.nn_ops._convert_padding
# %%+ tensorflow.python.ops.ragged.ragged_dispatch._ragged_expand_dims_v1
# %%+ tensorflow.python.ops.ragged.ragged_dispatch._ragged_size_v1
# %%+ tensorflow.python.ops.ragged.ragged_dispatch._ragged_gather_v1
# %%+ tensorflow.python.ops.ragged.ragged_dispatch._ragged_gather_nd_v1
# %%+ tensorflow.python.ops.ragged.ragged_dispatch._ragged_squeeze_v1
# %%+ tensorflow.python.ops.resource_variable_ops.variable_handle_from_shape_and_dtype
# %%+ tensorflow.python.ops.resource_variable_ops._to_proto_fn
# %%+ tensorflow.python.ops.summary_ops_v2.ResourceSummaryWriter
# %%+ tensorflow.python.ops.summary_ops_v2.NoopSummaryWriter
# %%+ tensorflow.python.ops.summary_ops_v2._graph
# %%+ tensorflow.python.saved_model.load._RestoredResource
# %%+ tensorflow.python.saved_model.loader_impl._parse_saved_model
# %%+ tensorflow.python.saved_model.utils_impl.get_or_create_variables_dir
# %%+ tensorflow.python.saved_model.utils_impl.get_or_create_assets_dir
# %%+ tensorflow.python.saved_model.utils_impl.get_assets_dir
# %%+ tensorflow.python.training.experimental.mixed_precision.enable_mixed_precision_graph_rewrite
# %%+ tensorflow.python.training.experimental.mixed_precision.disable_mixed_precision_graph_rewrite
# %%+ tensorflow.python.training.tracking.base.CheckpointPosition
# %%+ tensorflow.python.training.tracking.data_structures._wrap_or_unwrap
# %%+ tensorflow.python.training.tracking.graph_view._escape_local_name
# %%+ tensorflow.python.training.tracking.tracking.TrackableAsset
# %%+ tensorflow.python.training.tracking.tracking.ResourceTracker
# %%+ tensorflow.python.training.tracking.tracking.resource_tracker_scope
# %%+ tensorflow.python.training.tracking.tracking.CapturableResource
# %%+ tensorflow.python.training.tracking.tracking.TrackableResource
# %%+ tensorflow.python.training.tracking.tracking.cached_per_instance
# %%+ tensorflow.python.util.nest._get_attrs_items tensorflow.python.util.nest._DotString
# %%+ tensorflow.python.util.nest._DOT tensorflow.python.util.nest._yield_flat_up_to
import importlib
NAMES = """
data.experimental.ops.error_ops: _IgnoreErrorsDataset
data.experimental.ops.grouping: _GroupByWindowDataset
data.experimental.ops.interleave_ops: _DirectedInterleaveDataset
data.experimental.ops.resampling: _get_prob_original_static _filter_ds _estimate_initial_dist_ds
    _get_target_to_initial_ratio _estimate_data_distribution
    _calculate_acceptance_probs_with_mixing
data.experimental.ops.scan_ops: _ScanDataset
data.experimental.ops.snapshot: _SnapshotDataset
data.experimental.ops.take_while_ops: _TakeWhileDataset
data.experimental.ops.unique: _UniqueDataset
data.ops.dataset_ops: AutotuneAlgorithm Options CacheDataset ConcatenateDataset FilterDataset
    FlatMapDataset _GeneratorDataset SparseTensorSliceDataset TensorSliceDataset TensorDataset
    InterleaveDataset ParallelInterleaveDataset MapDataset ParallelMapDataset PaddedBatchDataset
    _is_padded_shape_compatible_with _padded_shape_to_tensor _padding_value_to_tensor RangeDataset
    ShardDataset SkipDataset TakeDataset _UnbatchDataset WindowDataset ZipDataset
data.util.nest: _sequence_like _yield_value
framework.config: get_virtual_device_configuration set_virtual_device_configuration
framework.constant_op: _constant_tensor_conversion_function
framework.ops: _DefaultStack _default_session_stack _override_helper _eval_using_default_session
    _is_keras_symbolic_tensor
layers.utils: get_reachable_from_inputs
ops.array_ops: _check_index _slice_helper _SliceHelperVar
ops.control_flow_ops: _summarize_eager _UnpackIfSingleton _cast_indexed_slice_indices
    cond_for_tf_v2 _assert_at_most_n_true _case_create_default_action
    _case_verify_and_canonicalize_args _case_helper _indexed_case_verify_and_canonicalize_args
    _indexed_case_helper
ops.control_flow_v2_toggles: output_all_intermediates
ops.custom_gradient: get_dependent_variables
ops.lookup_ops: _check_table_dtypes
ops.math_ops: _sparse_dense_truediv bincount bincount_v1 bessel_i0e bessel_i1e _calc_mat_mul_flops
    _calc_batch_mat_mul_flops
ops.nn_grad: _BatchNormGrad _FusedBatchNormGradGrad _FusedBatchNormGradGradV2
    _FusedBatchNormGradGradV3
ops.nn_impl: l2_normalize_v2
ops.nn_ops: _convert_padding
ops.ragged.ragged_dispatch: _ragged_expand_dims_v1 _ragged_size_v1 _ragged_gather_v1
    _ragged_gather_nd_v1 _ragged_squeeze_v1
ops.resource_variable_ops: variable_handle_from_shape_and_dtype _to_proto_fn
ops.summary_ops_v2: ResourceSummaryWriter NoopSummaryWriter _graph
saved_model.load: _RestoredResource
saved_model.loader_impl: _parse_saved_model
saved_model.utils_impl: get_or_create_variables_dir get_or_create_assets_dir get_assets_dir
training.experimental.mixed_precision: enable_mixed_precision_graph_rewrite
    disable_mixed_precision_graph_rewrite
training.tracking.base: CheckpointPosition
training.tracking.data_structures: _wrap_or_unwrap
training.tracking.graph_view: _escape_local_name
training.tracking.tracking: TrackableAsset ResourceTracker resource_tracker_scope
    CapturableResource TrackableResource cached_per_instance
util.nest: _get_attrs_items _DotString _DOT _yield_flat_up_to
"""
for line in NAMES.strip().replace("\n    ", " ").splitlines():
    place, names = line.split(": ")
    module = importlib.import_module("tensorflow.python." + place)
    print(place, [name for name in names.split() if not hasattr(module, name)])

# %% tensorflow.python.pywrap_tensorflow.TF_AddControlInput
# %%+ tensorflow.python.pywrap_tensorflow.TF_AddInput
# %%+ tensorflow.python.pywrap_tensorflow.TF_AddInputList
# %%+ tensorflow.python.pywrap_tensorflow.TF_ApiDefMapGet
# %%+ tensorflow.python.pywrap_tensorflow.TF_ApiDefMapPut
# %%+ tensorflow.python.pywrap_tensorflow.TF_Buffer
# %%+ tensorflow.python.pywrap_tensorflow.TF_CloseSession
# %%+ tensorflow.python.pywrap_tensorflow.TF_DeleteApiDefMap
# %%+ tensorflow.python.pywrap_tensorflow.TF_DeleteBuffer
# %%+ tensorflow.python.pywrap_tensorflow.TF_DeleteDeviceList
# %%+ tensorflow.python.pywrap_tensorflow.TF_DeleteFunction
# %%+ tensorflow.python.pywrap_tensorflow.TF_DeleteImportGraphDefOptions
# %%+ tensorflow.python.pywrap_tensorflow.TF_DeleteImportGraphDefResults
# %%+ tensorflow.python.pywrap_tensorflow.TF_DeleteLibraryHandle
# %%+ tensorflow.python.pywrap_tensorflow.TF_DeleteSession
# %%+ tensorflow.python.pywrap_tensorflow.TF_DeleteSessionOptions
# %%+ tensorflow.python.pywrap_tensorflow.TF_DeleteStatus
# %%+ tensorflow.python.pywrap_tensorflow.TF_DeviceListCount
# %%+ tensorflow.python.pywrap_tensorflow.TF_DeviceListIncarnation
# %%+ tensorflow.python.pywrap_tensorflow.TF_DeviceListMemoryBytes
# %%+ tensorflow.python.pywrap_tensorflow.TF_DeviceListName
# %%+ tensorflow.python.pywrap_tensorflow.TF_DeviceListType
# %%+ tensorflow.python.pywrap_tensorflow.TF_FinishOperation
# %%+ tensorflow.python.pywrap_tensorflow.TF_FunctionImportFunctionDef
# %%+ tensorflow.python.pywrap_tensorflow.TF_FunctionSetAttrValueProto
# %%+ tensorflow.python.pywrap_tensorflow.TF_FunctionToFunctionDef
# %%+ tensorflow.python.pywrap_tensorflow.TF_GetAllOpList
# %%+ tensorflow.python.pywrap_tensorflow.TF_GetAllRegisteredKernels
# %%+ tensorflow.python.pywrap_tensorflow.TF_GetBuffer
# %%+ tensorflow.python.pywrap_tensorflow.TF_GetCode
# %%+ tensorflow.python.pywrap_tensorflow.TF_GetOpList
# %%+ tensorflow.python.pywrap_tensorflow.TF_GetRegisteredKernelsForOp
# %%+ tensorflow.python.pywrap_tensorflow.TF_GetXlaConstantFoldingDisabled
# %%+ tensorflow.python.pywrap_tensorflow.TF_GraphCopyFunction
# %%+ tensorflow.python.pywrap_tensorflow.TF_GraphImportGraphDefWithResults
# %%+ tensorflow.python.pywrap_tensorflow.TF_GraphNextOperation
# %%+ tensorflow.python.pywrap_tensorflow.TF_GraphSetOutputHandleShapesAndTypes_wrapper
# %%+ tensorflow.python.pywrap_tensorflow.TF_GraphToFunction_wrapper
# %%+ tensorflow.python.pywrap_tensorflow.TF_GraphToGraphDef
# %%+ tensorflow.python.pywrap_tensorflow.TF_ImportGraphDefOptionsAddInputMapping
# %%+ tensorflow.python.pywrap_tensorflow.TF_ImportGraphDefOptionsAddReturnOperation
# %%+ tensorflow.python.pywrap_tensorflow.TF_ImportGraphDefOptionsAddReturnOutput
# %%+ tensorflow.python.pywrap_tensorflow.TF_ImportGraphDefOptionsRemapControlDependency
# %%+ tensorflow.python.pywrap_tensorflow.TF_ImportGraphDefOptionsSetPrefix
# %%+ tensorflow.python.pywrap_tensorflow.TF_ImportGraphDefOptionsSetUniquifyNames
# %%+ tensorflow.python.pywrap_tensorflow.TF_ImportGraphDefOptionsSetValidateColocationConstraints
# %%+ tensorflow.python.pywrap_tensorflow.TF_ImportGraphDefResultsMissingUnusedInputMappings_wrapper
# %%+ tensorflow.python.pywrap_tensorflow.TF_ImportGraphDefResultsReturnOperations
# %%+ tensorflow.python.pywrap_tensorflow.TF_ImportGraphDefResultsReturnOutputs
# %%+ tensorflow.python.pywrap_tensorflow.TF_Input
# %%+ tensorflow.python.pywrap_tensorflow.TF_LoadLibrary
# %%+ tensorflow.python.pywrap_tensorflow.TF_NewApiDefMap
# %%+ tensorflow.python.pywrap_tensorflow.TF_NewBuffer
# %%+ tensorflow.python.pywrap_tensorflow.TF_NewBufferFromString
# %%+ tensorflow.python.pywrap_tensorflow.TF_NewImportGraphDefOptions
# %%+ tensorflow.python.pywrap_tensorflow.TF_NewOperation
# %%+ tensorflow.python.pywrap_tensorflow.TF_NewServer
# %%+ tensorflow.python.pywrap_tensorflow.TF_NewSession
# %%+ tensorflow.python.pywrap_tensorflow.TF_NewSessionRef
# %%+ tensorflow.python.pywrap_tensorflow.TF_NewStatus
# %%+ tensorflow.python.pywrap_tensorflow.TF_OperationDevice
# %%+ tensorflow.python.pywrap_tensorflow.TF_OperationGetAttrBool
# %%+ tensorflow.python.pywrap_tensorflow.TF_OperationGetAttrInt
# %%+ tensorflow.python.pywrap_tensorflow.TF_OperationGetAttrType
# %%+ tensorflow.python.pywrap_tensorflow.TF_OperationGetAttrValueProto
# %%+ tensorflow.python.pywrap_tensorflow.TF_OperationGetControlOutputs_wrapper
# %%+ tensorflow.python.pywrap_tensorflow.TF_OperationInputType
# %%+ tensorflow.python.pywrap_tensorflow.TF_OperationName
# %%+ tensorflow.python.pywrap_tensorflow.TF_OperationNumInputs
# %%+ tensorflow.python.pywrap_tensorflow.TF_OperationNumOutputs
# %%+ tensorflow.python.pywrap_tensorflow.TF_OperationOpType
# %%+ tensorflow.python.pywrap_tensorflow.TF_OperationOutputType
# %%+ tensorflow.python.pywrap_tensorflow.TF_OperationToNodeDef
# %%+ tensorflow.python.pywrap_tensorflow.TF_Output
# %%+ tensorflow.python.pywrap_tensorflow.TF_Reset_wrapper
# %%+ tensorflow.python.pywrap_tensorflow.TF_ServerJoin
# %%+ tensorflow.python.pywrap_tensorflow.TF_ServerStart
# %%+ tensorflow.python.pywrap_tensorflow.TF_ServerStop
# %%+ tensorflow.python.pywrap_tensorflow.TF_ServerTarget
# %%+ tensorflow.python.pywrap_tensorflow.TF_SessionListDevices
# %%+ tensorflow.python.pywrap_tensorflow.TF_SessionMakeCallable
# %%+ tensorflow.python.pywrap_tensorflow.TF_SessionPRunSetup_wrapper
# %%+ tensorflow.python.pywrap_tensorflow.TF_SessionPRun_wrapper
# %%+ tensorflow.python.pywrap_tensorflow.TF_SessionReleaseCallable
# %%+ tensorflow.python.pywrap_tensorflow.TF_SessionRunCallable
# %%+ tensorflow.python.pywrap_tensorflow.TF_SessionRun_wrapper
# %%+ tensorflow.python.pywrap_tensorflow.TF_SetAttrValueProto
# %%+ tensorflow.python.pywrap_tensorflow.TF_SetDevice
# %%+ tensorflow.python.pywrap_tensorflow.TF_SetXlaAutoJitMode
# %%+ tensorflow.python.pywrap_tensorflow.TF_SetXlaConstantFoldingDisabled
# %%+ tensorflow.python.pywrap_tensorflow.TF_SetXlaEnableLazyCompilation
# %%+ tensorflow.python.pywrap_tensorflow.TF_SetXlaMinClusterSize
# %%+ tensorflow.python.pywrap_tensorflow.TF_TryEvaluateConstant_wrapper
from tensorflow.python import pywrap_tensorflow
NAMES = """
TF_AddControlInput TF_AddInput TF_AddInputList TF_ApiDefMapGet TF_ApiDefMapPut TF_Buffer
TF_CloseSession TF_DeleteApiDefMap TF_DeleteBuffer TF_DeleteDeviceList TF_DeleteFunction
TF_DeleteImportGraphDefOptions TF_DeleteImportGraphDefResults TF_DeleteLibraryHandle
TF_DeleteSession TF_DeleteSessionOptions TF_DeleteStatus TF_DeviceListCount
TF_DeviceListIncarnation TF_DeviceListMemoryBytes TF_DeviceListName TF_DeviceListType
TF_FinishOperation TF_FunctionImportFunctionDef TF_FunctionSetAttrValueProto
TF_FunctionToFunctionDef TF_GetAllOpList TF_GetAllRegisteredKernels TF_GetBuffer TF_GetCode
TF_GetOpList TF_GetRegisteredKernelsForOp TF_GetXlaConstantFoldingDisabled TF_GraphCopyFunction
TF_GraphImportGraphDefWithResults TF_GraphNextOperation
TF_GraphSetOutputHandleShapesAndTypes_wrapper TF_GraphToFunction_wrapper TF_GraphToGraphDef
TF_ImportGraphDefOptionsAddInputMapping TF_ImportGraphDefOptionsAddReturnOperation
TF_ImportGraphDefOptionsAddReturnOutput TF_ImportGraphDefOptionsRemapControlDependency
TF_ImportGraphDefOptionsSetPrefix TF_ImportGraphDefOptionsSetUniquifyNames
TF_ImportGraphDefOptionsSetValidateColocationConstraints
TF_ImportGraphDefResultsMissingUnusedInputMappings_wrapper
TF_ImportGraphDefResultsReturnOperations TF_ImportGraphDefResultsReturnOutputs TF_Input
TF_LoadLibrary TF_NewApiDefMap TF_NewBuffer TF_NewBufferFromString TF_NewImportGraphDefOptions
TF_NewOperation TF_NewServer TF_NewSession TF_NewSessionRef TF_NewStatus TF_OperationDevice
TF_OperationGetAttrBool TF_OperationGetAttrInt TF_OperationGetAttrType
TF_OperationGetAttrValueProto TF_OperationGetControlOutputs_wrapper TF_OperationInputType
TF_OperationName TF_OperationNumInputs TF_OperationNumOutputs TF_OperationOpType
TF_OperationOutputType TF_OperationToNodeDef TF_Output TF_Reset_wrapper TF_ServerJoin
TF_ServerStart TF_ServerStop TF_ServerTarget TF_SessionListDevices TF_SessionMakeCallable
TF_SessionPRunSetup_wrapper TF_SessionPRun_wrapper TF_SessionReleaseCallable
TF_SessionRunCallable TF_SessionRun_wrapper TF_SetAttrValueProto TF_SetDevice
TF_SetXlaAutoJitMode TF_SetXlaConstantFoldingDisabled TF_SetXlaEnableLazyCompilation
TF_SetXlaMinClusterSize TF_TryEvaluateConstant_wrapper
"""
for name in NAMES.split():
    print(name, callable(getattr(pywrap_tensorflow, name)))
