"""How data goes from x to y, and how far the gradient comes back.

The graph is walked as it is, loops included, with function bodies of control
flow v2 and `tf.function` as part of it. A tensor is known here by its path (the
calls that lead into its body) and its name.
"""

import collections

from tfgraphtools import _tf
from tfgraphtools.gradients.explaining import causes
from tfgraphtools.gradients.explaining.local import LocalGradients, has_gradients

#: A way from a tensor back to one that it is computed from: by this input of
#: this op, or, with ``op_input`` None, into or out of a body, where it passes.
Edge = collections.namedtuple("Edge", "source, op, path, output, op_input, label, condition")

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


class Flow:
    """The data that y is computed from, as edges from each tensor back to its sources."""

    def __init__(self, y):
        self.y = ((), y.name)
        self.tensors, self.edges = {}, {}
        self._bodies = {}
        self._graphs = {(): y.graph}
        self._arguments = {}  # key of a body's argument -> edges to what it gets
        self._local, self._blocked = LocalGradients(), {}
        waiting = [self._note((), y)]
        while waiting:
            key = waiting.pop()
            if key not in self.edges:
                self.edges[key] = self._edges_of(key)
                waiting.extend(edge.source for edge in self.edges[key])

    def reached_from(self, key):
        """The keys that data from this one reaches, itself included; empty if y is not among."""
        if key not in self.tensors:
            return set()
        forward = collections.defaultdict(list)
        for target, edges in self.edges.items():
            for edge in edges:
                forward[edge.source].append(target)
        return _closure(key, lambda one: forward[one])

    def gradient(self, relevant):
        """The keys to which a gradient of y comes back, among the relevant ones."""

        def sources(key):
            return [
                edge.source
                for edge in self.edges[key]
                if edge.source in relevant and self.blocked(edge) is None
            ]

        return _closure(self.y, sources) if self.y in relevant else set()

    def blocked(self, edge):
        """None if the gradient passes this edge, else (cause, detail)."""
        key = (edge.path, edge.op.name, edge.output, edge.op_input, edge.source)
        if key not in self._blocked:
            self._blocked[key] = self._why_blocked(edge)
        return self._blocked[key]

    def _why_blocked(self, edge):
        if edge.condition:
            return causes.CONDITION, ""
        dtype = self.tensors[edge.source].dtype
        if not has_gradients(dtype):
            return causes.DTYPE, dtype.base_dtype.name
        if edge.op_input is None:
            return None
        return self._local.blocks(edge.op, edge.output, edge.op_input)

    def _note(self, path, tensor):
        key = (path, tensor.name)
        self.tensors[key] = tensor
        return key

    def _edges_of(self, key):
        path, tensor = key[0], self.tensors[key]
        op, output = tensor.op, tensor.value_index
        if key in self._arguments:
            return self._arguments[key]
        if op.type in _tf.SHAPE_OPS:
            return []
        if op.type in ("Switch", "RefSwitch"):
            if op.inputs[1].op.type == "LoopCond":
                return [self._edge(path, op, 0, passes=True)]
            return [
                self._edge(path, op, 0, passes=True, label=causes.BRANCHES[output]),
                self._edge(path, op, 1, condition=True),
            ]
        if op.type in ("Exit", "RefExit") and op.inputs[0].op.type in ("Switch", "RefSwitch"):
            return self._edges_of_exit(path, op)
        if op.type in ("Merge", "RefMerge"):
            return [self._edge(path, op, i, passes=True) for i in range(len(op.inputs))]
        if op.type in _ONE_INPUT and _tf.gradient_override(op) is None:
            return [self._edge(path, op, 0, passes=True)]
        names = _tf.called_names(op)
        if names:
            return self._edges_into_bodies(path, op, output, names)
        chooses = op.type in ("Select", "SelectV2")
        return [
            self._edge(
                path,
                op,
                i,
                output,
                label=causes.CHOICES.get((op.type, i), ""),
                condition=chooses and i == 0,
            )
            for i in range(len(op.inputs))
        ]

    def _edges_of_exit(self, path, op):
        """Out of a v1 loop, back to what its last iteration made (not to what went in)."""
        switch = op.inputs[0].op
        merge = switch.inputs[0].op
        made = [tensor for tensor in merge.inputs if tensor.op.type.endswith("NextIteration")]
        source = self._note(path, made[0] if made else switch.inputs[0])
        return [
            Edge(source, op, path, 0, None, causes.LOOP, False),
            Edge(self._note(path, switch.inputs[1]), op, path, 0, None, "", True),
        ]

    def _edge(self, path, op, position, output=0, passes=False, label="", condition=False):
        source = self._note(path, op.inputs[position])
        return Edge(source, op, path, output, None if passes else position, label, condition)

    def _edges_into_bodies(self, path, op, output, names):
        """If, Case, While or a call: into the bodies' outputs."""
        edges, loop = [], op.type.endswith("While")
        chooses = op.type in ("If", "StatelessIf", "Case", "StatelessCase")
        if chooses:
            edges.append(self._edge(path, op, 0, condition=True))
        for number, name in enumerate(names):
            inner = path + (f"{op.name}[{_tf.call_role(op, number)}]",)
            body = self._body(path, inner, name, op, first=1 if chooses else 0)
            if loop and _tf.call_role(op, number) == "cond":
                source = self._note(inner, body.outputs[0])
                edges.append(Edge(source, op, path, output, None, "", True))
            else:
                source = self._note(inner, body.outputs[output])
                label = causes.LOOP if loop else _branch_label(op, number) if chooses else ""
                edges.append(Edge(source, op, path, output, None, label, False))
        return edges

    def _body(self, path, inner, name, op, first):
        """The graph of a body; its arguments lead back to the inputs of the call."""
        if inner in self._bodies:
            return self._bodies[inner]
        definition = _tf.function_definition(self._graphs[()], name) or _tf.function_definition(
            op.graph, name
        )
        body = self._bodies[inner] = _tf.function_graph(op.graph, definition)
        self._graphs[inner] = body
        loops = op.type.endswith("While")
        for i, argument in enumerate(body.inputs):
            key = self._note(inner, argument)
            edges = [self._edge(path, op, i + first, passes=True)]
            if loops and i < len(op.outputs):  # the next iteration
                again = path + (f"{op.name}[body]",)
                if again in self._bodies:
                    source = self._note(again, self._bodies[again].outputs[i])
                    edges.append(Edge(source, op, path, i, None, causes.LOOP, False))
            self._arguments[key] = edges
        return body


def _branch_label(op, number):
    return causes.BRANCHES[1 - number] if op.type.endswith("If") else causes.BRANCH


def _closure(start, neighbours):
    found, waiting = set(), [start]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting.extend(neighbours(one))
    return found
