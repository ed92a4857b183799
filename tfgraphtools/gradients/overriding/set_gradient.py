"""Another gradient for ops that are built already, or that came with an imported graph.

The tag that an override leaves on an op can be set later, on a graph from a
MetaGraph, a frozen GraphDef or a SavedModel, after a session has run, and even
on a finalized graph. Backward passes built afterwards use it; those built
before stay as they are.
"""

import contextlib
from typing import Any, Callable, Optional, Sequence

from tfgraphtools import _tf, select
from tfgraphtools._tf import tf
from tfgraphtools.errors import (
    TfgraphtoolsError,
    UnknownGradientError,
    UnreachableOverrideError,
)
from tfgraphtools.gradients._tensor_arguments import checked_graph
from tfgraphtools.gradients._tensor_types import GradientFunction
from tfgraphtools.gradients.overriding import gradient_functions
from tfgraphtools.gradients.overriding.gradient_reach import gets_gradient, never_called


def of_type(op_type: str) -> Callable[[tf.Operation], bool]:
    """Returns a selector of the ops of one type: ``set_gradient(of_type("Relu"), fn)``.

    Args:
      op_type: the real type of the op, as ``tensor.op.type`` shows it.
    """

    def is_of_type(op):
        return op.type == op_type

    is_of_type.__name__ = f"of_type({op_type!r})"
    return is_of_type


def set_gradient(
    selector: Any, gradient: GradientFunction, graph: Optional[tf.Graph] = None
) -> Any:
    """Gives ops of a built or imported graph another gradient.

    Does nothing to values, nor to backward passes that are built already, nor to ops all of
    whose outputs are integers, booleans or strings: no gradient reaches them.

    Args:
      selector: an op or tensor, a predicate on ops such as ``of_type("Relu")``,
        a pattern that must match an op's whole name, or a list of these.
      gradient: ``fn(op, *grads) -> gradients`` or the name of a registered
        one, as for `override_gradient`.
      graph: the graph of a pattern or predicate; the default graph if None.

    Returns:
      The list of the ops that were set.

    Example:
      >>> set_gradient(of_type("Relu"), gradients.guided_relu)

    Raises:
      NothingMatchedError: nothing matched the selector.
      UnreachableOverrideError: a matching op is in a function body whose
        gradient TF builds from a stored copy: a body of control flow v2 on TF
        1.15, an imported function, or a Defun; or no gradient reaches any op that matches.
      UnknownGradientError: no gradient function is registered by that name.
    """
    place = "set_gradient(selector, gradient)"
    if isinstance(gradient, str):
        gradient_functions.known_name(gradient, place)
    selected = _selected(selector, graph, place)
    ops = [op for op in selected if gets_gradient(op)]
    if not ops:
        raise never_called(place, selected[0])
    name = gradient if isinstance(gradient, str) else gradient_functions.name_of(gradient)
    for op in ops:
        if isinstance(gradient, str):
            _tf.set_gradient_override(op, gradient_functions.fitting_name(gradient, op))
        else:
            _tf.keep_alive(op.graph, gradient_functions.held(name))
            _tf.set_gradient_override(op, name)
    return ops


def clear_gradient(selector: Any, graph: Optional[tf.Graph] = None) -> Any:
    """Gives ops back the gradient of their type, whoever overrode it.

    Does nothing to an op that has no gradient of its own.

    Args:
      selector, graph: as for `set_gradient`.

    Returns:
      The list of the ops whose own gradient was cleared.

    Example:
      >>> clear_gradient(of_type("Relu"))

    Raises:
      NothingMatchedError, UnreachableOverrideError: as `set_gradient`.
    """
    cleared = []
    for op in _selected(selector, graph, "clear_gradient(selector)"):
        if _tf.gradient_override(op) is not None:
            _tf.clear_gradient_override(op)
            cleared.append(op)
    return cleared


