"""Functions of rolling windows, and names and modules that left pandas."""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes import removed
from tfgraphtools.compat.fixes.build import provides

_ROLLING = "mean sum std var min max median".split()


def _rolling(name):
    def provide(real):
        def rolling(arg, window, min_periods=None, center=False, **options):
            windows = arg.rolling(window, min_periods=min_periods, center=center)
            return getattr(windows, name)(**options)

        return rolling

    why = f"x.rolling(window).{name}()"
    return provides(f"pandas.rolling_{name}", "pandas 0.23", why)(provide)


TABLES = (
    *removed.tables_of("pandas"),
    Table("functions of rolling windows", "names", [*map(_rolling, _ROLLING)]),
)
