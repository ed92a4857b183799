"""The op that makes the first NaN or Inf of a forward and backward pass: `first_nonfinite`."""

import collections
from typing import Optional

import numpy as np

from tfgraphtools import _tf, select
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import ArgumentError
from tfgraphtools.gradients import _tensor_arguments
from tfgraphtools.gradients._tensor_arguments import nodes
from tfgraphtools.gradients._tensor_types import FeedDict, Nodes
from tfgraphtools.gradients.explaining.lines import user_line
from tfgraphtools.gradients.overriding.set_gradient import missing_named
from tfgraphtools.gradients.probe import is_source
from tfgraphtools.gradients.slicing.scratch import scratch_copy, untouched
from tfgraphtools.gradients.slicing.slice import ALL, Slice

_PLACE = "first_nonfinite(ys, xs, feed)"
_JOINS = frozenset(["Exit", "RefExit", "Merge", "RefMerge"])  # where v1 loops and branches end
_CONTAINERS = _tf.CALLS | _JOINS


_FIELDS = "op_name, op_type, forward_name, line, inside, value, origin"


class Nonfinite(collections.namedtuple("Nonfinite", _FIELDS)):
    """The result of `first_nonfinite`.

    Attributes: ``op_name`` and ``op_type`` of the op; ``forward_name``, the op of your graph
    that it is or that it is the gradient of; ``line``, where that was built (or None);
    ``inside``: it is a loop, branch or function, and an op inside makes the value;
    ``value``: "NaN" or "Inf"; ``origin``: "op", or "variable", "feed" or "constant" where the
    value is in one of these, and no op makes it.
    """

    __slots__ = ()

    @property
    def backward(self) -> bool:
        """True for an op of the backward pass."""
        return self.op_name != self.forward_name

    def __str__(self):
        at = f" built at {self.line}" if self.line else ""
        if self.origin == "feed":
            return f"the value that is fed for {self.op_name!r} holds {self.value}"
        if self.origin != "op":
            return f"the {self.origin} {self.op_name!r}{at} holds {self.value}"
        culprit = f"{self.op_type} {self.op_name!r}"
        if self.backward:
            culprit = f"the gradient of {self.forward_name!r} ({culprit})"
        return (
            f"{culprit}{at} makes {self.value}{' inside' if self.inside else ''} of finite inputs"
        )


def first_nonfinite(
    ys: Nodes,
    xs: Nodes,
    feed: Optional[FeedDict] = None,
    session: Optional[v1.Session] = None,
) -> Optional[Nonfinite]:
    """Finds the first op of y and its gradient that makes a NaN or Inf of finite inputs.

    Does nothing to the graph or the session: both passes run in a copy, which draws random
    numbers of its own. Of a loop, branch or function the op of the whole is named. A variable,
    constant or fed value that holds the NaN itself is named instead of an op that reads it.

    Args:
      ys: a tensor, or a list of them.
      xs: a tensor or variable, or a list of them.
      feed: as for ``Session.run``; what comes from iterators and queues, too.
      session: where the values of the variables are; None: their initial values.

    Returns:
      A `Nonfinite` (``print`` it), or None where ys and gradients are finite. An Inf that
      does no harm (a mask of -inf before a softmax) is passed over.

    Example:
      >>> print(first_nonfinite(loss, [w, b], {x: batch}, session))
      None

    Raises:
      ArgumentError: an iterator or queue that ys are computed from is not fed.
    """
    ys = nodes(_PLACE, ys, differentiable=True)
    xs = nodes(_PLACE, select.expand(_tensor_arguments.listed(xs)))
    _refuse_variables(ys)
    _tensor_arguments.check_one_graph(_PLACE, ys, xs)
    graph, feed = ys[0].graph, feed or {}
    feeds = {graph.as_graph_element(key).name: value for key, value in feed.items()}
    _check_fed(ys, feeds)
    with untouched(graph), _tf.feedability_kept(graph):
        part = Slice(graph, ALL, ys)
        copy, _ = scratch_copy(graph, part.ops, part.definitions(), inline=False)
        values = _values([op for op in part.ops if op.type in _tf.VARIABLES], feed, session)
    copied = set(copy.get_operations())
    with copy.as_default(), _tf.plain_session(copy) as runs:
        own_ys = [copy.get_tensor_by_name(y.name) for y in ys]
        own_xs = [copy.get_tensor_by_name(_tensor(x).name) for x in xs if _name(x) in part.names]
        gradient_of = _gradients(own_ys, own_xs)
        results = own_ys + list(gradient_of.values())
        checks = _checks(results)
        for name, value in values.items():
            _assign(runs, copy.get_operation_by_name(name), value)
        fed_tensors = {
            copy.get_tensor_by_name(name): value
            for name, value in feeds.items()
            if name.split(":")[0] in part.names
        }
        flags = runs.run(checks, fed_tensors)
    bad = {name: is_nan for name, (is_finite, is_nan) in flags.items() if not is_finite}
    op = _first(results, bad, flags)
    if op is None:
        return None
    known = {tensor.op: copy.get_operation_by_name(x) for x, tensor in gradient_of.items()}
    known.update((copied_op, copied_op) for copied_op in copied)
    cause = _held(op, feeds, values, flags, bad) or _made(op, known, bad)
    return cause._replace(line=_line(cause.forward_name, graph))


