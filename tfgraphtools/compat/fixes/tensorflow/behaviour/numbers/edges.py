"""Functions whose results for NaN, infinite or ill-defined arguments differ, and are not restored.

Their kernels changed, and today's cannot compute the old results. `run` reports the first call
by user code, with its line. If a result can only differ for arguments that are not finite, it
reports the call when a session returns or is fed such a number, not before.
"""

import functools

from tfgraphtools.compat.engine import after_import, notices, state
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.tensorflow.behaviour.numbers import not_finite, zero_products

_HALF = "NaN of float16 stays NaN; TF 1.15 returns a number on the CPU"
_RAW = (
    "this is the raw op of today's TensorFlow: see the documentation for differences from TF 1.15"
)
_TRANSFORM = "the transform of NaN or infinite numbers is NaN in other elements than in TF 1.15"
_COLOURS = "for colors that are NaN or infinite the result differs from TF 1.15"
_GAMMA = "for an infinite argument the result is the limit; NaN in TF 1.15"
_INVERSE = "for a matrix with NaN or infinite elements the result is NaN; 0 in TF 1.15"
_DETERMINANT = "for a matrix with NaN or infinite elements the result differs from TF 1.15"
SPECIAL = "for NaN and infinite numbers the result may differ from TF 1.15"
_SINGULAR = "if epsilon is 0, the result for a singular matrix differs from TF 1.15"
_TIE = "among equal distances, another match may come first than in TF 1.15"

#: Texts that are printed only when a session sees a number that is not finite.
_AT_RUN = (_TRANSFORM, _INVERSE, _DETERMINANT, SPECIAL, _SINGULAR)

#: Packages whose functions may call these functions for the user, as a layer does.
_LIBRARIES = ("tensorflow", "tf_keras", "keras", "tfgraphtools")

#: Text -> the functions that it is printed for.
SAID = {
    _TRANSFORM: (
        "fft fft2d fft3d ifft ifft2d ifft3d signal.fft signal.fft2d signal.fft3d signal.ifft "
        "signal.ifft2d signal.ifft3d spectral.fft spectral.fft2d spectral.fft3d spectral.ifft "
        "spectral.ifft2d spectral.ifft3d linalg.LinearOperatorCirculant "
        "linalg.LinearOperatorCirculant2D linalg.LinearOperatorCirculant3D"
    ),
    _COLOURS: "image.rgb_to_hsv image.hsv_to_rgb",
    _GAMMA: "igamma igammac math.igamma math.igammac",
    _HALF: "acosh asinh cosh sinh math.acosh math.asinh math.cosh math.sinh",
    _RAW: (
        "raw_ops.Max raw_ops.Min raw_ops.Maximum raw_ops.Minimum raw_ops.SegmentMax "
        "raw_ops.SegmentMin raw_ops.Sign raw_ops.Rsqrt raw_ops.Round raw_ops.TruncateDiv "
        "raw_ops.EuclideanNorm raw_ops.CumulativeLogsumexp raw_ops.Digamma raw_ops.Lgamma "
        "raw_ops.Polygamma raw_ops.Zeta raw_ops.IgammaGradA raw_ops.Expm1"
    ),
    _INVERSE: "linalg.pinv",
    _DETERMINANT: (
        "linalg.det matrix_determinant linalg.slogdet raw_ops.LogMatrixDeterminant raw_ops.Lu "
        "linalg.lu linalg.LinearOperatorFullMatrix"
    ),
    SPECIAL: (
        "nn.softmax math.softmax raw_ops.Softmax expm1 math.expm1 nn.top_k math.top_k "
        "nn.local_response_normalization nn.lrn nn.weighted_moments betainc "
        "math.betainc svd linalg.svd raw_ops.Svd linalg.expm losses.softmax_cross_entropy "
        "train.cosine_decay train.cosine_decay_restarts train.natural_exp_decay"
    ),
    "if the first elements of column and row differ, the "
    "diagonal is the element of the column; in TF 1.15 it is the"
    " element of the row": "linalg.LinearOperatorToeplitz",
}

_DISTRIBUTIONS = "distributions.python.ops."

#: The same for modules of ``tf.contrib``, each with its functions.
SAID_OF_CONTRIB = {
    SPECIAL: {
        "image.python.ops.dense_image_warp": "dense_image_warp",
        "nn.python.ops.scaled_softplus": "scaled_softplus",
        "layers.python.layers.layers": "poincare_normalize",
        _DISTRIBUTIONS + "chi2": "Chi2 Chi2WithAbsDf",
        _DISTRIBUTIONS + "poisson_lognormal": "quadrature_scheme_lognormal_quantiles",
        _DISTRIBUTIONS + "moving_stats": "moving_mean_variance assign_moving_mean_variance",
    },
    _SINGULAR: {"opt.python.training.shampoo": "ShampooOptimizer"},
    _TIE: {"image.python.ops.image_ops": "bipartite_match"},
}


def _say_where_called():
    from tfgraphtools._tf import v1

    not_finite.watch()
    zero_products.watch()
    for text, names in SAID.items():
        for name in names.split():
            path, _, last = name.rpartition(".")
            owner = functools.reduce(getattr, filter(None, path.split(".")), v1)
            if hasattr(owner, last):
                _replace(owner, last, text)
    for text, modules in SAID_OF_CONTRIB.items():
        for module, names in modules.items():
            after_import.call(
                "tensorflow.contrib." + module,
                functools.partial(_replace_all, names, text),
                ROW.name,
            )


def _replace_all(names, text, module):
    for name in names.split():
        _replace(module, name, text)


def _replace(owner, name, text):
    plain, saying = getattr(owner, name), saying_at_run if text in _AT_RUN else _saying
    if isinstance(plain, type):
        state.set_attribute(plain, "__init__", saying(plain.__init__, name, text))
    else:
        state.set_attribute(owner, name, saying(plain, name, text))


def _saying(plain, name, text):
    """The function, which reports a call by user code."""

    @functools.wraps(plain)
    def function(*arguments, **options):
        by_user = notices.is_called_by_user()
        result = function.__wrapped__(*arguments, **options)
        if by_user and (text != _HALF or _is_half(*arguments)):
            notices.once("tensorflow." + name, f"{name}: {text}")
        return result

    function.calls_wrapped = True  # seeds may replace the function
    return function


def saying_at_run(plain, name, text):
    """The function, which reports a call by user code once a number is not finite."""

    @functools.wraps(plain)
    def function(*arguments, **options):
        by_user = notices.is_called_by_user(_LIBRARIES)
        result = function.__wrapped__(*arguments, **options)
        if not by_user:
            return result
        not_finite.expect(name, lambda: notices.later("tensorflow." + name, f"{name}: {text}"))
        if type(result).__name__ == "EagerTensor":
            not_finite.look([result.numpy()])
        return result

    function.calls_wrapped = True
    return function


def _is_half(x=None, *others):
    return getattr(getattr(x, "dtype", None), "name", "").startswith("float16")


ROW = Row(
    "tensorflow.edges",
    None,
    "reports calls whose NaN, infinite or ill-defined arguments return other numbers than TF 1.15",
    _say_where_called,
)

TABLE = Table("edge cases of arguments", "patches", [ROW])
