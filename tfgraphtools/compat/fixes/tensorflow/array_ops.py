"""Functions of arrays: arguments of before 1.0, and names of ops that scatter."""

import functools
import importlib
import inspect

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.fixes.build import in_place_of
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces


@in_place_of("tensorflow.concat", "TF 1.0", "takes (concat_dim, values), too")
def _concat(original, used, values, axis=None, name="concat", concat_dim=None):
    if concat_dim is not None:
        used()
        axis = concat_dim
    elif isinstance(values, int) and not isinstance(axis, int):
        used()
        values, axis = axis, values  # concat(concat_dim, values)
    return original(values, axis, name=name)


@in_place_of("tensorflow.split", "TF 1.0", "takes (split_dim, num_split, value), too")
def _split(original, used, *arguments, **options):
    names = ("value", "num_or_size_splits", "axis", "num", "name")
    old = {"split_dim": "axis", "num_split": "num_or_size_splits"}
    if len(arguments) >= 3 and isinstance(arguments[0], int):
        used()
        names = ("axis", "num_or_size_splits", "value", "name")  # split(dim, number, value)
    if not old.keys().isdisjoint(options):
        used()
    options = {old.get(name, name): value for name, value in options.items()}
    options.update(zip(names, arguments))
    return original(**options)


@in_place_of("tensorflow.reverse", "TF 1.0", "takes one bool per dimension, too")
def _reverse(original, used, tensor, axis=None, name=None, dims=None):
    flags = dims if dims is not None else axis
    if isinstance(flags, (list, tuple)) and flags and all(isinstance(f, bool) for f in flags):
        used()
        axis = [number for number, turned in enumerate(flags) if turned]
    return original(tensor, axis, name=name)


#: The parameter before the name of ops that scatter, and its values. TF 2.21 itself passes the name
#: of ``tf.scatter_nd_add(variable, indices, updates, name="n")`` as a policy: the op then fails.
_POLICY, _POLICIES = "bad_indices_policy", ("", "DEFAULT", "ERROR", "IGNORE")

#: The modules whose ops have a policy, and those that hold the same functions.
_DEFINING = ("gen_array_ops", "gen_state_ops")
_HOLDING = (
    "tensorflow.python.ops.array_ops:",
    "tensorflow.python.ops.state_ops:",
    "tfgraphtools._tf:v1.",
    "tfgraphtools._tf:v1.manip.",
)


def _take_names_of_scatters():
    """Makes every op that has a policy take a name in its place."""
    for module in ("tensorflow.python.ops." + name for name in _DEFINING):
        for name, function in list(vars(importlib.import_module(module)).items()):
            is_op = inspect.isfunction(function) and name.islower()
            if is_op and not name.endswith("_fallback"):
                parameters = list(inspect.signature(function).parameters)
                if _POLICY in parameters:
                    holders = tuple(holder + name for holder in _HOLDING)
                    take = functools.partial(_take_name, parameters.index(_POLICY))
                    replaces(f"{module}:{name}", row=_SCATTERS, also=holders)(take).apply()


def _take_name(place, original, *arguments, **options):
    if len(arguments) == place + 1 and arguments[place] not in _POLICIES:
        if arguments[place] is not None:
            rows.used(_SCATTERS)
        options["name"], arguments = arguments[place], arguments[:place]
    return original(*arguments, **options)


_SCATTERS = Fix(
    "names.scatter_nd",
    "TF 2.17",
    "scatter_nd, scatter_nd_add, tensor_scatter_add and similar functions take a name by position; "
    "2.21 also fails for scatter_nd_add(variable, ..., name='n')",
    _take_names_of_scatters,
    cannot="leave the name out",
)

TABLES = (
    Table("arguments of arrays from before 1.0", "calls", [*_concat, *_split, *_reverse]),
    Table("names of ops that scatter", "patches", [_SCATTERS]),
)
