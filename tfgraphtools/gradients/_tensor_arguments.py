"""Arguments that many functions share: their checks, and structures of tensors."""

import collections.abc
import copy

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import ArgumentError

#: Values that consist of several tensors.
COMPOSITES = (tf.SparseTensor, tf.IndexedSlices, tf.RaggedTensor)


def listed(values):
    """Returns a list of the values: of a list or tuple its elements, of anything else the one.

    In place of a variable of Keras 3 stands the variable of the graph that it holds.
    """
    values = values if isinstance(values, (list, tuple)) else [values]
    return [_tf.without_keras(value) for value in values]


def nodes(place, values, differentiable=False):
    """Returns a list of the tensors and variables of an argument, or raises for anything else.

    Args:
      place: the call and argument, for the message.
      values: what was passed: one of them, or a list.
      differentiable: whether they must be of a dtype that has gradients.
    """
    values = listed(values)
    for value in values:
        if not isinstance(value, tf.Tensor) and not _tf.is_variable(value):
            got, next_step = _no_node(value)
            raise ArgumentError(place, "tensors and variables of the graph", got, next_step)
        if differentiable and not _tf.has_gradients(value.dtype):
            raise ArgumentError(
                place,
                "tensors and variables of a float or complex dtype",
                f"{value.name!r} of dtype {value.dtype.base_dtype.name}, which has no gradients",
                "Pass the float tensors around it.",
            )
    return values


def _no_node(value):
    """Returns (what was passed, what to pass instead) for what is no tensor or variable."""
    if _tf.is_partitioned(value):
        count = len(list(value))
        return f"the partitioned variable {value.name!r}", f"Pass its {count} slices: list(v)."
    if isinstance(value, COMPOSITES):
        return f"a {type(value).__name__}", "Pass the tensor that holds its values: x.values."
    if isinstance(value, (list, tuple, collections.abc.Mapping)):
        return f"{value!r:.80}", "Pass one flat list: list(d.values()) of a dict."
    if isinstance(value, tf.Operation):
        return f"the op {value.name!r}", "Pass one of its outputs: op.outputs[0]."
    if isinstance(value, str):
        return repr(value), f"Pass the tensor: graph.get_tensor_by_name({value + ':0'!r})."
    return f"{value!r:.80} of type {type(value).__name__}", "Pass the tensor or variable itself."


def checked_graph(place, graph):
    """Returns the graph of an argument, the default graph if that is None, or raises."""
    if graph is None:
        return v1.get_default_graph()
    if not isinstance(graph, tf.Graph):
        raise ArgumentError(place, "a tf.Graph", f"{graph!r:.80}", "Pass tensor.graph.")
    return graph


def tensor_like(place, value, model):
    """Returns a weight or direction as a tensor of the dtype of a tensor, or raises by name."""
    try:
        return tf.convert_to_tensor(value, dtype=model.dtype.base_dtype)
    except (TypeError, ValueError) as error:
        raise ArgumentError(
            place,
            f"what converts to a tensor of dtype {model.dtype.base_dtype.name}, as {model.name!r}",
            f"{value!r:.80} ({' '.join(str(error).split())[:80]})",
            "Pass a tensor, array or number of that dtype.",
        ) from error


def leaves(structure):
    """Lists the tensors of a structure: of a SparseTensor its parts, and no None."""
    collected = []

    def collect(leaf):
        collected.append(leaf)
        return leaf

    map_leaves(collect, structure)
    return collected


def map_leaves(function, structure):
    """Returns a structure of the same types and keys that holds the function's results.

    Args:
      function: is called with each leaf: a tensor, or a part of a SparseTensor, IndexedSlices or
        RaggedTensor.
      structure: a leaf, or nested mappings, lists, tuples and namedtuples of leaves. None stays.
    """
    if structure is None:
        return None
    if isinstance(structure, collections.abc.Mapping):
        mapped = copy.copy(structure)  # a defaultdict or OrderedDict stays one
        mapped.update((key, map_leaves(function, value)) for key, value in structure.items())
        return mapped
    if isinstance(structure, (list, tuple)):
        mapped = [map_leaves(function, value) for value in structure]
        is_named = hasattr(structure, "_fields")
        return type(structure)(*mapped) if is_named else type(structure)(mapped)
    if isinstance(structure, COMPOSITES):
        return tf.nest.map_structure(function, structure, expand_composites=True)
    return function(structure)


def check_one_graph(place, *groups):
    """Raises unless all tensors and variables of these lists are of one graph.

    Args:
      place: the call, for the message.
      groups: lists; what is neither tensor nor variable is passed over.
    """
    first = None
    for member in (item for group in groups for item in group):
        if not (isinstance(member, tf.Tensor) or _tf.is_variable(member)) or _tf.is_partitioned(
            member
        ):
            continue
        graph = _graph_of(member)
        if graph is None:
            raise ArgumentError(
                place,
                "tensors and variables of a graph",
                f"a value of eager mode of shape {member.shape}",
                "Build it under tf.Graph().as_default(), or call "
                "tf.compat.v1.disable_eager_execution() first.",
            )
        graph = _outermost(graph)  # the body of a loop may use what is outside of it
        first = first or (graph, member)
        if graph is not first[0]:
            raise ArgumentError(
                place,
                f"tensors of one graph, that of {first[1].name!r}",
                f"{member.name!r} of another graph",
                "Build both in one tf.Graph().as_default().",
            )


def check_scalar(place, loss):
    """Raises if the loss is known to be no scalar: its elements would be summed silently."""
    if loss.shape.rank:
        raise ArgumentError(
            place,
            "a scalar loss",
            f"{loss.name!r} of shape {loss.shape}",
            "Reduce it first: tf.reduce_sum(loss) or tf.reduce_mean(loss).",
        )


def _outermost(graph):
    outer = getattr(graph, "outer_graph", None)
    return graph if outer is None else _outermost(outer)


def _graph_of(item):
    try:
        return (_tf.handle_of(item) if _tf.is_variable(item) else item).graph
    except AttributeError:  # a tensor of eager mode has none
        return None
