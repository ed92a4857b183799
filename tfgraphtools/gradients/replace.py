"""y as a function of another value, from the graph that is there: `graph_replace`.

Given a built ``y = f(w)``, ``graph_replace(y, {w: w + d})`` is ``f(w + d)``: a
copy of what lies between w and y, with all else (variables, random draws,
data) shared. It can be differentiated like any other tensor.
"""

from typing import Any, Mapping

from tfgraphtools import _tf
from tfgraphtools._tf import tf
from tfgraphtools.errors import ReplaceError
from tfgraphtools.gradients import _tensor_arguments
from tfgraphtools.gradients._tensor_types import TensorLike
from tfgraphtools.gradients.replacements import Start, checked_starts
from tfgraphtools.gradients.slicing.contexts import names_in_contexts, rename_members
from tfgraphtools.gradients.slicing.forward_loops import forget_backward_passes
from tfgraphtools.gradients.slicing.inline import calls_to_keep, inline_calls
from tfgraphtools.gradients.slicing.lower import Lowering, lower_ref
from tfgraphtools.gradients.slicing.node_names import (
    full_name,
    handles_of,
    strip_dangling_colocations,
)
from tfgraphtools.gradients.slicing.slice import Slice, store_behind

_PLACE = "graph_replace(ys, replacements)"
_OUTSIDE = "outside/"  # names of tensors that the copy takes from the graph


def graph_replace(ys: Any, replacements: Mapping[Any, TensorLike], name: str = "replaced") -> Any:
    """Returns the ys as they would be if these tensors or variables had other values.

    Does nothing to a y that depends on none of them: that y itself is returned.
    Nothing of the graph changes, and no variable is made: variables, data and
    all that is not downstream of a replaced tensor are shared with the original.

    Random ops are shared, too, where they depend on a replaced tensor by its
    shape only, as dropout does: y' differs from y by the replacement alone.
    Inside a loop body, a branch or a function that the copy enters, a random op
    is copied with its seed and draws for itself.

    Args:
      ys: a tensor, or a structure of tensors: a list, tuple, dict or namedtuple,
        nested or not.
      replacements: ``{tensor or variable: new value}``; the value is a tensor
        (or converts to one) of the same dtype and shape, outside of loops and
        branches. For a variable all its reads are replaced, those inside of
        control flow and functions and those of `embedding_lookup` included. A
        tuple or namedtuple of tensors (the state of an LSTM, say) is replaced by
        one of new values.
      name: of the scope of the copied ops; a counter is added if it is taken.

    Returns:
      What ys is: a tensor, or a structure of the same types and keys.

    Example:
      >>> d = tf.constant(0.5)
      >>> moved = graph_replace(loss, {w: w + d})      # loss at w + 0.5
      >>> slope = tf.compat.v1.gradients(moved, d)[0]  # and its gradient there

    Raises:
      ReplaceError: no y depends on a replaced tensor, the new value does not
        fit, or an op on the way (an assign, say) cannot be built again with it;
        the op is named.
    """
    tensors = _checked_ys(ys)
    graph = tensors[0].graph
    _check_open_contexts(graph, tensors)
    with graph.as_default():
        starts = checked_starts(_PLACE, graph, replacements)
    copied = iter(_Copy(graph, tensors, starts).run(name))
    return _tensor_arguments.map_leaves(lambda _: next(copied), ys)


def _check_open_contexts(graph, ys):
    """Refuses to work inside a v1 loop or branch that is being built: half of it is no copy."""
    being_built = _tf.open_contexts(graph)
    for y in ys:
        if any(context in being_built for context in _tf.contexts_of(y.op)):
            raise ReplaceError(
                _PLACE,
                "ys outside of the loop or branch that is being built",
                f"{y.name!r} inside it",
                "Replace in what the loop or branch returns, after it is built, or call "
                "tf.compat.v1.enable_control_flow_v2() before the graph is built.",
            )


