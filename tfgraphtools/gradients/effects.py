"""The effects of a run: "does evaluating this train my model?" has an answer."""

from typing import Any, Optional

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import ArgumentError
from tfgraphtools.gradients._tensor_arguments import checked_graph
from tfgraphtools.gradients.explaining.folding import Folder

#: Parts of the names of ops that hand out or take in data.
_DATA = ("Accumulator", "Barrier", "Iterator", "LookupTable", "Queue", "Reader", "RecordInput")
_STAGES = ("Stage", "Unstage", "OrderedMap", "Map")
_PASSING = ("StackP", "StackC", "StackV", "TensorArray", "TensorList")

#: Stateful by name only: a run of these leaves nothing changed behind.
_HARMLESS = _tf.VARIABLES | _tf.RESOURCE_READERS | {
    "Abort", "AnonymousIterator", "AnonymousIteratorV2", "AnonymousIteratorV3", "Assert",
    "Barrier", "ConditionalAccumulator", "FIFOQueue", "FIFOQueueV2", "FixedLengthRecordReader",
    "FixedLengthRecordReaderV2", "HashTable", "HashTableV2", "IdentityReader", "IdentityReaderV2",
    "IsVariableInitialized", "Iterator", "IteratorV2", "LookupTableExport", "LookupTableExportV2",
    "LookupTableFind", "LookupTableFindV2", "LookupTableSize", "LookupTableSizeV2",
    "MutableDenseHashTable", "MutableDenseHashTableV2", "MutableHashTable",
    "MutableHashTableOfTensors", "MutableHashTableOfTensorsV2", "MutableHashTableV2",
    "OneShotIterator", "PaddingFIFOQueue", "PaddingFIFOQueueV2", "Placeholder", "PriorityQueue",
    "PriorityQueueV2", "QueueIsClosed", "QueueIsClosedV2", "QueueSize", "QueueSizeV2",
    "RandomShuffleQueue", "RandomShuffleQueueV2", "ReaderNumRecordsProduced",
    "ReaderNumRecordsProducedV2", "ReaderNumWorkUnitsCompleted", "ReaderNumWorkUnitsCompletedV2",
    "SparseConditionalAccumulator", "TFRecordReader", "TFRecordReaderV2", "TextLineReader",
    "TextLineReaderV2", "WholeFileReader", "WholeFileReaderV2",
}  # fmt: skip


class Effects:
    """The state that a run of some fetches changes, by name.

    Attributes:
      assigned: the variables that are written.
      trained: those of them that are in the collection of trainable variables.
      random: the random ops whose generator moves on.
      data: the ops that move iterators, queues, readers, tables and accumulators on.
      other: other ops that act outside of the run: py_func, prints, saves.
      stalled: integer variables that a learning rate follows and that no op of the graph
        changes: "the loss does not move" where such a schedule begins at 0. (The rate of an
        optimizer that computes its updates from simple ops is not known.)
    """

    def __init__(self) -> None:
        self.assigned, self.trained, self.random, self.data, self.other = [], [], [], [], []
        self.stalled = []

    def __bool__(self):
        """Tells whether a run changes anything."""
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
        for name in self.stalled:
            lines.append(
                f"  a learning rate follows {name!r}, to which no op adds: pass it to minimize()"
            )
        return "\n".join(lines)


def effects(fetches: Any, graph: Optional[tf.Graph] = None) -> Effects:
    """Says what state a run of these fetches would change, without running them.

    Does nothing to the graph. It answers for the whole of what the fetches need,
    by data and by control edges, function bodies included; a branch that may
    not be taken counts. What the hooks of a MonitoredSession fetch is not part
    of the fetches: ask for those ops, too.

    Args:
      fetches: as for ``Session.run``: tensors, ops, variables or names, also nested.
      graph: the graph of names; the default graph if None.

    Returns:
      An `Effects`.

    Example:
      >>> print(effects(loss))
      >>> effects([loss, train_op]).trained   # ['dense/kernel', 'dense/bias']

    Raises:
      ArgumentError: something that a session cannot fetch.
    """
    graph = checked_graph("effects(fetches, graph)", graph)
    ops = [op for fetch in _flat(fetches) for op in _ops_of(fetch, graph)]
    finder = _Finder()
    upstream = _tf.upstream_ops(ops, controls=True)
    for op in sorted(upstream - _dead(upstream), key=lambda op: op.name):
        finder.note(op)
    return finder.effects(ops[0].graph if ops else graph)


def _flat(fetches):
    if isinstance(fetches, dict):
        fetches = list(fetches.values())
    if isinstance(fetches, (list, tuple)) and not hasattr(fetches, "dense_shape"):
        return [part for fetch in fetches for part in _flat(fetch)]
    return [fetches]


