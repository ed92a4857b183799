"""Gradients that are zero for every x and every seed, found by runs with random numbers."""

import itertools

import numpy as np

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.gradients.explaining.verdicts.generic import Generic

_MOST_OPS, _MOST_ELEMENTS, _MOST_PREDICATES, _MOST_SIZE = 2000, 1_000_000, 4, 64
_MOST_MILLISECONDS = 2000
#: How each draw makes the stand-ins: (draw, the most of a zero). Sums and products of integers
#: and of powers of two are exact, so that terms cancel in any order; the others are a check.
_DRAWS = (
    (lambda random, shape: random.choice([-1, 1], shape) * random.randint(1, 10, shape), 0),
    (lambda random, shape: random.choice([1, -3], shape) * 2.0 ** random.randint(-5, 6, shape), 0),
    (lambda random, shape: random.uniform(1.0, 2.0, shape), 1e-4),
    (lambda random, shape: random.uniform(-1.5, 1.5, shape), 1e-4),
)


def always_zero(gradients, seed, free):
    """Returns the numbers of the gradients that are zero whatever a run is fed.

    Says nothing of gradients that it cannot compute: they are not among them.

    Args:
      gradients: list of tensors or IndexedSlices of a graph that is thrown away.
      seed: the placeholder that the backward pass starts from.
      free: the names of the ops that depend on an x.
    """
    names = {}
    with seed.graph.as_default():
        for number, gradient in enumerate(gradients):
            dense = _dense(gradient)
            if dense is not None:
                names[number] = dense.name
    try:
        return _zero_in_runs(names, seed, free) if names else set()
    except Exception:  # pylint: disable=broad-except  # an op that fails outside of its own graph
        return set()


def _dense(gradient):
    """Returns the gradient as one tensor; None if it is too large."""
    if isinstance(gradient, tf.IndexedSlices):
        if gradient.dense_shape is None:
            return None
        shape = _tf.static_value(gradient.dense_shape)
        if shape is None or np.prod(shape) > _MOST_ELEMENTS:
            return gradient.values
        gradient = tf.convert_to_tensor(gradient)
    return gradient if gradient.dtype.is_floating or gradient.dtype.is_complex else None


def _zero_in_runs(names, seed, free):
    """Returns the keys of ``{number: name of a tensor}`` whose tensors are zero in every run."""
    tensors = [seed.graph.get_tensor_by_name(name) for name in names.values()]
    if len(_tf.upstream_ops(tensors)) > _MOST_OPS:
        return set()
    starts = {
        op.name
        for op in seed.graph.get_operations()
        if op.name in free and not any(one.op.name in free for one in op.inputs)
    }
    graph = _flat_graph(seed.graph, [*names.values(), seed.name], starts)
    generic = Generic(graph, seed.op.name, starts)
    waiting = {
        number: name
        for number, name in names.items()
        if generic.knows(graph.get_tensor_by_name(name))
    }
    if not waiting:
        return set()
    definition = v1.GraphDef(node=generic.nodes, versions=graph.graph_def_versions)
    ops = sorted({name.split(":")[0] for name in waiting.values()})
    definition = _tf.sub_graph(definition, ops)
    used = {node.name for node in definition.node}
    stand_ins = {name: tensor for name, tensor in generic.stand_ins.items() if name in used}
    feeds = _feeds(definition, stand_ins)
    with v1.Graph().as_default() as runs:
        v1.import_graph_def(definition, name="")
        options = v1.RunOptions(timeout_in_ms=_MOST_MILLISECONDS)
        with _tf.plain_session(runs) as session:
            for feed, most in feeds:
                values = session.run(waiting, feed, options=options)
                waiting = {
                    number: waiting[number]
                    for number, value in values.items()
                    if value.size and np.all(np.abs(value) <= most)
                }
                if not waiting:
                    break
    return set(waiting)


def _flat_graph(graph, names, starts):
    """Returns what these tensors are computed from, as a graph without calls of functions."""
    ops = sorted({name.split(":")[0] for name in names})
    known = {op.name: op.outputs for op in graph.get_operations()}
    definition = _tf.sub_graph(graph.as_graph_def(), ops)
    for node in definition.node:
        if node.op == "Const" and node.name in starts:  # an x: no body may take its value in
            tensor = graph.get_operation_by_name(node.name).outputs[0]
            node.CopyFrom(_tf.placeholder_node(node.name, tensor))
    if definition.library.function:
        definition = _tf.flattened(definition, ops)
        for node in definition.node:
            node.attr.pop("_class", None)  # it may name a node of a body that is gone
    with v1.Graph().as_default() as flat:
        v1.import_graph_def(definition, name="")
    for op in flat.get_operations():  # an import loses the shapes of what leaves a loop
        for output, tensor in zip(op.outputs, known.get(op.name, ())):
            output.set_shape(tensor.shape)
    return flat


def _feeds(definition, stand_ins):
    """Yields (what to feed, the most of a zero) of each run; none if they are too many.

    Args:
      stand_ins: ``{name of a placeholder: tensor that it has dtype and shape of}``.
    """
    predicates = sorted(name for name, stand_in in stand_ins.items() if stand_in.dtype.is_bool)
    if len(predicates) > _MOST_PREDICATES:
        raise ValueError("too many predicates to try them all")
    for size in _sizes(definition, stand_ins.values()):
        shapes = {
            name: [size if length is None else length for length in stand_in.shape.as_list()]
            for name, stand_in in stand_ins.items()
        }
        if sum(np.prod(shape) for shape in shapes.values()) > _MOST_ELEMENTS:
            raise ValueError("too many elements")
        for number, (draw, most) in enumerate(_DRAWS):
            for choice in itertools.product([True, False], repeat=len(predicates)):
                random = np.random.RandomState(number)
                feed = {
                    name + ":0": _value(draw, random, shapes[name], stand_in.dtype)
                    for name, stand_in in sorted(stand_ins.items())
                }
                feed.update((name + ":0", on) for name, on in zip(predicates, choice))
                yield feed, most


def _sizes(definition, tensors):
    """Returns the lengths to try for an unknown dimension: 1, 2, and beyond all constants."""
    if all(tensor.shape.is_fully_defined() for tensor in tensors):
        return [1]
    most = 1
    for node in definition.node:
        if node.op == "Const" and tf.as_dtype(node.attr["dtype"].type).is_integer:
            value = tf.make_ndarray(node.attr["value"].tensor)
            most = max(most, int(np.abs(value).max()) if value.size else 0)
    if most > _MOST_SIZE:
        raise ValueError("a constant that may be an index is too large")
    return [1, 2, most + 2]


def _value(draw, random, shape, dtype):
    value = draw(random, shape)
    if dtype.is_complex:
        value = value + 1j * draw(random, shape)
    return np.asarray(value, dtype.base_dtype.as_numpy_dtype)
