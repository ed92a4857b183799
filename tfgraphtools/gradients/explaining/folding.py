"""Predicates that are known before a run: of branches, and of a loop's first iteration."""

import numpy as np

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1

_MOST_NODES = 300
_MOST_ELEMENTS = 1_000_000  # of a constant that is computed to see whether it is zero
_OUTSIDE = frozenset(["Placeholder", "PlaceholderV2", "PlaceholderWithDefault", "_Arg"])
#: Ops that may not be evaluated by themselves.
_STRUCTURE = _tf.CONTROL_FLOW | {"LoopCond"}


class Folder:
    """Evaluates small tensors that no run can change; remembers the answers.

    Args:
      graph: the graph that the xs are in.
      free: the names of its ops that depend on an x. An x counts as something
        that changes, be it a constant.
    """

    def __init__(self, graph, free=frozenset()):
        self._graph, self._free = graph, free
        self._values, self._loops = {}, {}
        self._constant = {}  # op: True if no run can change what it gives

    def is_free(self, tensor):
        """Tells whether the tensor depends on an x."""
        return tensor.graph is self._graph and tensor.op.name in self._free

    def value(self, tensor):
        """Returns the value of a small constant, or None if a run may change it."""
        key = (tensor.graph, tensor.name)
        if key not in self._values:
            self._values[key] = _evaluate(tensor, {}, self)
        return self._values[key]

    def is_zero(self, tensor):
        """Returns True for a tensor of floats that is computed from constants alone and is zero."""
        size = tensor.shape.num_elements()
        if size is None or size > _MOST_ELEMENTS or not _tf.has_gradients(tensor.dtype):
            return False
        if not self._is_constant(tensor.op):
            return False
        value = self.value(tensor)
        return value is not None and not np.any(value)

    def _is_constant(self, start):
        waiting = [start]
        while waiting:
            op = waiting[-1]
            missing = [source.op for source in op.inputs if source.op not in self._constant]
            if op in self._constant:
                waiting.pop()
            elif not _is_pure(op) or op.name in self._free:
                self._constant[op] = False
            elif missing:  # pure ops make no cycle
                waiting.extend(missing)
            else:
                self._constant[op] = all(self._constant[source.op] for source in op.inputs)
        return self._constant[start]

    def possible_branches(self, op, names):
        """Returns the functions that an If or Case may call."""
        chosen = self.value(op.inputs[0])
        if chosen is None:
            return names
        if op.type.endswith("If"):
            return [names[0] if chosen else names[1]]
        return [names[int(chosen) if 0 <= int(chosen) < len(names) else -1]]

    def enters(self, op, defaults=True):
        """Returns False if a loop makes no iteration; True or None (not known) else.

        Args:
          op: the Merge of a v1 loop variable, or a While.
          defaults: whether placeholders count with their default; a run may feed another value.
        """
        key = (op.graph, op.name, defaults)
        if key not in self._loops:
            self._loops[key] = None  # while it is being asked for
            of_kind = self._enters_v2 if op.type.endswith("While") else self._enters_v1
            enters = of_kind(op, defaults)
            self._loops[key] = None if enters is None else bool(enters)
        return self._loops[key]

    def always_enters(self, op):
        """Tells whether a loop makes an iteration in every run."""
        return self.enters(op, defaults=False) is True

    def _enters_v1(self, merge, defaults):
        predicate = _loop_predicate(merge)
        return None if predicate is None else _evaluate(predicate, {}, self, True, defaults)

    def _enters_v2(self, op, defaults):
        forward = _forward_loop(op)
        if forward is not None:
            return self.enters(forward, defaults)
        name = _tf.called_names(op)[1]
        body = _tf.function_graph(op.graph, _tf.function_definition(op.graph, name))
        arguments = dict(zip([argument.name for argument in body.inputs], op.inputs))
        return _evaluate(body.outputs[0], arguments, self, True, defaults)


def _loop_predicate(merge):
    """Returns the loop's condition; a backward loop iterates as its forward loop."""
    backward = getattr(_tf.control_flow_context(merge), "grad_state", None)
    if backward is not None and backward.forward_context.pivot.graph is merge.graph:
        return backward.forward_context.pivot.op.inputs[0]
    for switch in merge.outputs[0].consumers():
        if switch.type in ("Switch", "RefSwitch") and switch.inputs[0].op is merge:
            if switch.inputs[1].op.type == "LoopCond":
                return switch.inputs[1].op.inputs[0]
    return None


def _forward_loop(op):
    """Returns the forward While of a backward one, or None."""
    around = getattr(op.graph, "_forward_graph", None)
    # Outside of bodies the backward loop takes in the forward one's number of iterations.
    ops = {tensor.op for tensor in op.inputs} if around is None else around.get_operations()
    name = op.name.rsplit("/", 1)[-1]
    forward = [
        candidate
        for candidate in ops
        if candidate.type.endswith("While") and candidate.name.rsplit("/", 1)[-1] + "_grad" == name
    ]
    return forward[0] if len(forward) == 1 else None


