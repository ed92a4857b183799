"""The start of a minimization of SciPy: weights of TensorFlow are 32 bits wide.

SciPy counted in float64, whatever the dtype of the start. It keeps a float32 now: steps of
finite differences are then lost in rounding, so that the start is called a minimum, L-BFGS ends
with NaN, and TNC and SLSQP refuse it.
"""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import in_place_of

_NAMES = (
    "basinhopping fmin fmin_bfgs fmin_cg fmin_cobyla fmin_l_bfgs_b fmin_ncg fmin_powell "
    "fmin_slsqp fmin_tnc minimize"
).split()


@in_place_of(
    " ".join("scipy.optimize." + name for name in _NAMES),
    "SciPy 1.11",
    "computes in float64, whatever the dtype of the start",
)
def _in_float64(original, used, *arguments, **options):
    arguments = list(arguments)
    holder, place = (options, "x0") if "x0" in options else (arguments, 1)
    if place == "x0" or len(arguments) > 1:
        holder[place] = _start(holder[place], used)
    return original(*arguments, **options)


def _start(x0, used):
    import numpy

    start = numpy.asarray(x0)
    if start.dtype.kind not in "biuf" or start.dtype == numpy.float64:
        return x0
    if start.dtype.kind == "f":
        used()
    return start.astype(numpy.float64)


TABLE = Table("minimizations that start in float32", "calls", _in_float64)