def _ops_of(fetch, graph):
    """Returns the ops that a session runs for one fetch."""
    if isinstance(fetch, str):
        fetch = _named(fetch, graph)
    if isinstance(fetch, tf.Operation):
        return [fetch]
    if hasattr(fetch, "dense_shape"):  # IndexedSlices, SparseTensor
        parts = (fetch.values, fetch.indices, fetch.dense_shape)
        return [part.op for part in parts if part is not None]
    try:
        return [fetch.op]
    except (AttributeError, ValueError) as error:  # in eager mode a tensor has no op
        raise ArgumentError(
            "effects(fetches)",
            "what Session.run takes: tensors, ops, variables of a graph, or their names",
            f"{type(fetch).__name__} {str(fetch)[:80]!r}",
            "Build a graph (tf.Graph().as_default()) and pass its tensors or ops; for a hook pass "
            "the op that it runs.",
        ) from error


def _named(name, graph):
    """Returns the op or tensor of a name."""
    try:
        return graph.as_graph_element(name)
    except (KeyError, ValueError) as error:
        raise ArgumentError(
            "effects(fetches)",
            "names of ops and tensors of the graph",
            repr(name),
            "A tensor is named op:0, with all scopes; pass graph= for another graph.",
        ) from error


def _dead(ops):
    """Returns the ops that no run executes: they wait for what a branch never gives."""
    dead, tensors = set(), set()
    for op in ops:
        if op.type in ("Switch", "RefSwitch") and op.inputs[1].op.type != "LoopCond":
            taken = Folder(op.graph).value(op.inputs[1])
            if taken is not None:
                tensors.add(op.outputs[0 if taken else 1].name)
    moving = bool(tensors)
    while moving:  # v1 loops are cycles: go round until nothing changes
        moving = False
        for op in ops - dead:
            lost = [source.name in tensors for source in op.inputs]
            is_merge = op.type in ("Merge", "RefMerge")
            if (all(lost) and bool(lost) if is_merge else any(lost)) or dead & set(
                op.control_inputs
            ):
                dead.add(op)
                tensors.update(output.name for output in op.outputs)
                moving = True
    return dead


class _Finder:
    """A walk through ops and the functions that they call, which sorts what they do."""

    def __init__(self):
        self._variables, self._effects = [], Effects()
        self._rates = {}  # name: tensor

    def effects(self, graph):
        """Returns the `Effects`, with every variable that shares the memory of a written one."""
        shared = {_memory(op) for op in self._variables}
        aliases = [op for op in graph.get_operations() if op.type in _tf.VARIABLES]
        written = {op.name for op in self._variables}
        written.update(op.name for op in aliases if _memory(op) in shared)
        self._effects.assigned = sorted(written)
        trainable = graph.get_collection(v1.GraphKeys.TRAINABLE_VARIABLES)
        names = {variable.op.name for variable in trainable}
        self._effects.trained = [name for name in self._effects.assigned if name in names]
        stalled = {n for rate in self._rates.values() for n in _tf.counts_that_stand_still(rate)}
        self._effects.stalled = sorted(stalled)
        return self._effects

    def note(self, op, arguments=None, prefix="", above=()):
        """Notes what one op does.

        Args:
          arguments: the stores behind the arguments of the function that the op is in.
          above: the names of the functions around it.
        """
        name = prefix + op.name
        written = [
            variable
            for handle in _tf.written_handles(op)
            for variable in _tf.variables_behind(handle, arguments)
        ]
        self._variables.extend(written)
        if written and arguments is None and "Apply" in op.type:
            self._rates.update(_rates_of(op))
        functions = [function for function in _tf.functions_of(op) if function not in above]
        for function in functions:
            definition = _tf.function_definition(op.graph, function)
            if definition is None:
                continue
            body = _tf.function_graph(op.graph, definition)
            inner = _tf.arguments_of(op, body, arguments)
            for inner_op in body.get_operations():
                self.note(inner_op, inner, name + "/", above + (function,))
        if not written and not functions:
            self._sort(op, name)

    def _sort(self, op, name):
        """Puts an op that writes no variable where it belongs."""
        if _tf.is_random(op):
            _add(self._effects.random, name)
        elif not _tf.is_stateful(op) and not any(_tf.is_ref(source) for source in op.inputs):
            return
        elif op.type in _HARMLESS or op.type in _tf.CONTROL_FLOW or op.type.startswith(_PASSING):
            return
        elif any(part in op.type for part in _DATA) or op.type.startswith(_STAGES):
            _add(self._effects.data, name)
        elif _tf.is_stateful(op):
            _add(self._effects.other, name)


def _rates_of(op):
    """Returns {name: tensor} of the learning rate of an op that updates a variable."""
    inputs = zip((argument.name for argument in op.op_def.input_arg), op.inputs)
    return {tensor.name: tensor for name, tensor in inputs if name in ("lr", "alpha")}


def _memory(op):
    """Returns what two ops of one variable have in common."""
    place = [op.type, op.device]
    for attribute in ("container", "shared_name"):
        try:
            place.append(op.get_attr(attribute))
        except ValueError:
            place.append(b"")
    return tuple(place) + (() if place[-1] else (op.name,))


def _add(names, name):
    if name not in names:
        names.append(name)
