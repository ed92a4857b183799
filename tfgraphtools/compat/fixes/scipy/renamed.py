"""Arguments of SciPy that have another name, and functions that took more dimensions since."""

import functools

from tfgraphtools.compat.engine import after_import, notices, rows, state
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.build import made

_INTERVALS = Row(
    "scipy.stats.interval",
    "SciPy 1.11",
    "stats.norm.interval(alpha=0.9): alpha is confidence now",
)

#: module -> {function: {old argument: new one}}
_ARGUMENTS = {
    "scipy.sparse.linalg": dict.fromkeys(
        "bicg bicgstab cg cgs gmres lgmres minres qmr".split(), {"tol": "rtol"}
    ),
    "scipy.linalg": {
        "eigh": {"eigvals": "subset_by_index"},
        "eigvalsh": {"eigvals": "subset_by_index"},
    },
}
_ARGUMENTS["scipy.sparse.linalg"].pop("minres")


def _renaming(module, name, arguments):
    def provide(real, used):
        function = getattr(real, name)

        @functools.wraps(function)
        def call(*given, **options):
            for old, new in arguments.items():
                if old in options:
                    used()
                    options[new] = options.pop(old)
            return function(*given, **options)

        return call

    why = ", ".join(f"{old}= is {new}=" for old, new in arguments.items())
    return made(f"{module}.{name}", "SciPy 1.14", why)(provide)


def _flattening(name):
    def provide(real, used):
        function = getattr(real, name)

        @functools.wraps(function)
        def flat(*vectors, **options):
            import numpy

            if any(numpy.ndim(one) > 1 for one in (*vectors, *options.values())):
                used()
            ravelled = [one if one is None else numpy.ravel(one) for one in vectors]
            return function(*ravelled, **{key: numpy.ravel(one) for key, one in options.items()})

        return flat

    return made("scipy.linalg." + name, "SciPy 1.17", "flattens what has several dimensions")(
        provide
    )


@made("scipy.sparse.find", "SciPy 1.13", "finds the elements by columns")
def _find(real, used):
    def find(A):
        import numpy

        found = real.find(A)
        order = numpy.lexsort(found[:2])
        if (numpy.diff(order) < 0).any():
            used()
        return tuple(part[order] for part in found)

    return find


CALLS = Table(
    "arguments of SciPy",
    "calls",
    [
        *[
            _renaming(module, name, arguments)
            for module, functions in _ARGUMENTS.items()
            for name, arguments in functions.items()
        ],
        _find,
        *map(_flattening, ("circulant", "hankel", "toeplitz")),
    ],
)

TABLE = Table("distributions of SciPy", "listed", [_INTERVALS])

TABLES = (CALLS, TABLE)


def install():
    """Changes distributions, once they are loaded."""
    if not rows.is_off(_INTERVALS.name):
        after_import.call("scipy.stats._distn_infrastructure", _take_alpha, _INTERVALS.name)
    after_import.call("scipy.stats._multivariate", _tell_of_groups, "scipy.groups")


def _take_alpha(module):
    for cls in (module.rv_generic, module.rv_frozen):
        state.set_attribute(cls, "interval", _taking(cls.interval))


def _taking(plain):
    @functools.wraps(plain)
    def interval(self, *arguments, **options):
        if "alpha" in options:
            rows.used(_INTERVALS)
            options["confidence"] = options.pop("alpha")
        return plain(self, *arguments, **options)

    return interval


def _tell_of_groups(module):
    for name in ("ortho_group", "special_ortho_group"):
        cls = type(getattr(module, name))
        state.set_attribute(cls, "rvs", _saying(cls.rvs, name))


def _saying(plain, name):
    @functools.wraps(plain)
    def rvs(self, *arguments, **options):
        notices.once(
            "scipy." + name,
            f"scipy.stats.{name} draws other matrices from the same seed since SciPy 1.8",
        )
        return plain(self, *arguments, **options)

    return rvs
