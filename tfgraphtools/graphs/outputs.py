"""Tensors at which values probably leave a graph."""

import collections
import functools
import re

from tfgraphtools.checkpoints.facts import graph_ops as attributes
from tfgraphtools.graphs import borders, loops_and_calls, op_kinds, tensors
from tfgraphtools.graphs.reading.meta_graphs import Tensor

_OTHER_SCOPES = re.compile(
    r"(?:^|/)(?:report_uninitialized_variables\w*|global_step"
    r"|training(?:_\d+)?/(?:SGD|RMSprop|Adagrad|Adadelta|Adam|Adamax|Nadam|TFOptimizer)\w*)/"
)
#: Nodes of a branch and of a check, which nobody fetches.
_FORMS = re.compile(r"(?:^|/)(?:AssertGuard(?:_\d+)?/.*|pred_id)$")
_INITIALIZED = ("IsVariableInitialized", "VarIsInitializedOp")
#: Ops between a prediction and its comparison, and how many of them.
_CHOICES = ("ArgMax", "ArgMin", "TopK", "TopKV2")
_CHANGES = ("Cast", "Round", "Log", "Squeeze", "Reshape")
#: Ops whose `Identity` is no output.
_READ = (*tensors.VARIABLES, "ReadVariableOp", "Switch", "RefSwitch")
#: Ops that read no values.
_SHAPES = ("Shape", "ShapeN", "Size", "Rank", "ZerosLike", "OnesLike")
_MOST_STEPS = 3
#: Ops that give a prediction, wherever a loss or a metric takes it up.
_PREDICTIONS = ("Softmax", "LogSoftmax", "Sigmoid")
_ACTIVATIONS = (*_PREDICTIONS, "Tanh", "Relu", "Elu", "Softplus")
_BOUNDS = ("Minimum", "Maximum", "RealDiv", "ClipByValue", "Identity")
_SUMS = ("Add", "AddV2", "AddN")
#: Origins of a value, as bits: a flag is an input without examples.
_VARIABLE, _FLAG, _FIRST_INPUT = 1, 2, 4


def outputs(graph, entries, shapes, definitions, updates=()):
    """Returns a `Tensor` for every node whose value only gradients, summaries and metrics read.

    It says nothing about whether the value is of use.

    Args:
      graph: a `graph_def_nodes.Graph`.
      entries: the `Tensor` list of its inputs.
      shapes: its `tensors.Shapes`.
      definitions: {op: OpDef}, or {}.
      updates: the names of its update ops.
    """
    savers, asides = borders.Savers(graph), _Asides(graph, entries)
    inside = loops_and_calls.in_loops(graph)
    likely = [
        node
        for node in graph.nodes.values()
        if node.name not in inside
        and node.name not in updates
        and _is_output(node, graph, savers, asides)
        and not asides.is_bounded_prediction(node)
        and _has_value(node, definitions)
    ]
    likely = [node for node in likely if asides.is_computed(node)] or likely
    likely = [n for n in likely if not _is_counter(n, shapes, definitions)] or likely
    return [
        Tensor(
            node.name + ":0",
            tensors.type_of(node, 0, definitions),
            shapes.of(node.name),
            node.op,
        )
        for node in likely
    ]


def _is_counter(node, shapes, definitions):
    """Tells whether it is like what a loop counted; TensorFlow's own layers leave many."""
    is_exit = node.op in ("Exit", "RefExit")
    is_whole = is_exit and tensors.type_of(node, 0, definitions) in ("int32", "int64")
    return is_whole and shapes.of(node.name) == ()


def _has_value(node, definitions):
    definition = definitions.get(node.op)
    return definition is None or bool(definition.outputs)


def _is_output(node, graph, savers, asides):
    if _is_never_output(node.op):
        return False
    if not (asides.read_all(node) or asides.is_prediction(node)):
        return False
    if _FORMS.search(node.name) or _is_first_value(node, graph):
        return False
    if any(_OTHER_SCOPES.search(name) for name in [node.name, *node.inputs]):
        return False
    is_of_training = op_kinds.GRADIENTS.search(node.name) or savers.has(node)
    return not is_of_training and not _is_read(node, graph)


