"""``np.percentile`` and its kin, which took `interpolation` and counted in float64."""

import functools

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import made

#: The ways that take one of the numbers as it is, and so keep its type.
_NEAREST = ("lower", "higher", "nearest")


def _quantile(name):
    def provide(real, used):
        function = getattr(real, name)

        @functools.wraps(function)
        def quantile(a, *arguments, **options):
            if "interpolation" in options:
                used()
                options["method"] = options.pop("interpolation")
            kind = getattr(a, "dtype", None)
            if options.get("method") not in _NEAREST and kind in ("float16", "float32"):
                used()
                a = a.astype("float64")
            return function(a, *arguments, **options)

        return quantile

    why = "the argument interpolation is called method now; small floats give float64"
    return made("numpy." + name, "NumPy 1.22", why)(provide)


_NAMES = ("percentile", "nanpercentile", "quantile", "nanquantile")

TABLE = Table("quantiles of NumPy 1", "calls", [_quantile(name) for name in _NAMES])
