"""The known differences: (kind, pattern of the symbol, pattern of the cause, reason)."""

import re

#: Functions whose limits at poles, at 0 and at infinity are those of the C++ library.
_SPECIAL_RAW = r".*quantization\.(Lgamma|Digamma|Polygamma|Zeta|igamma_grad_a|Expm1)"
_HALF = r".*\.(acosh|Acosh|asinh|Asinh|cosh|Cosh|sinh|Sinh)"
_EXTREMES = r".*(raw_ops|quantization)\.(Max|Min|Maximum|Minimum|SegmentMax|SegmentMin|Sign)"
_GENERATED = r".*(_eager_fallback|\.deprecated_endpoints|\.tf_export)"
_RAW = r".*\b(raw_ops|contrib\.quantization|bitwise)\..*"
_TRANSFORMS = r".*(\.i?r?fft\w*|signal\.(i?dct|mfccs\w*)|\.I?FFT\w*|LinearOperatorCirculant\w*)"
_UNWRITTEN = r".*(TemporaryVariable|raw_ops\.Empty|raw_ops\.FakeParam|DynamicStitch|dynamic_stitch)"
_CHECKED = (
    r".*(Bincount|(Inv|Reciprocal|Rsqrt|Sigmoid|Sqrt|Tanh)Grad|(inv|reciprocal|rsqrt|sigmoid|sqrt|tanh)_grad|"
    r"MatrixDiag(Part)?V2|MaxPoolGrad|max_pool_grad_v2|bincount|ReverseSequence|resample_at_rate|DrawBoundingBoxes|"
    r"LowerBound|SparseReshape|MergeV2Checkpoints|reverse_sequence|histogram_fixed_width_bins|"
    r"sparse_softmax_cross_entropy)"
)
_NAME_LATER = (
    r".*\.(adjust_jpeg_quality|matmul|scatter_nd|top_k|numpy_function|tensor_scatter_\w+|"
    r"InfeedQueue)"
)
_RENAMED = (
    r".*(set_virtual_device_configuration|create_rng_state|DNNLinearCombinedEstimator|"
    r"AllReduceCrossDeviceOps|UpdateContext|contrib\.summary\.graph)"
)
_LEFT = (
    r".*(distribute\.MultiWorkerAllReduce|metrics\.cosine_similarity|"
    r"HDF5Matrix|convert_all_kernels_in_model|quantization\.(BesselI[01]e|CompareAndBitpack|"
    r"compare_and_bitpack)|remote_fused_graph_execute|(load|save)_keras_model|"
    r"contrib\.tpu\.profiler\.\w+)"
)
_OPTIONAL = r".*Optional(Spec|Structure)"
_POLES = "raw ops at poles and for infinite arguments, by the C++ library"
_GAMMA = "infinite arguments of the incomplete gamma function"
_FLOAT16 = "NaN of float16, of which 1.15 makes a number on the CPU"
_BY_PLACE = "of inf, 1.15 gives inf or NaN by its place in memory"
_ROOTS = r".*(\.math\.r?sqrt|\.R?[Ss]qrt|\.l2_normalize|\.unit_norm)"
_OF_SPECIAL = (
    r".*(\.expm1|LinearOperator(FullMatrix|Toeplitz)|linalg\.svd|local_response_normalization|"
    r"weighted_moments|cosine_decay|moving_mean_variance|\.softmax|IgammaGradA)"
)
_ROUNDED = "float16 is added up in another order"
_NO_GRADIENT = "an op without a gradient, or of which it failed, has one now"

#: Errors of 1.15 that became results. No script runs into an error; but one that
#: was found where the op runs is listed by name, lest wrong values hide here.
_ACCEPTED_RUNS = (
    r".*\.(a?cos|a?sin|atan|A?cos|Asin|Atan|ClipByValue|argsort|polynomial_decay|"  # dtypes, by XLA
    r"gather|batch_gather|Gather|"  # of what has no elements
    r"embedding_lookup(_unique)?|embedding_tied_rnn_seq2seq|encode_png|"
    r"(random_)?flip_(left_right|up_down)|segment_max|bipartite_match|zero_initializer|"
    r"Select|AudioSpectrogram|ScatterAdd|"  # sizes that do not fit
    r"MatrixTriangularSolve|expm|lstsq|tridiagonal_solve)"  # inf and NaN
)

