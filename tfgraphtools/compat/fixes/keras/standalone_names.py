"""Names that Keras 2.2.4 lacks and that earlier versions had, where a script looks for them."""

import importlib
import importlib.abc
import importlib.machinery
import types

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.rewrite_kinds import Runtime
from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.fixes import build

ROW = Fix(
    "keras.names_before_2.2",
    "Keras 2.2",
    "keras.layers.merge and Merge, engine.topology.Container, engine.saving in topology; of Keras "
    "1 slice_X, TimeDistributedDense and utils.visualize_util",
    rewrite=Runtime("tfgraphtools.tf1.libraries.keras"),
)
TABLE = Table("names of Keras before 2.2", "listed", [ROW])

#: module -> name -> where it is now, or "module:name" where it has another name.
_MOVED = {}
for _module, _name, _place in build.lines_of(__file__, "standalone_names.tsv"):
    _MOVED.setdefault(_module, {})[_name] = _place

#: Modules that have names of Keras 1 alone.
_MODULES = ("keras.utils.visualize_util",)

#: The arguments of TimeDistributedDense after the first, in their order.
_ARGUMENTS = (
    "init activation weights W_regularizer b_regularizer activity_regularizer W_constraint "
    "b_constraint bias input_dim input_length"
).split()

_MODES = {
    "sum": "Add",
    "mul": "Multiply",
    "ave": "Average",
    "max": "Maximum",
    "concat": "Concatenate",
    "dot": "Dot",
}


def has(name):
    """Tells whether a full name is a module of Keras 1 alone, or one that `add_to` adds."""
    module, _, leaf = name.rpartition(".")
    is_there = name in _MODULES or leaf in _MOVED.get(module, ())
    return is_there and not rows.is_off(ROW.name)


def add_to(module, prefix=""):
    """Adds to a module of Keras 2.2.4 the names that it had before.

    Args:
      module: the module.
      prefix: what stands before "keras" in its name, with a dot; "" for ``keras`` itself.
    """
    name_in_keras = module.__name__[len(prefix) :]
    names = _MOVED.get(name_in_keras)
    if rows.is_off(ROW.name):
        return
    if name_in_keras == "keras.layers.merge":
        module.__class__ = _MergeModule
    if not names:
        return

    def __getattr__(name):
        if name not in names:
            raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
        rows.used(ROW)
        if name in _MADE:
            return _MADE[name](prefix)
        where, _, other = names[name].partition(":")
        return getattr(importlib.import_module(prefix + where), other or name)

    module.__getattr__ = __getattr__


def spec_of(name, prefix=""):
    """Returns the spec of a module that has names of Keras 1 alone; None for other modules.

    Args:
      name: its full name.
      prefix: what stands before "keras" in it, with a dot.
    """
    is_here = name[len(prefix) :] in _MODULES and not rows.is_off(ROW.name)
    return importlib.machinery.ModuleSpec(name, _Loader(prefix)) if is_here else None


class _Loader(importlib.abc.Loader):
    """A loader of a module whose names are all in the table."""

    def __init__(self, prefix):
        self._prefix = prefix

    def exec_module(self, module):
        """Adds the names of the table."""
        add_to(module, self._prefix)


def _time_distributed_dense(prefix):
    """Returns the function of that name, which makes a `Dense`: it is applied to each step, too."""
    layers = importlib.import_module(prefix + "keras.layers")

    def TimeDistributedDense(output_dim, *arguments, **options):
        options.update(zip(_ARGUMENTS, arguments))
        size, length = options.pop("input_dim", None), options.pop("input_length", None)
        if size is not None:
            options["input_shape"] = (length, size)
        return layers.Dense(output_dim, **options)

    return TimeDistributedDense


def slice_X(X, start=None, stop=None):
    """Returns rows of an array, or of each array in a list.

    Args:
      X: the array, or a list of them.
      start, stop: the first row and the one behind the last; or a list of rows, as `start`.
    """
    if isinstance(X, list):
        return [slice_X(part, start, stop) for part in X]
    return X[list(start)] if hasattr(start, "__len__") else X[start:stop]


#: Names of Keras 1 that Keras 2 has not -> function of what is before "keras" that gives them.
_MADE = {"TimeDistributedDense": _time_distributed_dense, "slice_X": lambda prefix: slice_X}


def _make_layer(
    merge, mode="sum", concat_axis=-1, dot_axes=-1, output_shape=None, arguments=None, **more
):
    """Returns a layer that merges its inputs as the layer Merge of Keras before 2.2 did.

    Args:
      merge: the module keras.layers.merge.
      mode, concat_axis, dot_axes, output_shape, arguments: as of that layer.

    Raises:
      NotImplementedError: it merges models, or by cosine, which no layer of Keras 2.2 does.
    """
    layers = importlib.import_module(merge.__name__.rpartition(".")[0])
    name = more.pop("name", None)
    unsupported = sorted(word for word, value in more.items() if value is not None)
    if unsupported or mode == "cos":
        raise NotImplementedError(
            f"keras.layers.Merge: Keras 2.2 has no such layer for {unsupported or mode}. "
            "Call a layer of keras.layers.merge with the list of tensors: "
            "Concatenate(axis=1)([a, b])"
        )
    if callable(mode):
        base, options = "Lambda", {"function": mode, "arguments": arguments}
        options["output_shape"] = output_shape
    else:
        axes = {"concat": {"axis": concat_axis}, "dot": {"axes": dot_axes}}
        base, options = _MODES[mode], axes.get(mode, {})
    return type("Merge", (getattr(layers, base),), {})(name=name, **options)


class _MergeModule(types.ModuleType):
    """keras.layers.merge, a module, which can be called as the function of that name."""

    def __call__(self, inputs, mode="sum", concat_axis=-1, dot_axes=-1, output_shape=None, **more):
        rows.used(ROW)
        return _make_layer(self, mode, concat_axis, dot_axes, output_shape, **more)(inputs)

    def Merge(
        self, layers=None, mode="sum", concat_axis=-1, dot_axes=-1, output_shape=None, **more
    ):
        """Returns the layer that merged tensors by a mode."""
        more["layers"] = layers
        return _make_layer(self, mode, concat_axis, dot_axes, output_shape, **more)
