"""GraphDefs without variables of their own: each one becomes a handle that a caller passes in."""

import re

from tfgraphtools.checkpoints.graphs import cuts
from tfgraphtools.errors import GraphExportError

#: Ops that write to a ref variable, and those that write to a resource variable alike.
_WRITES = {
    "Assign": "AssignVariableOp",
    "AssignAdd": "AssignAddVariableOp",
    "AssignSub": "AssignSubVariableOp",
}
_SCATTERS = {"Scatter" + kind: "ResourceScatter" + kind for kind in ("Add", "Sub", "Update")}
#: Ops of ref inputs that only pass them on, and those of values.
_PASSES = {"RefIdentity": "Identity", "RefSwitch": "Switch", "RefEnter": "Enter", "RefExit": "Exit"}
_PASSES.update({"RefMerge": "Merge", "RefNextIteration": "NextIteration"})
_BRANCHES = ("RefSwitch", "Switch")
#: Ops that pass on what reaches them first, or from one frame to another: nothing can await them.
_CONTROL_FLOW = (*_BRANCHES, "Merge", "Enter", "Exit", "NextIteration", "LoopCond")

#: What makes the state of tables, queues and iterators, which a function would make at each call.
_STATE = re.compile(
    r".*HashTable(OfTensors)?(V\d)?|(FIFO|RandomShuffle|Priority|PaddingFIFO)Queue(V\d)?"
    r"|.*Iterator(V\d)?|.*Reader(V\d)?|Barrier|.*Accumulator(V\d)?"
)


def require_variables_alone(graph_def, place):
    """Raises `GraphExportError` if a graph has a state that is not in variables."""
    stateful = [f"{node.name} ({node.op})" for node in graph_def.node if _STATE.fullmatch(node.op)]
    if stateful:
        raise GraphExportError(
            place,
            "no state but variables",
            ", ".join(stateful[:4]),
            "Cut the graph behind it: name the tensor that it gives in inputs. A graph with tables "
            "is served by checkpoints.to_saved_model.",
        )


def detach(graph_def, place):
    """Removes the variables of a GraphDef, and makes those of ref type resource variables.

    Args:
      graph_def: changed in place.
      place: the path of the graph, for errors.

    Returns:
      [name of a variable]. The tensor ``"NAME:0"`` is its handle, to be mapped when the graph is
      imported.

    Raises:
      GraphExportError: an op writes to a ref variable, and no op does so to a resource variable.
    """
    nodes = {node.name: node for node in graph_def.node}
    variables = [node for node in nodes.values() if node.op in cuts.VARIABLES]
    refs = {node.name: node.attr["dtype"].type for node in variables if node.op != "VarHandleOp"}
    _Refs(graph_def, nodes, refs, place).convert()
    _without_references(graph_def)
    names = [node.name for node in variables]
    for name in names:
        graph_def.node.remove(nodes[name])
    return names


def _without_references(graph_def):
    """Makes ops that pass references on those of values: there is no reference left."""
    for node in graph_def.node:
        node.op = _PASSES.get(node.op, node.op)


