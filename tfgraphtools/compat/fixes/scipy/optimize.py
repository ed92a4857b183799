"""The start of a minimization of SciPy: weights of TensorFlow are 32 bits wide.

SciPy counted in float64, whatever the dtype of the start. It keeps a float32 now: steps of
finite differences are then lost in rounding, so that the start is called a minimum, L-BFGS ends
with NaN, and TNC and SLSQP refuse it.
"""

import functools

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import provides

_FUNCTIONS = (
    "basinhopping fmin fmin_bfgs fmin_cg fmin_cobyla fmin_l_bfgs_b fmin_ncg fmin_powell "
    "fmin_slsqp fmin_tnc minimize"
).split()


def _in_float64(name):
    """Returns a function of scipy.optimize whose second argument, the start, is in float64."""

    def provide(real, used):
        function = getattr(real, name)

        @functools.wraps(function)
        def minimize(*arguments, **options):
            arguments = list(arguments)
            place, key = (options, "x0") if "x0" in options else (arguments, 1)
            if key == "x0" or len(arguments) > 1:
                place[key] = _start(place[key], used)
            return function(*arguments, **options)

        return minimize

    why = "computes in float64, whatever the dtype of the start"
    return provides("scipy.optimize." + name, "SciPy 1.11", why)(provide)


def _start(x0, used):
    import numpy

    start = numpy.asarray(x0)
    if start.dtype.kind not in "biuf" or start.dtype == numpy.float64:
        return x0
    if start.dtype.kind == "f":
        used()
    return start.astype(numpy.float64)


TABLE = Table(
    "minimizations that start in float32", "calls", [_in_float64(name) for name in _FUNCTIONS]
)
