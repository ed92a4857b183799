"""What pandas's methods take by position."""

import functools

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.pandas.wrapping import wrap

_POSITIONAL = Row(
    "pandas.positional_arguments",
    "pandas 2.0",
    "df.drop('a', 1), df.dropna(0), pd.concat([a, b], 1): arguments by position",
)
#: Methods of frames and of series (and functions of pandas), and the order of their arguments.
_ORDER = {
    "DataFrame": {
        "drop_duplicates": "subset keep inplace",
        "dropna": "axis how thresh subset inplace",
        "pivot": "index columns values",
        "reindex": "labels index columns",
        "rename": "mapper index columns axis",
        "set_index": "keys drop append inplace verify_integrity",
        "sort_values": "by axis ascending inplace kind na_position",
    },
    "Series": {
        "drop_duplicates": "keep inplace",
        "dropna": "axis inplace how",
        "sort_values": "axis ascending inplace kind na_position",
    },
    "both": {
        "drop": "labels axis index columns level inplace errors",
        "fillna": "value method axis inplace limit",
        "clip": "lower upper axis inplace",
        "interpolate": "method axis limit inplace",
        "replace": "to_replace value inplace limit regex",
        "reset_index": "level drop inplace",
        "sort_index": "axis level ascending inplace",
        "to_csv": "path_or_buf sep na_rep float_format columns header index",
        "where": "cond other inplace axis",
        "mask": "cond other inplace axis",
        "any": "axis",
        "all": "axis",
        **dict.fromkeys("mean median min max skew kurt".split(), "axis skipna _ numeric_only"),
        **dict.fromkeys(["sum", "prod"], "axis skipna _ numeric_only min_count"),
        **dict.fromkeys(["std", "var", "sem"], "axis skipna _ ddof numeric_only"),
    },
    "pandas": {
        "concat": "objs axis join ignore_index keys",
        "read_csv": "filepath_or_buffer sep delimiter header names index_col usecols",
        "read_table": "filepath_or_buffer sep delimiter header names index_col usecols",
    },
    "text": {"split": "pat n expand", "rsplit": "pat n expand"},
}


def restore(pandas):
    """Changes pandas."""
    frame, series = pandas.DataFrame, pandas.Series
    text = pandas.core.strings.accessor.StringMethods
    if rows.is_on(_POSITIONAL):
        owners = {"DataFrame": [frame], "Series": [series], "both": [frame, series]}
        owners.update(pandas=[pandas], text=[text])
        for kind, methods in _ORDER.items():
            for owner in owners[kind]:
                for name, order in methods.items():
                    own = owner is pandas
                    wrap(owner, name, functools.partial(_by_position, order=order, own=own))


def _by_position(plain, order, own):
    names = order.split()

    def method(*arguments, **options):
        first = 0 if own else 1
        kept = first + 1 if names[0] in _STILL_BY_POSITION else first
        if len(arguments) > kept and len(arguments) - first <= len(names):
            given = dict(zip(names[kept - first :], arguments[kept:]))
            given.pop("_", None)
            if not set(given) & set(options):
                rows.used(_POSITIONAL)
                return plain(*arguments[:kept], **given, **options)
        return plain(*arguments, **options)

    return method


#: First arguments that are taken by position today, too.
_STILL_BY_POSITION = (
    "labels keys by mapper value lower to_replace level path_or_buf cond objs method "
    "filepath_or_buffer pat"
).split()


TABLE = Table(
    "arguments of pandas's methods",
    "listed",
    [_POSITIONAL],
)
