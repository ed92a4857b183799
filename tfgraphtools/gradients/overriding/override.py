"""Another gradient for the ops that a block builds: `Graph.gradient_override_map`, made safe.

TF's own map is silent when it does nothing: a key that is no op type, a block
that builds no such op, a body of control flow v2 or `tf.function` inside the
block. It also tags what nobody meant: the read of a variable, and backward ops.
`override_gradient` reaches the bodies, leaves the reads and the backward ops
alone, and raises where it cannot do what was asked.

How: TF calls a *device function* with every op it creates, in the graph and in
every function body traced below it. Ours reads the op and sets no device.
"""

import collections
import contextlib
from typing import Iterator, Mapping

from tfgraphtools import _tf
from tfgraphtools._tf import v1
from tfgraphtools.errors import ArgumentError, UnreachableOverrideError, UnusedOverrideError
from tfgraphtools.gradients._tensor_types import GradientFunction
from tfgraphtools.gradients.overriding import gradient_functions
from tfgraphtools.gradients.overriding.gradient_reach import (
    dtypes_of_outputs,
    gets_gradient,
    never_called,
)
from tfgraphtools.gradients.overriding.hits import Hits, likely_type


@contextlib.contextmanager
def override_gradient(gradients: Mapping[str, GradientFunction]) -> Iterator[Hits]:
    """Gives the ops that the block builds, of these types, another gradient.

    Does nothing to ops built before or after the block, to the reads of ref
    variables, to ops that backward passes build inside the block, to ops all of whose outputs
    are integers, booleans or strings (no gradient reaches them), to ops inside a
    function under `tf.custom_gradient` or `tf.recompute_grad` (for the latter open
    the override inside that function), to ops of another graph made default inside
    the block, and to ops that already have a gradient of their own from an override
    nested inside this one. The values of all ops stay the same.

    Reaches the bodies of v1 and v2 control flow, `map_fn`, `scan` and a
    `tf.function` that is called in the block (it is traced again for it).

    Args:
      gradients: ``{op type: fn or name}``. The type is the op's real one
        (``print(tensor.op.type)``), such as ``"Floor"``. A function
        ``fn(op, *grads)`` takes the op and the gradient of each of its outputs
        and returns the gradient of each of its inputs, of the input's dtype
        and shape. A name is that of a registered gradient function; an op type
        is one, too: ``{"Floor": "Identity"}`` passes the gradient on.

    Yields:
      `Hits`, a mapping from op type to the ops reached so far.

    Example:
      >>> with gradients.override_gradient({"Identity": lambda op, grad: 5.0 * grad}) as hits:
      ...     y = tf.identity(x)          # dy/dx is 5
      >>> len(hits["Identity"])
      1

    Raises:
      UnusedOverrideError: at the end of the block, if it built no op of one of
        the types; it lists the types that the block did build.
      UnreachableOverrideError: an op of one of the types is in a body that no
        override reaches: in a `Defun`, or in a function traced before; or no gradient
        reaches any op of a type, such as ArgMax, or a Cast to an integer.
      UnknownGradientError: no gradient function is registered by that name.
      WrongGradientError: at ``tf.gradients``, if a function returns gradients
        of the wrong number, dtype or shape.

    The semantics of the tag are those of TF's `python/framework/ops.py`,
    ``get_gradient_function``.
    """
    graph = v1.get_default_graph()
    watch = _Watch(graph, _checked_argument(gradients))
    try:
        with graph.device(watch.see):
            yield watch.hits
        watch.sweep()
    finally:
        watch.is_open = False
    watch.raise_if_useless()


def _checked_argument(gradients):
    """Returns ``{op type: fn or registered name}``, or an error that shows the right call."""
    if not isinstance(gradients, collections.abc.Mapping) or not gradients:
        raise ArgumentError(
            "override_gradient(gradients)",
            "a mapping {op type: function or name}",
            repr(gradients),
            "Write override_gradient({'Floor': fn}).",
        )
    for op_type, gradient in gradients.items():
        if isinstance(gradient, str):
            gradient_functions.known_name(gradient, f"override_gradient({{{op_type!r}: ...}})")
        else:
            gradient_functions.name_of(gradient)
    return dict(gradients)


