"""Arguments that many functions share: their checks, and structures of tensors."""

import collections.abc
import copy

from tfgraphtools import _tf
from tfgraphtools._tf import tf
from tfgraphtools.errors import ArgumentError

#: Values that consist of several tensors.
COMPOSITES = (tf.SparseTensor, tf.IndexedSlices, tf.RaggedTensor)


def listed(values):
    """Returns a list of the values: of a list or tuple its elements, of anything else the one."""
    return list(values) if isinstance(values, (list, tuple)) else [values]


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
