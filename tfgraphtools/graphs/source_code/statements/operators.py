"""Ops that are operators of Python, the same for every target.

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


def _infix(operator, precedence):
    def template(body, node):
        return expressions.infix(body.read(node, 0), operator, body.read(node, 1), precedence)

    return template


def floating(template, reason="of integers, which Python divides differently"):
    """Returns a template that refuses integers."""

    def checked(body, node):
        if not node.inputs[0].dtype.startswith(("float", "bfloat")):
            raise body.refused(node, reason)
        return template(body, node)

    return checked


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


def _sum_of_all(body, node):
    total = body.read(node, 0)
    for i in range(1, len(node.inputs)):
        total = expressions.infix(total, "+", body.read(node, i), ADD)
    return total


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
    "RealDiv": floating(_infix("/", MULTIPLY)),
    "Div": floating(_infix("/", MULTIPLY)),
    "FloorDiv": _infix("//", MULTIPLY),
    "FloorMod": _infix("%", MULTIPLY),
    "TanhGrad": _gradient(_of_tanh),
    "SigmoidGrad": _gradient(_of_sigmoid),
    "SqrtGrad": _gradient(_of_root),
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
    "AddN": _sum_of_all,
    "Choice": _branch,
}
