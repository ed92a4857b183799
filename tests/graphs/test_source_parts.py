"""Parts of `graphs.source` that need no graph: sizes, expressions on lines, names."""

import ast

import pytest

from tfgraphtools.graphs.source_code.ir import symbolic_sizes as sizes
from tfgraphtools.graphs.source_code.statements import code_layout, expressions, identifiers
from tfgraphtools.graphs.source_code.statements.expressions import ADD, COMPARE, MULTIPLY

B, T = sizes.symbol("x", 0), sizes.symbol("x", 1)


@pytest.mark.parametrize(
    "size, expected",
    [
        (sizes.multiply(B, 0), 0),
        (sizes.subtract(sizes.add(B, 3), B), 3),
        (sizes.exact_quotient(sizes.product([B, T, 12]), sizes.multiply(T, 4)), None),
        (sizes.exact_quotient(sizes.multiply(B, 3), 2), None),
        (sizes.exact_quotient(B, 0), None),
        (sizes.floor_quotient(7, 2), 3),
        (sizes.floor_quotient(sizes.multiply(B, 6), 3), sizes.multiply(B, 2)),
        (sizes.ceiling_quotient(7, 2), 4),
        (sizes.extreme("max", 3, 5), 5),
        (sizes.extreme("min", B, B), B),
        (sizes.multiply(B, T), sizes.multiply(T, B)),
        (sizes.substituted(sizes.multiply(B, T), {B.atoms()[0]: 4}), sizes.multiply(T, 4)),
    ],
)
def test_sizes(size, expected):
    if expected is None and size is not None:
        expected = sizes.multiply(B, 3)
    assert size == expected


def test_sizes_agree_with_numbers():
    """A size is the same expression, whatever order it was built in."""
    values = {B.atoms()[0]: 6, T.atoms()[0]: 5}
    built = sizes.floor_quotient(sizes.add(sizes.multiply(B, T), sizes.subtract(T, 1)), 4)
    assert sizes.substituted(built, values) == (6 * 5 + 5 - 1) // 4


def _text(code):
    return expressions.text(code, lambda leaf: repr(leaf.value))


@pytest.mark.parametrize(
    "left, operator, right, precedence",
    [
        ("a - b", "-", "c - d", ADD),
        ("a + b", "*", "c + d", MULTIPLY),
        ("a * b", "+", "c * d", ADD),
        ("a / b", "/", "c / d", MULTIPLY),
        ("a < b", "==", "c < d", COMPARE),
    ],
)
def test_parentheses_keep_the_meaning(left, operator, right, precedence):
    inner = {"+": ADD, "-": ADD, "*": MULTIPLY, "/": MULTIPLY, "<": COMPARE}
    sides = []
    for text in (left, right):
        first, sign, second = text.split()
        sides.append(
            expressions.infix(expressions.code(first), sign, expressions.code(second), inner[sign])
        )
    written = _text(expressions.infix(sides[0], operator, sides[1], precedence))
    expected = f"({left}) {operator} ({right})"
    assert ast.dump(ast.parse(written)) == ast.dump(ast.parse(expected))


def test_numbers_below_zero():
    base = expressions.power(expressions.literal(-2.0), expressions.code("2"))
    assert ast.dump(ast.parse(_text(base))) == ast.dump(ast.parse("(-2.0) ** 2"))


@pytest.mark.parametrize("count", [1, 3, 30])
def test_long_lines_break_and_mean_what_they_did(count):
    calls = [expressions.call(f"function_{i}", f"argument_{i}", "x") for i in range(count)]
    total = calls[0]
    for call in calls[1:]:
        total = expressions.infix(total, "+", call, ADD)
    code = expressions.call("torch.tanh", total, dim=expressions.code("1"))
    flat = "y = " + _text(code)
    lines = code_layout.laid_out(code, repr, before="y = ")
    assert max(map(len, lines)) <= code_layout.WIDTH
    assert ast.dump(ast.parse("\n".join(lines))) == ast.dump(ast.parse(flat))


@pytest.mark.parametrize(
    "name, variable, attribute, class_name",
    [
        ("layer_0", "layer_0", "layer_0", "Layer"),
        ("class", "class_", "class_", "Class"),
        ("self", "self_", "self", "Self"),
        ("1x.y-z", "_1x_y_z", "_1x_y_z", "Block1xYZ"),
        ("forward", "forward", "forward_", "Forward"),
        ("torch", "torch_", "torch", "Torch"),
        ("selfAttention", "selfAttention", "selfAttention", "SelfAttention"),
        ("---", "x", "x", "X"),
    ],
)
def test_names(name, variable, attribute, class_name):
    assert identifiers.variable_name(name) == variable
    assert identifiers.attribute_name(name) == attribute
    assert identifiers.class_name(name) == class_name