def _refuse_variables(ys):
    """Raises for a y that is a variable: no op of the graph makes it."""
    for y in ys:
        if _tf.is_variable(y):
            raise ArgumentError(
                _PLACE,
                "ys that are computed",
                f"the variable {y.name!r}",
                "Pass a tensor that is computed from it, such as the loss.",
            )


def _gradients(ys, xs):
    """Returns {name of the op of an x: its gradient, or the values of it}."""
    seeds = [tf.ones_like(y) for y in ys]  # complex ones have none of their own
    with missing_named(v1.get_default_graph()):
        gradients = zip(xs, v1.gradients(ys, xs, seeds))
    return {x.op.name: getattr(grad, "values", grad) for x, grad in gradients if grad is not None}


def _tensor(x):
    return _tf.handle_of(x) if _tf.is_variable(x) else x


def _name(x):
    return _tensor(x).op.name


def _values(variables, feed, session):
    """Returns ``{name: value}`` of variables by their ops: in the session, or at first."""
    if not variables:
        return {}
    reads, graph = {op.name: _tf.read_outside(op) for op in variables}, variables[0].graph
    if session is not None:
        return session.run(reads)
    with v1.Session(graph=graph) as opened:
        all_variables = graph.get_collection(v1.GraphKeys.GLOBAL_VARIABLES)
        parts = [part for variable in all_variables for part in _tf.components(variable)]
        opened.run([part.initializer for part in parts], feed)
        return opened.run(reads)


def _check_fed(ys, feeds):
    """Raises for data that a copy cannot take from where the graph takes it."""
    seen, waiting = set(), list(ys)
    while waiting:
        tensor = waiting.pop()
        if tensor.name in feeds or tensor.name in seen:
            continue
        seen.add(tensor.name)
        if is_source(tensor.op):
            raise ArgumentError(
                _PLACE,
                f"a value for {tensor.name!r} ({tensor.op.type})",
                "none in feed",
                "Fetch the batch first, and feed it: first_nonfinite(ys, xs, {tensor: value}).",
            )
        waiting.extend(tensor.op.inputs)


def _assign(session, op, value):
    variable = op.outputs[0]
    value = tf.constant(value, op.get_attr("dtype"))
    if _tf.is_ref(variable):
        session.run(v1.assign(variable, value, validate_shape=False))
    else:
        session.run(tf.raw_ops.AssignVariableOp(resource=variable, value=value))


def _checks(results):
    """Returns ``{tensor name: (is it finite, has it a NaN)}`` of all that can be fetched."""
    checks, skipped = {}, set()
    for op in sorted(_tf.upstream_ops(results, controls=True), key=_tf.order_of):
        if _depends_on_branch(op, skipped):
            skipped.add(op)
        outputs = op.outputs if op not in skipped and _can_be_fetched(op) else []
        for tensor in outputs:
            dtype = tensor.dtype.base_dtype
            if not (dtype.is_floating or dtype.is_complex) or op.type in _tf.VARIABLES:
                continue
            value = tf.abs(tensor) if dtype.is_complex else tensor
            if dtype.size < 4:
                value = tf.cast(value, tf.float32)
            finite = tf.reduce_all(tf.math.is_finite(value))
            checks[tensor.name] = finite, tf.reduce_any(tf.math.is_nan(value))
    return checks