class _Asides:
    """Tells which readers of a value leave it an output.

    Gradients and summaries do. So does what compares a prediction with a label: with data that
    come from another input, and from no variable.
    """

    def __init__(self, graph, entries):
        self._graph = graph
        self._bits = {attributes.endpoint(row.name): _FLAG for row in entries}
        for i, row in enumerate(row for row in entries if _is_data(row, graph)):
            self._bits[attributes.endpoint(row.name)] = _FIRST_INPUT << i
        self._origins = {}
        self._trace()
        self._before_labels = self._needed(filter(self._takes_label, self._forward_nodes()))
        self._before_weights = self._needed(filter(self._takes_weight, self._forward_nodes()))
        self._before_activations = self._needed(
            node for node in self._forward_nodes() if node.op in _ACTIVATIONS
        )

    def _trace(self):
        """Notes for each node from which inputs it is computed, in whatever order nodes stand."""
        waiting = collections.deque(self._graph.nodes.values())
        while waiting:
            node = waiting.popleft()
            mask = _VARIABLE if node.op in tensors.VARIABLES else 0
            is_gradient = "gradients" in node.name and op_kinds.GRADIENTS.search(node.name)
            for tensor in () if node.op in _SHAPES or is_gradient else node.inputs:
                mask |= self._origin(tensor)
            if mask != self._origins.get(node.name, 0):
                self._origins[node.name] = mask
                waiting.extend(self._graph.consumers.get(node.name, ()))

    def _origin(self, tensor):
        if tensor[:1] == "^":
            return 0
        if not self._bits:
            return self._origins.get(tensor.partition(":")[0], 0)
        name, output = attributes.endpoint(tensor)
        return self._bits.get((name, output)) or self._origins.get(name, 0)

    def is_computed(self, node):
        """Tells whether a value is computed from inputs or variables, not of gradients alone."""
        return bool(self._origins.get(node.name, 0))

    def is_bounded_prediction(self, node):
        """Tells whether it is a probability that a loss divides by its sum or keeps off 0 and 1."""
        while node is not None and node.op in _BOUNDS and node.name in self._before_labels:
            node = self._graph.nodes.get(attributes.endpoint(node.inputs[0])[0])
            if node is not None and self.is_prediction(node):
                return True
        return False

    def is_prediction(self, node):
        """Tells whether a label is compared with a probability, or with the last linear layer."""
        if node.name not in self._before_labels or node.name in self._before_weights:
            return False
        if node.op in _PREDICTIONS:
            return bool(self._origins.get(node.name, 0) & _VARIABLE)
        readers = self._graph.consumers.get(node.name, ())
        is_last = self._takes_weight(node) and node.name not in self._before_activations
        return is_last and any(self._is_comparison(reader, node) for reader in readers)

    def _takes_label(self, node):
        """Tells whether a node takes a label beside what was computed with variables."""
        origins = [self._origin(tensor) for tensor in node.inputs]
        return any(map(self._is_label, origins)) and any(mask & _VARIABLE for mask in origins)

    def _takes_weight(self, node):
        """Tells whether a node computes with a variable; adding a penalty to a loss does not."""
        is_sum = node.op in _SUMS or _is_read(node, self._graph)
        return not is_sum and any(map(self._is_variable, node.inputs))

    def _forward_nodes(self):
        """Yields the nodes that are no gradient and write nothing."""
        for node in self._graph.nodes.values():
            is_write = op_kinds.WRITES.fullmatch(node.op) or op_kinds.APPLIES.fullmatch(node.op)
            if not is_write and not op_kinds.GRADIENTS.search(node.name):
                yield node

    def _needed(self, nodes):
        """Returns the names of the nodes whose values these need, without their own."""
        names, waiting = set(), [tensor for node in nodes for tensor in node.inputs]
        while waiting:
            tensor = waiting.pop()
            name = attributes.endpoint(tensor)[0]
            if tensor[:1] != "^" and name not in names and name in self._graph.nodes:
                names.add(name)
                waiting.extend(self._graph.nodes[name].inputs)
        return names

    def _is_variable(self, tensor):
        """Tells whether a tensor is a variable, or was read from one."""
        node = self._graph.nodes.get(attributes.endpoint(tensor.lstrip("^"))[0])
        return node is not None and (node.op in tensors.VARIABLES or _is_read(node, self._graph))

    @staticmethod
    def _is_label(origin):
        return origin >= _FIRST_INPUT and not origin & _VARIABLE

    def read_all(self, node, depth=0):
        """Tells whether all readers of a node are such."""
        readers = self._graph.consumers.get(node.name, ())
        return all(self._is_aside(reader, node, depth) for reader in readers)

    def _is_aside(self, reader, node, depth):
        is_summary = "Summary" in reader.op and op_kinds.SUMMARIES.fullmatch(reader.op)
        if is_summary or reader.op in _SHAPES or op_kinds.GRADIENTS.search(reader.name):
            return True
        if node.op in _CHANGES and depth == 0:  # its input is the prediction
            return False
        if self._is_comparison(reader, node):
            return True
        is_step = reader.op in _CHOICES + _CHANGES and depth < _MOST_STEPS
        if not is_step or attributes.endpoint(reader.inputs[0])[0] != node.name:
            return False
        return bool(self._graph.consumers.get(reader.name)) and self.read_all(reader, depth + 1)

    def _is_comparison(self, reader, node):
        """Tells whether an op takes a prediction and a label."""
        own = self._origins.get(node.name, 0)
        if not own & _VARIABLE or not op_kinds.COMPARISONS.fullmatch(reader.op):
            return False
        if reader.name in self._before_weights:  # it is a mask
            return False
        others = [self._origin(tensor) for tensor in reader.inputs]
        return any(self._is_label(other) and other & ~own for other in others)


