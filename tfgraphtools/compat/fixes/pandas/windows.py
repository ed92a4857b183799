"""Moving windows and changes of pandas 1.3: counts, columns that hold no numbers, ``axis``."""

from tfgraphtools.compat.engine import notices, rows
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.pandas.wrapping import wrap

_WINDOWS = Row(
    "pandas.windows",
    "pandas 2.0",
    "rolling(3).count() counts in windows that are not full; rolling(axis=0); windows leave out "
    "columns of no numbers, and keep truth values; pct_change fills gaps",
)

TABLE = Table("windows of pandas", "listed", [_WINDOWS])

_METHODS = "mean sum std var median min max skew kurt quantile corr cov sem apply agg aggregate"


def restore(pandas):
    """Changes pandas."""
    if not rows.is_on(_WINDOWS):
        return
    core = pandas.core
    wrap(core.window.Rolling, "count", _counting)
    windows = (core.window.Rolling, core.window.Expanding, core.window.ExponentialMovingWindow)
    for owner in (*windows, core.window.rolling.Window):
        for name in _METHODS.split():
            if hasattr(owner, name):
                wrap(owner, name, _of_numbers)
    wrap(core.window.ExponentialMovingWindow, "mean", _saying)
    for owner in (pandas.DataFrame, pandas.Series):
        for name in ("rolling", "expanding", "ewm"):
            wrap(owner, name, _without_axis)
        wrap(owner, "pct_change", _filling)
    for owner in (core.groupby.DataFrameGroupBy, core.groupby.SeriesGroupBy):
        wrap(owner, "pct_change", _filling)


def _counting(plain):
    def count(self, *arguments, **options):
        if self.min_periods is not None:
            return plain(self, *arguments, **options)
        rows.used(_WINDOWS)
        self.min_periods = 0
        try:
            return plain(self, *arguments, **options)
        finally:
            self.min_periods = None

    return count


def _of_numbers(plain):
    def method(self, *arguments, **options):
        numbers = self._selected_obj
        if numbers.ndim == 2 and "numeric_only" not in options and self._selection is None:
            numbers = numbers._get_numeric_data()
            if numbers.shape[1] < self._selected_obj.shape[1] and numbers.shape[1]:
                rows.used(_WINDOWS)
                self = self[list(numbers.columns)]
        return plain(self, *arguments, **options)

    return method


def _saying(plain):
    def mean(self, *arguments, **options):
        if not self.adjust and not self.ignore_na and self._selected_obj.isna().to_numpy().any():
            notices.once(
                "pandas.ewm",
                "ewm(adjust=False).mean() gives a value after missing ones another weight than "
                "pandas 1 did",
            )
        return plain(self, *arguments, **options)

    return mean


def _without_axis(plain):
    def method(self, *arguments, **options):
        axis = options.get("axis", 0)
        if "axis" in options and axis in (0, "index"):
            rows.used(_WINDOWS)
            del options["axis"]
        return plain(self, *arguments, **options)

    return method


def _filling(plain):
    """A gap had the value before it, so that the change over it is 0."""

    def pct_change(self, periods=1, fill_method="pad", limit=None, freq=None, **options):
        if fill_method is None:
            return plain(self, periods, fill_method=None, freq=freq, **options)
        rows.used(_WINDOWS)
        if hasattr(self, "_grouper"):
            return _of_groups(self, periods, fill_method, limit)
        name = "bfill" if fill_method in ("bfill", "backfill") else "ffill"
        filled = getattr(self, name)(limit=limit)
        return plain(filled, periods, fill_method=None, freq=freq, **options)

    return pct_change


def _of_groups(groups, periods, fill_method, limit):
    name = "bfill" if fill_method in ("bfill", "backfill") else "ffill"
    filled = getattr(groups, name)(limit=limit)
    before = filled.groupby(groups._grouper.codes_info).shift(periods)
    return filled / before - 1
