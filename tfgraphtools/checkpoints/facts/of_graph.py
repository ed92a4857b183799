"""A layer's facts from a graph: the ops that read its variables say how it computes."""

from tfgraphtools.checkpoints.facts import graph_ops as graphs
from tfgraphtools.checkpoints.facts.graph_ops import is_gradient
from tfgraphtools.checkpoints.format.wire import reading

_FUSED = ("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3")
_CONVOLUTIONS = ("Conv2D", "DepthwiseConv2dNative", "Conv3D", "Conv2DBackpropInput")
_BLOCKS = ("LSTMBlockCell", "BlockLSTM")
_PRODUCTS = ("MatMul", "BatchMatMul", "BatchMatMulV2")
_SUMS = ("Add", "AddV2", "AddN", "BiasAdd")
_SUBTRACTS = ("AssignSub", "AssignSubVariableOp")
_ACTIVATIONS = {
    "Sigmoid": "sigmoid",
    "Tanh": "tanh",
    "Relu": "relu",
    "Relu6": "relu6",
    "Elu": "elu",
    "Selu": "selu",
    "Softplus": "softplus",
    "Softsign": "softsign",
}
_GATES = 4  # of an LSTM, in TF 1's order i, c, f, o
_NEW, _FORGET = 1, 2
_OF_GATES = {"sigmoid", "hard_sigmoid"}


def facts(graph, leaves):
    """Reads what a graph says of a layer.

    Args:
      graph: a `Graph`.
      leaves: {role: tensor} of the layer.

    Returns:
      {question: value}, of the questions that the graph answers.
    """
    with reading(graph.path, "Pass the .meta beside the checkpoint."):
        answers = {}
        for role in ("gamma", "moving_variance", "beta", "moving_mean"):
            epsilon = _epsilon(graph, leaves[role]) if role in leaves else None
            if epsilon is not None:
                answers.setdefault("epsilon", epsilon)
        if "moving_variance" in leaves:
            answers.update(_momentum(graph, leaves["moving_variance"]))
        cell = _Cell(graph)
        for role, tensor in leaves.items():
            if role.endswith("kernel"):
                _follow(graph, tensor, cell, answers)
            if role.endswith("kernel") or len(leaves) == 1:
                answers.update(_transposition(graph, tensor))
        cell.add_activations(answers)
        if cell.clip is not None:
            answers["clip"] = cell.clip
        if "recurrent_kernel" not in leaves:  # tf.keras has gates of its own
            cell.add_gates(answers)
        return answers


def _epsilon(graph, tensor):
    for use in graph.readers(tensor):
        node = use.node
        if node.op in _FUSED:
            return graphs.number(node, "epsilon", 1e-4)
        if node.op == "Sub" and use.index == 0:  # beta - mean * (rsqrt(...) * gamma)
            node = graph.input(node, 1)
        root = node if node is not None and node.op == "Mul" else None
        for _ in range(2):  # rsqrt(variance + epsilon), which gamma may multiply
            inputs = [graph.input(root, index) for index in (0, 1)] if root is not None else []
            near = [other for other in inputs if other is not None and other.op in ("Rsqrt", "Mul")]
            root = next((other for other in near if other.op == "Rsqrt"), near[0] if near else None)
            if root is not None and root.op == "Rsqrt":
                node = graph.input(root, 0)
                break
        if node is not None and node.op in ("Add", "AddV2") and _is_below_a_root(graph, node):
            numbers = [graph.constant(graph.input(node, index)) for index in (0, 1)]
            known = [number for number in numbers if number is not None]
            if len(known) == 1:
                return known[0]
    return None


def _is_below_a_root(graph, node):
    return any(use.node.op in ("Rsqrt", "Sqrt") for use in graph.uses(node.name))


