"""Ops of single elements as expressions of PyTorch.

A template is a function of (body, node) that returns a `Code`. What the body gives is described
in `scopes.bodies`.
"""

from tfgraphtools.graphs.source_code.statements import expressions, operators
from tfgraphtools.graphs.source_code.statements.expressions import COMPARE, MULTIPLY

#: What PyTorch calls a dtype of TensorFlow.
DTYPES = {
    name: "torch." + name
    for name in "float16 float32 float64 int8 int16 int32 int64 uint8 bool bfloat16".split()
}
_CASTS = {
    "float32": "float",
    "float64": "double",
    "float16": "half",
    "bfloat16": "bfloat16",
    "int32": "int",
    "int64": "long",
    "bool": "bool",
}


def _function(name):
    return lambda body, node: expressions.call(name, body.tensor(node, 0))


def _method(name):
    return lambda body, node: expressions.method(body.tensor(node, 0), name)


def _limit(name, method, keyword):
    """Returns the template of Maximum and Minimum, of which one side may be a number."""

    def template(body, node):
        for i in (0, 1):
            if body.is_number(node.inputs[i]):
                limited = body.tensor(node, 1 - i)
                return expressions.method(limited, method, **{keyword: body.read(node, i)})
        return expressions.call(name, body.tensor(node, 0), body.tensor(node, 1))

    return template


def _between(body, node):
    limits = body.read(node, 1), body.read(node, 2)
    return expressions.method(body.tensor(node, 0), "clamp", *limits)


def _leaky_relu(body, node):
    slope = expressions.literal(
        operators.number_of(node.attributes.get("alpha", 0.2)), "negative_slope"
    )
    return expressions.call("F.leaky_relu", body.tensor(node, 0), slope)


def _cast(body, node):
    if node.inputs[0].dtype == "string" or node.output.dtype not in DTYPES:
        raise body.refused(node, f"a cast to {node.output.dtype}")
    if body.is_number(node.inputs[0]) and node.output.dtype.startswith("float"):
        return expressions.call("float", body.read(node, 0))
    return cast(body.tensor(node, 0), node.output.dtype)


def cast(operand, dtype):
    """Returns a tensor in a dtype of TensorFlow."""
    if dtype in _CASTS:
        return expressions.method(operand, _CASTS[dtype])
    return expressions.method(operand, "to", expressions.code(DTYPES[dtype]))


def _truncated(body, node):
    operands = body.tensor(node, 0), body.read(node, 1)
    return expressions.call("torch.div", *operands, rounding_mode=expressions.code('"trunc"'))


def _remainder(body, node):
    return expressions.call("torch.fmod", body.tensor(node, 0), body.read(node, 1))


def _quotient_or_zero(body, node):
    left, right = body.tensor(node, 0), body.tensor(node, 1)
    quotient = expressions.infix(left, "/", right, MULTIPLY)
    is_zero = expressions.infix(right, "==", expressions.code("0"), COMPARE)
    return expressions.call("torch.where", is_zero, expressions.code("0.0"), quotient)


def _chosen(body, node):
    condition, value = node.inputs[0], node.inputs[1]
    chooser = body.tensor(node, 0)
    if node.op == "Select" and condition.dims is not None and value.dims is not None:
        missing = len(value.dims) - len(condition.dims)
        if missing and condition.dims:
            chooser = expressions.index(chooser, [expressions.code(":")] + ["None"] * missing)
    return expressions.call("torch.where", chooser, body.read(node, 1), body.read(node, 2))


def _gradient_of_relu(body, node):
    is_positive = expressions.infix(body.tensor(node, 1), ">", expressions.code("0"), COMPARE)
    return expressions.infix(body.tensor(node, 0), "*", is_positive, MULTIPLY)


TEMPLATES = {
    **operators.TEMPLATES,
    "DivNoNan": _quotient_or_zero,
    "TruncateDiv": _truncated,
    "TruncateMod": _remainder,
    "Mod": _remainder,
    "Maximum": _limit("torch.maximum", "clamp", "min"),
    "Minimum": _limit("torch.minimum", "clamp", "max"),
    "Clip": _between,
    "ReluGrad": _gradient_of_relu,
    "LeakyRelu": _leaky_relu,
    "Cast": _cast,
    "Select": _chosen,
    "SelectV2": _chosen,
    "StopGradient": _method("detach"),
    "ZerosLike": _function("torch.zeros_like"),
    "OnesLike": _function("torch.ones_like"),
    "Round": _function("torch.round"),
    "Rint": _function("torch.round"),
    "IsNan": _function("torch.isnan"),
    "IsInf": _function("torch.isinf"),
    "IsFinite": _function("torch.isfinite"),
    "Inv": _function("torch.reciprocal"),
    **{
        op: _function("torch." + op.lower())
        for op in (
            "Abs Exp Expm1 Log Log1p Sqrt Rsqrt Square Sign Floor Ceil Sin Cos Tan Asin Acos Atan "
            "Sinh Cosh Tanh Asinh Acosh Atanh Sigmoid Erf Erfc Relu Reciprocal Lgamma Digamma"
        ).split()
    },
    **{
        op: _function("F." + name)
        for op, name in {
            "Relu6": "relu6",
            "Elu": "elu",
            "Selu": "selu",
            "Softplus": "softplus",
            "Softsign": "softsign",
        }.items()
    },
}
