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
    names = [node.name for node in variables]
    for name in names:
        graph_def.node.remove(nodes[name])
    return names


class _Refs:
    """The ref variables of a GraphDef."""

    def __init__(self, graph_def, nodes, refs, place):
        self._graph, self._nodes, self._refs, self._place = graph_def, nodes, refs, place

    def convert(self):
        """Makes each use of a ref variable one of its handle."""
        writes = [n for n in self._graph.node if n.op in _WRITES or n.op in _SCATTERS]
        written = {node.name: self._written(node.input[0]) for node in writes}
        for node in list(self._graph.node):
            if node.name in written:
                self._write(node, written[node.name])
            elif node.name not in self._refs:
                self._read(node)

    def _read(self, node):
        if not any(self._variable(tensor) for tensor in node.input):
            return
        if node.op in _PASSES:
            node.op = _PASSES[node.op]
        elif _takes_ref(node):
            raise GraphExportError(
                self._place,
                "ops that resource variables have, too",
                f"{node.name} ({node.op})",
                "Choose outputs that do not need it.",
            )
        for index, tensor in enumerate(node.input):
            variable = self._variable(tensor)
            if variable:
                node.input[index] = self._value_for(node, variable)

    def _value_for(self, node, variable):
        """Returns the name of an op that reads a variable for a node, after what that awaits."""
        awaited = [tensor for tensor in node.input if tensor.startswith("^")]
        if not awaited:
            return self._value(variable)
        name = f"{node.name}/{variable}/resource_read"
        if name not in self._nodes:
            self._nodes[name] = self._read_op(name, variable, awaited)
        return name

    def _read_op(self, name, variable, awaited):
        node = self._graph.node.add(name=name, op="ReadVariableOp", input=[variable, *awaited])
        node.attr["dtype"].type = self._refs[variable]
        return node

    def _variable(self, tensor):
        """Returns the ref variable that a data input is, or None."""
        name, output = cuts.split_tensor(tensor)
        is_ref = name in self._refs and output == 0 and not tensor.startswith("^")
        return name if is_ref else None

    def _written(self, tensor):
        """Returns the ref variable to which a reference leads, in a branch or not, or None."""
        name = cuts.split_tensor(tensor)[0]
        while name not in self._refs and name in self._nodes:
            if self._nodes[name].op not in ("Identity", "RefIdentity", *_BRANCHES):
                return None
            name = cuts.split_tensor(self._nodes[name].input[0])[0]
        return name if name in self._refs else None

    def _value(self, variable, after=None):
        """Returns the name of an op that reads a variable, after an op where one is given."""
        name = f"{after or variable}/resource_read"
        if name not in self._nodes:
            self._nodes[name] = self._read_op(name, variable, ["^" + after] if after else [])
        return name

    def _write(self, node, variable):
        """Makes a node write to the handle; what takes its output reads the variable after it."""
        if variable is None:
            if cuts.split_tensor(node.input[0])[0] in self._nodes:
                raise GraphExportError(
                    self._place,
                    "writes to variables",
                    f"{node.name} ({node.op}) of {node.input[0]}",
                    "Choose outputs that do not need it.",
                )
            return
        types = {key: node.attr[key].type for key in ("T", "Tindices") if key in node.attr}
        node.op = _WRITES.get(node.op) or _SCATTERS[node.op]
        if self._nodes[cuts.split_tensor(node.input[0])[0]].op in _BRANCHES:
            name = node.name + "/taken"  # the handle is there in both branches
            taken = self._graph.node.add(name=name, op="Identity", input=[node.input[0]])
            taken.attr["T"].type = types["T"]
            node.input.append("^" + name)
        node.input[0] = variable
        node.attr.clear()
        node.attr["dtype"].type = types["T"]
        if "Tindices" in types:
            node.attr["Tindices"].type = types["Tindices"]
        for user in list(self._graph.node):
            for index, tensor in enumerate(user.input):
                is_output = not tensor.startswith("^") and cuts.split_tensor(tensor)[0] == node.name
                if is_output:
                    user.input[index] = self._value(variable, node.name)
        for index in range(1, len(node.input)):
            other = self._variable(node.input[index])
            if other:
                node.input[index] = self._value(other)


def _takes_ref(node):
    definition = cuts.op_definition(node.op)
    return definition is not None and any(argument.is_ref for argument in definition.input_arg)