def _momentum(graph, tensor):
    """Returns {"momentum": number} of a moving average that the graph updates, else {}."""
    rates = {
        _rate(graph, graph.input(use.node, 1))
        for use in graph.readers(tensor)
        if use.node.op in _SUBTRACTS and use.index == 0
    }
    return {"momentum": 1 - rates.pop()} if len(rates) == 1 and None not in rates else {}


def _rate(graph, product):
    """Returns the number by which a difference is multiplied, None if that is not known."""
    if product is None or product.op != "Mul":
        return None
    sides = [graph.input(product, index) for index in (0, 1)]
    factors = [side for side in sides if side is None or side.op != "Sub" or _of_one(graph, side)]
    return _number(graph, factors[0]) if len(factors) == 1 else None


def _of_one(graph, node):
    return graph.constant(graph.input(node, 0)) == 1


def _number(graph, node, depth=6):
    """Returns the number that a node has in training, past the branch that does not move."""
    if node is None or not depth:
        return None
    if node.op == "Sub" and _of_one(graph, node):
        momentum = _number(graph, graph.input(node, 1), depth - 1)
        return None if momentum is None else 1 - momentum
    if node.op in ("Merge", "Switch"):
        inputs = range(len(node.inputs)) if node.op == "Merge" else [0]
        numbers = {_number(graph, graph.input(node, index), depth - 1) for index in inputs}
        numbers -= {1.0} if len(numbers) > 1 else set()
        return numbers.pop() if len(numbers) == 1 else None
    return graph.constant(node)


def _transposition(graph, tensor):
    """Returns {"transposed": True} of a matrix that all products of the graph read so, else {}."""
    readings = {
        graphs.boolean(use.node, "transpose_b") or graphs.boolean(use.node, "adj_y")
        for use in graph.readers(tensor)
        if use.node.op in _PRODUCTS and use.index == 1 and not is_gradient(use.node.name)
    }
    return {"transposed": True} if readings == {True} else {}


def _follow(graph, tensor, cell, facts_found):
    for use in graph.readers(tensor):
        node = use.node
        if node.op in _CONVOLUTIONS and use.index == 1:
            _convolution(graph, node, facts_found)
        elif node.op in _BLOCKS:
            facts_found["forget_bias"] = graphs.number(node, "forget_bias", 1.0)
            if graphs.number(node, "cell_clip", 3.0) > 0:
                facts_found["clip"] = graphs.number(node, "cell_clip", 3.0)
            facts_found.update(activation="tanh", recurrent_activation="sigmoid")
        elif node.op == "GRUBlockCell":
            facts_found.update(activation="tanh", recurrent_activation="sigmoid")
        elif node.op in _PRODUCTS and use.index == 1 and not graphs.boolean(node, "transpose_b"):
            cell.follow(node)


def _convolution(graph, node, facts_found):
    if is_gradient(node.name):
        return  # the gradient of one is another
    before = graph.input(node, 0)
    if before is not None and before.op == "SpaceToBatchND":
        _dilated(graph, node, before, facts_found)
        return
    dilations = graphs.integers(node, "dilations")
    layout = graphs.word(node, "data_format") or "NHWC"
    strides = graphs.integers(node, "strides")
    if len(strides) == len(layout):
        facts_found["strides"] = tuple(s for s, axis in zip(strides, layout) if axis not in "NC")
        if len(dilations) == len(layout):
            spatial = tuple(d for d, axis in zip(dilations, layout) if axis not in "NC")
            facts_found["dilation"] = spatial
    facts_found["padding"] = graphs.word(node, "padding").lower()


def _dilated(graph, node, before, facts_found):
    """Notes a dilation that is written as a convolution of blocks, and its padding."""
    rate = graph.integers(graph.input(before, 1))
    if rate is None:
        return
    facts_found["dilation"], facts_found["strides"] = tuple(rate), (1,) * len(rate)
    pads = graph.integers(graph.input(before, 2))
    for use in graph.uses(node.name):
        crops = graph.integers(graph.input(use.node, 2))
        if use.node.op == "BatchToSpaceND" and None not in (pads, crops):
            # what is padded to whole blocks is cropped again
            facts_found["padding"] = "valid" if sum(pads) == sum(crops) else "same"


