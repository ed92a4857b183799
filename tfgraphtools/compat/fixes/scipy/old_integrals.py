"""``scipy.integrate.simps`` until SciPy 1.10, and ``tol=`` of the iterative solvers.

Source: ``scipy/integrate/_quadrature.py`` of SciPy 1.7.
"""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import in_place_of, standing

#: Solver -> its arguments after the start, in their order until SciPy 1.13.
_SOLVERS = {
    "tol maxiter M callback atol": "bicg bicgstab cg cgs",
    "tol restart maxiter M callback restrt atol callback_type": "gmres",
    "tol maxiter M1 M2 callback atol": "qmr",
    "tol maxiter M callback inner_m outer_k outer_v store_outer_Av prepend_outer_v atol": "lgmres",
    "shift tol maxiter M callback show check": "minres",
}

_TODAY = {"tol": "rtol", "restrt": "restart"}


def _solver(order, names):
    order = order.split()

    @in_place_of(
        " ".join("scipy.sparse.linalg." + name for name in names.split()),
        "SciPy 1.14",
        "takes tol=, which is rtol= now, and arguments by position",
    )
    def rows_of(original, used, A, b, x0=None, *arguments, **options):
        old = dict(zip(order, arguments), **options)
        if arguments or not _TODAY.keys().isdisjoint(options):
            used()
        if old.get("atol") == "legacy":
            del old["atol"]
        old = {_TODAY.get(name, name): value for name, value in old.items()}
        return original(A, b, x0, **{k: v for k, v in old.items() if v is not None})

    return rows_of


@standing(
    "scipy.integrate.simps", "SciPy 1.14", "Simpson's rule; an even number of points is averaged"
)
def _simps(y, x=None, dx=1, axis=-1, even="avg"):
    import numpy
    from scipy import integrate

    y = numpy.asarray(y)
    count = y.shape[axis]
    x = None if x is None else numpy.asarray(x)
    if count % 2:
        return integrate.simpson(y, x=x, dx=dx, axis=axis)
    if even not in ("avg", "first", "last"):
        raise ValueError("Parameter 'even' must be 'avg', 'last', or 'first'.")

    def part(rule, *bounds):
        chosen = slice(*bounds)
        of_x = x if x is None else x[chosen] if x.ndim == 1 else _along(x, chosen, axis)
        return rule(_along(y, chosen, axis), x=of_x, dx=dx, axis=axis)

    def split(edge, rest):
        most = part(integrate.simpson, *rest) if count > 2 else 0.0
        return most + part(integrate.trapezoid, *edge)

    first = split((-2, None), (0, count - 1)) if even != "last" else 0.0
    last = split((0, 2), (1, count)) if even != "first" else 0.0
    return (first + last) / 2.0 if even == "avg" else first + last


def _along(array, chosen, axis):
    """Returns a slice of an array along one of its axes."""
    index = [slice(None)] * array.ndim
    index[axis] = chosen
    return array[tuple(index)]


TABLES = (
    Table("integrals of SciPy", "names", [_simps]),
    Table(
        "iterative solvers of SciPy",
        "calls",
        [row for order, names in _SOLVERS.items() for row in _solver(order, names)],
    ),
)
