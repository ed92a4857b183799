"""``groupby(...).apply`` of pandas 1.3: groups hold the column that they are grouped by.

And results that are indexed as their groups (``lambda g: g - g.mean()``) have the index of
the whole frame, without the keys on top. Combinations of categories that do not occur make no
groups for ``apply`` and ``for``.
"""

import contextlib
import functools

from tfgraphtools.compat.engine import notices, rows, state
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.pandas.wrapping import wrap

_APPLY = Row(
    "pandas.groupby_apply",
    "pandas 2.0",
    "groupby('k').apply passes k to the function, too; results that are indexed like their groups "
    "keep their index; the names of the groups of groupby(['k']) are values of k, not tuples",
)
#: The part of it that is needed later: get_group, groups and indices.
_FIND = _APPLY._replace(since="pandas 3.0")

TABLE = Table("groups of pandas", "listed", [_APPLY])


def restore(pandas):
    """Changes pandas."""
    groups = pandas.core.groupby.GroupBy
    if rows.is_on(_FIND):
        wrap(groups, "get_group", _getting)
        for name in ("groups", "indices"):
            plain = getattr(groups, name).fget
            state.set_attribute(groups, name, property(_keyed(plain), doc=plain.__doc__))
    if rows.is_on(_APPLY):
        wrap(groups, "apply", _applying)
        wrap(groups, "__iter__", _iterating)
        for owner in (pandas.DataFrame, pandas.Series):
            for name in ("copy", "assign", "astype", "rename"):
                if hasattr(owner, name):
                    state.set_attribute(owner, name, _noticing(getattr(owner, name)))


def _applying(plain):
    def apply(self, func, *arguments, **options):
        if not callable(func) or "include_groups" in options:
            return plain(self, func, *arguments, **options)
        rows.used(_APPLY)
        data = self._selected_obj
        occurring = _occurring(self)
        calls = _Calls(func, arguments, options, occurring is not None)
        values, changed = _by_group(self, calls, data)
        if data.ndim == 2 and data.index.nlevels == 1:  # pandas 1.3 had a fast way for these
            changed = calls.changed
        if occurring is not None:
            values = [value for value, occurs in zip(values, occurring) if occurs]
        columns = data.ndim == 2 and any(getattr(value, "ndim", 2) == 1 for value in values)
        with _only(self, occurring) as in_all:
            found = self._wrap_applied_output(data, values, changed, not changed and not columns)
        return in_all(found)

    return apply


def _occurring(groups):
    """Which combinations of several categories occur; None where all do, or it has none."""
    import numpy

    grouper = getattr(groups, "_grouper", None)
    if groups.observed or len(getattr(grouper, "groupings", ())) < 2:
        return None
    if not any(one._passed_categorical for one in grouper.groupings):
        return None
    occurring = numpy.zeros(len(grouper.result_index), bool)
    occurring[grouper.ids[grouper.ids >= 0]] = True
    return None if occurring.all() else occurring


@contextlib.contextmanager
def _only(groups, occurring):
    """Makes the groups have the keys that occur, and gives what adds the others to a result."""
    if occurring is None:
        yield lambda found: found
        return
    cache, name = groups._grouper._cache, "result_index_and_ids"
    full, ids = kept = getattr(groups._grouper, name)
    keys = full[occurring]
    cache[name] = keys, ids
    try:
        # A function of frames that gives numbers leaves the others out.
        yield (
            lambda found: (
                found.reindex(full)
                if found.ndim == groups._selected_obj.ndim and found.index.equals(keys)
                else found
            )
        )
    finally:
        cache[name] = kept


def _by_group(groups, function, data):
    """(its values, whether one has another index than its group), by the pandas that is here."""
    grouper = getattr(groups, "_grouper", None) or groups.grouper  # until 2.1
    each = getattr(grouper, "apply_groupwise", None) or grouper.apply  # in 2.0
    if rows.is_needed(_FIND):
        return each(function, data)
    return each(function, data, groups.axis)


class _Calls:
    """A function of groups that tells whether its results have other indices than its groups.

    To pandas 1.3 the index of a copy was another one (unless the first result was its group
    itself): a function that copies its group, and not one that computes from it, has the
    keys on top of its result.
    """

    running = []

    def __init__(self, function, arguments, options, skips_empty):
        self._call = functools.partial(_called, function, arguments, options)
        self._skips_empty = skips_empty
        self._gives_itself = None
        self.copied = self.changed = False

    def __call__(self, group):
        if self._skips_empty and not len(group):
            return group
        before = group.index
        self.copied = False
        self.running.append(self)
        try:
            result = self._call(group)
        finally:
            self.running.pop()
        if self._gives_itself is None:
            self._gives_itself = result is group
        after = getattr(result, "index", before)
        copied = self.copied and not self._gives_itself
        if after is not before and (copied or not before.equals(after)):
            self.changed = True
        return result


def _noticing(plain):
    """A method that gives a copy, which the function of groups that runs is told of."""

    @functools.wraps(plain)
    def method(self, *arguments, **options):
        if _Calls.running and notices.is_called_by_user():
            _Calls.running[-1].copied = True
        return plain(self, *arguments, **options)

    return method


def _called(function, arguments, options, group):
    return function(group, *arguments, **options)


def _is_users(groups):
    """Whether user code asks for groups by a list of one key."""
    is_one = isinstance(groups.keys, list) and len(groups.keys) == 1
    return is_one and notices.is_called_by_user(("tfgraphtools",))


def _getting(plain):
    def get_group(self, name, *arguments, **options):
        if _is_users(self) and not isinstance(name, tuple):
            rows.used(_APPLY)
            name = (name,)
        return plain(self, name, *arguments, **options)

    return get_group


def _iterating(plain):
    def iterate(self):
        if _occurring(self) is not None and notices.is_called_by_user():
            rows.used(_APPLY)
            return (one for one in plain(self) if len(one[1]))
        if not _is_users(self):
            return plain(self)
        rows.used(_APPLY)
        return ((_key(name), group) for name, group in plain(self))

    return iterate


def _key(name):
    return name[0] if isinstance(name, tuple) else name


def _keyed(plain):
    def read(self):
        found = plain(self)
        if not _is_users(self):
            return found
        rows.used(_APPLY)
        return type(found)({_key(name): value for name, value in found.items()})

    return read
