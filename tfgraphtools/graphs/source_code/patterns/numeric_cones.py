"""Functions that are recognised by their values.

Behind an op the ops that only it needs are joined, until one tensor is left before them. What they
compute is evaluated and compared with known functions: it does not matter how it was written.
"""

import math

import numpy as np

from tfgraphtools.graphs.source_code.ir import ir_nodes
from tfgraphtools.graphs.source_code.patterns import layer_nodes

#: The most ops that are joined.
_MOST = 24
#: Reductions that a cone may have.
REDUCTIONS = {"Mean": np.mean, "Sum": np.sum}


def error_function(x):
    """Returns the error function of an array."""
    return np.vectorize(math.erf, otypes=[float])(x)


def sigmoid(x):
    """Returns the logistic function of an array."""
    return 1 / (1 + np.exp(-x))


_FUNCTIONS = {
    "Add": np.add,
    "AddV2": np.add,
    "Sub": np.subtract,
    "Mul": np.multiply,
    "RealDiv": np.divide,
    "Pow": np.power,
    "Maximum": np.maximum,
    "Minimum": np.minimum,
    "SquaredDifference": lambda left, right: (left - right) ** 2,
    "Tanh": np.tanh,
    "Sigmoid": sigmoid,
    "Erf": error_function,
    "Rsqrt": lambda x: 1 / np.sqrt(x),
    "Sqrt": np.sqrt,
    "Square": np.square,
    "Neg": np.negative,
    "Exp": np.exp,
    "Log": np.log,
    "Log1p": np.log1p,
    "Relu": lambda x: np.maximum(x, 0),
    "Relu6": lambda x: np.clip(x, 0, 6),
    "Abs": np.abs,
    "Softplus": lambda x: np.logaddexp(x, 0),
    "StopGradient": lambda x: x,
}


class Cone:
    """The ops between one tensor and one op.

    Attributes:
      source: the `Value` before them.
      nodes: the ops, from the last one.
      parameters: list of `Value` that they read, besides constants.
    """

    def __init__(self, root, source, nodes, parameters):
        self._root = root
        self.source, self.nodes, self.parameters = source, nodes, parameters

    @property
    def has_reductions(self):
        return any(node.op in REDUCTIONS for node in self.nodes)

    def numbers(self):
        """Returns the constants with one element, sorted."""
        arrays = [value.array for node in self.nodes for value in node.inputs]
        scalars = [a for a in arrays if a is not None and a.size == 1 and a.dtype.kind == "f"]
        return sorted({float(array.reshape(-1)[0]) for array in scalars})

    def evaluated(self, arrays):
        """Returns what the ops give, in float64, for {`Value`: array}; None where they cannot."""
        known = dict(arrays)
        try:
            with np.errstate(all="ignore"):
                for node in sorted(self.nodes, key=lambda node: self._depth(node), reverse=True):
                    known[node.output] = _evaluated(node, known)
        except (ValueError, TypeError, KeyError):
            return None
        return known[self._root.output]

    def _depth(self, node):
        return self.nodes.index(node)


def _evaluated(node, known):
    operands = [_operand(value, known) for value in node.inputs]
    if node.op in REDUCTIONS:
        axes = tuple(np.atleast_1d(node.inputs[1].array).tolist())
        keeps = bool(node.attributes.get("keep_dims"))
        return REDUCTIONS[node.op](operands[0], axis=axes, keepdims=keeps)
    return _FUNCTIONS[node.op](*operands)


def _operand(value, known):
    if value in known:
        return known[value]
    array = value.array
    return array.astype(float) if array.dtype.kind == "f" else array


def cones(program, root):
    """Yields a `Cone` each time that one tensor is left before the ops."""
    nodes, parameters, front = [], [], {}

    def expand(node):
        nodes.append(node)
        for value in node.inputs[:1] if node.op in REDUCTIONS else node.inputs:
            if layer_nodes.is_parameter(value):
                parameters.extend([] if value in parameters else [value])
            elif value.op != ir_nodes.CONSTANT:
                front[value] = True

    if not _is_known(root):
        return
    expand(root)
    while front and len(nodes) < _MOST:
        if len(front) == 1 and len(nodes) > 1:
            yield Cone(root, next(iter(front)), list(nodes), list(parameters))
        value = max(front, key=lambda value: value.node.position)
        inside = set(nodes)
        is_inner = all(user in inside for user in value.users) and not program.is_output(value)
        if not is_inner or not _is_known(value.node):
            return
        del front[value]
        expand(value.node)


def _is_known(node):
    if node.op in REDUCTIONS:
        return len(node.inputs) > 1 and node.inputs[1].array is not None
    return node.op in _FUNCTIONS and node.output.dtype.startswith("float")
