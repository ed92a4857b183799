"""Old calls of plots: matrices in matplotlib, and positional arguments in seaborn."""

from tfgraphtools.compat.engine.rewrite_kinds import old_call
from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import in_place_of

#: The order of the first arguments of seaborn's functions until 0.11.
ORDERS = {
    "x y data hue": "jointplot lmplot regplot residplot",
    "x y hue data": "barplot boxenplot boxplot countplot lineplot pointplot scatterplot "
    "stripplot swarmplot violinplot",
}

#: Functions whose size is another thing, or which had none.
_NEVER_SIZED = ("boxenplot", "lineplot", "scatterplot")


@in_place_of("matplotlib.pyplot.scatter", "Matplotlib 3.1", "takes columns of matrices")
def _scatter(original, used, *arguments, **options):
    flat = [_flat(argument, used) for argument in arguments]
    return original(*flat, **{key: _flat(value, used) for key, value in options.items()})


def _flat(value, used):
    import numpy as np

    if not isinstance(value, np.matrix):
        return value
    used()
    return np.asarray(value).ravel()


def _seaborn(name, order):
    """Returns the rows of a function of seaborn, given the order of its arguments."""

    def plot(original, used, *arguments, **options):
        if arguments:
            used()
        options.update(zip(order.split(), arguments))
        if "size" in options and name in ("lmplot", "jointplot"):
            used()
            options["height"] = options.pop("size")
        if name == "jointplot":
            options.update({axis: _column(options.get(axis), used) for axis in ("x", "y")})
        return original(**options)

    why = f"takes {order.replace(' ', ', ')} by position, and size for height"
    rewrite = None if name in _NEVER_SIZED else old_call("seaborn." + name, "size")
    return in_place_of("seaborn." + name, "seaborn 0.12", why, rewrite=rewrite)(plot)


def _column(value, used):
    """Returns the values of an array with several axes, flattened, as until seaborn 0.9."""
    if getattr(value, "ndim", 1) < 2 or not hasattr(value, "ravel"):
        return value
    used()
    return value.ravel()


TABLE = Table(
    "old calls of plots",
    "calls",
    [
        *_scatter,
        *(
            row
            for order, names in ORDERS.items()
            for name in names.split()
            for row in _seaborn(name, order)
        ),
    ],
)
