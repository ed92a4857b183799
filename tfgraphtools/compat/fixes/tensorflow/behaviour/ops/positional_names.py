"""Names that are passed by position, where 2.x has another parameter before the name.

TF 2.21 does so itself: ``tf.scatter_nd_add(variable, indices, updates, name="n")`` passes the name
as a policy for bad indices, and the op fails when it runs.
"""

import functools
import importlib
import inspect

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces

#: The parameter before the name of ops that scatter, and its values.
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


_SCATTERS = Row(
    "names.scatter_nd",
    "TF 2.17",
    "scatter_nd, scatter_nd_add, tensor_scatter_add and similar functions take a name by position; "
    "2.21 also fails for scatter_nd_add(variable, ..., name='n')",
    _take_names_of_scatters,
)

TABLE = Table("names of ops that scatter", "patches", [_SCATTERS])


def _with_name_at(place):
    """A function whose argument at this place is the name if it is a string."""

    def provide(real, used, attribute):
        plain = getattr(real, attribute)

        @functools.wraps(plain)
        def function(*arguments, **options):
            if len(arguments) == place + 1 and isinstance(arguments[place], str):
                used()
                options["name"], arguments = arguments[place], arguments[:place]
            return plain(*arguments, **options)

        return function

    return provide


#: function -> the place of the name in 1.15.
_PLACES = {"nn.top_k": 3, "math.top_k": 3, "numpy_function": 3}


def _row(path, place):
    attribute, provide = path.rpartition(".")[2], _with_name_at(place)
    return Row(
        "tensorflow." + path,
        "TF 2.2",
        f"argument {place + 1} is the name, as in 1.15",
        lambda real, used: provide(real, used, attribute),
    )


CALLS = Table(
    "functions with a name by position", "calls", [_row(*item) for item in _PLACES.items()]
)