def _can_be_fetched(op):
    """Returns False for what is in a v1 loop or branch."""
    inside = [context for context in _tf.contexts_of(op) if not _leaves(op, context)]
    return not inside and op.graph.is_fetchable(op)


def _depends_on_branch(op, others):
    """Returns True for an op that runs only if a v1 branch is taken, as these others do."""
    if op.type in _JOINS:
        return False
    before = [tensor.op for tensor in op.inputs] + list(op.control_inputs)
    return op.type in ("Switch", "RefSwitch") or any(earlier in others for earlier in before)


def _leaves(op, loop):
    """Returns True for the op by which a value leaves this v1 loop."""
    if op.type not in ("Exit", "RefExit") or not loop.IsWhileContext():
        return False
    return op.outputs[0].name in [tensor.name for tensor in loop.loop_exits]


def _before(op, checked):
    """Returns the nearest tensors upstream that are checked: of a v1 loop or cond what goes in."""
    return _behind(op, checked)[0]


def _behind(op, checked):
    """Returns (the nearest tensors upstream that are checked, the ops in between)."""
    nearest, between, seen, waiting = [], [], set(), list(op.inputs)
    while waiting:
        tensor = waiting.pop()
        if tensor.name in checked:
            nearest.append(tensor)
        elif tensor.name not in seen:
            seen.add(tensor.name)
            between.append(tensor.op)
            waiting.extend(tensor.op.inputs)
    return nearest, between


def _first(results, bad, checked):
    """Returns the earliest op that a NaN or Inf in the results goes back to."""
    sources, seen, waiting = [], set(), [tensor for tensor in results if tensor.name in bad]
    while waiting:
        op = waiting.pop().op
        if op in seen:
            continue
        seen.add(op)
        before = [tensor for tensor in _before(op, checked) if tensor.name in bad]
        waiting.extend(before)
        if not before:
            sources.append(op)
    return min(sources, key=_tf.order_of) if sources else None


def _held(op, feeds, values, checked, bad):
    """Returns the `Nonfinite` of a feed, variable or constant that an op hands on, or None."""
    for tensor in op.outputs:
        if tensor.name in feeds and tensor.name in bad:
            name = tensor.name[: -len(":0")] if tensor.name.endswith(":0") else tensor.name
            return _of(name, op, bad, [tensor], "feed")
    if op.type == "Const":
        return _of(op.name, op, bad, op.outputs, "constant")
    for before in _behind(op, checked)[1]:
        if before.type in _tf.VARIABLES and not np.all(_is_finite(values[before.name])):
            return _of(before.name, before, bad, op.outputs, "variable")
    return None


def _of(name, op, bad, tensors, origin):
    value = "NaN" if any(bad.get(tensor.name) for tensor in tensors) else "Inf"
    return Nonfinite(name, op.type, name, None, False, value, origin)


def _is_finite(value):
    """Returns where an array is finite; True for one of a dtype that is always so."""
    value = np.asarray(value)
    if value.dtype.kind not in "fcV":  # bfloat16 is of the kind V
        return True
    return np.isfinite(value.astype(np.float32) if value.dtype.kind == "V" else value)


def _line(name, graph):
    try:
        return user_line(graph.get_operation_by_name(name.split(":")[0]))
    except KeyError:
        return None


def _made(op, forward_of, bad):
    """Returns the `Nonfinite` of an op of the copy's two passes."""
    cause = _of(op.name, op, bad, op.outputs, "op")
    forward = _forward(op, forward_of).name
    return cause._replace(forward_name=forward, inside=op.type in _CONTAINERS)


def _forward(op, forward_of):
    """Returns the op that was copied of which this is the gradient, or which it is.

    Not by name: the graph may have backward ops of the same names. A sum of gradients is the
    gradient of what the ops behind it differentiate.

    Args:
      forward_of: {op of the copy: the one that was copied}, as far as it is known.
    """
    seen, waiting = set(), [op]
    while waiting:
        nearest = waiting.pop(0)
        seen.add(nearest)
        forward = nearest
        while forward not in forward_of and forward._original_op is not None:
            forward = forward._original_op
        if forward in forward_of:
            return forward_of[forward]
        behind = [user for tensor in nearest.outputs for user in tensor.consumers()]
        waiting.extend(user for user in behind if user not in seen)
    return op