def require_gradients(graph: Optional[tf.Graph] = None, modules: Sequence[str] = ()) -> Any:
    """Raises if an op of the graph names a gradient function that this process lacks.

    To be called after a saved graph is loaded: `tf.gradients` itself says only
    that the op has no gradient. Does nothing if all names are registered.

    Args:
      graph: a graph with everything imported; the default graph if None.
      modules: modules whose functions may be meant: a name such as
        ``rules.five_times`` is registered as the function of that name of the
        module ``rules`` if it is among these (and of no other: a graph file
        must not choose what runs).

    Example:
      >>> with tf.Graph().as_default():
      ...     tf.compat.v1.train.import_meta_graph("model.meta")
      ...     gradients.require_gradients()

    Raises:
      UnknownGradientError: it names the gradient functions, an op that uses
        each, and how to register them.
    """
    missing = {}
    graph = checked_graph("require_gradients(graph)", graph)
    for name, op_name in _named_gradients(graph):
        known = gradient_functions.restore(name) or gradient_functions.register_by_name(
            name, modules
        )
        if not known:
            missing.setdefault(name, op_name)
    if missing:
        raise UnknownGradientError(
            "require_gradients(graph)",
            "every gradient function that the graph names",
            "none registered as "
            + ", ".join(f"{name!r} (op {op!r})" for name, op in sorted(missing.items())),
            how_to_register(sorted(missing)[0]),
        )


def how_to_register(name):
    """Returns what to do about a gradient function that a graph names and the process lacks."""
    if gradient_functions.is_gone(name):
        return f"It was a closure, and the graphs that used it are gone. {gradient_functions.GONE}"
    if "<locals>" in name or "<lambda>" in name:
        return (
            "It was a function inside another, which no other process can find: give the op "
            "another gradient with gradients.set_gradient, or register the function: "
            f"gradients.register_gradient(fn, name={name!r})."
        )
    if name.startswith("CustomGradient-"):
        return (
            "A tf.custom_gradient has a new name in every process: rebuild that part of the "
            "graph, or give the op another gradient with gradients.set_gradient."
        )
    if name.startswith("tfgraphtools."):
        return "Import tfgraphtools.gradients before the gradients are built."
    return (
        "Import the module that calls gradients.register_gradient on it, pass that module in "
        f"require_gradients(modules=[...]), or call gradients.register_gradient(fn, name={name!r})."
    )


@contextlib.contextmanager
def missing_named(graph):
    """Makes the LookupError of `tf.gradients` one that names the function that an op lacks."""
    try:
        yield
    except TfgraphtoolsError:
        raise
    except LookupError:
        require_gradients(graph)
        raise


def _named_gradients(graph):
    """Yields (name of a gradient function, name of an op that uses it), bodies included."""
    for op in graph.get_operations():
        name = _tf.gradient_override(op)
        if name is not None:
            yield name, op.name
    for definition in _tf.reachable_definitions(graph):
        for node in definition.node_def:
            if _tf.GRADIENT_ATTRIBUTE in node.attr:
                name = node.attr[_tf.GRADIENT_ATTRIBUTE].s.decode()
                yield name, f"{definition.signature.name}/{node.name}"


def _selected(selector, graph, place):
    """Returns the ops that the selector takes, in the graph and in the function bodies it calls."""
    parts = list(selector) if isinstance(selector, (list, tuple, set, frozenset)) else [selector]
    parts = [part.op if isinstance(part, tf.Tensor) else part for part in parts]
    graphs = {part.graph for part in parts if isinstance(part, tf.Operation)}
    if graph is not None or not graphs:
        graphs.add(checked_graph(place, graph))
    reasons = {}
    for searched in graphs:
        reasons.update(_tf.all_operations(searched))
    ops = select.select(parts, list(reasons), place)
    for op in ops:
        if reasons[op]:
            raise UnreachableOverrideError(
                place,
                "ops that TensorFlow asks for their gradient",
                f"op {op.name!r} in {reasons[op]}",
                "Set it while the graph is built, with override_gradient, or edit the GraphDef "
                "before it is imported.",
            )
    return ops
