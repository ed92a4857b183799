"""What `graph_replace` replaces: the tensors and variables of a mapping, with their new values."""

from tfgraphtools import _tf
from tfgraphtools._tf import tf
from tfgraphtools.errors import ReplaceError
from tfgraphtools.gradients import _arguments


class Start:
    """One thing to replace: the tensor that stands for it in the graph, and its new value."""

    def __init__(self, key, value, graph):
        variable = _tf.is_variable(key)
        self.tensor = _tf.seen_from(graph, _tf.handle_of(key) if variable else key)
        self.dtype = key.dtype.base_dtype
        self.shape = key.shape
        self.name = key.name
        self.value = tf.convert_to_tensor(value, dtype=self.dtype)


def checked_starts(place, graph, replacements):
    """A `Start` for each tensor of the mapping, or a ReplaceError."""
    starts = []
    for key, value in _pairs(place, replacements):
        if not (_tf.is_variable(key) or isinstance(key, tf.Tensor)) or _tf.is_partitioned(key):
            raise ReplaceError(
                place,
                "a tensor or a variable as a key",
                repr(key),
                "For a PartitionedVariable replace its slices, list(variable).",
            )
        try:
            start = Start(key, value, graph)
        except (TypeError, ValueError) as error:
            raise ReplaceError(
                place,
                f"a value of dtype {key.dtype.base_dtype.name}",
                str(error),
                "Cast the new value.",
            ) from error
        if start.tensor.graph is not graph or start.value.graph is not graph:
            raise ReplaceError(
                place,
                "keys and values of the graph of ys",
                f"{start.name!r} of another graph",
                "Build it in y.graph.",
            )
        if not start.value.shape.is_compatible_with(start.shape):
            raise ReplaceError(
                place,
                f"a value of shape {start.shape} for {start.name!r}",
                f"shape {start.value.shape}",
                "Reshape or broadcast it first.",
            )
        for tensor in (start.tensor, start.value):
            if _tf.contexts_of(tensor.op):
                raise ReplaceError(
                    place,
                    "tensors outside of loops and branches",
                    f"{tensor.name!r} inside one",
                    "Replace what goes into the loop or branch.",
                )
        starts.append(start)
    return starts


def _pairs(place, replacements):
    """(tensor or variable, new value) of a mapping, tuples as keys taken apart."""
    if not hasattr(replacements, "items") or not replacements:
        raise ReplaceError(
            place,
            "a mapping {tensor or variable: value}",
            repr(replacements),
            "Write graph_replace(y, {w: w + d}).",
        )
    return [
        pair for key, value in replacements.items() for pair in _pairs_of(place, key, value)
    ]


def _pairs_of(place, key, value):
    """The pairs of one key: a tensor, what stands for one, or a structure of tensors."""
    if isinstance(key, _arguments.COMPOSITES):
        key = tuple(_arguments.leaves(key))
        value = _arguments.leaves(value) if isinstance(value, _arguments.COMPOSITES) else value
    if not isinstance(key, tuple):
        # ``variable.ref()`` stands for what cannot be hashed in TF 2
        return [(key.deref() if hasattr(key, "deref") else key, value)]
    if not isinstance(value, (list, tuple)) or len(value) != len(key):
        raise ReplaceError(
            place,
            f"{len(key)} values for a key of {len(key)} tensors",
            repr(value),
            "Pass a new value of the same structure.",
        )
    return [pair for parts in zip(key, value) for pair in _pairs_of(place, *parts)]
