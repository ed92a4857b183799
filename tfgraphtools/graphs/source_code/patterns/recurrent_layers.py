"""Recurrent layers: loops over a cell that is that of an LSTM or of a plain RNN.

A layer reads the sequence, the lengths if there are any, and the initial state if it is not zero;
it gives all outputs, the last output and, of an LSTM, the last memory. Settings: ``inputs``,
``outputs``, ``is_batch_first``, ``has_lengths``, ``states`` (how many initial states it reads) and
``forget_bias``.
"""

import numpy as np

from tfgraphtools.graphs.source_code.ir import ir_nodes, loop_values, tensor_arrays
from tfgraphtools.graphs.source_code.passes import loop_variables
from tfgraphtools.graphs.source_code.patterns import layer_nodes, matching

_ADD = "Add|AddV2"
_MEMORY = (
    _ADD,
    ("Mul", ("Sigmoid", (_ADD, "forget", "forget_bias")), "memory"),
    ("Mul", ("Sigmoid", "input"), ("Tanh", "new")),
)
_LSTM = ("Mul", ("Sigmoid", "output"), ("Tanh", _MEMORY))
#: The gates in the order of TensorFlow's kernel.
_GATES = ("input", "new", "forget", "output")


class _Loop:
    """A loop that may be a layer.

    Attributes:
      end: its ``LoopEnd``.
      rows: {what it is: (value, initial value, next value, last value)}: "list", "h" and "c".
    """

    def __init__(self, end):
        self.end, self.rows, self._lengths = end, {}, []
        rows = loop_variables.variables(end)
        counter = end.attributes["counter"]
        self._counter, start, _, _ = rows[counter]
        self._starts_at_zero = start.content == 0
        self._others = [row for row in rows if row[0] is not self._counter]

    def layer(self):
        """Returns (kind, cell, bound values), or None."""
        lists = [row for row in self._others if row[0].dtype == tensor_arrays.LIST]
        states = [row for row in self._others if row not in lists]
        if not self._starts_at_zero or len(lists) > 1 or len(states) not in (1, 2):
            return None
        if lists and lists[0][1].op != "List":
            return None
        for h in states:
            cell = self._unmasked(h)
            is_lstm = len(states) == 2
            bound = matching.match(cell, _LSTM if is_lstm else ("Tanh", "product"))
            if bound is None:
                continue
            self.rows = {"h": h, **({"list": lists[0]} if lists else {})}
            if is_lstm:
                c = states[1] if h is states[0] else states[0]
                self.rows["c"] = c
                memory = cell.node.inputs[0 if cell.node.inputs[0].op == "Tanh" else 1]
                if bound["memory"] is not c[0] or self._unmasked(c) is not memory.node.inputs[0]:
                    continue
            if self._is_listed(cell):
                return ("lstm" if is_lstm else "rnn"), bound
        return None

    def _unmasked(self, row):
        """Returns the next value of a state, without the choice of the old one after the end."""
        value, _, new, _ = row
        if new.op == "Select" and new.node.inputs[1] is value:
            self._lengths.append(new.node.inputs[0])
            return new.node.inputs[2]
        self._lengths.append(None)
        return new

    def _is_listed(self, cell):
        if "list" not in self.rows:
            return True
        element = self.rows["list"][2].node.inputs[-1]
        if element.op == "Select" and _is_zero(element.node.inputs[1]):
            self._lengths.append(element.node.inputs[0])
            return element.node.inputs[2] is cell
        self._lengths.append(None)
        return element is cell

    def lengths(self):
        """Returns the lengths, or None."""
        mask = self._lengths[0]
        return None if mask is None else mask.node.inputs[1]

    def covers_all(self):
        """Tells whether all steps are done, and the lengths are the same for all values."""
        first = self._lengths[0]
        if any(mask is not first for mask in self._lengths):
            return False
        if first is not None:
            operands = first.node.inputs if first.op == "GreaterEqual" else [None, None]
            if operands[0] is not self._counter or operands[1].node in loop_variables.inside(
                self.end
            ):
                return False
        rows = self._row_values()
        if len(rows) != 1 or rows[0].node.inputs[0].dims is None:
            return False
        axis = rows[0].node.attributes["axis"]
        if rows[0].node.inputs[1] is not self._counter or axis not in (0, 1):
            return False
        stacks = list(self.rows["list"][3].users) if "list" in self.rows else []
        if any(user.op != "Stack" or user.attributes["axis"] != axis for user in stacks):
            return False
        size = rows[0].node.inputs[0].dims[axis]
        if any(user.output.dims[axis] != size for user in stacks):
            return False
        limit = self.end.inputs[0]
        return limit.content == size or (first is not None and self._is_longest(limit, size))

    def _is_longest(self, limit, size):
        """Tells whether a limit is ``min(size, max(1, largest length))``."""
        bound = matching.match(limit, ("Minimum", "size", ("Maximum", "one", ("Max", "lengths"))))
        if bound is None or bound["size"].content != size or bound["one"].content != 1:
            return False
        return bound["lengths"] is self.lengths()

    def _row_values(self):
        inside = loop_variables.inside(self.end)
        return [node.output for node in inside if node.op == "Row"]

    def row(self):
        """Returns the only node that reads the sequence."""
        return self._row_values()[0].node


