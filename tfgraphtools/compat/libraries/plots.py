"""How plots were called: matrices in matplotlib, and seaborn's arguments by position."""

import functools

from tfgraphtools.compat.libraries.build import made
from tfgraphtools.compat.rows import Table

#: The order of the first arguments of seaborn's functions until 0.11.
_ORDERS = {
    "x y data hue": "jointplot lmplot regplot residplot",
    "x y hue data": "barplot boxenplot boxplot countplot lineplot pointplot scatterplot "
    "stripplot swarmplot violinplot",
}


@made("matplotlib.pyplot.scatter", "Matplotlib 3.1", "takes columns of matrices, as it did")
def _scatter(real):
    @functools.wraps(real.scatter)
    def scatter(*arguments, **options):
        flat = [_flat(argument) for argument in arguments]
        return real.scatter(*flat, **{key: _flat(value) for key, value in options.items()})

    return scatter


def _flat(value):
    import numpy as np

    return np.asarray(value).ravel() if isinstance(value, np.matrix) else value


def _seaborn(name, order):
    def provide(real):
        function = getattr(real, name)

        @functools.wraps(function)
        def plot(*arguments, **options):
            options.update(zip(order.split(), arguments))
            if "size" in options and name in ("lmplot", "jointplot"):
                options["height"] = options.pop("size")
            return function(**options)

        return plot

    why = f"takes {order.replace(' ', ', ')} by position, and size for height"
    return made("seaborn." + name, "seaborn 0.12", why)(provide)


TABLES = (
    Table(
        "plots as they were called",
        "names",
        [
            _scatter,
            *[_seaborn(name, order) for order, names in _ORDERS.items() for name in names.split()],
        ],
    ),
)
