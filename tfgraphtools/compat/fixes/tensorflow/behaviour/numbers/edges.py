"""Functions whose results for NaN, infinite or ill-defined arguments differ, and are not restored.

The kernels are others; what they give there cannot be had from today's. A call by the user
is said once, with its line. Where the result is NaN whenever an argument is, it is said when a
session gets or is fed a number that is not finite, and not before.
"""

import functools

from tfgraphtools.compat.engine import notices, state
from tfgraphtools.compat.engine.rows import Row, Table

_HALF = "of float16, NaN stays NaN; TF 1.15 gives a number on the CPU"
_RAW = "the raw op is that of today: see the documentation for what differs from TF 1.15"
_TRANSFORM = "a transform of NaN or infinite numbers is NaN in other elements than in TF 1.15"
_COLOURS = "colours that are NaN or infinite become other numbers than in TF 1.15"
_GAMMA = "for an infinite argument it is the limit; NaN in TF 1.15"
_INVERSE = "a matrix with NaN or infinite elements gives NaN; 0 in TF 1.15"

#: What is said only when a number that is not finite is seen.
_AT_RUN = (_TRANSFORM, _INVERSE)

#: Name of a function that was called -> what is to be said then.
_pending = {}

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
    _INVERSE: "linalg.pinv",
    "where the first elements of the column and of the row differ, the diagonal is that of the "
    "column; of the row in TF 1.15": "linalg.LinearOperatorToeplitz",
}


def _say_where_called():
    from tfgraphtools._tf import v1

    _look_at_numbers()

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
        by_user = notices.is_called_by_user()
        result = plain(*arguments, **options)
        if by_user and text in _AT_RUN and result is not None:
            if name not in _pending:
                _pending[name] = notices.later("tensorflow." + name, f"{name}: {text}")
            if hasattr(result, "numpy"):
                _say_pending([result.numpy()])
        elif by_user and (text != _HALF or _is_half(*arguments)):
            notices.once("tensorflow." + name, f"{name}: {text}")
        return result

    return function


def _look_at_numbers():
    """Has sessions say what is pending when they get, or are fed, what is not finite."""
    from tensorflow.python.client import session

    plain = session.BaseSession._do_run

    @functools.wraps(plain)
    def do_run(self, handle, target_list, fetch_list, feed_dict, options, run_metadata):
        results = plain(self, handle, target_list, fetch_list, feed_dict, options, run_metadata)
        if _pending:
            _say_pending(results)
            _say_pending(feed_dict.values())
        return results

    state.set_attribute(session.BaseSession, "_do_run", do_run)
    state.at_restore(_pending.clear)


def _say_pending(values):
    import numpy as np

    for value in values:
        is_number = isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "fc"
        if is_number and not np.isfinite(value).all():
            for say in _pending.values():
                say()
            _pending.clear()
            return


def _is_half(x=None, *others):
    return getattr(getattr(x, "dtype", None), "name", "").startswith("float16")


ROW = Row(
    "tensorflow.edges",
    None,
    "says where NaN, infinite or ill-defined arguments give other numbers than in TF 1.15",
    _say_where_called,
)

TABLE = Table("arguments at the edges", "patches", [ROW])
