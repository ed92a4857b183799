"""What was measured to make as many ops as in TF 1.15, and what was not.

Written by `scripts/generate/measure_op_counts.py`.
"""


def _functions(text):
    """The names "module:function" of paragraphs "module:" and its functions."""
    module, names = "", set()
    for word in text.split():
        if word.endswith(":"):
            module = word
        else:
            names.add(module + word)
    return frozenset(names)


COVERED = _functions(
    """
tensorflow.python.data.ops.dataset_ops:
    DatasetV1Adapter.apply DatasetV1Adapter.batch DatasetV1Adapter.cache
    DatasetV1Adapter.concatenate DatasetV1Adapter.filter DatasetV1Adapter.flat_map
    DatasetV1Adapter.interleave DatasetV1Adapter.make_initializable_iterator
    DatasetV1Adapter.make_one_shot_iterator DatasetV1Adapter.map DatasetV1Adapter.padded_batch
    DatasetV1Adapter.prefetch DatasetV1Adapter.repeat DatasetV1Adapter.shard
    DatasetV1Adapter.shuffle DatasetV1Adapter.skip DatasetV1Adapter.take
    TFRecordDatasetV1.make_initializable_iterator TextLineDatasetV1.make_initializable_iterator
    from_generator from_tensor_slices make_initializable_iterator make_one_shot_iterator range zip
tensorflow.python.data.ops.iterator_ops:
    Iterator.get_next from_structure
tensorflow.python.data.ops.readers:
    TFRecordDatasetV1.__init__ TextLineDatasetV1.__init__
tensorflow.python.feature_column.feature_column:
    input_layer
tensorflow.python.feature_column.feature_column_v2:
    _StateManagerImpl.create_variable
tensorflow.python.framework.constant_op:
    constant constant_v1
tensorflow.python.framework.ops:
    Graph._create_op_internal
tensorflow.python.framework.override_binary_operator:
    binary_op_wrapper binary_op_wrapper_sparse r_binary_op_wrapper
tensorflow.python.framework.sparse_tensor:
    SparseTensor.__init__
tensorflow.python.framework.tensor_conversion:
    convert_to_tensor_v1_with_dispatch
tensorflow.python.keras.optimizer_v2.legacy_learning_rate_decay:
    cosine_decay exponential_decay inverse_time_decay natural_exp_decay piecewise_constant
    polynomial_decay
tensorflow.python.ops.array_ops:
    batch_gather batch_to_space boolean_mask concat edit_distance fill gather gather_nd
    guarantee_const matrix_set_diag meshgrid one_hot ones pad placeholder placeholder_with_default
    quantize_and_dequantize quantize_v2 rank required_space_to_batch_paddings reverse_sequence
    searchsorted sequence_mask setdiff1d shape size slice space_to_batch space_to_depth
    sparse_placeholder split strided_slice tensor_scatter_nd_update unique where where_v2 wrapped
tensorflow.python.ops.array_ops_stack:
    stack unstack
tensorflow.python.ops.bincount_ops:
    bincount_v1
tensorflow.python.ops.candidate_sampling_ops:
    fixed_unigram_candidate_sampler learned_unigram_candidate_sampler log_uniform_candidate_sampler
    uniform_candidate_sampler
tensorflow.python.ops.check_ops:
    assert_equal assert_greater assert_less_equal assert_non_negative assert_positive assert_rank
    assert_rank_at_least ensure_shape
tensorflow.python.ops.clip_ops:
    clip_by_average_norm clip_by_global_norm clip_by_norm global_norm
tensorflow.python.ops.cond:
    cond
tensorflow.python.ops.confusion_matrix:
    confusion_matrix_v1
tensorflow.python.ops.control_flow_case:
    case
tensorflow.python.ops.control_flow_ops:
    group tuple with_dependencies
tensorflow.python.ops.ctc_ops:
    ctc_beam_search_decoder ctc_greedy_decoder ctc_loss
tensorflow.python.ops.custom_gradient:
    Bind.__call__
tensorflow.python.ops.data_flow_ops:
    FIFOQueue.__init__ FIFOQueue.dequeue_many RandomShuffleQueue.__init__
    RandomShuffleQueue.dequeue_many
tensorflow.python.ops.distributions.bernoulli:
    Bernoulli.__init__
tensorflow.python.ops.distributions.beta:
    Beta.__init__
tensorflow.python.ops.distributions.categorical:
    Categorical.__init__
tensorflow.python.ops.distributions.distribution:
    Bernoulli.sample Beta.sample Categorical.entropy Categorical.log_prob Categorical.sample
    ExpRelaxedOneHotCategorical.is_scalar_batch ExpRelaxedOneHotCategorical.is_scalar_event
    ExpRelaxedOneHotCategorical.sample Gamma.sample Normal.is_scalar_batch Normal.is_scalar_event
    Normal.log_prob Normal.sample OneHotCategorical.sample Uniform.sample
tensorflow.python.ops.distributions.gamma:
    Gamma.__init__
tensorflow.python.ops.distributions.kullback_leibler:
    kl_divergence
tensorflow.python.ops.distributions.normal:
    Normal.__init__
tensorflow.python.ops.distributions.uniform:
    Uniform.__init__
tensorflow.python.ops.distributions.util:
    get_logits_and_probs pick_vector rotate_transpose
tensorflow.python.ops.embedding_ops:
    embedding_lookup embedding_lookup_sparse safe_embedding_lookup_sparse
tensorflow.python.ops.functional_ops:
    foldl foldr scan
tensorflow.python.ops.gen_array_ops:
    batch_to_space_nd bitcast broadcast_to check_numerics diag extract_volume_patches
    fake_quant_with_min_max_args fake_quant_with_min_max_vars
    fake_quant_with_min_max_vars_per_channel fill gather_nd identity_n invert_permutation
    matrix_band_part reverse_sequence reverse_v2 scatter_nd space_to_batch_nd tensor_scatter_add
    tensor_scatter_sub tile
tensorflow.python.ops.gen_control_flow_ops:
    no_op
tensorflow.python.ops.gen_data_flow_ops:
    dynamic_partition dynamic_stitch
tensorflow.python.ops.gen_image_ops:
    decode_jpeg decode_png resize_area rgb_to_hsv
tensorflow.python.ops.gen_linalg_ops:
    cholesky log_matrix_determinant matrix_determinant matrix_inverse matrix_solve
    matrix_square_root qr
tensorflow.python.ops.gen_math_ops:
    add arg_max atan2 betainc cross greater greater_equal igamma igammac is_finite is_inf is_nan
    less less_equal log logical_and logical_not logical_or neg next_after polygamma segment_max
    segment_mean segment_min segment_prod segment_sum sparse_mat_mul square squared_difference tanh
    unsorted_segment_max unsorted_segment_min unsorted_segment_prod unsorted_segment_sum xlogy zeta
tensorflow.python.ops.gen_nn_ops:
    bias_add_grad elu l2_loss lrn relu selu softsign
tensorflow.python.ops.gen_rnn_ops:
    block_lstm gru_block_cell gru_block_cell_grad lstm_block_cell lstm_block_cell_grad
tensorflow.python.ops.gen_spectral_ops:
    fft fft2d fft3d ifft ifft2d ifft3d
tensorflow.python.ops.gen_string_ops:
    as_string
tensorflow.python.ops.gen_training_ops:
    apply_adam resource_apply_adam
tensorflow.python.ops.gradients_impl:
    gradients
tensorflow.python.ops.histogram_ops:
    histogram_fixed_width
tensorflow.python.ops.image_ops_impl:
    adjust_brightness adjust_contrast adjust_gamma convert_image_dtype crop_and_resize_v1
    crop_to_bounding_box draw_bounding_boxes flip_left_right grayscale_to_rgb image_gradients
    non_max_suppression pad_to_bounding_box per_image_standardization psnr random_brightness
    random_contrast random_flip_left_right random_flip_up_down random_hue random_jpeg_quality
    random_saturation resize_bicubic resize_bilinear resize_image_with_crop_or_pad resize_images
    resize_nearest_neighbor rgb_to_grayscale rot90 sample_distorted_bounding_box sobel_edges ssim
    total_variation transpose
tensorflow.python.ops.io_ops:
    TFRecordReader.__init__ TFRecordReader.read
tensorflow.python.ops.linalg.linalg_impl:
    logdet tridiagonal_matmul tridiagonal_solve
tensorflow.python.ops.linalg.linear_operator:
    LinearOperatorDiag.batch_shape_tensor LinearOperatorDiag.matmul
    LinearOperatorDiag.range_dimension_tensor
tensorflow.python.ops.linalg_ops:
    cholesky_solve eye matrix_solve_ls matrix_triangular_solve norm self_adjoint_eig
    self_adjoint_eigvals svd
tensorflow.python.ops.logging_ops:
    Print
tensorflow.python.ops.losses.losses_impl:
    absolute_difference compute_weighted_loss cosine_distance hinge_loss huber_loss log_loss
    mean_pairwise_squared_error mean_squared_error sigmoid_cross_entropy softmax_cross_entropy
    sparse_softmax_cross_entropy
tensorflow.python.ops.losses.util:
    get_total_loss
tensorflow.python.ops.manip_ops:
    roll
tensorflow.python.ops.map_fn:
    map_fn
tensorflow.python.ops.math_ops:
    abs accumulate_n add_n argmax argmin cast complex count_nonzero cumprod cumsum
    cumulative_logsumexp div equal floordiv linspace_nd logical_xor mod multiply multiply_no_nan
    not_equal pow range reduce_all reduce_all_v1 reduce_any_v1 reduce_euclidean_norm
    reduce_logsumexp_v1 reduce_std reduce_sum reduce_variance sigmoid softplus sparse_segment_mean
    sparse_segment_sqrt_n sparse_segment_sum subtract to_double to_float to_int32 to_int64 truediv
    unsorted_segment_mean unsorted_segment_sqrt_n xdivy
tensorflow.python.ops.metrics_impl:
    accuracy auc false_positives mean mean_absolute_error mean_iou mean_per_class_accuracy
    mean_squared_error precision precision_at_k recall recall_at_k root_mean_squared_error
    true_positives
tensorflow.python.ops.nn_impl:
    batch_norm_with_global_normalization batch_normalization depthwise_conv2d fused_batch_norm
    l2_normalize log_poisson_loss moments nce_loss normalize_moments relu_layer sampled_softmax_loss
    separable_conv2d sigmoid_cross_entropy_with_logits weighted_cross_entropy_with_logits
    zero_fraction
tensorflow.python.ops.nn_ops:
    atrous_conv2d avg_pool avg_pool3d bias_add conv1d conv2d conv2d_backprop_input conv2d_transpose
    conv3d_transpose conv3d_v1 convolution crelu depthwise_conv2d_native dilation2d_v1 dropout
    erosion2d fractional_avg_pool fractional_max_pool in_top_k leaky_relu log_softmax max_pool
    max_pool3d max_pool_with_argmax_v1 pool relu6 softmax softmax_cross_entropy_with_logits
    softmax_cross_entropy_with_logits_v2_helper sparse_softmax_cross_entropy_with_logits top_k
    xw_plus_b
tensorflow.python.ops.parsing_ops:
    decode_csv decode_raw_v1
tensorflow.python.ops.ragged.ragged_string_ops:
    string_split
tensorflow.python.ops.random_crop_ops:
    random_crop
tensorflow.python.ops.random_ops:
    categorical multinomial random_gamma random_normal random_poisson random_shuffle random_uniform
    truncated_normal
tensorflow.python.ops.ref_variable:
    RefVariable.assign RefVariable.assign_add RefVariable.assign_sub RefVariable.read_value
tensorflow.python.ops.resource_variable_ops:
    ResourceVariable.read_value ResourceVariable.value
tensorflow.python.ops.rnn:
    bidirectional_dynamic_rnn dynamic_rnn raw_rnn static_bidirectional_rnn static_rnn
tensorflow.python.ops.rnn_cell_impl:
    _zero_state_tensors
tensorflow.python.ops.script_ops:
    eager_py_func py_func
tensorflow.python.ops.signal.fft_ops:
    _fft2d_grad _fft3d_grad _fft_grad _ifft2d_grad _ifft3d_grad _ifft_grad
tensorflow.python.ops.sort_ops:
    argsort
tensorflow.python.ops.sparse_ops:
    sparse_add sparse_concat sparse_fill_empty_rows sparse_maximum sparse_minimum sparse_reduce_sum
    sparse_reorder sparse_retain sparse_slice sparse_softmax sparse_tensor_dense_matmul
    sparse_tensor_to_dense sparse_to_dense
tensorflow.python.ops.special_math_ops:
    _einsum_v1 bessel_i0e bessel_i1e lbeta
tensorflow.python.ops.state_ops:
    assign assign_add assign_sub scatter_add scatter_update
tensorflow.python.ops.string_ops:
    reduce_join string_join string_length string_to_number_v1
tensorflow.python.ops.tensor_array_ops:
    TensorArray.__init__ TensorArray.concat TensorArray.read TensorArray.stack
tensorflow.python.ops.tensor_getitem_override:
    _slice_helper _slice_helper_var
tensorflow.python.ops.tensor_math_operator_overrides:
    _abs_factory wrapper
tensorflow.python.ops.variable_scope:
    _true_getter get_variable
tensorflow.python.ops.variable_v1:
    RefVariable.initialized_value
tensorflow.python.ops.variables:
    __call__ _run_op global_variables_initializer local_variables_initializer
tensorflow.python.ops.weak_tensor_ops:
    wrapper
tensorflow.python.ops.weights_broadcast_ops:
    broadcast_weights
tensorflow.python.ops.while_loop:
    while_loop
tensorflow.python.profiler.trace:
    wrapped
tensorflow.python.summary.summary:
    histogram image merge merge_all scalar text
tensorflow.python.trackable.base:
    Sequential._method_wrapper
tensorflow.python.training.adam:
    AdamWOptimizer._apply_dense AdamWOptimizer._prepare AdamWOptimizer._resource_apply_dense
tensorflow.python.training.input:
    batch input_producer range_input_producer shuffle_batch slice_input_producer
    string_input_producer
tensorflow.python.training.moving_averages:
    ExponentialMovingAverage.apply assign_moving_average
tensorflow.python.training.optimizer:
    AdadeltaOptimizer.minimize AdagradDAOptimizer.minimize AdagradOptimizer.minimize
    AdamOptimizer.apply_gradients AdamOptimizer.compute_gradients AdamOptimizer.minimize
    AdamWOptimizer.apply_gradients AdamWOptimizer.minimize FtrlOptimizer.minimize
    GradientDescentOptimizer.apply_gradients GradientDescentOptimizer.compute_gradients
    GradientDescentOptimizer.minimize LazyAdamOptimizer.minimize MomentumOptimizer.minimize
    NadamOptimizer.minimize ProximalAdagradOptimizer.minimize
    ProximalGradientDescentOptimizer.minimize RMSPropOptimizer.minimize
tensorflow.python.training.saver:
    Saver.__init__
tensorflow.python.training.training_util:
    _get_or_create_global_step_read _increment_global_step create_global_step
    get_or_create_global_step
tensorflow.python.util.nest:
    map_structure
tensorflow.python.util.tf_export:
    wrapper
tensorflow.python.util.tf_should_use:
    wrapped
tf_keras.src.engine.base_layer_v1:
    Activation.__call__ Add.__call__ BatchNormalization.__call__ Concatenate.__call__
    Conv2D.__call__ Conv2DTranspose.__call__ Dense.__call__ Dropout.__call__ Embedding.__call__
    Flatten.__call__ GlobalAveragePooling2D.__call__ LeakyReLU.__call__ MaxPooling2D.__call__
    Reshape.__call__ _LinearModelLayer.add_weight
tf_keras.src.engine.input_layer:
    Input
tf_keras.src.engine.training:
    LinearModel.__call__ _DNNModel.__call__
tf_keras.src.layers.rnn.base_rnn:
    GRU.__call__ LSTM.__call__ SimpleRNN.__call__
tf_keras.src.layers.rnn.legacy_cell_wrappers:
    DropoutWrapper.__call__ DropoutWrapper.__init__ ResidualWrapper.__call__
tf_keras.src.layers.rnn.legacy_cells:
    BasicLSTMCell.__call__ BasicLSTMCell.get_initial_state BasicLSTMCell.zero_state
    BasicRNNCell.__call__ GRUCell.__call__ GRUCell.get_initial_state GRUCell.zero_state
    LSTMCell.__call__ MultiRNNCell.__call__ MultiRNNCell.zero_state
tf_keras.src.legacy_tf_layers.base:
    AveragePooling2D.apply BatchNormalization.apply Conv1D.apply Conv2D.apply Conv2DTranspose.apply
    Conv3D.apply Dense.__call__ Dense.apply Dropout.apply Flatten.__call__ GRUBlockCellV2.add_weight
    IndRNNCell.add_weight LSTMBlockCell.add_weight LSTMBlockFusedCell.add_weight MaxPooling2D.apply
    NASCell.add_weight SeparableConv2D.apply
tf_keras.src.legacy_tf_layers.convolutional:
    conv1d conv2d conv2d_transpose conv3d conv3d_transpose separable_conv1d separable_conv2d
tf_keras.src.legacy_tf_layers.core:
    dense dropout flatten
tf_keras.src.legacy_tf_layers.normalization:
    batch_normalization
tf_keras.src.legacy_tf_layers.pooling:
    average_pooling1d average_pooling2d max_pooling1d max_pooling2d max_pooling3d
"""
)

