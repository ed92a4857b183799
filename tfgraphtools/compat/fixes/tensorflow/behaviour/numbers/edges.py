"""Functions whose results for NaN, infinite or ill-defined arguments differ, and are not restored.

The kernels are others; what they give there cannot be had from today's. A call by the user
is said once, with its line.
"""

import functools

from tfgraphtools.compat.engine import notices, state
from tfgraphtools.compat.engine.rows import Row, Table

_HALF = "of float16, NaN stays NaN; TF 1.15 gives a number on the CPU"
_RAW = "the raw op is that of today: see the documentation for what differs from TF 1.15"
_TRANSFORM = "a transform of NaN or infinite numbers is NaN in other elements than in TF 1.15"
_COLOURS = "colours that are NaN or infinite become other numbers than in TF 1.15"
_GAMMA = "for an infinite argument it is the limit; NaN in TF 1.15"

#: What is said -> the functions of which it is.
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
    "a matrix with NaN or infinite elements gives NaN; 0 in TF 1.15": "linalg.pinv",
    "where the first elements of the column and of the row differ, the diagonal is that of the "
    "column; of the row in TF 1.15": "linalg.LinearOperatorToeplitz",
}


def _say_where_called():
    from tfgraphtools._tf import v1

    for text, names in SAID.items():
        for name in names.split():
            path, _, last = name.rpartition(".")
            owner = functools.reduce(getattr, filter(None, path.split(".")), v1)
            plain = getattr(owner, last, None)
            if isinstance(plain, type):
                state.set_attribute(plain, "__init__", _saying(plain.__init__, last, text))
            elif plain is not None:
                state.set_attribute(owner, last, _saying(plain, last, text))


def _saying(plain, name, text):
    """The function, of which a call by the user is said."""

    @functools.wraps(plain)
    def function(*arguments, **options):
        if notices.is_called_by_user() and (text != _HALF or _is_half(*arguments)):
            notices.once("tensorflow." + name, f"{name}: {text}")
        return plain(*arguments, **options)

    return function


def _is_half(x=None, *others):
    return getattr(getattr(x, "dtype", None), "name", "").startswith("float16")


ROW = Row(
    "tensorflow.edges",
    None,
    "says where NaN, infinite or ill-defined arguments give other numbers than in TF 1.15",
    _say_where_called,
)

TABLE = Table("arguments at the edges", "patches", [ROW])