class _Refs:
    """The ref variables of a GraphDef.

    An `Identity` of a ref is the variable's own memory: what takes it sees each write that it
    awaits. A resource variable is read once, so such a node gets a read of its own.
    """

    def __init__(self, graph_def, nodes, refs, place):
        self._graph, self._nodes, self._refs, self._place = graph_def, nodes, refs, place
        self._after = {}  # variable: the names of the nodes that await a write to it

    def convert(self):
        """Makes each use of a ref variable one of its handle."""
        nodes = list(self._graph.node)
        writes = [node for node in nodes if node.op in _WRITES or node.op in _SCATTERS]
        written = {node.name: self._variable_of(node.input[0]) for node in writes}
        self._after = _awaiting(nodes, written)
        read = [
            (node, index, self._variable_of(tensor))
            for node in nodes
            if node.name not in self._refs
            for index, tensor in enumerate(node.input)
            if not (node.name in written and index == 0)
        ]
        ways = {name: self._way_to_ref(self._nodes[name].input[0]) for name in written}
        for node, index, variable in read:
            self._read(node, index, variable)
        for node in writes:
            self._write(node, written[node.name], ways[node.name])

    def _variable_of(self, tensor):
        """Returns the ref variable whose memory a data input is, or None."""
        way = self._way_to_ref(tensor)
        return way[-1] if way and way[-1] in self._refs else None

    def _way_to_ref(self, tensor):
        """Returns the names of nodes that pass a reference on, up to the variable if it is one."""
        way = []
        while not tensor.startswith("^"):
            name, output = cuts.split_tensor(tensor)
            if name in way or (name in self._refs and output != 0):
                break
            way.append(name)
            node = self._nodes.get(name)
            passes = ("Identity", "RefIdentity", *_BRANCHES, *_WRITES, *_SCATTERS)
            if node is None or node.op not in passes:
                break
            tensor = node.input[0]
        return way

    def _read(self, node, index, variable):
        """Makes an input of a node the value of a variable, read when TF 1 would see it."""
        if variable is None:
            return
        tensor = node.input[index]
        is_direct = cuts.split_tensor(tensor)[0] == variable
        if node.op in _PASSES:
            node.op = _PASSES[node.op]
        elif is_direct and node.op not in _WRITES and node.op not in _SCATTERS and _takes_ref(node):
            raise GraphExportError(
                self._place,
                "ops that resource variables have, too",
                f"{node.name} ({node.op})",
                "Choose outputs that do not need it.",
            )
        if node.name in self._after.get(variable, ()) and node.op not in _CONTROL_FLOW:
            others = [other for other in node.input if other != tensor]
            node.input[index] = self._read_after(node, variable, tensor, others)
        elif is_direct:
            awaited = [other for other in node.input if other.startswith("^")]
            node.input[index] = self._value(node, variable, awaited)

    def _read_after(self, node, variable, tensor, others):
        """Returns the name of a read that awaits whatever a node awaits."""
        awaited = {"^" + cuts.split_tensor(other)[0]: None for other in others}
        way = self._way_to_ref(tensor)
        if any(self._nodes[name].op in _BRANCHES for name in way):
            awaited["^" + self._taken(node, variable, tensor)] = None
        elif way[0] != variable:
            awaited["^" + way[0]] = None
        return self._value(node, variable, list(awaited))

    def _value(self, node, variable, awaited):
        """Returns the name of an op that reads a variable, for a node if that awaits something."""
        name = f"{node.name}/{variable}/resource_read" if awaited else f"{variable}/resource_read"
        if name not in self._nodes:
            self._nodes[name] = self._read_op(name, variable, awaited)
        return name

    def _read_op(self, name, variable, awaited):
        node = self._graph.node.add(name=name, op="ReadVariableOp", input=[variable, *awaited])
        node.attr["dtype"].type = self._refs[variable]
        return node

    def _taken(self, node, variable, tensor):
        """Returns the name of an op that runs only in the branch where a reference is passed."""
        name = f"{node.name}/{variable}/taken"
        if name not in self._nodes:
            self._nodes[name] = self._graph.node.add(name=name, op="Identity", input=[tensor])
            self._nodes[name].attr["T"].type = self._refs[variable]
        return name

    def _write(self, node, variable, way):
        """Makes a node write to the handle; a read of its name gives the value after it."""
        if variable is None:
            if cuts.split_tensor(node.input[0])[0] in self._nodes:
                raise GraphExportError(
                    self._place,
                    "writes to variables",
                    f"{node.name} ({node.op}) of {node.input[0]}",
                    "Choose outputs that do not need it.",
                )
            return
        name, reference = node.name, node.input[0]
        if any(self._nodes[passed].op in _BRANCHES for passed in way):
            node.input.append("^" + self._taken(node, variable, reference))
        elif way[0] != variable:  # a write before it, or a copy that awaits something
            node.input.append("^" + way[0])
        types = {key: node.attr[key].type for key in ("T", "Tindices") if key in node.attr}
        node.op = _WRITES.get(node.op) or _SCATTERS[node.op]
        node.name, node.input[0] = name + "/write", variable
        node.attr.clear()
        node.attr["dtype"].type = types["T"]
        if "Tindices" in types:
            node.attr["Tindices"].type = types["Tindices"]
        self._nodes[node.name] = node
        self._nodes[name] = self._read_op(name, variable, ["^" + node.name])


def _awaiting(nodes, written):
    """Returns {variable: the names of the nodes that a write to it comes before}.

    Args:
      nodes: all nodes.
      written: {name of an op that writes: variable or None}.
    """
    users = {}
    for node in nodes if any(written.values()) else ():
        for tensor in node.input:
            users.setdefault(cuts.split_tensor(tensor)[0], []).append(node.name)
    awaiting = {}
    for name, variable in written.items():
        reached = awaiting.setdefault(variable, set())
        waiting = [name]
        while waiting:
            new = [user for user in users.get(waiting.pop(), ()) if user not in reached]
            reached.update(new)
            waiting += new
    return awaiting


def _takes_ref(node):
    definition = cuts.op_definition(node.op)
    return definition is not None and any(argument.is_ref for argument in definition.input_arg)