class _Watch:
    """Sees every op that TF creates while a block is open, and tags those it is for."""

    def __init__(self, graph, gradients):
        self.hits = Hits(gradients)
        self._graph = graph
        self._gradients = gradients
        self._names = {
            t: g if isinstance(g, str) else gradient_functions.name_of(g)
            for t, g in gradients.items()
        }
        # What the names stand for: an equal function may have been there first.
        self._held = {
            t: None if isinstance(g, str) else gradient_functions.held(self._names[t])
            for t, g in gradients.items()
        }
        self._outer = {t: _tf.active_override(graph, t) for t in gradients}
        self._created = collections.Counter()
        self._left_alone = collections.Counter()  # by (type, reason)
        self._unreached = {}  # type: the first op of it to whose outputs no gradient comes
        self._skipped = set()  # (type, name) of ops in bodies that must stay as they are
        self._seen = set()  # ids of the ops of the graph itself that were seen
        self._swept = len(graph.get_operations())
        self._in_backward = False
        self.is_open = True  # bodies that are traced in the block call `see` behind it, too
        self._custom_gradients = _tf.custom_gradients_open()
        self._refused = None  # an error that code between us and the user might swallow

    def see(self, op):
        """Tags the op, as a device function, and leaves its device as it is."""
        if not self.is_open:
            return op.device
        in_backward = _tf.building_backward()
        if in_backward and not self._in_backward:
            self.sweep(upto=op)
        self._in_backward = in_backward
        self._look_at(op, in_backward)
        return op.device

    def sweep(self, upto=None):
        """Looks at the ops that no device function saw: imported, or built under colocate_with."""
        built = self._graph.get_operations()
        for op in built[self._swept :]:
            if op is not upto and id(op) not in self._seen:
                self._look_at(op, in_backward=False)
        self._swept = len(built)

    def _look_at(self, op, in_backward):
        if op.graph is self._graph:
            self._seen.add(id(op))
        if not in_backward:
            self._created[op.type] += 1
        if op.type in self._gradients:
            reason = self._reason_to_leave(op, in_backward)
            if reason:
                self._left_alone[op.type, reason] += 1
                self._skipped.add((op.type, op.name))
            else:
                self._tag(op)
        elif not in_backward:
            self._check_bodies(op)

    def _reason_to_leave(self, op, in_backward):
        """Tells why an op of an overridden type must keep its gradient, or None."""
        if in_backward:
            return "part of a backward pass"
        if not gets_gradient(op):
            self._unreached.setdefault(op.type, op)
            return f"whose outputs are {dtypes_of_outputs(op)}"
        if _tf.custom_gradients_open() > self._custom_gradients:
            return "inside a tf.custom_gradient (or recompute_grad), whose own gradient decides"
        if op.type == "Identity" and op.inputs[0].op.type in _tf.REF_VARIABLES:
            return "the read of a variable"
        own = _tf.gradient_override(op)
        if own is not None and own != self._outer[op.type]:
            return "given another gradient inside the block"
        return None

    def _tag(self, op):
        if _tf.in_legacy_function(op.graph):
            raise self._unreachable(op.type, f"the body of the Defun {op.graph.name!r}")
        gradient, name = self._gradients[op.type], self._names[op.type]
        if isinstance(gradient, str):
            name = gradient_functions.fitting_name(gradient, op)
        else:
            _tf.keep_alive(self._graph, self._held[op.type])
            _tf.keep_alive(op.graph, self._held[op.type])
        _tf.set_gradient_override(op, name)
        self.hits[op.type].append(op)

    def _check_bodies(self, op):
        """Refuses a call of a function whose body has an op that the override did not reach."""
        names = _tf.called_names(op)
        legacy = op.type in names
        for definition in _tf.called_definitions(op.graph, names):
            for node in definition.node_def:
                if node.op not in self._gradients or (node.op, node.name) in self._skipped:
                    continue
                if legacy or _tf.GRADIENT_ATTRIBUTE not in node.attr:
                    raise self._unreachable(
                        node.op,
                        "op {!r} in the body of {} {!r}".format(
                            node.name,
                            "the Defun" if legacy else "the function",
                            definition.signature.name,
                        ),
                    )

    def _unreachable(self, op_type, reach):
        legacy = "Defun" in reach
        self._refused = UnreachableOverrideError(
            f"override_gradient({{{op_type!r}: ...}})",
            f"every {op_type} of the block in reach of an override",
            reach,
            "TensorFlow differentiates a Defun without Python and ignores overrides in it: give "
            "it a gradient by python_grad_func=, or call the plain function."
            if legacy
            else "It was traced before the block, or under colocate_with or device(None): trace it "
            "inside the block, or enter the override inside the function.",
        )
        return self._refused

    def raise_if_useless(self):
        if self._refused is not None:
            raise self._refused
        for op_type in self._gradients:
            if not self.hits[op_type]:
                op = self._unreached.get(op_type)
                place = f"override_gradient({{{op_type!r}: ...}})"
                raise self._unused(op_type) if op is None else never_called(place, op)

    def _unused(self, op_type):
        created = [
            f"{t} ({n})"
            for t, n in self._created.most_common()
            if t not in ("Const", "NoOp", "Placeholder")
        ]
        left = [f"{n} {reason}" for (t, reason), n in self._left_alone.items() if t == op_type]
        likely = likely_type(op_type, self._created)
        if left:
            next_step = "Those are left alone on purpose: see the docstring."
        elif likely:
            next_step = f"Did you mean {likely!r}? An op's type is tensor.op.type."
        else:
            next_step = (
                "Open the override around the code that builds the op, on the graph that "
                "is the default there, not around tf.gradients."
            )
        return UnusedOverrideError(
            f"override_gradient({{{op_type!r}: ...}})",
            f"at least one op of type {op_type!r} built in the block",
            "{}; the block built {}".format(
                "none" if not left else "only " + ", ".join(left), ", ".join(created) or "no ops"
            ),
            next_step,
        )