KNOWN = (
    ("signature", _GENERATED, r".*", "a helper in 1.15's generated modules, which no script calls"),
    ("name", _GENERATED, r".*", "a helper in 1.15's generated modules, which no script calls"),
    ("error", _GENERATED, r".*", "a helper in 1.15's generated modules, which no script calls"),
    ("signature", _RAW, r"place of", "a raw op has a parameter more before its name; keywords"),
    ("signature", _NAME_LATER, r"place of name",
     "a parameter more before the name: a name by position is refused"),
    ("signature", _OPTIONAL, r".*", "value_structure is element_spec"),
    ("error", _OPTIONAL, r".*", "value_structure is element_spec"),
    ("signature", r".*\.RaggedTensor", r".*", "made by from_row_splits and its kin in both"),
    ("signature", r".*autograph\..*", r".*", "options of autograph, given by keyword"),
    ("signature", r".*\bfunction", r"(place|default) of experimental_", "keywords of 2.x besides"),
    ("signature", r"tensorflow\.(shape|size)", r"default of out_type", "None stands for int32"),
    ("signature", r".*SlurmClusterResolver", r"default of gpus_per_", "None: what Slurm says"),
    ("signature", r".*specs.*\.factorial", r".*", "Python's math.factorial, of that Python"),
    ("signature", r".*make_batched_features_dataset", r".*reader", "None: TFRecordDataset"),
    ("signature", r".*UnrecognizedFlagError", r".*suggestions", "None and [] say the same"),
    ("signature", r".*boosted_trees_\w+_in_memory", r".*", "an object that stands for the default"),
    ("signature", r".*contrib\.keras\.api\..*", r".*", "tf.keras, which contrib.keras names"),
    ("signature", _RENAMED, r"(no|new required) parameter|place of", "loud: keywords that changed"),
    ("name", _LEFT, r"missing", "left TensorFlow: an AttributeError by name"),
    ("shape", r".*", r"static shape gained", "more is known; nothing that 1.15 knew is lost"),
    ("shape", r".*raw_ops\.Unique(WithCounts)?V2", r"static shape( lost)?$",
     "1.15 says one dimension where the result has all of its input"),
    ("accepts", r".*", r"no ", "an error of 1.15 where an op is made became a result"),
    ("accepts", _ACCEPTED_RUNS, r"run: ", "an error of 1.15 where an op runs became a result"),
    ("accepts", r".*raw_ops\.Cholesky", r"run: Cholesky decomposition was not successful",
     "the raw op gives NaN for a matrix that has no root; tf.cholesky fails as in 1.15"),
    ("accepts", r"tensorflow\.scatter_add", r"run: ", "zeros are added: the op is optimized away"),
    ("shape", r".*raw_ops\.(MatrixTriangularSolve|EncodePng)|.*linalg\.lstsq",
     r"static shape lost", "the raw op may broadcast"),
    ("shape",
     r".*(linalg\.(expm|diag_part|triangular_solve|LinearOperatorToeplitz)|cholesky_solve|"
     r"max_suppression_padded|confusion_matrix)",
     r"static shape lost", "of a size or a rank that nobody knows"),
    ("op type", r".*", r".*", "another op; its values and gradients are compared apart"),
    ("error", r".*", r"raises GoneError", "left TensorFlow; said by name"),
    ("error", r".*", r"raises GoneKernelError", "needs 1.15's own C++ kernel; said by name"),
    ("error", r".*", r"(raises InvalidArgumentError|run): No OpKernel was registered",
     "1.15 compiles an op of this dtype for its XLA_CPU device; 2.x has no such device"),
    ("error", _CHECKED, r"(raises InvalidArgumentError|run): ",
     "arguments that do not fit are refused; 1.15 read beyond them"),
    ("error", r".*raw_ops\.LMDBReader", r"run: LMDB support", "left TensorFlow; said by name"),
    ("error", r".*set_log_device_placement", r".*", "takes a bool alone"),
    ("error", r".*linalg\.inv", r"run: Input is not invertible",
     "1.15 inverts float16 by XLA, which gives numbers for any matrix"),
    ("error", r".*layers\.([Ss]eparable_?)?[Cc]onv\d?[dD]?\w*",
     r"raises ValueError: Invalid value for argument `filters`",
     "a layer without filters is refused"),
    ("error", r".*image\.ssim\w*", r"run: filter must not have zero elements",
     "a filter of size 0 is refused"),
    ("error", r".*labeled_tensor\.acos", r"raises TypeError: Value passed",
     "takes fewer types, and says so"),
    ("error", r".*(exponential_decay|cosine_decay)", r"run: Cast string",
     "a step that is text is refused"),
    ("error", r".*weighted_moments", r"raises TypeError: Input", "takes no whole numbers"),
    ("error", r".*\.(indicator|(sequence_)?categorical)_column(_with_vocabulary_file)?", r".*",
     "what is no column or file is refused at once"),
    ("error", r".*(math\.(real|polyval)|image\.encode_png|signal\.idct)",
     r"raises (Type|Value)Error", "takes fewer types"),
    ("error", r".*labeled_tensor\.(asin|nn\.core\.tan|reduce_max)",
     r"raises TypeError: Value passed", "takes fewer types, and says so"),
    ("error", r".*signal\.(dct|mfccs_from_log_mel_spectrograms)",
     r"raises (Type|Value|Assertion)Error", "takes floats alone, and says so"),
    ("error", r".*(convert_image_dtype|image\.(psnr|ssim))",
     r"raises AttributeError: image dtype", "no complex images"),
    ("error",
     r".*(FixedLengthRecordReader(V2)?|split_dependency|to_summary_proto|BestModelSelector)",
     r"raises ", "an argument of another kind is refused"),
    ("error", r"tensorflow\.divide", r"raises NotImplementedError", "two arrays of bools"),
    ("error", r".*separable_conv2d", r"raises ValueError: `strides > N`",
     "strides together with a dilation are refused"),
    ("error", r".*quantization\.Any", r"raises TypeError", "the module's name Any is Python's"),
    ("error", r".*quantization\.BesselI[01]e", r"raises AttributeError", "in another module"),
    ("error", r".*errors\.UnknownError", r".*", "takes no code, and says so"),
    ("error", r".*layers\.InputSpec", r".*", "a negative dimension is refused at once"),
    ("error", r".*", r"raises ValueError: The truth value of an empty array", "NumPy 2.2"),
    ("gradients", r".*", r"how many|was an error", _NO_GRADIENT),
    ("gradients", r".*\.[Aa]tan2", r"run-time shape",
     "summed over the axes along which an argument was repeated; 1.15 did not"),
    ("shape", r".*layers\.flatten", r"static shape lost", "the batch of samples without elements"),
    ("gradients", r".*DebugGradient(Ref)?Identity", r"strings", "an error of another class"),
    ("values", r".*LinearOperatorToeplitz", r"numbers|how many",
     "a column and a row that differ in the corner: that of the column"),
    ("kind", r".*LinearOperator(Toeplitz|ScaledIdentity)", r"plain became Tensor",
     "takes more types"),
    ("values", _EXTREMES, r"NaN", "raw ops propagate NaN; tf.maximum and its kin do not"),
    ("gradients", _EXTREMES, r"NaN", "raw ops propagate NaN; tf.maximum and its kin do not"),
    ("values", _TRANSFORMS, r"NaN|Inf", "which parts of a transform of NaN are NaN"),
    ("values", _SPECIAL_RAW, r"NaN|Inf", _POLES),
    ("gradients", _SPECIAL_RAW, r"NaN|Inf|numbers", _POLES),
    ("values", r".*\.[Ii]gammac?", r"NaN|Inf", _GAMMA),
    ("gradients", r".*\.[Ii]gammac?", r"NaN|Inf", _GAMMA),
    ("values", r".*(distributions\.Chi2|quantization\.[eE]uclidean_?[nN]orm)", r"NaN",
     "of values that are NaN or infinite"),
    ("values", r"tensorflow\.math\.top_k", r"Inf|numbers", "of values that are NaN or infinite"),
    ("gradients", r"tensorflow\.math\.top_k", r"numbers", "of values that are NaN or infinite"),
    ("values", r".*\.scaled_softplus", r"NaN", "0 times infinity, where alpha is 0"),
    ("values", _HALF, r"NaN|Inf", _FLOAT16),
    ("values", r".*linalg\.matvec", r"NaN", _ROUNDED),
    ("gradients", _HALF, r"NaN|Inf", _FLOAT16),
    ("values", _ROOTS, r"NaN|Inf", _BY_PLACE),
    ("gradients", _ROOTS, r"NaN|Inf", _BY_PLACE),
    ("values", r".*\.(math\.softmax|Softmax)", r"NaN", "of values that are NaN or infinite"),
    ("values", r".*(truncatediv|linalg\.expm|raw_ops\.(Lu|LogMatrixDeterminant))", r"NaN",
     "of values that are NaN or infinite"),
    ("values", r".*quantization\.(top_kv2|TopKV2)", r"numbers|Inf",
     "of values that are NaN or infinite"),
    ("values", _OF_SPECIAL, r"NaN|Inf", "of values that are NaN or infinite"),
    ("gradients", r".*(betainc|quadrature_scheme_lognormal_quantiles)", r"NaN",
     "of values that are NaN or infinite"),
    ("values", r".*is_(strictly_increasing|non_decreasing)", r"numbers",
     "1.15's differences of unsigned integers are never negative"),
    ("values", r".*linalg\.logm", r"numbers", "which side of a branch cut an eigenvalue is on"),
    ("shape", r".*contrib\.resampler\.resampler", r"static shape",
     "of pictures that have no four axes"),
    ("gradients", r".*weighted_moments", r"NaN", "of values that are NaN or infinite"),
    ("gradients", r".*triplet_semihard_loss", r"NaN",
     "of a loss that is NaN, as no two labels are the same"),
    ("values", r".*fake_quant_with_min_max_\w+", r"numbers", "halfway between two steps"),
    ("values", r".*(linalg\.(inv|matmul|tensordot)|ShampooOptimizer)", r"numbers|NaN", _ROUNDED),
    ("gradients", r".*linalg\.(inv|tensordot)", r"numbers|NaN", _ROUNDED),
    ("kind", r".*LinearOperatorDiag", r"Tensor became plain", "no matrices of bools"),
    ("values", r".*LinearOperatorDiag", r"how many", "no matrices of bools"),
    ("values", r".*train\.(cosine_decay_restarts|natural_exp_decay)", r"NaN",
     "of steps that are NaN or infinite"),
    ("values", r".*quantization\.Rsqrt", r"Inf", "1 / sqrt(-0.0) is -inf; inf in 1.15"),
    ("gradients", r".*quantization\.Rsqrt", r"Inf", "1 / sqrt(-0.0) is -inf; inf in 1.15"),
    ("values", r".*quantization\.[Rr]ound", r"numbers",
     "the raw op gives 0 for integers; tf.round gives them back"),
    ("values", r".*(image\.(hsv_to_rgb|rgb_to_hsv)|RGBToHSV)", r"NaN",
     "colours that are NaN or infinite"),
    ("gradients", r".*losses\.softmax_cross_entropy", r"NaN", "of logits that are NaN or infinite"),
    ("gradients", r".*dense_image_warp", r"NaN", "of images or flows that are NaN or infinite"),
    ("values", r".*(assign_moving_mean_variance|poincare_normalize|linalg\.det)", r"NaN",
     "of values that are NaN or infinite"),
    ("values", r".*ShampooOptimizer", r"NaN", "a singular matrix where epsilon is 0"),
    ("values", r".*quantization\.(cumulative_logsumexp|CumulativeLogsumexp)", r"Inf",
     "the raw op begins with -inf, and not the lowest float"),
    ("gradients", r".*(cumulative_logsumexp|CumulativeLogsumexp)", r"NaN",
     "begins with -inf, and not the lowest float"),
    ("values", r".*(linalg\.matmul|BatchMatMulV2)", r"Inf", _ROUNDED),
    ("values", r".*linalg\.pinv", r"NaN", "matrices with NaN or infinite elements"),
    ("values", _UNWRITTEN, r"numbers|NaN|Inf", "memory that nobody wrote"),
    ("values", r".*NonDeterministicInts", r"numbers", "random numbers"),
    ("values", r".*raw_ops\.(Mutable)?HashTable|.*(ConditionalAccumulator|WholeFileReader)",
     r"strings", "a number in the name of a resource"),
    ("gradients", r".*max_pool2d", r"numbers", "inputs that no window covers, in 1.15's kernel"),
    ("values", r".*opt\.(Adam|Momentum)W\w*", r"numbers|NaN",
     "nothing orders the decay of a ref variable and its gradient, in 1.15 neither"),
    ("values", r".*image\.bipartite_match", r"numbers", "which of equal distances comes first"),
    ("values", r".*\.TruncateDiv", r"numbers|NaN", "the raw op rounds; tf.truncatediv does not"),
    ("values", r".*quantization\.(euclidean_norm|EuclideanNorm)", r"numbers|Inf",
     "the raw op of 1.15 gives one element back with its sign"),
    ("values", r".*specs\.Uf", r"plain value", "drawn from Python's generator without a seed"),
    ("shape", r".*keras\.Input", r"static shape", "1.15 makes no ragged input of ragged=True"),
    ("outputs", r".*embedding_column", r"number of outputs", "the column has one more field"),
    ("values", r".*(sysconfig|resource_loader)\..*", r".*", "paths of the installation"),
    ("outputs", r".*sysconfig\.get_compile_flags", r".*", "flags of the installation"),
    ("values", r".*(match_filenames_once|matching_files|MatchingFiles)", r"strings|run-time shape",
     "files that calls before it left"),
)  # fmt: skip


