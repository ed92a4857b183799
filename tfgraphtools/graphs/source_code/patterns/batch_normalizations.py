"""Batch normalizations with their moving averages: the fused op, and its formula.

Settings: ``outputs``, the number of channels, and ``epsilon``; where a training step moves the
averages, ``momentum``, the share of a new statistic, and ``is_biased``: whether the moving variance
is that of the batch, as of the formula, or corrected by n / (n - 1), as of the fused op.
"""

from tfgraphtools.graphs.source_code.ir import ir_nodes
from tfgraphtools.graphs.source_code.passes import shape_ops
from tfgraphtools.graphs.source_code.patterns import layer_nodes, matching
from tfgraphtools.graphs.source_code.patterns.layer_nodes import BETA, GAMMA, MEAN, VARIANCE

_ADD = "Add|AddV2"
_INVERSE = ("Rsqrt", (_ADD, VARIANCE, "epsilon"))
_SCALED = ("Mul", _INVERSE, GAMMA)
#: x * inverse + (beta - mean * inverse), as `tf.nn.batch_normalization` has it.
_FORMULAS = [
    (_ADD, ("Mul", "x", inverse), ("Sub", BETA, ("Mul", MEAN, inverse)))
    for inverse in (_SCALED, _INVERSE)
]


def _fused(program, node):
    attributes = node.attributes
    if attributes.get("is_training", True) or attributes.get("data_format", "NHWC") != "NHWC":
        return None
    x, *tensors = node.inputs
    parameters = dict(zip((GAMMA, BETA, MEAN, VARIANCE), tensors))
    for role, number in ((GAMMA, 1), (BETA, 0)):
        array = parameters[role].array
        if array is not None and (array == number).all():
            del parameters[role]
    if not all(map(layer_nodes.is_parameter, parameters.values())):
        return None
    if any(output.users for output in node.outputs[1:]):
        return None
    return _layer(program, node, x, parameters, attributes.get("epsilon", 1e-4), False)


def _unfused(program, node):
    for formula in _FORMULAS:
        bound = matching.match(node.output, formula)
        if bound is None:
            continue
        epsilon = matching.scalar(bound.pop("epsilon"))
        x = bound.pop("x")
        vectors = {role: _vector(value, x) for role, value in bound.items()}
        if epsilon is not None and None not in vectors.values() and node.output.dims == x.dims:
            return _layer(program, node, x, vectors, epsilon, True)
    return None


def _vector(value, x):
    """Returns a parameter for each channel as a vector, or None."""
    if not layer_nodes.is_parameter(value) or x.dims is None:
        return None
    size = value.dims[-1]
    if x.dims[-1] != size or any(n != 1 for n in value.dims[:-1]):
        return None
    return value if len(value.dims) == 1 else shape_ops.view(value, ("reshape", (size,)), (size,))


def _layer(program, node, x, parameters, epsilon, is_biased):
    settings = {"outputs": x.dims[-1], "epsilon": epsilon}
    rows = [parameters[role].node.attributes for role in (MEAN, VARIANCE)]
    rates = [row["average_rate"] for row in rows if "average_rate" in row]
    if rates:
        if None in rates or len(rates) != 2 or rates[0] != rates[1]:
            reason = "moving averages that a step moves by no known rate"
            raise ir_nodes.unwritable(program.place, [(node.op, node.name, reason)])
        settings.update(momentum=rates[0], is_biased=is_biased)
    return layer_nodes.layer("batch_norm", node, [x], parameters, settings, x.dims)


RULES = {
    "Add": [_unfused],
    "AddV2": [_unfused],
    "FusedBatchNorm": [_fused],
    "FusedBatchNormV2": [_fused],
    "FusedBatchNormV3": [_fused],
}