def _is_zero(value):
    if value.op == "Fill":
        value = value.node.inputs[1]
    return value.op == "ZerosLike" or (value.array is not None and not np.any(value.array))


def _linear_of(loop, kind, bound):
    """Returns the linear layer of a cell, or None."""
    if kind == "rnn":
        product = bound["product"]
    else:
        split = bound["input"].node
        gates = [bound[name] for name in _GATES]
        if split.op != "Split" or [(v.node, v.index) for v in gates] != [
            (split, i) for i in range(4)
        ]:
            return None
        product = split.inputs[1]
    if not layer_nodes.is_layer(product, "linear"):
        return None
    joined = product.node.inputs[0]
    operands = [loop.row().output, loop.rows["h"][0]]
    if joined.op != "ConcatV2" or joined.node.inputs[:2] != operands:
        return None
    return product.node if len(joined.node.inputs) == 3 else None


def _replace(program, loop, layer):
    """Puts the layer into the place of its loop."""
    kind, bound = layer
    linear, row = _linear_of(loop, kind, bound), loop.row()
    x, (_, initial, _, _) = row.inputs[0], loop.rows["h"]
    size = initial.dims[-1]
    states = [loop.rows[name][1] for name in ("h", "c") if name in loop.rows]
    inputs, lengths = [x], loop.lengths()
    inputs += [] if lengths is None else [lengths]
    dims = (1, *initial.dims)
    is_given = not all(map(_is_zero, states))
    if is_given:
        inputs += [
            ir_nodes.made("Reshape", loop.end.name, [v], dims, v.dtype, None, loop.end.position)
            for v in states
        ]
    settings = {
        "inputs": x.dims[-1],
        "outputs": size,
        "is_batch_first": row.attributes["axis"] == 1,
        "has_lengths": lengths is not None,
        "states": len(states) if is_given else 0,
        "forget_bias": matching.scalar(bound["forget_bias"]) if kind == "lstm" else 0.0,
    }
    attributes = {"kind": kind, "settings": settings}
    attributes["parameters"] = dict(layer_nodes.parameters_of(linear))
    node = ir_nodes.Node(ir_nodes.LAYER, linear.name, inputs, attributes, loop.end.position)
    outputs = node.add_output((*x.dims[:-1], size), initial.dtype)
    for name in ("h", "c"):
        if name in loop.rows:
            last = loop.rows[name][3]
            value = node.add_output(dims, initial.dtype)
            if last.users or program.is_output(last):
                flat = ir_nodes.made(
                    "Reshape", loop.end.name, [value], last.dims, value.dtype, None, node.position
                )
                program.replace(last, flat)
    for stack in list(loop.rows["list"][3].users) if "list" in loop.rows else []:
        program.replace(stack.output, outputs)
        stack.set_inputs([])  # else the loop would still be needed


def _checked(program, end):
    """Replaces a loop whose cell is one linear layer."""
    if "counter" not in end.attributes:
        return None
    loop = _Loop(end)
    layer = loop.layer()
    if layer is None or not loop.covers_all() or _linear_of(loop, *layer) is None:
        return None
    if layer[0] == "lstm" and matching.scalar(layer[1]["forget_bias"]) is None:
        return None
    _replace(program, loop, layer)
    return True


RULES = {loop_values.END: [_checked]}
