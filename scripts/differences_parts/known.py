"""The known differences: (kind, pattern of the symbol, pattern of the cause, reason)."""

import re

from differences_parts import known_methods

#: Functions whose limits at poles, at 0 and at infinity are those of the C++ library.
_SPECIAL_RAW = r".*quantization\.(Lgamma|Digamma|Polygamma|Zeta|igamma_grad_a|Expm1)"
_PROPAGATED = "NaN is propagated; 1.15 left it out"
_UNUSED = "no public program meets the difference: docs/differences.md describes it"
_HALF = r".*\.(acosh|Acosh|asinh|Asinh|cosh|Cosh|sinh|Sinh)"
_EXTREMES = (
    r".*\.(Max|Min|Maximum|Minimum|SegmentMax|SegmentMin|Sign|reduce_max|reduce_min|maximum|minimum|"
    r"segment_max|segment_min|sign)"
)
_GENERATED = r".*(_eager_fallback|\.deprecated_endpoints|\.tf_export)"
_RAW = r".*\b(raw_ops|contrib\.quantization|bitwise)\..*"
_TRANSFORMS = r".*(\.i?r?fft\w*|signal\.(i?dct|mfccs\w*)|\.I?FFT\w*|LinearOperatorCirculant\w*)"
_UNWRITTEN = r".*(TemporaryVariable|raw_ops\.Empty|raw_ops\.FakeParam|DynamicStitch|dynamic_stitch)"
_CHECKED = (
    r".*(Bincount|(Inv|Reciprocal|Rsqrt|Sigmoid|Sqrt|Tanh)Grad|(inv|reciprocal|rsqrt|sigmoid|sqrt|tanh)_grad|"
    r"MatrixDiag(Part)?V2|MaxPoolGrad|max_pool_grad(_v2)?|bincount|ReverseSequence|resample_at_rate|DrawBoundingBoxes|"
    r"(Lower|Upper)Bound|SparseReshape|MergeV2Checkpoints|reverse_sequence|histogram_fixed_width_bins|"
    r"sparse_softmax_cross_entropy|tensorflow\.scatter_(div|mul|sub))"
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
_POLES = "raw ops use the C++ library at poles and for infinite arguments"
_GAMMA = "the incomplete gamma function differs for infinite arguments"
_FLOAT16 = "1.15 returns a number for NaN of float16 on the CPU"
_BY_PLACE = "1.15 returns inf or NaN for inf, depending on its place in memory"
_ROOTS = r".*(\.math\.r?sqrt|\.R?[Ss]qrt|\.l2_normalize|\.unit_norm)"
_OF_SPECIAL = (
    r".*(\.expm1|LinearOperator(FullMatrix|Toeplitz)|linalg\.svd|local_response_normalization|"
    r"weighted_moments|cosine_decay|moving_mean_variance|\.softmax|IgammaGradA|raw_ops\.Svd)"
)
_OTHER_OPS = "it is computed by other ops: the last of them has another name"
_FOLDED = "if epsilon is 0, 1.15 folds a constant 0 times infinity to 0"
_PACKED = "1.15 rounds a list of float64 tensors to float32 in eager execution"
_DEAD = "the output of the branch that is not taken has no dtype"
_READ = "a variable of eager execution is read as an array; 1.15 puts it into one, as an object"
_SINGULAR = "the points are too few: the system is singular, and the result is rounding"
_ROUNDED = "sums of float16 are added in another order"
_NO_GRADIENT = "an op whose gradient was missing or failed has one in 2.x"

#: Errors of 1.15 that became results. No script runs into an error; but one that
#: was found where the op runs is listed by name, so that wrong values do not hide here.
_ACCEPTED_RUNS = (
    r".*\.(a?cos|a?sin|atan|A?cos|Asin|Atan|ClipByValue|argsort|polynomial_decay|"  # dtypes, by XLA
    r"gather|batch_gather|Gather|"  # of what has no elements
    r"embedding_lookup(_unique)?|embedding_tied_rnn_seq2seq|encode_png|"
    r"(random_)?flip_(left_right|up_down)|segment_max|zero_initializer|"
    r"[Ss]elect|AudioSpectrogram|ScatterAdd|"  # sizes that do not fit
    r"MatrixTriangularSolve|expm|lstsq|tridiagonal_solve)"  # inf and NaN
)

KNOWN = (
    ("signature", _GENERATED, r".*",
     "a helper in 1.15's generated modules, which scripts do not call"),
    ("name", _GENERATED, r".*", "a helper in 1.15's generated modules, which scripts do not call"),
    ("error", _GENERATED, r".*", "a helper in 1.15's generated modules, which scripts do not call"),
    ("signature", _RAW, r"place of",
     "a raw op has one more parameter before its name; raw ops take keywords"),
    ("signature", _NAME_LATER, r"place of name",
     "there is one more parameter before the name: a positional name is refused"),
    ("signature", _OPTIONAL, r".*", "value_structure is called element_spec"),
    ("error", _OPTIONAL, r".*", "value_structure is called element_spec"),
    ("signature", r".*\.RaggedTensor", r".*",
     "both create it with from_row_splits and similar methods"),
    ("signature", r".*autograph\..*", r".*", "options of autograph are keywords"),
    ("signature", r".*\bfunction", r"(place|default) of experimental_",
     "2.x has additional keywords"),
    ("signature", r"tensorflow\.(shape|size)", r"default of out_type", "None means int32"),
    ("signature", r".*SlurmClusterResolver", r"default of gpus_per_",
     "None means the value that Slurm reports"),
    ("signature", r".*specs.*\.factorial", r".*", "it is math.factorial of the running Python"),
    ("signature", r".*make_batched_features_dataset", r".*reader", "None means TFRecordDataset"),
    ("signature", r".*UnrecognizedFlagError", r".*suggestions", "None and [] mean the same"),
    ("signature", r".*boosted_trees_\w+_in_memory", r".*", "the default is a placeholder object"),
    ("signature", r".*contrib\.keras\.api\..*", r".*", "contrib.keras is an alias of tf.keras"),
    ("signature", _RENAMED, r"(no|new required) parameter|place of",
     "keywords changed: an error names them"),
    ("name", _LEFT, r"missing", "it left TensorFlow: an AttributeError names it"),
    ("shape", r".*", r"static shape gained",
     "2.x infers more of the static shape, and loses nothing that 1.15 inferred"),
    ("shape", r".*raw_ops\.Unique(WithCounts)?V2", r"static shape( lost)?$",
     "1.15 infers one dimension; the result has those of its input"),
    ("accepts", r".*", r"no ", "1.15 raised an error when the op is created; 2.x returns a result"),
    ("accepts", _ACCEPTED_RUNS, r"run: ",
     "1.15 raised an error when the op runs; 2.x returns a result"),
    ("accepts", r".*raw_ops\.Cholesky", r"run: Cholesky decomposition was not successful",
     "the raw op returns NaN for a matrix without a root; tf.cholesky fails as in 1.15"),
    ("accepts", r".*raw_ops\.TridiagonalSolve", r"run: The matrix is not invertible",
     "the result is NaN for a singular matrix"),
    ("accepts", r"tensorflow\.scatter_add", r"run: ", "it adds zeros, so the op is optimized away"),
    ("shape", r".*raw_ops\.(MatrixTriangularSolve|EncodePng)|.*linalg\.lstsq",
     r"static shape lost", "the raw op may broadcast"),
    ("shape",
     r".*(linalg\.(expm|diag_part|triangular_solve|LinearOperatorToeplitz)|cholesky_solve|"
     r"max_suppression_padded|confusion_matrix)",
     r"static shape lost", "the static shape is unknown for an unknown size or rank"),
    ("op type", r".*", r".*", "it is another op; its values and gradients are compared separately"),
    ("error", r".*", r"raises GoneError", "it left TensorFlow; an error names it"),
    ("error", r".*", r"raises GoneKernelError",
     "it needs 1.15's own C++ kernel; an error names it"),
    ("error", r".*",
     r"(raises InvalidArgumentError|run): No OpKernel was registered|"
     r"raises NotFoundError: Could not find device for node",
     "1.15 compiles the op of this dtype for its XLA_CPU device; 2.x has no such device"),
    ("error", _CHECKED, r"(raises InvalidArgumentError|run): ",
     "2.x refuses arguments that do not fit; 1.15 read beyond them"),
    ("error", r".*(raw_ops\.LMDBReader|contrib\.data\.LMDBDataset)",
     r"run: LMDB support|raises UnimplementedError",
     "it left TensorFlow; an error names it"),
    ("error", r".*set_log_device_placement", r".*", "it accepts only a bool"),
    ("error", r".*linalg\.inv", r"run: Input is not invertible",
     "1.15 inverts float16 with XLA, which returns numbers for any matrix"),
    ("error", r".*layers\.([Ss]eparable_?)?[Cc]onv\d?[dD]?\w*",
     r"raises ValueError: Invalid value for argument `filters`",
     "2.x refuses a layer without filters"),
    ("error", r".*image\.ssim\w*", r"run: filter must not have zero elements",
     "2.x refuses a filter of size 0"),
    ("error", r".*labeled_tensor\.acos", r"raises TypeError: Value passed",
     "it accepts fewer types; an error says so"),
    ("error", r".*(exponential_decay|cosine_decay)", r"run: Cast string",
     "2.x refuses a step that is a string"),
    ("error", r".*weighted_moments", r"raises TypeError: Input", "it accepts no integers"),
    ("error", r".*\.(indicator|(sequence_)?categorical)_column(_with_vocabulary_file)?", r".*",
     "2.x refuses an argument that is not a column or file immediately"),
    ("error", r".*(math\.(real|polyval)|image\.encode_png|signal\.idct)",
     r"raises (Type|Value)Error", "it accepts fewer types"),
    ("error", r".*labeled_tensor\.(asin|nn\.core\.tan|reduce_max)",
     r"raises (TypeError: Value passed|InvalidArgumentError: Value for attr)",
     "it accepts fewer types; an error says so"),
    ("error", r".*signal\.(dct|mfccs_from_log_mel_spectrograms)",
     r"raises (Type|Value|Assertion)Error", "it accepts only floats; an error says so"),
    ("error", r".*(convert_image_dtype|image\.(psnr|ssim))",
     r"raises AttributeError: image dtype",
     "it accepts no complex images"),
    ("error",
     r".*(FixedLengthRecordReader(V2)?|split_dependency|to_summary_proto|BestModelSelector)",
     r"raises ", "2.x refuses an argument of another kind"),
    ("error", r"tensorflow\.divide", r"raises NotImplementedError",
     "it does not divide two arrays of bools"),
    ("error", r".*[Ss]eparable_?[Cc]onv[12][dD]", r"raises ValueError: `strides > N`",
     "2.x refuses strides together with a dilation"),
    ("error", r".*quantization\.Any", r"raises TypeError",
     "the name Any in this module is typing.Any"),
    ("error", r".*quantization\.BesselI[01]e", r"raises AttributeError", "it is in another module"),
    ("error", r".*errors\.UnknownError", r".*", "it accepts no code; an error says so"),
    ("error", r".*layers\.InputSpec", r".*", "2.x refuses a negative dimension immediately"),
    ("error", r".*", r"raises ValueError: The truth value of an empty array",
     "NumPy 2.2 raises this error"),
    ("gradients", r".*", r"how many|was an error", _NO_GRADIENT),
    ("gradients", r".*\.[Aa]tan2", r"run-time shape",
     "2.x sums over the axes of a repeated argument; 1.15 did not"),
    ("shape", r".*layers\.flatten", r"static shape lost",
     "the batch size of samples without elements is unknown"),
    ("gradients", r".*DebugGradient(Ref)?Identity", r"strings", "the error has another class"),
    ("values", r".*LinearOperatorToeplitz", r"numbers|how many",
     "if column and row differ in the corner, the column counts"),
    ("kind", r".*LinearOperator(Toeplitz|ScaledIdentity)", r"plain became Tensor",
     "it accepts more types"),
    ("values", _EXTREMES, r"NaN", _PROPAGATED),
    ("gradients", _EXTREMES, r"NaN", _PROPAGATED),
    ("values", r".*(saturate_cast|cumulative_logsumexp|reduce_euclidean_norm|extract_glimpse_v2)",
     r"numbers|NaN|Inf", _UNUSED),
    ("gradients", r".*(cumulative_logsumexp|reduce_euclidean_norm)", r"numbers|NaN|Inf", _UNUSED),
    ("dtype", r".*\.reduce_(variance|std)", r".*", _UNUSED),
    ("values", r".*\.(reduce_(variance|std)|einsum|tridiagonal_solve|cardinality|angle)",
     r"numbers|NaN|Inf", _UNUSED),
    ("values", r".*\.is_numeric_tensor", r"plain value", _UNUSED),
    ("dtype", r".*\.(i?fft\w*|lrn|rgb_to_hsv|hsv_to_rgb|Distribution)", r".*", _UNUSED),
    ("shape", r".*\.matrix_triangular_solve", r"static shape lost", _UNUSED),
    ("error", r".*\.reduce_(variance|std)", r"raises TypeError", "it accepts no integers"),
    ("shape", r".*\.(tridiagonal_solve|einsum|segment_(max|min))", r"(static|run-time) shape",
     _UNUSED),
    ("kind", r".*ragged.*\.stack", r".*", _UNUSED),
    ("outputs", r".*ragged.*\.stack", r".*", _UNUSED),
    ("values", _TRANSFORMS, r"NaN|Inf", "other parts of a transform of NaN are NaN"),
    ("values", _SPECIAL_RAW, r"NaN|Inf", _POLES),
    ("gradients", _SPECIAL_RAW, r"NaN|Inf|numbers", _POLES),
    ("values", r".*\.[Ii]gammac?", r"NaN|Inf", _GAMMA),
    ("gradients", r".*\.[Ii]gammac?", r"NaN|Inf", _GAMMA),
    ("values", r".*(distributions\.Chi2(WithAbsDf)?|quantization\.[eE]uclidean_?[nN]orm)", r"NaN",
     "the result differs for values that are NaN or infinite"),
    ("values", r"tensorflow\.math\.top_k", r"Inf|numbers",
     "the result differs for values that are NaN or infinite"),
    ("gradients", r"tensorflow\.math\.top_k", r"numbers",
     "the result differs for values that are NaN or infinite"),
    ("values", r".*\.scaled_softplus", r"NaN", "if alpha is 0, the result is 0 times infinity"),
    ("values", _HALF, r"NaN|Inf", _FLOAT16),
    ("values", r".*linalg\.matvec", r"NaN", _ROUNDED),
    ("gradients", _HALF, r"NaN|Inf", _FLOAT16),
    ("values", _ROOTS, r"NaN|Inf", _BY_PLACE),
    ("gradients", _ROOTS, r"NaN|Inf", _BY_PLACE),
    ("values", r".*\.(math\.softmax|Softmax)", r"NaN",
     "the result differs for values that are NaN or infinite"),
    ("values", r".*(truncatediv|linalg\.expm|raw_ops\.(Lu|LogMatrixDeterminant))", r"NaN",
     "the result differs for values that are NaN or infinite"),
    ("values", r".*quantization\.(top_kv2|TopKV2)", r"numbers|Inf",
     "the result differs for values that are NaN or infinite"),
    ("values", _OF_SPECIAL, r"NaN|Inf", "the result differs for values that are NaN or infinite"),
    ("gradients", r".*(betainc|quadrature_scheme_lognormal_quantiles)", r"NaN",
     "the result differs for values that are NaN or infinite"),
    ("values", r".*is_(strictly_increasing|non_decreasing)", r"numbers",
     "1.15's differences of unsigned integers are never negative"),
    ("values", r".*linalg\.logm", r"numbers", "an eigenvalue is on the other side of a branch cut"),
    ("shape", r".*contrib\.resampler\.resampler", r"static shape",
     "the static shape is unknown for images without four axes"),
    ("gradients", r".*weighted_moments", r"NaN",
     "the result differs for values that are NaN or infinite"),
    ("gradients", r".*triplet_semihard_loss", r"NaN",
     "the loss is NaN, because no two labels are the same"),
    ("values", r".*fake_quant_with_min_max_\w+", r"numbers",
     "a value halfway between two steps is rounded to the other one"),
    ("values", r".*(linalg\.(inv|matmul|tensordot)|ShampooOptimizer)", r"numbers|NaN", _ROUNDED),
    ("gradients", r".*linalg\.(inv|tensordot)", r"numbers|NaN", _ROUNDED),
    ("kind", r".*LinearOperatorDiag", r"Tensor became plain", "it accepts no matrices of bools"),
    ("values", r".*LinearOperatorDiag", r"how many", "it accepts no matrices of bools"),
    ("values", r".*train\.(cosine_decay_restarts|natural_exp_decay)", r"NaN",
     "the result differs for steps that are NaN or infinite"),
    ("values", r".*quantization\.Rsqrt", r"Inf", "1 / sqrt(-0.0) is -inf; inf in 1.15"),
    ("gradients", r".*quantization\.Rsqrt", r"Inf", "1 / sqrt(-0.0) is -inf; inf in 1.15"),
    ("values", r".*quantization\.[Rr]ound", r"numbers",
     "the raw op returns 0 for integers; tf.round returns them unchanged"),
    ("values", r".*(image\.(hsv_to_rgb|rgb_to_hsv)|RGBToHSV)", r"NaN",
     "the result differs for colors that are NaN or infinite"),
    ("gradients", r".*losses\.softmax_cross_entropy", r"NaN",
     "the gradient differs for logits that are NaN or infinite"),
    ("gradients", r".*dense_image_warp", r"NaN",
     "the gradient differs for images or flows that are NaN or infinite"),
    ("values", r".*(assign_moving_mean_variance|poincare_normalize|linalg\.det)", r"NaN",
     "the result differs for values that are NaN or infinite"),
    ("values", r".*ShampooOptimizer", r"NaN",
     "the result differs for a singular matrix if epsilon is 0"),
    ("values", r".*quantization\.(cumulative_logsumexp|CumulativeLogsumexp)", r"Inf",
     "the raw op starts with -inf; 1.15 starts with the lowest float"),
    ("gradients", r".*(cumulative_logsumexp|CumulativeLogsumexp)", r"NaN",
     "the op starts with -inf; 1.15 starts with the lowest float"),
    ("values", r".*(linalg\.matmul|BatchMatMulV2)", r"Inf", _ROUNDED),
    ("values", r".*linalg\.pinv", r"NaN",
     "the result differs for matrices with NaN or infinite elements"),
    ("values", _UNWRITTEN, r"numbers|NaN|Inf", "the result is uninitialized memory"),
    ("values", r".*NonDeterministicInts", r"numbers", "the result is random"),
    ("values", r".*raw_ops\.(Mutable)?HashTable|.*(ConditionalAccumulator|WholeFileReader)",
     r"strings", "the name of a resource contains a counter"),
    ("gradients", r".*max_pool2d", r"numbers",
     "the gradient differs for inputs that no window covers"),
    ("values", r".*opt\.(Adam|Momentum)W\w*", r"numbers|NaN",
     "the decay of a ref variable and its gradient run in no fixed order, also in 1.15"),
    ("tensor name", r".*confusion_matrix", r"\w+/SparseTensorDenseAdd:0", _OTHER_OPS),
    ("tensor name", r".*non_max_suppression_padded", r"\w+/NonMaxSuppressionV4:\d", _OTHER_OPS),
    ("tensor name", r".*signal\.dct", r"\w+/Real_1:0", _OTHER_OPS),
    ("tensor name", r".*reduce_weighted_logsumexp", r"n/ReduceLogSumExp/Add:0", _OTHER_OPS),
    ("tensor name", r".*keras\.Input", r"n:0 became Placeholder:0", "1.15 ignores ragged=True"),
    ("collection",
     r".*(linalg\.(expm|set_diag)|reduce_euclidean_norm|stack_dynamic_partitions)",
     r"cond_context", "the function, or its gradient, has a condition inside"),
    ("dtype", r"tensorflow\.raw_ops\.Switch", r"\w+ became float32", _DEAD),
    ("error", r".*raw_ops\.AnonymousRandomSeedGenerator", r"raises InvalidArgumentError",
     "2.x cannot run this op in eager execution"),
    ("gradients", r".*DebugGradient(Ref)?Identity", r"gradient error",
     "the error has another class"),
    ("values", r"tensorflow\.summary\.histogram", r"strings", _PACKED),
    ("values", r".*\.instance_norm", r"NaN", _FOLDED),
    ("values", r".*\.interpolate_spline", r"numbers", _SINGULAR),
    ("gradients", r".*\.interpolate_spline", r"numbers", _SINGULAR),
    ("gradients", r".*\.[Dd]igamma", r"gradient error", "the error has another class"),
    ("kind", r".*ragged\.constant_value", r"array became object", _READ),
    ("dtype", r".*setup_predict_data_feeder", r"object became", _READ),
    ("values", r".*setup_predict_data_feeder", r"run-time shape", _READ),
    ("values", r".*graph_editor.*\.is_iterable", r"plain value", _READ),
    ("outputs", r".*graph_editor.*\.(flatten|transform)_tree", r"number of outputs", _READ),
    ("error", r".*graph_editor.*\.make_list_of_t", r"raises ValueError: The truth value", _READ),
    ("error", r".*image\.adjust_hue", r"raises ValueError: delta must be in the interval",
     "2.x refuses a delta beyond 1 in eager execution"),
    ("error", r".*weighted_resample", r"raises NotImplementedError: Cannot convert a symbolic",
     "an array added to a list of tensors: NumPy 1.18 makes an array of objects"),
    ("values", r".*\.TruncateDiv", r"numbers|NaN", "the raw op rounds; tf.truncatediv does not"),
    ("values", r".*quantization\.(euclidean_norm|EuclideanNorm)", r"numbers|Inf",
     "the raw op of 1.15 returns a single element with its sign"),
    ("values", r".*specs\.(Uf|Lf|Li)", r"plain value",
     "it draws from Python's generator without a seed"),
    ("shape", r".*keras\.Input", r"static shape", "1.15 ignores ragged=True"),
    ("outputs", r".*embedding_column", r"number of outputs", "the column has one more field"),
    ("values", r".*(sysconfig|resource_loader)\..*", r".*",
     "the result is a path of the installation"),
    ("outputs", r".*sysconfig\.get_compile_flags", r".*",
     "the result is a flag of the installation"),
    ("values", r".*(match_filenames_once|matching_files|MatchingFiles)", r"strings|run-time shape",
     "it finds files that earlier calls wrote"),
)  # fmt: skip


#: The kinds of differences that a script computes with.
OF_NUMBERS = ("values", "gradients", "dtype", "shape", "kind", "outputs")

_EDGE = "NaN, infinite and ill-defined numbers: docs/differences.md names the functions"
_LARGER = "2.x returns everything that 1.15 returned"
_NONE = "1.15 itself does not return the same result twice"

#: Reason -> why `run` does not report it.
UNSAID = {
    "other parts of a transform of NaN are NaN": _EDGE,
    "the result differs for colors that are NaN or infinite": _EDGE,
    "the result differs for matrices with NaN or infinite elements": _EDGE,
    "if column and row differ in the corner, the column counts": _EDGE,
    _PROPAGATED: _EDGE,
    _UNUSED: "doctor names the functions, but for einsum with a subscript twice in one input",
    "1 / sqrt(-0.0) is -inf; inf in 1.15": _EDGE,
    "the raw op returns 0 for integers; tf.round returns them unchanged": _EDGE,
    "the raw op starts with -inf; 1.15 starts with the lowest float": _EDGE,
    "the op starts with -inf; 1.15 starts with the lowest float": _EDGE,
    "the raw op rounds; tf.truncatediv does not": _EDGE,
    "the raw op of 1.15 returns a single element with its sign": _EDGE,
    _POLES: _EDGE,
    _GAMMA: _EDGE,
    _FLOAT16: _EDGE,
    "the gradient differs for logits that are NaN or infinite": _EDGE,
    "the gradient differs for images or flows that are NaN or infinite": _EDGE,
    "the result differs for values that are NaN or infinite": _EDGE,
    "if alpha is 0, the result is 0 times infinity": _EDGE,
    "the result differs for steps that are NaN or infinite": _EDGE,
    "the result differs for a singular matrix if epsilon is 0": _EDGE,
    "2.x infers more of the static shape, and loses nothing that 1.15 inferred": _LARGER,
    "1.15 infers one dimension; the result has those of its input": "1.15 contradicts its result",
    "the raw op may broadcast": "only the static shape of a raw op differs",
    "the batch size of samples without elements is unknown": "the result has no elements",
    _DEAD: "it holds nothing",
    _PACKED: "it is rounding",
    _FOLDED: "the result is NaN, which is seen; a variable or fed 0 gives NaN in 1.15, too",
    _READ: "1.15 returns an array of objects, with which it cannot compute, or raises TypeError",
    _SINGULAR: "it is rounding",
    "1.15 ignores ragged=True": "1.15 ignores the argument",
    "it accepts more types": _LARGER,
    "the column has one more field": "it is a named tuple, and its first fields are the same",
    "the result is a flag of the installation": "the installations differ",
    "the result is a path of the installation": "the installations differ",
    "it finds files that earlier calls wrote": "it is an artifact of the measurement",
    "the name of a resource contains a counter": _NONE,
    "the result is uninitialized memory": _NONE,
    "the result is random": _NONE,
    "it draws from Python's generator without a seed": _NONE,
    "the decay of a ref variable and its gradient run in no fixed order, also in 1.15": _NONE,
    "the gradient differs for inputs that no window covers": "the output is empty",
    _ROUNDED: "it is rounding, in sums near the largest float16 and in ill-conditioned matrices",
    "the static shape is unknown for an unknown size or rank": "only the static shape differs",
    "the loss is NaN, because no two labels are the same": "1.15 returned 0 only for constant "
    "labels (from 0 times infinity); for fed labels it returned NaN, too",
    "a value halfway between two steps is rounded to the other one": "it is rounding",
    "1.15's differences of unsigned integers are never negative": "1.15's result is wrong",
    "an eigenvalue is on the other side of a branch cut": "it is rounding",
    "the static shape is unknown for images without four axes": "both fail when the op runs",
    "it accepts no matrices of bools": "it raises TypeError",
    _BY_PLACE: _NONE,
    _NO_GRADIENT: "1.15 raises an error",
    "the error has another class": "both raise an error",
    "2.x sums over the axes of a repeated argument; 1.15 did not": "1.15's gradient does not have "
    "the shape of its argument, and using it fails",
}


def reason(kind, symbol, cause):
    """Why a difference is a known one, or ""."""
    for of_kind, of_symbol, of_cause, why in KNOWN + known_methods.KNOWN:
        if kind == of_kind and re.fullmatch(of_symbol, symbol) and re.match(of_cause, cause):
            return why
    return ""
