"""Arguments of scikit-learn 1.0 that have another name, other values or another default today."""

import ast
import functools
import inspect

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.replacing import install_after_import
from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.fixes import build

_RENAMED = Fix(
    "sklearn.arguments",
    "scikit-learn 1.1",
    "arguments that were renamed (base_estimator, affinity, fit_params, y_prob, Xt, n_iter, "
    "force_all_finite...), and those that no longer have a meaning (copy_X, X_idx_sorted...)",
)
_VALUES = Fix(
    "sklearn.renamed_arguments",
    "scikit-learn 1.2",
    "criterion='mse', loss='log', max_features='auto', penalty='none'",
    cannot="write estimator=, metric=, criterion='squared_error', ...",
)
_DEFAULTS = Fix(
    "sklearn.defaults",
    "scikit-learn 1.2",
    "KMeans(n_init=10), LinearSVC(dual=True)",
    cannot="write KMeans(n_init=10), LinearSVC(dual=True)",
)
TABLE = Table("arguments of scikit-learn 1.0", "listed", [_RENAMED, _VALUES, _DEFAULTS])


def install():
    """Makes user code's calls take the old arguments, once the modules are loaded."""
    for kind, module, takers, name, value in build.lines_of(__file__, "renamed_arguments.tsv"):
        value = value if kind == "renamed" or value == "any" else ast.literal_eval(value)
        row, change = _KINDS[kind]
        _install(row, module, takers, functools.partial(change, name, value))


def _install(row, module, takers, change):
    """Changes the keyword arguments of functions, of methods, or of the ``__init__`` of classes."""
    names = [
        taker + ".__init__" if taker[0].isupper() and "." not in taker else taker
        for taker in takers.split()
    ]
    function = functools.partial(_call, change)
    install_after_import(*build.replacements(row, function, f"sklearn.{module}:" + " ".join(names)))


def _call(change, original, *arguments, **options):
    change(original, options)
    return original(*arguments, **options)


def _takes(function, name):
    return name in inspect.signature(function).parameters


def _rename(old, new, original, options):
    if old in options and not _takes(original, old):
        rows.used(_RENAMED)
        value = options.pop(old)
        if value is not None and not (isinstance(value, str) and value == "deprecated"):
            options[new] = value


def _leave_out(name, values, original, options):
    is_without = values == "any" or options.get(name) in values
    if name in options and is_without and not _takes(original, name):
        rows.used(_RENAMED)
        del options[name]


def _change_value(name, renamed, original, options):
    value = options.get(name)
    if isinstance(value, str) and value in renamed:
        rows.used(_VALUES)
        options[name] = renamed[value]


def _set_default(name, value, original, options):
    if name not in options:
        rows.used(_DEFAULTS)
        options[name] = value


_KINDS = {
    "renamed": (_RENAMED, _rename),
    "dropped": (_RENAMED, _leave_out),
    "value": (_VALUES, _change_value),
    "default": (_DEFAULTS, _set_default),
}