def _is_data(row, graph):
    """Tells whether an input holds examples: no flag, no rate."""
    if row.dtype == "bool" or row.shape == ():
        return False
    readers = graph.consumers.get(attributes.endpoint(row.name)[0], ())
    return not any(op_kinds.NOISE.search(reader.name) for reader in readers)


@functools.lru_cache(maxsize=None)
def _is_never_output(op):
    """Tells whether an op gives no value, or one that is given or stored."""
    return (
        op in ("Const", "HostConst", "Switch", "RefSwitch", *_SHAPES)
        or op in tensors.VARIABLES
        or op in tensors.PLACEHOLDERS
        or op in op_kinds.SAVERS
        or any(pattern.fullmatch(op) for pattern in _NEVER)
    )


_NEVER = (
    op_kinds.SINKS,
    op_kinds.WRITES,
    op_kinds.APPLIES,
    op_kinds.SUMMARIES,
    op_kinds.QUEUES,
    op_kinds.QUEUE_OPS,
    op_kinds.DATASETS,
)


def _is_read(node, graph):
    """Tells whether a node only reads a variable, or the condition of a branch."""
    if node.op not in ("Identity", "ReadVariableOp") or not node.inputs:
        return False
    source = graph.nodes.get(attributes.endpoint(node.inputs[0])[0])
    return source is not None and source.op in _READ


def _is_first_value(node, graph):
    """Tells whether it is a variable's value or, if it has none yet, its initial value."""
    if node.op not in ("Merge", "RefMerge"):
        return False
    for tensor in node.inputs:
        source = _copied(graph, tensor)
        if source is not None and source.op in ("Switch", "RefSwitch") and len(source.inputs) > 1:
            predicate = _copied(graph, source.inputs[1])
            if predicate is not None and predicate.op in _INITIALIZED:
                return True
    return False


def _copied(graph, tensor):
    """Returns the node of a tensor, or that of which it is a copy; None in a damaged graph."""
    node = graph.nodes.get(attributes.endpoint(tensor)[0])
    if node is not None and node.op == "Identity" and node.inputs:
        return graph.nodes.get(attributes.endpoint(node.inputs[0])[0])
    return node
