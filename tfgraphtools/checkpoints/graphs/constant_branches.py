"""Branches of a GraphDef that constants choose: resolved, so that the other branch can go."""

import collections

from tfgraphtools.checkpoints.graphs import cuts

_BOOL = 10  # the number of the data type
_NUMBERS = (1, 2, 3, 9, 10, 14, 19)  # float32, float64, int32, int64, bool, bfloat16, float16
_LOGIC = {
    "LogicalNot": lambda a: not a,
    "LogicalAnd": lambda a, b: a and b,
    "LogicalOr": lambda a, b: a or b,
}
_CALLS = ("If", "StatelessIf")


def set_constant(node, value):
    """Makes a node a bool constant."""
    node.op = "Const"
    del node.input[:]
    node.attr.clear()
    node.attr["dtype"].type = _BOOL
    tensor = node.attr["value"].tensor
    tensor.dtype = _BOOL
    tensor.bool_val.append(value)


def numbers(node):
    """Returns the values of a constant, in a list; empty for any other node."""
    if node.op != "Const":
        return []
    from tensorflow import make_ndarray

    return make_ndarray(node.attr["value"].tensor).reshape(-1).tolist()


def resolve(graph_def):
    """Replaces what constants choose: Switch and Merge by Identity, If by a call of one branch."""
    _Branches(graph_def).resolve()


class _Branches:
    def __init__(self, graph_def):
        self._graph = graph_def
        self._nodes = {node.name: node for node in graph_def.node}
        self._users = collections.defaultdict(list)
        for node in graph_def.node:
            for tensor in node.input:
                self._users[cuts.split_tensor(tensor)[0]].append(node)

    def resolve(self):
        dead = {}  # (node, output) of a Switch whose other output is taken
        for node in list(self._nodes.values()):
            if node.op in ("Switch", "RefSwitch"):
                value = self._value(node.input[1])
                if value is not None:
                    dead[node.name] = int(not value)
            elif node.op in _CALLS:
                value = self._value(node.input[0])
                if value is not None:
                    _call(node, "then_branch" if value else "else_branch")
                    self._cut_unused(node)
        removed = self._never_run(dead)
        for name in list(self._nodes):
            node = self._nodes[name]
            if node.op in ("Merge", "RefMerge") and name not in removed:
                self._take(node, [i for i in node.input if not _is_removed(i, removed, dead)])
        for name, output in dead.items():
            if name not in removed:
                self._pass_on(self._nodes[name], 1 - output)

    def _cut_unused(self, call):
        """Gives a call constants for what its function does not use, such as batch statistics."""
        name = call.attr["f"].func.name
        (function,) = [f for f in self._graph.library.function if f.signature.name == name]
        used = {tensor.lstrip("^").split(":")[0] for n in function.node_def for tensor in n.input}
        used.update(tensor.split(":")[0] for tensor in function.ret.values())
        for i, argument in enumerate(function.signature.input_arg):
            if argument.name not in used and argument.type in _NUMBERS:
                constant = self._graph.node.add(name=f"{call.name}/unused_{i}", op="Const")
                constant.attr["dtype"].type = argument.type
                constant.attr["value"].tensor.dtype = argument.type
                constant.attr["value"].tensor.tensor_shape.SetInParent()
                call.input[i] = constant.name

    def _value(self, tensor, depth=8):
        """Returns the value of a bool that constants decide, or None."""
        node = self._nodes.get(cuts.split_tensor(tensor)[0])
        if node is None or not depth:
            return None
        if node.op == "Const" and node.attr["dtype"].type == _BOOL:
            constant = node.attr["value"].tensor
            if constant.bool_val:
                return constant.bool_val[0]
            return bool(constant.tensor_content.strip(b"\0")) if constant.tensor_content else False
        if node.op == "Identity":
            return self._value(node.input[0], depth - 1)
        if node.op in _LOGIC:
            inputs = [i for i in node.input if not i.startswith("^")]
            values = [self._value(tensor, depth - 1) for tensor in inputs]
            return None if None in values else _LOGIC[node.op](*values)
        return None

    def _never_run(self, dead):
        """Returns the nodes that never run."""
        removed, waiting = set(), [user for name in dead for user in self._users[name]]
        while waiting:
            node = waiting.pop()
            if node.name in removed:
                continue
            stopped = [_is_removed(tensor, removed, dead) for tensor in node.input]
            if all(stopped) if node.op in ("Merge", "RefMerge") else any(stopped):
                removed.add(node.name)
                waiting += self._users[node.name]
        return removed

    def _take(self, node, alive):
        if len(alive) == len(node.input) or len(alive) != 1:
            return
        kind = node.attr["T"].type
        node.op = "Identity"
        del node.input[:]
        node.input.append(alive[0])
        node.attr.clear()
        node.attr["T"].type = kind

    def _pass_on(self, node, output):
        kind = node.attr["T"].type
        for user in self._users[node.name]:
            for i, tensor in enumerate(user.input):
                if not tensor.startswith("^") and cuts.split_tensor(tensor) == (node.name, output):
                    user.input[i] = node.name
        del node.input[1:]
        node.op = "Identity"
        node.attr.clear()
        node.attr["T"].type = kind