DIFFERENT = _functions(
    """
tensorflow.python.feature_column.feature_column:
    linear_model
tensorflow.python.ops.distributions.bijector_impl:
    AffineLinearOperator.inverse_log_det_jacobian
tensorflow.python.ops.image_ops_impl:
    central_crop decode_image
tensorflow.python.ops.linalg.linear_operator:
    LinearOperatorDiag.log_abs_determinant LinearOperatorDiag.solve
tensorflow.python.ops.nn_impl:
    sufficient_statistics swish weighted_moments
tensorflow.python.ops.parsing_ops:
    parse_example parse_single_example
tensorflow.python.ops.signal.fft_ops:
    _irfft _rfft
tensorflow.python.ops.signal.spectral_ops:
    stft
tensorflow.python.ops.special_math_ops:
    bessel_i0 bessel_i1
tensorflow.python.ops.stateless_random_ops:
    stateless_random_normal stateless_random_uniform
tf_keras.src.backend:
    random_normal
tf_keras.src.engine.base_layer_v1:
    UpSampling2D.__call__
tfgraphtools.compat.contrib.living.beams:
    gather_tree
"""
)

COVERED_GRADIENTS = frozenset(
    """
Abs Acos Acosh Add AddN AddV2 Angle Asin Asinh Atan Atan2 Atanh AvgPool AvgPool3D BatchMatMul
BatchMatMulV2 BatchToSpaceND BesselI0e BiasAdd BlockLSTM BroadcastTo CTCLoss Cast Ceil CheckNumerics
Cholesky Complex ComplexAbs Concat ConcatV2 Conj ConjugateTranspose Conv2D Conv2DBackpropFilter
Conv2DBackpropInput Conv3D Conv3DBackpropFilterV2 Conv3DBackpropInputV2 Cos Cosh CropAndResize Cross
Cumprod Cumsum CumulativeLogsumexp DepthToSpace DepthwiseConv2dNative
DepthwiseConv2dNativeBackpropFilter DepthwiseConv2dNativeBackpropInput Diag DiagPart Digamma
Dilation2D Div DivNoNan DynamicPartition DynamicStitch EagerPyFunc Elu EluGrad EnsureShape Enter Erf
Erfc Exit Exp ExpandDims Expm1 ExtractVolumePatches FFT FFT2D FFT3D FakeQuantWithMinMaxArgs
FakeQuantWithMinMaxVars FakeQuantWithMinMaxVarsPerChannel Fill Floor FloorDiv FloorMod
FractionalAvgPool FractionalMaxPool FusedBatchNormV3 Gather GatherNd GatherV2 IFFT IFFT2D IFFT3D
Identity IdentityN Igamma Igammac Imag Inv L2Loss LRN LeakyRelu LeakyReluGrad Lgamma Log Log1p
LogMatrixDeterminant LogSoftmax MatMul MatrixBandPart MatrixDeterminant MatrixDiagPartV3
MatrixDiagV3 MatrixInverse MatrixSolve MatrixSquareRoot MatrixTriangularSolve Max MaxPool MaxPool3D
MaxPool3DGrad MaxPoolGrad MaxPoolV2 MaxPoolWithArgmax Maximum Mean Merge Min Minimum MirrorPad Mul
MulNoNan Neg NextAfter NextIteration NthElement Pack Pad PadV2 ParallelDynamicStitch
PlaceholderWithDefault Polygamma Pow Print Prod Qr QuantizeAndDequantizeV2 RGBToHSV RandomGamma
ReadVariableOp Real RealDiv Reciprocal ReciprocalGrad Relu Relu6 Relu6Grad ReluGrad Reshape
ResizeBicubic ResizeBilinear ResizeNearestNeighbor ResourceGather Reverse ReverseSequence ReverseV2
Rint Roll Round Rsqrt RsqrtGrad ScatterNd ScatterNdNonAliasingAdd SegmentMax SegmentMean SegmentMin
SegmentProd SegmentSum Select Selu SeluGrad Sigmoid SigmoidGrad Sign Sin Sinh Slice Softmax
SoftmaxCrossEntropyWithLogits Softplus Softsign SpaceToBatchND SpaceToDepth SparseAdd
SparseDenseCwiseDiv SparseDenseCwiseMul SparseFillEmptyRows SparseMatMul SparseReduceSum
SparseReorder SparseSegmentMean SparseSegmentMeanWithNumSegments SparseSegmentSqrtN
SparseSegmentSqrtNWithNumSegments SparseSegmentSum SparseSegmentSumWithNumSegments SparseSlice
SparseSoftmax SparseSoftmaxCrossEntropyWithLogits SparseTensorDenseAdd SparseTensorDenseMatMul
SparseToDense Split SplitV Sqrt SqrtGrad Square SquaredDifference Squeeze StridedSlice
StridedSliceGrad Sub Sum Switch Tan Tanh TanhGrad TensorArrayConcatV3 TensorArrayGatherV3
TensorArrayReadV3 TensorArrayScatterV3 TensorArraySplitV3 TensorArrayWriteV3 TensorScatterAdd
TensorScatterSub TensorScatterUpdate Tile TopKV2 Transpose TridiagonalMatMul TridiagonalSolve Unpack
UnsortedSegmentMax UnsortedSegmentMin UnsortedSegmentProd UnsortedSegmentSum Xdivy Xlogy Zeta
""".split()
)

DIFFERENT_GRADIENTS = frozenset(
    """
BesselI0 BesselI1 BesselI1e Betainc EuclideanNorm ExtractImagePatches IRFFT IRFFT2D MatrixSetDiagV3
RFFT SelectV2 SelfAdjointEigV2 Svd
""".split()
)
