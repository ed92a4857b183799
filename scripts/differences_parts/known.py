"""The known differences: (kind, pattern of the symbol, pattern of the cause, reason)."""

import re

_SPECIAL_FUNCTIONS = (
    r".*\.(lgamma|Lgamma|digamma|Digamma|polygamma|Polygamma|math\.bessel_\w+|math\.sqrt|igammac?|acosh|Cosh|Expm1|Sqrt|"
    r"distributions\.(Beta|Gamma)|train\.\w+_decay\w*)"
)
_EXTREMES = r".*(raw_ops|quantization)\.(Max|Min|Maximum|Minimum|SegmentMax|SegmentMin|Sign)"

_GENERATED = r".*(_eager_fallback|\.deprecated_endpoints|\.tf_export)"
_RAW = r".*\b(raw_ops|contrib\.quantization|bitwise)\..*"

KNOWN = (
    ("signature", _GENERATED, r".*", "a helper in 1.15's generated modules, which no script calls"),
    ("name", _GENERATED, r".*", "a helper in 1.15's generated modules, which no script calls"),
    ("signature", _RAW, r"place of", "a raw op has a parameter more before its name; keywords"),
    ("signature", r".*Optional(Spec|Structure)", r".*", "value_structure is element_spec"),
    ("error", r".*Optional(Spec|Structure)", r".*", "value_structure is element_spec"),
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
    ("shape", r".*", r"static shape gained", "more is known; nothing that 1.15 knew is lost"),
    ("accepts", r".*", r".*", "an error of 1.15 became a result: no script relies on an error"),
    ("op type", r".*", r".*", "another op; its values and gradients are compared apart"),
    ("error", r".*", r"raises GoneError", "left TensorFlow; said by name"),
    ("error", r".*set_log_device_placement", r".*", "takes a bool alone"),
    ("error", r".*feature_column\.\w+", r".*", "what is no column or file is refused at once"),
    ("error", r".*math\.(real|polyval|reduce_variance)", r".*", "takes fewer types, and says so"),
    ("error", r".*errors\.UnknownError", r".*", "takes no code, and says so"),
    ("error", r".*layers\.InputSpec", r".*", "a negative dimension is refused at once"),
    ("error", r".*", r"raises ValueError: The truth value of an empty array", "NumPy 2.2"),
    ("gradients", r".*(unsorted_segment_\w+|rgb_to_hsv)", r"run-time shape|gradient error",
     "an op without a gradient, or of which it failed, has one now"),
    ("values", r".*(saturate_cast|adjust_brightness)", r"numbers",
     "a float beyond the whole numbers is the greatest one; 1.15 overflowed"),
    ("values", r".*per_image_standardization", r"numbers", "float16 overflowed in 1.15"),
    ("kind", r".*ragged\.stack", r".*", "the result is ragged, of one rank too"),
    ("values", r".*ragged\.stack", r".*", "the result is ragged, of one rank too"),
    ("dtype", r".*math\.reduce_(std|variance)", r"complex", "a variance is real"),
    ("values", r".*math\.reduce_(std|variance)", r"complex", "a variance is real"),
    ("values", r".*LinearOperatorToeplitz", r".*", "the corner is that of the column"),
    ("kind", r".*LinearOperator\w+", r"plain became Tensor", "takes more types"),
    ("error", r".*", r"raises GoneKernelError", "needs 1.15's own C++ kernel; said by name"),
    ("gradients", r".*", r"how many", "an op without a gradient has one now"),
    ("gradients", r".*(segment_prod|SegmentProd|ClipByValue|UnsortedSegmentMin|Atan2)", r".*",
     "an op without a gradient has one now"),
    ("values", _EXTREMES, r"NaN", "raw ops propagate NaN; tf.maximum and its kin do not"),
    ("values", r".*\.i?fft\w*", r"NaN|Inf", "which parts of a transform of NaN are NaN"),
    ("values", _SPECIAL_FUNCTIONS, r"NaN|Inf", "poles and infinite arguments, by the C++ library"),
    ("gradients", _SPECIAL_FUNCTIONS, r"NaN|Inf|numbers", "derivatives at poles and at 0"),
    ("values", r".*image\.(hsv_to_rgb|rgb_to_hsv)", r"NaN", "colours that are NaN or infinite"),
    ("gradients", r".*losses\.\w+", r"NaN", "the sign of NaN is NaN, and was 0"),
    ("values", r".*cumulative_logsumexp", r"Inf", "begins with -inf, and not the lowest float"),
    ("gradients", r".*cumulative_logsumexp", r"NaN", "begins with -inf, and not the lowest float"),
    ("values", r".*(matmul|MatMulV?2?)", r"Inf", "float16 is added up in another order"),
    ("values", r".*linalg\.(det|pinv)", r"NaN", "matrices with NaN or infinite elements"),
    ("values", r".*dynamic_stitch", r".*", "rows that no index names are memory nobody wrote"),
    ("gradients", r".*max_pool2d", r"numbers", "inputs that no window covers, in 1.15's kernel"),
    ("values", r".*opt\.(Adam|Momentum)W\w*", r"numbers",
     "nothing orders the decay of a variable and its gradient, in 1.15 neither"),
    ("values", r".*\.TruncateDiv", r"numbers|NaN", "the raw op rounds; tf.truncatediv does not"),
    ("values", r".*euclidean_norm", r"numbers|Inf", "1.15 gives one element back with its sign"),
    ("values", r".*TemporaryVariable", r".*", "memory that nobody wrote"),
    ("values", r".*specs\.Uf", r"plain value", "drawn from Python's generator without a seed"),
    ("shape", r".*linalg\.diag", r"static shape", "1.15 ignores k, num_rows and num_cols"),
    ("values", r".*linalg\.diag", r"run-time shape", "1.15 ignores k, num_rows and num_cols"),
    ("gradients", r".*linalg\.diag", r"run-time shape", "1.15 ignores k, num_rows and num_cols"),
    ("error", r".*linalg\.diag", r".*", "1.15 ignores k, num_rows and num_cols"),
    ("shape", r".*keras\.Input", r"static shape", "1.15 makes no ragged input of ragged=True"),
    ("gradients", r".*activations\.selu", r"numbers", "the derivative at exactly 0"),
    ("gradients", _EXTREMES, r"NaN", "raw ops propagate NaN; tf.maximum and its kin do not"),
    ("outputs", r".*embedding_column", r"number of outputs", "the column has one more field"),
    ("values", r".*compute_average_loss", r"NaN|Inf", "an average over nothing is 0, and was NaN"),
    ("values", r".*(sysconfig|resource_loader|io\.match).*", r".*", "paths of the installation"),
)  # fmt: skip


def reason(kind, symbol, cause):
    """Why a difference is a known one, or ""."""
    for of_kind, of_symbol, of_cause, why in KNOWN:
        if kind == of_kind and re.fullmatch(of_symbol, symbol) and re.match(of_cause, cause):
            return why
    return ""
