"""Functions of rolling windows, and names and modules that left pandas."""

import importlib

from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes import removed
from tfgraphtools.compat.fixes.build import made

_ROLLING = "mean sum std var min max median".split()


def _rolling(name):
    def provide(real):
        def rolling(arg, window, min_periods=None, center=False, **options):
            windows = arg.rolling(window, min_periods=min_periods, center=center)
            return getattr(windows, name)(**options)

        return rolling

    why = f"x.rolling(window).{name}()"
    return made(f"pandas.rolling_{name}", "pandas 0.23", why)(provide)


def _moved(name, since, today):
    why = f"{name} is {today}"
    return Row(name, since, why, lambda: importlib.import_module(today))


TABLES = (
    Table(
        "names that left pandas",
        "names",
        [*map(_rolling, _ROLLING), *removed.rows_of("pandas")],
    ),
    Table(
        "modules that left pandas",
        "modules",
        [
            _moved("pandas.util.testing", "pandas 2.0", "pandas.testing"),
            _moved("pandas.tools.plotting", "pandas 0.25", "pandas.plotting"),
        ],
    ),
    removed.gone_of("pandas"),
)
