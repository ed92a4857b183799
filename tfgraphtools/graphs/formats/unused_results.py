"""Results of branches and loops of control flow v2 that nothing reads, as those for gradients."""

from tfgraphtools.checkpoints.graphs import cuts

_BRANCHES = {"If": ("then_branch", "else_branch"), "StatelessIf": ("then_branch", "else_branch")}
_LOOPS = ("While", "StatelessWhile")


def remove(graph_def, fetched):
    """Removes the results of branches and loops of a GraphDef that nothing reads.

    Code that built gradients left in them what the gradients need: accumulators in lists, optional
    values. Those of branches and loops in functions stay.

    Args:
      graph_def: changed in place.
      fetched: the names of the nodes that are fetched: they stay as they are.
    """
    results = _Results(graph_def)
    for node in list(graph_def.node):
        if node.name not in fetched and node.op in _BRANCHES:
            results.of_branches(node)
        elif node.name not in fetched and node.op in _LOOPS:
            results.of_loop(node)
    cuts.keep_only(graph_def, cuts.needed(graph_def, fetched))


class _Results:
    def __init__(self, graph_def):
        self._graph = graph_def
        self._functions = {f.signature.name: f for f in graph_def.library.function}

    def of_branches(self, node):
        kept = self._read(node)
        if len(kept) == len(node.attr["Tout"].list.type):
            return
        for branch in _BRANCHES[node.op]:
            function = self._copied(node.attr[branch].func)
            _keep(function.signature.output_arg, kept)
            _prune(function)
        _keep(node.attr["Tout"].list.type, kept)
        _keep(node.attr["output_shapes"].list.shape, kept)
        self._renumber(node, kept)

    def of_loop(self, node):
        body, condition = (self._functions[node.attr[key].func.name] for key in ("body", "cond"))
        kept = set(self._read(node)) | _arguments_used(condition, condition.ret.values())
        outputs = [argument.name for argument in body.signature.output_arg]
        while True:
            read = _arguments_used(body, [body.ret[outputs[index]] for index in kept])
            if read <= kept:
                break
            kept |= read
        kept = sorted(kept)
        if len(kept) == len(outputs):
            return
        body = self._copied(node.attr["body"].func)
        _keep(body.signature.output_arg, kept)
        _prune(body)
        for function in (body, self._copied(node.attr["cond"].func)):
            _keep(function.signature.input_arg, kept)
            function.arg_attr.clear()
            if "_input_shapes" in function.attr:
                del function.attr["_input_shapes"]
        awaited = [tensor for tensor in node.input if tensor.startswith("^")]
        inputs = [node.input[index] for index in kept] + awaited
        del node.input[:]
        node.input.extend(inputs)
        _keep(node.attr["T"].list.type, kept)
        _keep(node.attr["output_shapes"].list.shape, kept)
        self._renumber(node, kept)

    def _read(self, node):
        """Returns the sorted numbers of the outputs that something reads."""
        tensors = (tensor for reader in self._graph.node for tensor in reader.input)
        named = (cuts.split_tensor(tensor) for tensor in tensors if not tensor.startswith("^"))
        return sorted({output for name, output in named if name == node.name})

    def _copied(self, call):
        """Returns a copy of a function that a node has to itself."""
        copy = self._graph.library.function.add()
        copy.CopyFrom(self._functions[call.name])
        name = call.name
        while name in self._functions:
            name += "_used"
        copy.signature.name = call.name = name
        self._functions[name] = copy
        return copy

    def _renumber(self, node, kept):
        places = {output: place for place, output in enumerate(kept)}
        for reader in self._graph.node:
            for index, tensor in enumerate(reader.input):
                name, output = cuts.split_tensor(tensor)
                if name == node.name and not tensor.startswith("^"):
                    place = places[output]
                    reader.input[index] = f"{name}:{place}" if place else name


def _keep(field, indices):
    """Keeps some items of a repeated field, which may be empty."""
    kept = set(indices)
    for index in reversed(range(len(field))):
        if index not in kept:
            del field[index]


def _prune(function):
    """Removes results that the signature does not list, and the nodes that only they needed."""
    outputs = {argument.name for argument in function.signature.output_arg}
    for name in set(function.ret) - outputs:
        del function.ret[name]
    needed = _nodes_used(function, [*function.ret.values(), *function.control_ret.values()])
    kept = [index for index, node in enumerate(function.node_def) if node.name in needed]
    _keep(function.node_def, kept)


def _arguments_used(function, tensors):
    """Returns the numbers of the arguments that tensors of a function need."""
    needed = _nodes_used(function, [*tensors, *function.control_ret.values()])
    return {i for i, argument in enumerate(function.signature.input_arg) if argument.name in needed}


def _nodes_used(function, tensors):
    """Returns the names of the nodes and arguments that tensors of a function need."""
    nodes = {node.name: node for node in function.node_def}
    names, waiting = set(), list(tensors)
    while waiting:
        name = waiting.pop().lstrip("^").split(":")[0]
        if name not in names:
            names.add(name)
            waiting.extend(nodes[name].input if name in nodes else ())
    return names