#: The kinds of differences that a script computes with.
OF_NUMBERS = ("values", "gradients", "dtype", "shape", "kind", "outputs")

#: Reason -> the function whose call `run` says once (``behaviour/numbers/edges.py``).
SAID = {
    "which parts of a transform of NaN are NaN": "fft",
    "colours that are NaN or infinite": "rgb_to_hsv",
    "matrices with NaN or infinite elements": "pinv",
    "a column and a row that differ in the corner: that of the column": "LinearOperatorToeplitz",
    "raw ops propagate NaN; tf.maximum and its kin do not": "Maximum",
    "1 / sqrt(-0.0) is -inf; inf in 1.15": "Rsqrt",
    "the raw op gives 0 for integers; tf.round gives them back": "Round",
    "the raw op begins with -inf, and not the lowest float": "CumulativeLogsumexp",
    "begins with -inf, and not the lowest float": "CumulativeLogsumexp",
    "the raw op rounds; tf.truncatediv does not": "TruncateDiv",
    "the raw op of 1.15 gives one element back with its sign": "EuclideanNorm",
    _POLES: "Digamma",
    _GAMMA: "igamma",
    _FLOAT16: "cosh",
    "of logits that are NaN or infinite": "softmax_cross_entropy",
    "of images or flows that are NaN or infinite": "dense_image_warp",
    "of values that are NaN or infinite": "softmax",
    "0 times infinity, where alpha is 0": "scaled_softplus",
    "of steps that are NaN or infinite": "cosine_decay",
    "a singular matrix where epsilon is 0": "ShampooOptimizer",
    "which of equal distances comes first": "bipartite_match",
}

