"""What a run changes: "does evaluating this train my model?" has an answer."""

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.gradients import _functions
from tfgraphtools.gradients._slice import is_random, upstream_ops

_WRITERS = ("Assign", "Scatter", "Apply")
_DATA = (
    "Barrier",
    "IteratorGetNext",
    "Queue",
    "Reader",
    "RecordInput",
    "Stage",
    "Unstage",
    "OrderedMap",
    "Map",
)
_STORES = frozenset(
    ["AutoReloadVariable", "TemporaryVariable", "VarHandleOp", "Variable", "VariableV2"]
)

#: Stateful by name only: a run of these leaves nothing changed behind.
_HARMLESS = frozenset(
    [
        "Abort",
        "AnonymousIterator",
        "AnonymousIteratorV2",
        "AnonymousIteratorV3",
        "Assert",
        "BarrierV2",
        "HashTable",
        "HashTableV2",
        "IsVariableInitialized",
        "Iterator",
        "IteratorV2",
        "LookupTableFind",
        "LookupTableFindV2",
        "LookupTableSize",
        "LookupTableSizeV2",
        "MakeIterator",
        "MutableHashTableV2",
        "OneShotIterator",
        "Placeholder",
        "PaddingFIFOQueueV2",
        "FIFOQueueV2",
        "RandomShuffleQueueV2",
        "QueueSizeV2",
        "ReadVariableOp",
        "ResourceGather",
        "ResourceGatherNd",
        "VarIsInitializedOp",
        "VariableShape",
    ]
)


class Effects:
    """What state a run of some fetches changes, by name.

    Attributes:
      assigned: the variables that are written.
      trained: those of them that are in the collection of trainable variables.
      random: the random ops whose generator moves on.
      data: the iterators, queues and readers that move on.
      other: other ops that act outside of the run: py_func, prints, saves.
    """

    def __init__(self):
        self.assigned, self.trained, self.random, self.data, self.other = [], [], [], [], []

    def __bool__(self):
        """True if a run changes anything."""
        return bool(self.assigned or self.random or self.data or self.other)

    def __str__(self):
        if not self:
            return "a run of these changes nothing"
        lines = ["a run of these changes:"]
        for says, names in (
            ("variables assigned", self.assigned),
            ("random ops advanced", self.random),
            ("data sources advanced", self.data),
            ("other actions", self.other),
        ):
            if names:
                lines.append("  {}: {}".format(says, ", ".join(names)))
        lines.append(
            "  trains the model: {}".format(
                "yes ({})".format(", ".join(self.trained)) if self.trained else "no"
            )
        )
        return "\n".join(lines)


def effects(fetches, graph=None):
    """Says what state a run of these fetches would change, without running them.

    Does nothing to the graph. It answers for the whole of what the fetches need,
    by data and by control edges, function bodies included; a branch that may
    not be taken counts.

    Args:
      fetches: as for ``Session.run``: tensors, ops, variables or names, also nested.
      graph: the graph of names; the default graph if None.

    Returns:
      An `Effects`.

    Example:
      >>> print(effects(loss))
      >>> effects([loss, train_op]).trained   # ['dense/kernel', 'dense/bias']
    """
    graph = graph or v1.get_default_graph()
    found, ops = Effects(), [_op_of(fetch, graph) for fetch in _flat(fetches)]
    outputs = [op.outputs[0] for op in ops if op.outputs]
    needed = upstream_ops(outputs, controls=True) | set(ops)
    for op in ops:
        needed |= upstream_ops(
            [
                t
                for one in [op] + list(op.control_inputs)
                for t in list(one.inputs) + list(one.outputs)
            ],
            controls=True,
        )
        needed |= set(op.control_inputs)
    for op in sorted(needed, key=lambda op: op.name):
        _note(found, op, {}, "")
    trainable = (
        {v.op.name for v in v1.trainable_variables()}
        if not ops
        else {v.op.name for v in ops[0].graph.get_collection(v1.GraphKeys.TRAINABLE_VARIABLES)}
    )
    found.trained = [name for name in found.assigned if name in trainable]
    return found


def _flat(fetches):
    if isinstance(fetches, dict):
        fetches = list(fetches.values())
    if isinstance(fetches, (list, tuple)):
        return [one for fetch in fetches for one in _flat(fetch)]
    return [fetches]


def _op_of(fetch, graph):
    if isinstance(fetch, str):
        fetch = graph.as_graph_element(fetch)
    return fetch if isinstance(fetch, tf.Operation) else fetch.op


def _note(found, op, arguments, prefix):
    """Notes what one op does; ``arguments``: body placeholder -> the variable it stands for."""
    name = prefix + op.name
    if is_random(op):
        _add(found.random, name)
    elif writes(op):
        for tensor in op.inputs:
            variable = variable_behind(tensor, arguments)
            if variable is not None:
                _add(found.assigned, variable)
    elif _tf.is_stateful(op) and op.type not in _HARMLESS | _STORES:
        calls = _functions.called_names(op)
        if calls:
            _note_bodies(found, op, calls, arguments, name)
        elif op.type.startswith(_DATA):
            _add(found.data, name)
        elif not op.type.startswith(("TensorArray", "Stack", "TensorList")):
            _add(found.other, name)


def _note_bodies(found, op, calls, arguments, name):
    first = 1 if op.type in ("If", "StatelessIf", "Case", "StatelessCase") else 0
    for function in calls:
        definition = _tf.function_definition(op.graph, function)
        body = _tf.function_graph(op.graph, definition)
        inner = {
            argument.op.name: variable_behind(op.inputs[i + first], arguments)
            for i, argument in enumerate(body.inputs)
        }
        for one in body.get_operations():
            _note(found, one, inner, name + "/")


def writes(op):
    """True for an op that writes a variable."""
    return (
        any(part in op.type for part in _WRITERS)
        and not op.type.startswith("TensorArray")
        and (_tf.is_stateful(op) or any(_tf.is_ref(t) for t in op.inputs))
    )


def variable_behind(tensor, arguments=None):
    """The name of the variable whose ref or handle this tensor is, or None."""
    seen = set()
    while _tf.is_ref(tensor) or _tf.is_resource(tensor):
        op = tensor.op
        if op.type in _STORES:
            return op.name
        if arguments and op.name in arguments:
            return arguments[op.name]
        if op in seen or not op.inputs:
            return None
        seen.add(op)
        tensor = op.inputs[0]
    return None


def _add(names, name):
    if name not in names:
        names.append(name)