class _Cell:
    """The first functions that a cell applies to its product, by gate."""

    def __init__(self, graph):
        self._graph = graph
        self.clip = None  # the number at which a state or a projection is cut
        self._functions = set()  # (activation, gate or None, what was added before it or None)

    def follow(self, node):
        """Follows sums and splits from a product to the functions."""
        seen, waiting = set(), [(node.name, None, None, False)]
        while waiting:
            name, gate, added, scaled = waiting.pop()
            for use in self._graph.uses(name):
                state = self._next(use, gate, added, scaled)
                if state is not None and state not in seen:
                    seen.add(state)
                    waiting.append(state)

    def _next(self, use, gate, added, scaled):
        node = use.node
        if self._graph.nodes[node.name] is not node:
            return None
        if node.op in _ACTIVATIONS:
            self._functions.add((_ACTIVATIONS[node.op], self._gate(use, gate), added))
            self._follow_state(node)
        elif node.op in ("Minimum", "ClipByValue") and scaled:
            self._functions.add(("hard_sigmoid", self._gate(use, gate), None))
        elif node.op in ("Minimum", "ClipByValue"):  # of a projection
            self._clips(node)
        elif node.op in _SUMS or node.op in graphs.PASSING:
            if node.op in ("Add", "AddV2"):
                constant = self._graph.constant(self._graph.input(node, 1 - use.index))
                added = added if constant is None else constant
            return node.name, self._gate(use, gate), added, scaled
        elif node.op == "Mul" and len(node.inputs) == 2:
            if self._graph.constant(self._graph.input(node, 1 - use.index)) is not None:
                return node.name, self._gate(use, gate), added, True
        return None

    def _follow_state(self, node):
        """Looks for a limit of the state: the sum of products of gates, cut at a number."""
        for product in self._graph.uses(node.name):
            if product.node.op != "Mul":
                continue
            for total in self._graph.uses(product.node.name):
                if total.node.op in ("Add", "AddV2"):
                    for use in self._graph.uses(total.node.name):
                        if use.node.op in ("Minimum", "ClipByValue"):
                            self._clips(use.node)

    def _clips(self, node):
        for index in range(1, len(node.inputs)):
            limit = self._graph.constant(self._graph.input(node, index))
            if limit is not None:
                self.clip = abs(limit)

    def _gate(self, use, gate):
        """Returns the number of the gate, if the value comes out of a split in four."""
        source = self._graph.nodes[graphs.endpoint(use.node.inputs[use.index])[0]]
        if source.op == "Split" and graphs.integer(source, "num_split", 0) == _GATES:
            return use.output
        return gate

    def add_activations(self, facts_found):
        """Adds what the functions are."""
        names = {name for name, _, _ in self._functions}
        gates = names & _OF_GATES
        if len(gates) == 1 and len(names) == 2:
            facts_found["recurrent_activation"] = min(gates)
            facts_found["activation"] = min(names - gates)
        elif len(names) == 1 and not gates:
            facts_found["activation"] = min(names)

    def add_gates(self, facts_found):
        """Adds the order of an LSTM's gates and its forget bias."""
        by_gate = {gate: (name, added) for name, gate, added in self._functions if gate is not None}
        new = [gate for gate, (name, _) in by_gate.items() if name not in _OF_GATES]
        if set(by_gate) != set(range(_GATES)) or len(new) != 1:
            return
        added = {gate: number for gate, (_, number) in by_gate.items() if number is not None}
        if new == [_NEW] and set(added) <= {_FORGET}:
            facts_found["gates"] = "i,c,f,o"
            facts_found["forget_bias"] = added.get(_FORGET, 0.0)
        else:
            facts_found["gates"] = "another order"