def _is_pure(op):
    """Tells whether an op gives the same for the same inputs, whenever it runs."""
    if op.type in _STRUCTURE or op.type in _OUTSIDE:
        return False
    return not _tf.is_stateful(op) and not _tf.called_names(op)


class _NotConstant(Exception):
    pass


def _evaluate(tensor, arguments, folder, first_iteration=False, defaults=True):
    """Returns the value of a tensor whose ops are few and pure, or None.

    Args:
      arguments: ``{name of a body's argument: the tensor that is passed}``.
      first_iteration: loop variables have their first values.
      defaults: whether placeholders have their defaults then.
    """
    try:
        with v1.Graph().as_default() as scratch:
            copied = _Copier(scratch, arguments, folder, first_iteration, defaults).tensor(tensor)
            with _tf.plain_session(scratch) as session:
                return session.run(copied)
    except Exception:  # pylint: disable=broad-except  # an op that fails, or needs its own graph
        return None


class _Copier:
    """Copies the ops of a constant expression into a graph."""

    def __init__(self, scratch, arguments, folder, first_iteration, defaults):
        self._scratch, self._arguments = scratch, arguments
        self._folder, self._first_iteration = folder, first_iteration
        self._defaults = first_iteration and defaults
        self._copies, self._count = {}, 0

    def tensor(self, start):
        """Returns the copy of a tensor. Its sources are copied first, without recursion."""
        waiting = [start]
        while waiting:
            tensor = waiting[-1]
            missing = [t for t in self._sources(tensor) if _key(t) not in self._copies]
            if _key(tensor) in self._copies:
                waiting.pop()
            elif missing:
                waiting.extend(missing)
                if len(waiting) > _MOST_NODES:
                    raise _NotConstant
            else:
                waiting.pop()
                self._copy(tensor)
        return self._copies[_key(start)]

    def _sources(self, tensor):
        """Returns the tensors that this one is copied from; none if its value is known."""
        op = tensor.op
        if self._folder.is_free(tensor) and not op.type.endswith("While"):
            raise _NotConstant
        if tensor.name in self._arguments and op.type in ("Placeholder", "_Arg"):
            passed = self._arguments[tensor.name]
            if passed.graph is not tensor.graph:
                return [passed]
        if op.type == "Const" or _tf.static_value(tensor) is not None:
            return []
        if self._first_iteration:
            if op.type in ("Merge", "RefMerge"):
                entering = [
                    source for source in op.inputs if source.op.type in ("Enter", "RefEnter")
                ]
                if len(entering) != 1 or len(op.inputs) != 2:
                    raise _NotConstant
                return entering
            if op.type in ("Exit", "RefExit"):
                merge = op.inputs[0].op.inputs[0].op
                if self._folder.enters(merge, self._defaults) is not False:
                    raise _NotConstant
                return [merge.outputs[0]]
            if op.type in ("Enter", "RefEnter"):
                return [op.inputs[0]]
            if op.type in ("While", "StatelessWhile"):
                if self._folder.enters(op, self._defaults) is not False:
                    raise _NotConstant
                return [op.inputs[tensor.value_index]]
        if op.type == "PlaceholderWithDefault" and self._defaults:
            return [op.inputs[0]]
        if not _is_pure(op) or not op.inputs:
            raise _NotConstant
        return list(op.inputs)

    def _copy(self, tensor):
        self._count += 1
        if self._count > _MOST_NODES:
            raise _NotConstant
        sources = self._sources(tensor)
        op = tensor.op
        passes = op.type in _tf.CONTROL_FLOW or op.type == "PlaceholderWithDefault"
        passes = passes or op.type.endswith("While")
        if not sources:
            value = _tf.static_value(tensor)
            self._copies[_key(tensor)] = tf.constant(value, tensor.dtype.base_dtype, value.shape)
        elif passes or tensor.name in self._arguments and sources[0].graph is not tensor.graph:
            self._copies[_key(tensor)] = self._copies[_key(sources[0])]
        else:
            node = _tf.node_copy(op)
            node.name = f"op_{self._count}"
            node.attr.pop("_class", None)
            del node.input[:]
            inputs = {f"in_{i}:0": self._copies[_key(source)] for i, source in enumerate(sources)}
            node.input.extend(sorted(inputs, key=lambda name: int(name[3:-2])))
            definition = v1.GraphDef(node=[node])
            definition.versions.CopyFrom(op.graph.graph_def_versions)
            (copied,) = tf.graph_util.import_graph_def(
                definition,
                input_map=inputs,
                return_elements=[f"{node.name}:{tensor.value_index}"],
                name="",
            )
            self._copies[_key(tensor)] = copied


def _key(tensor):
    return id(tensor.graph), tensor.name
