"""Ops of single elements as expressions of Keras."""

from tfgraphtools.graphs.source_code.statements import expressions, operators
from tfgraphtools.graphs.source_code.statements.expressions import ADD, COMPARE, MULTIPLY

DTYPES = frozenset(
    "float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 bool bfloat16".split()
)


def function_of(name):
    """Returns the template of a function of one tensor."""
    return lambda body, node: expressions.call(name, body.tensor(node, 0))


def _of_two(name):
    """Returns the template of a function of two tensors, of which either may be a number."""
    return lambda body, node: expressions.call(name, body.read(node, 0), body.read(node, 1))


def _between(body, node):
    limits = body.read(node, 1), body.read(node, 2)
    return expressions.call("ops.clip", body.tensor(node, 0), *limits)


def _leaky_relu(body, node):
    slope = operators.number_of(node.attributes.get("alpha", 0.2))
    slope = expressions.literal(slope, "negative_slope")
    return expressions.call("ops.leaky_relu", body.tensor(node, 0), negative_slope=slope)


def _cast(body, node):
    if node.inputs[0].dtype == "string" or node.output.dtype not in DTYPES:
        raise body.refused(node, f"a cast to {node.output.dtype}")
    if body.is_number(node.inputs[0]):  # a tensor where Keras traces
        return cast_to(body.read(node, 0), node.output.dtype)
    return cast_to(body.tensor(node, 0), node.output.dtype)


def cast_to(operand, dtype):
    """Returns a tensor in a dtype of TensorFlow."""
    return expressions.call("ops.cast", operand, expressions.code(f'"{dtype}"'))


def _quotient_or_zero(body, node):
    return expressions.call("ops.divide_no_nan", body.tensor(node, 0), body.tensor(node, 1))


def _complement(body, node):
    error = expressions.call("ops.erf", body.tensor(node, 0))
    return expressions.infix(expressions.code("1.0"), "-", error, ADD)


def _chosen(body, node):
    condition, value = node.inputs[0], node.inputs[1]
    chooser = body.tensor(node, 0)
    if node.op == "Select" and condition.dims is not None and value.dims is not None:
        missing = len(value.dims) - len(condition.dims)
        if missing and condition.dims:
            chooser = expressions.index(chooser, [expressions.code(":")] + ["None"] * missing)
    return expressions.call("ops.where", chooser, body.read(node, 1), body.read(node, 2))


def _gradient_of_relu(body, node):
    is_positive = expressions.infix(body.tensor(node, 1), ">", expressions.code("0"), COMPARE)
    is_positive = cast_to(is_positive, node.output.dtype)
    return expressions.infix(body.tensor(node, 0), "*", is_positive, MULTIPLY)


TEMPLATES = {
    **operators.TEMPLATES,
    "DivNoNan": _quotient_or_zero,
    "TruncateMod": _of_two("ops.fmod"),
    "Mod": _of_two("ops.fmod"),
    "Maximum": _of_two("ops.maximum"),
    "Minimum": _of_two("ops.minimum"),
    "Clip": _between,
    "ReluGrad": _gradient_of_relu,
    "LeakyRelu": _leaky_relu,
    "Cast": _cast,
    "Select": _chosen,
    "SelectV2": _chosen,
    "Erfc": _complement,
    **{
        op: function_of("ops." + name)
        for op, name in {
            "StopGradient": "stop_gradient",
            "ZerosLike": "zeros_like",
            "OnesLike": "ones_like",
            "Rint": "round",
            "IsNan": "isnan",
            "IsInf": "isinf",
            "IsFinite": "isfinite",
            "Inv": "reciprocal",
            "Asin": "arcsin",
            "Acos": "arccos",
            "Atan": "arctan",
            "Asinh": "arcsinh",
            "Acosh": "arccosh",
            "Atanh": "arctanh",
        }.items()
    },
    **{
        op: function_of("ops." + op.lower())
        for op in (
            "Abs Exp Expm1 Log Log1p Sqrt Rsqrt Square Sign Floor Ceil Round Sin Cos Tan Sinh Cosh "
            "Tanh Sigmoid Erf Relu Relu6 Elu Selu Softplus Softsign Reciprocal"
        ).split()
    },
}