def _is_removed(tensor, removed, dead):
    name, output = cuts.split_tensor(tensor)
    if name in removed:
        return True
    return not tensor.startswith("^") and dead.get(name) == output


def _call(node, branch):
    """Makes an If a call of one of its branches."""
    # Values only: on Python 3.7 a message that is still held crashes the clear() below.
    name = str(node.attr[branch].func.name)
    types = [list(node.attr[t].list.type) for t in ("Tin", "Tout")]
    node.op = "StatefulPartitionedCall"
    del node.input[0]
    node.attr.clear()
    node.attr["f"].func.name = name
    for key, numbers in zip(("Tin", "Tout"), types):
        node.attr[key].list.type.extend(numbers)


def is_in_loop(nodes, node):
    """Tells whether a node is in the body of a while loop of the graph."""
    seen, waiting = set(), [node.name]
    while waiting:
        current = nodes[waiting.pop()]
        if current.op in ("Enter", "RefEnter", "NextIteration"):
            return True
        if current.op in ("Exit", "RefExit") or current.name in seen:
            continue
        seen.add(current.name)
        waiting += [cuts.split_tensor(tensor)[0] for tensor in current.input]
    return False


def is_optional(nodes, node):
    """Tells whether a node runs in a branch that is chosen when the graph runs, by an input."""
    seen, waiting = set(), [node.name]
    while waiting:
        current = nodes[waiting.pop()]
        if current.name in seen or current.op in ("Merge", "RefMerge") and current is not node:
            continue
        seen.add(current.name)
        if current.op in ("Switch", "RefSwitch"):
            if nodes[cuts.split_tensor(current.input[1])[0]].op != "LoopCond":
                return True
        waiting += [cuts.split_tensor(tensor)[0] for tensor in current.input]
    return False


def is_chosen_later(nodes, node):
    """Tells whether all uses of a node are branches that are chosen when the graph runs.

    Args:
      nodes: those that the outputs need.
      node: one of them.
    """
    users = collections.defaultdict(list)
    ends = {user.name for user in nodes if user.op == "LoopCond"}
    for user in nodes:
        for tensor in user.input:
            users[cuts.split_tensor(tensor)[0]].append(user)
    seen, waiting = {node.name}, [node.name]
    while waiting:
        readers = users[waiting.pop()]
        if not readers:  # an output
            return False
        for reader in readers:
            is_switch = reader.op in ("Switch", "RefSwitch")
            is_of_loop = is_switch and cuts.split_tensor(reader.input[1])[0] in ends
            is_choice = (is_switch and not is_of_loop) or reader.op in _CALLS
            if not is_choice and reader.name not in seen:
                seen.add(reader.name)
                waiting.append(reader.name)
    return True


def called(graph_def, nodes):
    """Returns the functions that these nodes call, and those that they call."""
    functions = {function.signature.name: function for function in graph_def.library.function}
    called_functions, waiting = {}, list(nodes)
    while waiting:
        node = waiting.pop()
        names = [node.op]
        for value in node.attr.values():
            names += [value.func.name] + [function.name for function in value.list.func]
        for name in names:
            if name in functions and name not in called_functions:
                called_functions[name] = functions[name]
                waiting += functions[name].node_def
    return list(called_functions.values())