_LARGER = "nothing that 1.15 gives is lost"
_NONE = "1.15 itself does not give the same twice"

#: Reason -> why nothing is said.
UNSAID = {
    "more is known; nothing that 1.15 knew is lost": _LARGER,
    "1.15 says one dimension where the result has all of its input": "1.15 contradicts the result",
    "the raw op may broadcast": "a static shape, of a raw op",
    "the batch of samples without elements": "there are no numbers",
    "1.15 makes no ragged input of ragged=True": "1.15 ignores what was asked for",
    "takes more types": _LARGER,
    "the column has one more field": "a named tuple, whose first fields are the same",
    "flags of the installation": "another installation",
    "paths of the installation": "another installation",
    "files that calls before it left": "it is of the measurement",
    "a number in the name of a resource": _NONE,
    "memory that nobody wrote": _NONE,
    "random numbers": _NONE,
    "drawn from Python's generator without a seed": _NONE,
    "nothing orders the decay of a ref variable and its gradient, in 1.15 neither": _NONE,
    "inputs that no window covers, in 1.15's kernel": "the output is empty",
    _ROUNDED: "it is rounding, of sums near the largest float16 and of matrices hard to invert",
    "of a size or a rank that nobody knows": "a static shape",
    "of a loss that is NaN, as no two labels are the same": "1.15 made 0 of 0 times infinity where "
    "the labels are constants; where they are fed it is NaN too",
    "halfway between two steps": "it is rounding",
    "1.15's differences of unsigned integers are never negative": "1.15's answer is wrong",
    "which side of a branch cut an eigenvalue is on": "it is rounding",
    "of pictures that have no four axes": "both fail where it runs",
    "no matrices of bools": "it raises TypeError",
    _BY_PLACE: _NONE,
    _NO_GRADIENT: "1.15 stops there",
    "an error of another class": "both fail",
    "summed over the axes along which an argument was repeated; 1.15 did not": "1.15's own "
    "gradient has not the shape of its argument, and fails where it is used",
}


def reason(kind, symbol, cause):
    """Why a difference is a known one, or ""."""
    for of_kind, of_symbol, of_cause, why in KNOWN:
        if kind == of_kind and re.fullmatch(of_symbol, symbol) and re.match(of_cause, cause):
            return why
    return ""