def replaced_in_any_shape(y, replacements):
    """Returns `graph_replace` of tensors by values of any shape: of a batch by one example, say.

    Raises what TensorFlow does (ValueError) where an op was built for the former shape.
    """
    with y.graph.as_default():
        starts = [Start(key, value, y.graph) for key, value in replacements]
    return _Copy(y.graph, [y], starts, keep_shapes=False).run("replaced")[0]


def _checked_ys(ys):
    """Returns the tensors of the structure ys, all of one graph."""
    leaves = _tensor_arguments.leaves(ys)
    _tensor_arguments.check_one_graph(_PLACE, leaves)
    try:
        tensors = [tf.convert_to_tensor(y) for y in leaves]
    except (TypeError, ValueError) as error:
        raise ReplaceError(
            _PLACE,
            "a tensor, or lists, tuples, dicts and namedtuples of tensors, as ys",
            str(error),
            "Write graph_replace({'logits': logits, 'loss': loss}, {x: value}).",
        ) from error
    if not tensors:
        raise ReplaceError(_PLACE, "at least one tensor as ys", repr(ys), "Pass the tensors.")
    return tensors


class _Copy:
    """Builds the part of the graph between the starts and the ys once more."""

    def __init__(self, graph, ys, starts, keep_shapes=True):
        self._graph, self._ys, self._starts = graph, ys, starts
        self._keep_shapes = keep_shapes
        self._values = {start.tensor.name: start.value for start in starts}
        self._check_loops()
        self._check_dependence()
        self._slice = Slice(graph, [start.tensor for start in starts], ys, cut=True)
        self._check_state()

    def run(self, name):
        nodes = [_tf.node_copy(op) for op in self._slice.ops]
        self._take_values(nodes)
        handles = handles_of(self._slice.ops)
        handles.update(handles_of({t.op for op in self._slice.ops for t in op.inputs}))
        if not self._keep_shapes:  # the lists of a backward pass are for the former shapes
            forget_backward_passes(self._graph, nodes, handles, [y.name for y in self._ys])
        calls = calls_to_keep(self._graph, self._slice.ops) if self._keep_shapes else ()
        nodes, renamed, members, _ = inline_calls(self._graph, nodes, handles, calls)
        contexts = self._slice.definitions()
        for context in contexts:
            rename_members(context, members)
        self._lower(nodes, handles, calls)
        strip_dangling_colocations(nodes)
        controls = _cut_outside_controls(nodes, self._slice.left_out)
        nodes += self._stand_ins(nodes, contexts)
        input_map = self._outside(nodes)
        scope = _tf.import_nodes(
            self._graph, nodes, contexts, input_map, name, handles, self._keep_shapes, self._graph
        )
        for inside, outside in controls:
            _tf.add_control_inputs(
                self._graph.get_operation_by_name(scope + "/" + inside), [self._op_outside(outside)]
            )
        return [self._result(y, renamed, scope) for y in self._ys]

    def _take_values(self, nodes):
        """Lets the copies take the new values, also where a copy makes the former ones."""
        for node in nodes:
            for position, source in enumerate(node.input):
                if full_name(source) in self._values:
                    node.input[position] = _OUTSIDE + full_name(source)

    def _op_outside(self, name):
        """Returns the op of the graph that a copy waits for."""
        if not name.startswith(_OUTSIDE):
            return self._graph.get_operation_by_name(name)
        prefix = name[len(_OUTSIDE) :] + ":"
        return next(
            self._values[name_of_value].op
            for name_of_value in self._values
            if name_of_value.startswith(prefix)
        )

    def _result(self, y, renamed, scope):
        if y.name in self._values:
            return self._values[y.name]
        if y.op.name not in self._slice.names:
            return y
        copied = self._graph.get_tensor_by_name(scope + "/" + renamed.get(y.name, y.name))
        if self._keep_shapes:
            copied.set_shape(y.shape)
        return copied

    def _check_loops(self):
        """Refuses the backward pass of a v1 loop: it takes the values of the loop from stacks."""
        down = None
        for op in _tf.upstream_ops(self._ys):
            if op.type != "StackPopV2":
                continue
            down = down or _tf.downstream_ops([start.tensor for start in self._starts])
            users = _tf.downstream_ops(store_behind(op.inputs[0]).outputs)
            for push in users & down:
                if push.type == "StackPushV2":
                    raise ReplaceError(
                        _PLACE,
                        "ys that are no backward pass of a v1 loop",
                        f"op {op.name!r} of type StackPopV2",
                        "Replace in the forward value, and differentiate the result: "
                        "tf.gradients(graph_replace(y, ...), ...).",
                    )

    def _check_dependence(self):
        upstream = _tf.upstream_ops(self._ys)
        for start in self._starts:
            if not any(op in upstream for op in start.tensor.consumers()) and not any(
                y.name == start.tensor.name for y in self._ys
            ):
                raise ReplaceError(
                    _PLACE,
                    "ys that depend on every replaced tensor",
                    "no data path from {!r} to {}".format(
                        start.name, ", ".join(repr(y.name) for y in self._ys)
                    ),
                    "Replace what y is computed from; explain_gradient(y, x) says what x is to y.",
                )

    def _check_state(self):
        """Refuses a state that a replaced tensor is written to before y is read."""
        for op in self._slice.ops:
            if _tf.writes(op):
                raise _refused(op, "its result is the variable itself")
        waited_for = _tf.upstream_ops(self._ys, controls=True)
        for op in filter(_tf.writes, _tf.downstream_ops(self._slice.starts, waited_for)):
            raise _refused(op, "y waits for it, and may read what it writes")

    def _lower(self, nodes, noted, calls):
        handles = {
            _OUTSIDE + start.tensor.name: (start.dtype.as_datatype_enum, start.shape)
            for start in self._starts
            if _tf.is_resource(start.tensor)
        }
        lowering = Lowering(self._graph, self._graph, _PLACE, pure=True, calls=calls)
        lowering.lower(nodes, handles, noted)
        for start in self._starts:
            if _tf.is_ref(start.tensor):
                lower_ref(self._graph, nodes, _OUTSIDE + start.tensor.name, lowering.refusal)

    def _stand_ins(self, nodes, contexts):
        """Returns Identities named like the outside tensors that v1 contexts know by name."""
        node_names = {node.name for node in nodes}
        result = []
        for op_name in sorted(names_in_contexts(contexts) - node_names):
            op = self._graph.get_operation_by_name(op_name)
            values = [self._values.get(tensor.name, tensor) for tensor in op.outputs]
            result.append(
                _tf.identity_node(
                    op_name,
                    [_OUTSIDE + tensor.name for tensor in op.outputs],
                    [value.dtype.base_dtype.as_datatype_enum for value in values],
                )
            )
        return result

    def _outside(self, nodes):
        """Returns ``{tensor name that no node makes: the tensor it stands for}``."""
        node_names = {node.name for node in nodes}
        outside = {}
        for node in nodes:
            for source in node.input:
                if source.startswith("^") or source.split(":")[0] in node_names:
                    continue
                name = full_name(source[len(_OUTSIDE) :] if source.startswith(_OUTSIDE) else source)
                tensor = self._values.get(name)
                outside[source] = self._graph.get_tensor_by_name(name) if tensor is None else tensor
        return outside


def _refused(op, why):
    return ReplaceError(
        _PLACE,
        "ops between the replaced tensor and y that compute and do not write",
        f"the op {op.name!r} of type {op.type}: {why}",
        "Make y a pure function of the tensor, without the variable in between.",
    )


def _cut_outside_controls(nodes, left_out):
    """Removes control inputs from outside; returns them as [(node, outside op)].

    Args:
      left_out: the names of ops that no copy waits for.
    """
    node_names = {node.name for node in nodes}
    cut = []
    for node in nodes:
        inputs = list(node.input)
        outside = [
            source[1:]
            for source in inputs
            if source.startswith("^") and source[1:] not in node_names
        ]
        if outside:
            del node.input[:]
            node.input.extend(
                source for source in inputs if source[1:] not in outside or source[0] != "^"
            )
            cut.extend((node.name, op_name) for op_name in outside if op_name not in left_out)
    return cut
