"""The tensors and variables that `graph_replace` replaces, with their new values."""

from tfgraphtools import _tf
from tfgraphtools._tf import tf
from tfgraphtools.errors import ReplaceError
from tfgraphtools.gradients import _tensor_arguments


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
    """Returns a `Start` for each tensor of the mapping, or a ReplaceError."""
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
        _check_value(place, graph, start)
        starts.extend(_inside(place, graph, start))
    return starts


def _check_value(place, graph, start):
    """Refuses a new value that does not fit; one from outside of a function is captured."""
    value = start.value
    if value.graph is not graph and _tf.is_around(value.graph, graph):
        with graph.as_default():
            start.value = value = tf.identity(value)
    if value.graph is not graph:
        raise ReplaceError(
            place,
            "values of the graph of ys",
            f"the value of {start.name!r} of another graph",
            "Build it under `with y.graph.as_default():`.",
        )
    if not value.shape.is_compatible_with(start.shape):
        raise ReplaceError(
            place,
            f"a value of shape {start.shape} for {start.name!r}",
            f"shape {value.shape}",
            "Reshape or broadcast it first.",
        )
    if _tf.contexts_of(value.op):
        raise ReplaceError(
            place,
            "new values that are built outside of loops and branches",
            f"{value.name!r} inside one",
            "Build the value before the loop or branch, and replace in what it returns.",
        )


def _inside(place, graph, start):
    """Returns the starts in the graph of ys; in a function's body, what it captured."""
    if start.tensor.graph is graph:
        if _tf.contexts_of(start.tensor.op):
            raise ReplaceError(
                place,
                "tensors outside of loops and branches",
                f"{start.tensor.name!r} inside one",
                "Replace what goes into the loop or branch.",
            )
        return [start]
    if not _tf.is_around(start.tensor.graph, graph):
        raise ReplaceError(
            place,
            "keys of the graph of ys",
            f"{start.name!r} of another graph",
            "Replace what is built in y.graph, or what its function is called with.",
        )
    if _tf.is_ref(start.tensor):
        reads = _tf.reads_seen_from(graph, start.tensor)
        if reads:
            return [Start(read, start.value, graph) for read in reads]
    behind = [
        tensor.name
        for tensor, _ in _tf.captures_of(graph)
        if start.tensor.op in _tf.upstream_ops([tensor])
    ]
    raise ReplaceError(
        place,
        "ys that depend on every replaced tensor",
        f"{start.name!r}, which the function {graph.name!r} does not capture",
        f"Replace what it captures and is computed from that: {', '.join(map(repr, behind))}."
        if behind
        else "Replace what y is computed from; explain_gradient(y, x) says what x is to y.",
    )


def _pairs(place, replacements):
    """Returns (tensor or variable, new value) of a mapping, tuples as keys taken apart."""
    if not hasattr(replacements, "items") or not replacements:
        raise ReplaceError(
            place,
            "a mapping {tensor or variable: value}",
            repr(replacements),
            "Write graph_replace(y, {w: w + d}).",
        )
    return [pair for key, value in replacements.items() for pair in _pairs_of(place, key, value)]


def _pairs_of(place, key, value):
    """Returns the pairs of one key: a tensor, what stands for one, or a structure of tensors."""
    if isinstance(key, _tensor_arguments.COMPOSITES):
        key = tuple(_tensor_arguments.leaves(key))
        value = (
            _tensor_arguments.leaves(value)
            if isinstance(value, _tensor_arguments.COMPOSITES)
            else value
        )
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
