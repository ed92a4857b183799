"""The data that a tensor is computed from, as edges from each tensor back to its sources.

The graph is walked as it is, loops included, with function bodies of control
flow v2 and `tf.function` as part of it. A tensor is known here by its path (the
calls that lead into its body) and its name.
"""

import collections

from tfgraphtools import _tf
from tfgraphtools.gradients.explaining import causes

#: A way from a tensor back to one that it is computed from: by this input of
#: this op, or, with ``op_input`` None, into or out of a body, where it passes.
#: ``stop`` is the `Cause` if no gradient passes by the structure alone, or None.
Edge = collections.namedtuple("Edge", "source, op, path, output, op_input, label, stop")

_ONE_INPUT = frozenset(
    [
        "Enter",
        "Exit",
        "Identity",
        "NextIteration",
        "RefEnter",
        "RefExit",
        "RefIdentity",
        "RefNextIteration",
    ]
)


class Edges:
    """The edges of all tensors that y is computed from.

    Args:
      y: the tensor.
      folder: the `Folder` of its graph, which knows what constants decide.

    Attributes:
      y: its key, (path, name).
      tensors: key -> tensor.
      of: key -> the edges back from this tensor.
      arguments: key of a body's argument -> edges to what it gets.
      graphs: path -> the graph that it leads to.
    """

    def __init__(self, y, folder):
        self.y = ((), y.name)
        self.tensors, self.of, self.arguments = {}, {}, {}
        self.graphs = {(): y.graph}
        self._bodies, self._folder = {}, folder
        waiting = [self._note((), y)]
        while waiting:
            key = waiting.pop()
            if key not in self.of:
                self.of[key] = self._edges_of(key)
                waiting.extend(edge.source for edge in self.of[key])

    def _note(self, path, tensor):
        key = (path, tensor.name)
        self.tensors[key] = tensor
        return key

    def _edges_of(self, key):
        path, tensor = key[0], self.tensors[key]
        op, output = tensor.op, tensor.value_index
        if key in self.arguments:
            return self.arguments[key]
        if op.type in _tf.SHAPE_OPS:
            return []
        if op.type in ("Switch", "RefSwitch"):
            if op.inputs[1].op.type == "LoopCond":
                return [self._edge(path, op, 0, passes=True)]
            taken = self._folder.value(op.inputs[1])
            never = causes.NEVER_TAKEN if taken is not None and bool(output) != taken else None
            return [
                self._edge(path, op, 0, passes=True, label=causes.BRANCHES[output], stop=never),
                self._edge(path, op, 1, stop=causes.CONDITION),
            ]
        if op.type in ("Exit", "RefExit") and op.inputs[0].op.type in ("Switch", "RefSwitch"):
            return self._edges_of_exit(path, op)
        if op.type in ("Merge", "RefMerge"):
            edges = [self._edge(path, op, i, passes=True) for i in range(len(op.inputs))]
            return edges + self._edges_to_predicate(path, op)
        if op.type in _ONE_INPUT and _tf.gradient_override(op) is None:
            return [self._edge(path, op, 0, passes=True)]
        names = _tf.called_names(op)
        if names and not _tf.has_python_gradient(op.graph, names[0]):
            return self._edges_into_bodies(path, op, output, names)
        chooses = op.type in ("Select", "SelectV2")
        return [
            self._edge(
                path,
                op,
                i,
                output,
                label=causes.CHOICES.get((op.type, i), ""),
                stop=causes.CONDITION if chooses and i == 0 else None,
            )
            for i in range(len(op.inputs))
        ]

    def _edges_of_exit(self, path, op):
        """Returns the edges out of a v1 loop: to what its last iteration made and what went in."""
        switch = op.inputs[0].op
        merge = switch.inputs[0].op
        from_body = [tensor for tensor in merge.inputs if tensor.op.type.endswith("NextIteration")]
        from_start = [tensor for tensor in merge.inputs if tensor not in from_body]
        context = _tf.control_flow_context(merge)
        backward = getattr(context, "back_prop", True)
        edges = self._loop_edges(
            path, op, 0, from_body, from_start, merge if from_body else None, backward
        )
        return edges + [
            Edge(self._note(path, switch.inputs[1]), op, path, 0, None, "", causes.CONDITION)
        ]

    def _loop_edges(self, path, op, output, from_body, from_start, loop, backward=True):
        """Returns the edges from what leaves a loop to what its body made and what went in."""
        entered = loop is not None and self._folder.enters(loop) is not False
        stop = None if backward else causes.NO_BACKPROP
        by_body = stop or (None if entered else causes.NO_ITERATION)
        overwrites = loop is not None and self._folder.always_enters(loop)
        by_start = stop or (causes.OVERWRITTEN if overwrites else None)
        return [
            Edge(self._note(path, tensor), op, path, output, None, label, cause)
            for tensors, label, cause in (
                (from_body, causes.LOOP, by_body),
                (from_start, "", by_start),
            )
            for tensor in tensors
        ]

    def _edges_to_predicate(self, path, merge):
        """Returns the edge to a v1 cond's predicate, where a branch takes nothing else."""
        for tensor in merge.inputs:
            context = _tf.control_flow_context(tensor.op)
            predicate = getattr(context, "pred", None)
            if predicate is None:  # a graph without contexts: by the pivot that a constant awaits
                pivots = [
                    before.inputs[0].op for before in tensor.op.control_inputs if before.inputs
                ]
                predicates = [pivot.inputs[1] for pivot in pivots if pivot.type == "Switch"]
                predicate = predicates[0] if predicates else None
            if predicate is not None:
                source = self._note(path, predicate)
                return [Edge(source, merge, path, 0, None, "", causes.CONDITION)]
        return []

    def _edge(self, path, op, position, output=0, passes=False, label="", stop=None):
        source = self._note(path, op.inputs[position])
        return Edge(source, op, path, output, None if passes else position, label, stop)

    def _edges_into_bodies(self, path, op, output, names):
        """Returns the edges into the bodies' outputs of an If, Case, While or call."""
        edges, loop = [], op.type.endswith("While")
        chooses = op.type in _tf.CHOICES
        possible = self._folder.possible_branches(op, names) if chooses else names
        if chooses:
            edges.append(self._edge(path, op, 0, stop=causes.CONDITION))
        if loop:
            edges.extend(self._loop_edges(path, op, output, [], [op.inputs[output]], op))
        skipped = loop and self._folder.enters(op) is False
        for number, name in enumerate(names):
            inner = path + (f"{op.name}[{_tf.call_role(op, number)}]",)
            body = self._body(path, inner, name, op, first=1 if chooses else 0)
            if loop and _tf.call_role(op, number) == "cond":
                source = self._note(inner, body.outputs[0])
                edges.append(Edge(source, op, path, output, None, "", causes.CONDITION))
            else:
                source = self._note(inner, body.outputs[output])
                label = causes.LOOP if loop else _branch_label(op, number) if chooses else ""
                stop = causes.NO_ITERATION if skipped else None
                stop = stop if name in possible else causes.NEVER_TAKEN
                edges.append(Edge(source, op, path, output, None, label, stop))
        return edges

    def _body(self, path, inner, name, op, first):
        """Returns the graph of a body; its arguments lead back to the inputs of the call."""
        if inner in self._bodies:
            return self._bodies[inner]
        definition = _tf.function_definition(self.graphs[()], name) or _tf.function_definition(
            op.graph, name
        )
        body = self._bodies[inner] = _tf.function_graph(op.graph, definition)
        self.graphs[inner] = body
        loops = op.type.endswith("While")
        for i, argument in enumerate(body.inputs):
            key = self._note(inner, argument)
            edges = [self._edge(path, op, i + first, passes=True)]
            if loops and i < len(op.outputs):  # the next iteration
                again = path + (f"{op.name}[body]",)
                if again in self._bodies:
                    source = self._note(again, self._bodies[again].outputs[i])
                    edges.append(Edge(source, op, path, i, None, causes.LOOP, None))
            self.arguments[key] = edges
        return body


def _branch_label(op, number):
    return causes.BRANCHES[1 - number] if op.type.endswith("If") else causes.BRANCH
