"""What groups of pandas 1.3 are made of and give: categories, ``nth``, counts, ``fillna``.

``groups`` has what ``apply`` gives.
"""

import functools

from tfgraphtools.compat.engine import notices, rows, state
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.pandas.wrapping import wrap

_RESULTS = Row(
    "pandas.results_of_groups",
    "pandas 2.0",
    "groupby: groups of unused categories, nth by keys, names and order of value_counts, idxmax "
    "of numbers, as_index=False of one column is a frame, fillna, groupby('k')['a', 'b']",
)

TABLE = Table("what groups of pandas give", "listed", [_RESULTS])

#: What may stand between user code and a method: ``_by_position``, for example.
_BETWEEN = ("tfgraphtools",)


def restore(pandas):
    """Changes pandas."""
    if not rows.is_on(_RESULTS):
        return
    core = pandas.core.groupby
    for owner in (pandas.DataFrame, pandas.Series):
        wrap(owner, "groupby", _with_all_categories)
    for owner, place in ((pandas.DataFrame, 9), (pandas, 10)):
        wrap(owner, "pivot_table", functools.partial(_observing, place=place))
    wrap(core.GroupBy, "_nth", _by_keys)
    wrap(core.grouper, "recode_for_groupby", _as_found)
    wrap(core.SeriesGroupBy, "value_counts", _counted)
    if hasattr(core.GroupBy, "_insert_inaxis_grouper"):
        wrap(core.GroupBy, "_insert_inaxis_grouper", _inserting_columns)
    wrap(core.DataFrameGroupBy, "describe", _described)
    for name in ("idxmax", "idxmin"):
        wrap(core.DataFrameGroupBy, name, _of_numbers)
    wrap(core.DataFrameGroupBy, "__getitem__", _taking_columns)
    for owner in (core.DataFrameGroupBy, core.SeriesGroupBy):
        if not hasattr(owner, "fillna"):
            state.set_attribute(owner, "fillna", _fillna, new=True)


def _with_all_categories(plain):
    def groupby(self, *arguments, **options):
        is_old = "axis" in options or "squeeze" in options
        options.pop("squeeze", None)
        if options.get("axis") in (0, "index"):
            del options["axis"]
        if len(arguments) > 1 and type(arguments[1]) is int and len(arguments) < 6:
            is_old, arguments = True, (arguments[0], *arguments[2:])  # axis, by position
        if is_old:
            rows.used(_RESULTS)
        if "observed" not in options and len(arguments) < 6:
            if notices.is_called_by_user(_BETWEEN):
                options["observed"] = False
        found = plain(self, *arguments, **options)
        if options.get("observed") is False and categories_of(found):
            rows.used(_RESULTS)
            _say_order(found)
        return found

    return groupby


def _say_order(groups):
    if not groups.sort and len(categories_of(groups)) < len(groups._grouper.groupings):
        notices.once(
            "pandas.order_of_groups",
            "groupby(sort=False) by categories and other columns lists the combinations that "
            "occur first; pandas 1.3 listed all in the order of the keys",
        )


def categories_of(groups):
    """The groupings by categories."""
    grouper = getattr(groups, "_grouper", None)
    return [one for one in getattr(grouper, "groupings", ()) if one._passed_categorical]


def _as_found(plain):
    """Observed groups are in the order in which they occur where categories have no order."""

    def recode_for_groupby(c, sort, observed):
        if observed and sort and not c.ordered:
            rows.used(_RESULTS)
            sort = False
        return plain(c, sort, observed)

    return recode_for_groupby


def _observing(plain, place):
    def pivot_table(*arguments, **options):
        if "observed" not in options and len(arguments) <= place:
            if notices.is_called_by_user(_BETWEEN):
                options["observed"] = False
        return plain(*arguments, **options)

    return pivot_table


def _by_keys(plain):
    """The rows are named by the keys of their groups, which are no columns of theirs."""

    def nth(self, n, dropna=None):
        found = plain(self, n, dropna)
        if dropna or not self.as_index:
            return found
        rows.used(_RESULTS)
        ids, keys = self._grouper.ids, self._grouper.result_index
        mask = self._make_mask_from_positional_indexer(n) & (ids != -1)
        if found.ndim == 2:
            found = found.drop(columns=[one for one in self.exclusions if one in found.columns])
        found.index = keys.take(ids[mask])
        return found.sort_index(kind="stable") if self.sort else found

    return nth


def _counted(plain):
    """The counts have the name of the column; equal counts are in the order of the values."""

    def value_counts(self, *arguments, **options):
        import numpy
        import pandas

        found = plain(self, *arguments, **options)
        if getattr(found, "ndim", 2) != 1 or found.index.nlevels < 2:
            return found
        rows.used(_RESULTS)
        found.name = self.obj.name
        if arguments or options.get("bins") is not None or not len(found):
            return found
        groups = pandas.factorize(found.index.droplevel(-1))[0]
        values = pandas.factorize(found.index.get_level_values(-1), sort=True)[0]
        counts = found.to_numpy() * (1 if options.get("ascending") else -1)
        keys = (values, counts, groups) if options.get("sort", True) else (values, groups)
        return found.iloc[numpy.lexsort(keys)]

    return value_counts


def _inserting_columns(plain):
    """With ``as_index=False`` only columns become columns: no function or series that groups."""

    def insert(self, result, qs=None):
        before = [result.name] if result.ndim == 1 else list(result.columns)
        found = plain(self, result, qs)
        new = len(found.columns) - len(before)
        groupings = [one for one in self._grouper.groupings if one.name not in before]
        others = [i for i, one in enumerate(groupings[:new]) if not one.in_axis]
        if qs is not None or not others:
            return found
        rows.used(_RESULTS)
        return found.iloc[:, [i for i in range(len(found.columns)) if i not in others]]

    return insert


def _described(plain):
    """With ``as_index=False`` the keys are no columns of the descriptions."""

    def describe(self, *arguments, **options):
        found = plain(self, *arguments, **options)
        keys = [] if self.as_index or found.columns.nlevels < 2 else self._grouper.names
        there = [key for key in keys if (key, "") in found.columns]
        if not there or not notices.is_called_by_user(_BETWEEN):
            return found
        rows.used(_RESULTS)
        return found.drop(columns=[(key, "") for key in there])

    return describe


def _of_numbers(plain):
    def method(self, *arguments, **options):
        is_asked = "numeric_only" not in options and len(arguments) < 2
        if is_asked and notices.is_called_by_user(_BETWEEN):
            if self._obj_with_exclusions.select_dtypes(exclude=["number", "bool"]).shape[1]:
                rows.used(_RESULTS)
                options["numeric_only"] = True
        return plain(self, *arguments, **options)

    return method


def _taking_columns(plain):
    def getitem(self, key):
        if isinstance(key, tuple) and len(key) > 1:
            rows.used(_RESULTS)
            key = list(key)
        is_one = not self.as_index and not isinstance(key, list) and key in self.obj.columns
        if is_one and self._selection is None and notices.is_called_by_user():
            rows.used(_RESULTS)
            return self._gotitem(key, ndim=2)
        return plain(self, key)

    return getitem


def _fillna(self, value=None, method=None, axis=0, inplace=False, limit=None, downcast=None):
    """Fills each group: with a value, which is the same for all, or by its own values."""
    rows.used(_RESULTS)
    if method is not None:
        forward = method in ("ffill", "pad")
        return self.ffill(limit=limit) if forward else self.bfill(limit=limit)
    return self._obj_with_exclusions.fillna(value, limit=limit)
