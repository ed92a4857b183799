"""Names that left pandas, h5py, PyYAML, gast and mock."""

import functools

from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes import removed
from tfgraphtools.compat.fixes.build import made
from tfgraphtools.compat.fixes.python.removed import constant_nodes

_ROLLING = "mean sum std var min max median".split()


def _rolling(name):
    def provide(real):
        def rolling(arg, window, min_periods=None, center=False, **options):
            windows = arg.rolling(window, min_periods=min_periods, center=center)
            return getattr(windows, name)(**options)

        return rolling

    why = f"x.rolling(window).{name}()"
    return made(f"pandas.rolling_{name}", "pandas 0.23", why)(provide)


_INDEXES = {"Int64Index": "int64", "UInt64Index": "uint64", "Float64Index": "float64"}


def _index(name, kind):
    def provide(real):
        def index(data=None, *arguments, **options):
            return real.Index([] if data is None else data, kind, *arguments, **options)

        return index

    return made("pandas." + name, "pandas 2.0", f"pandas.Index of {kind}")(provide)


@made("pandas.value_counts", "pandas 3.0", "value_counts of a series")
def _value_counts(real):
    return lambda values, *arguments, **options: real.Series(values).value_counts(
        *arguments, **options
    )


_OF_PANDAS_1 = {"squeeze", "delim_whitespace", "error_bad_lines", "warn_bad_lines"}


def _reading(name):
    """read_csv or read_table with the arguments of pandas 1."""

    def provide(real, used):
        function = getattr(real, name)

        @functools.wraps(function)
        def read(*arguments, **options):
            if not _OF_PANDAS_1.isdisjoint(options):
                used()
            squeeze = options.pop("squeeze", False)
            if options.pop("delim_whitespace", False):
                options["sep"] = r"\s+"
            bad_lines = options.pop("error_bad_lines", None)
            warned = options.pop("warn_bad_lines", True)
            if bad_lines is False:
                options["on_bad_lines"] = "warn" if warned else "skip"
            frame = function(*arguments, **options)
            return frame.squeeze("columns") if squeeze else frame

        return read

    why = "takes squeeze, delim_whitespace and error_bad_lines, as in pandas 1"
    return made("pandas." + name, "pandas 2.0", why)(provide)


@made(
    "h5py.File", "h5py 3.0", "without a mode it opens the file for reading and writing, if possible"
)
def _h5py_file(real, used):
    class File(real.File):
        def __init__(self, name, mode=None, *arguments, **options):
            if mode is not None:
                super().__init__(name, mode, *arguments, **options)
                return
            used()
            for mode in ("r+", "r", "a"):
                try:
                    super().__init__(name, mode, *arguments, **options)
                    return
                except OSError:
                    if mode == "a":
                        raise

    return File


@made("yaml.load", "PyYAML 6.0", "without a Loader it uses FullLoader, as PyYAML 5 did")
def _yaml_load(real, used):
    def load(stream, Loader=None):
        if Loader is None:
            used()
        return real.load(stream, Loader=Loader or real.FullLoader)

    return load


def _mock():
    try:
        import mock  # noqa: UP026
    except ImportError:
        from unittest import mock
    return mock


NAMES = Table(
    "names that left pandas and gast",
    "names",
    [
        *[_rolling(name) for name in _ROLLING],
        *[_index(name, kind) for name, kind in _INDEXES.items()],
        _value_counts,
        *[
            constant_nodes.node_class("gast", "gast 0.3", name, kinds, kind=None)
            for name, kinds in constant_nodes.NODES.items()
        ],
        *removed.rows_of("pandas"),
    ],
)

CALLS = Table(
    "old calls of pandas, h5py and PyYAML",
    "calls",
    [_reading("read_csv"), _reading("read_table"), _h5py_file, _yaml_load],
)

MODULES = Table(
    "modules that moved",
    "modules",
    [
        Row("mock", "Python 3.3", "mock is unittest.mock, if mock is not installed", _mock),
        Row(
            "pandas.util.testing",
            "pandas 2.0",
            "pandas.util.testing is pandas.testing",
            lambda: __import__("pandas.testing").testing,
        ),
        Row(
            "pandas.tools.plotting",
            "pandas 0.25",
            "pandas.tools.plotting is pandas.plotting",
            lambda: __import__("pandas.plotting").plotting,
        ),
    ],
)

TABLES = (NAMES, CALLS, MODULES)
