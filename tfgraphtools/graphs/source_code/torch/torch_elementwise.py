"""Ops of single elements as expressions of PyTorch.

A template is a function of (body, node) that returns a `Code`. What the body gives is described
in `scopes.bodies`.
"""

from tfgraphtools.graphs.source_code.statements import expressions
from tfgraphtools.graphs.source_code.statements.expressions import (
    ADD,
    BIT_AND,
    BIT_OR,
    COMPARE,
    MULTIPLY,
)

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


def _infix(operator, precedence):
    def template(body, node):
        return expressions.infix(body.read(node, 0), operator, body.read(node, 1), precedence)

    return template


def _function(name):
    return lambda body, node: expressions.call(name, body.tensor(node, 0))


def _method(name):
    return lambda body, node: expressions.method(body.tensor(node, 0), name)


def _floating(template, reason="of integers, which PyTorch divides differently"):
    def checked(body, node):
        if not node.inputs[0].dtype.startswith(("float", "bfloat")):
            raise body.refused(node, reason)
        return template(body, node)

    return checked


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


def _bias_added(body, node):
    if node.attributes.get("data_format", "NHWC") != "NHWC":
        raise body.refused(node, "channels before the other axes")
    return expressions.infix(body.read(node, 0), "+", body.read(node, 1), ADD)


def _negation(body, node):
    return expressions.prefix("-", body.read(node, 0))


def _inverted(body, node):
    if body.is_number(node.inputs[0]):
        return expressions.inverted(body.read(node, 0))
    return expressions.prefix("~", body.tensor(node, 0))


def _power(body, node):
    return expressions.power(body.read(node, 0), body.read(node, 1))


def _squared_difference(body, node):
    difference = expressions.infix(body.read(node, 0), "-", body.read(node, 1), ADD)
    return expressions.power(difference, expressions.code("2"))


def _leaky_relu(body, node):
    slope = expressions.literal(number_of(node.attributes.get("alpha", 0.2)), "negative_slope")
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


def _sum_of_all(body, node):
    total = body.read(node, 0)
    for i in range(1, len(node.inputs)):
        total = expressions.infix(total, "+", body.read(node, i), ADD)
    return total


def _chosen(body, node):
    condition, value = node.inputs[0], node.inputs[1]
    chooser = body.tensor(node, 0)
    if node.op == "Select" and condition.dims is not None and value.dims is not None:
        missing = len(value.dims) - len(condition.dims)
        if missing and condition.dims:
            chooser = expressions.index(chooser, [expressions.code(":")] + ["None"] * missing)
    return expressions.call("torch.where", chooser, body.read(node, 1), body.read(node, 2))


def _branch(body, node):
    """Writes what a predicate chooses: only the chosen branch has a gradient."""
    condition, left, right = (body.read(node, i) for i in range(3))
    return expressions.choice(condition, left, right)


def _gradient(template):
    """Returns the template of an op of a gradient, of (output, gradient) of an activation."""

    def checked(body, node):
        y, gradient = body.tensor(node, 0), body.tensor(node, 1)
        return expressions.infix(gradient, "*", template(y), MULTIPLY)

    return checked


def _of_tanh(y):
    return expressions.infix(expressions.code("1"), "-", expressions.power(y, "2"), ADD)


def _of_sigmoid(y):
    rest = expressions.infix(expressions.code("1"), "-", y, ADD)
    return expressions.infix(y, "*", rest, MULTIPLY)


def _of_root(y):
    return expressions.infix(expressions.code("0.5"), "/", y, MULTIPLY)


def _gradient_of_relu(body, node):
    is_positive = expressions.infix(body.tensor(node, 1), ">", expressions.code("0"), COMPARE)
    return expressions.infix(body.tensor(node, 0), "*", is_positive, MULTIPLY)


def number_of(value):
    """Returns the shortest number that is the same in float32."""
    import numpy as np

    return float(str(np.float32(value)))


TEMPLATES = {
    "Add": _infix("+", ADD),
    "AddV2": _infix("+", ADD),
    "BiasAdd": _bias_added,
    "Sub": _infix("-", ADD),
    "Mul": _infix("*", MULTIPLY),
    "RealDiv": _floating(_infix("/", MULTIPLY)),
    "Div": _floating(_infix("/", MULTIPLY)),
    "DivNoNan": _quotient_or_zero,
    "FloorDiv": _infix("//", MULTIPLY),
    "FloorMod": _infix("%", MULTIPLY),
    "TruncateDiv": _truncated,
    "TruncateMod": _remainder,
    "Mod": _remainder,
    "Maximum": _limit("torch.maximum", "clamp", "min"),
    "Minimum": _limit("torch.minimum", "clamp", "max"),
    "Clip": _between,
    "TanhGrad": _gradient(_of_tanh),
    "SigmoidGrad": _gradient(_of_sigmoid),
    "SqrtGrad": _gradient(_of_root),
    "ReluGrad": _gradient_of_relu,
    "Pow": _power,
    "SquaredDifference": _squared_difference,
    "Greater": _infix(">", COMPARE),
    "GreaterEqual": _infix(">=", COMPARE),
    "Less": _infix("<", COMPARE),
    "LessEqual": _infix("<=", COMPARE),
    "Equal": _infix("==", COMPARE),
    "NotEqual": _infix("!=", COMPARE),
    "LogicalAnd": _infix("&", BIT_AND),
    "LogicalOr": _infix("|", BIT_OR),
    "LogicalNot": _inverted,
    "Neg": _negation,
    "LeakyRelu": _leaky_relu,
    "Cast": _cast,
    "AddN": _sum_of_all,
    "Choice": _branch,
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
