"""Expressions of Python, as trees of text, names and literals.

A `Code` is flat text until it is laid out. Literals stay literals, so that two bodies that are
equal but for literals can be one; locals have no name until all statements are known.
"""

#: Precedences, from what binds least to what binds most.
CHOICE, OR, AND, NOT, COMPARE, BIT_OR, BIT_AND, ADD, MULTIPLY, NEGATE, POWER, ATOM = range(12)


class Literal:
    """A number or a tuple of numbers, and what it is called where it is an argument."""

    __slots__ = ("value", "hint")

    def __init__(self, value, hint="size"):
        self.value, self.hint = value, hint


class Local:
    """A local variable that has no name yet.

    Attributes:
      hints: names for it, the best first.
    """

    __slots__ = ("hints",)

    def __init__(self, *hints):
        self.hints = hints


class Member:
    """An attribute of ``self``: a layer, a parameter or another module."""

    __slots__ = ("name",)

    def __init__(self, name):
        self.name = name


class Group:
    """What stands in brackets, where a line may break.

    Attributes:
      opening, closing: the brackets.
      items: list of `Code`.
      has_comma: whether a comma may follow the last item.
    """

    __slots__ = ("opening", "items", "closing", "has_comma")

    def __init__(self, opening, items, closing, has_comma=True):
        self.opening, self.items, self.closing = opening, items, closing
        self.has_comma = has_comma


class Code:
    """An expression.

    Attributes:
      parts: list of `str`, `Code`, `Literal`, `Local`, `Member` and `Group`.
      precedence: one of this module's.
    """

    __slots__ = ("parts", "precedence")

    def __init__(self, parts, precedence=ATOM):
        self.parts, self.precedence = list(parts), precedence

    @property
    def is_infix(self):
        return self.precedence < NEGATE and len(self.parts) > 1


def code(content):
    """Returns the `Code` of a text, a number, a local or a literal."""
    if isinstance(content, Code):
        return content
    if isinstance(content, bool) or content is None:
        return Code([repr(content)])
    if isinstance(content, (int, float, tuple)):
        return Code([Literal(content)])
    return Code([content])


def literal(value, hint="size"):
    """Returns a number that may become an argument of a class.

    A number below 0 binds as a negation does.
    """
    is_negative = not isinstance(value, tuple) and value < 0
    return Code([Literal(value, hint)], NEGATE if is_negative else ATOM)


def bracketed(operand, precedence):
    """Returns an operand, in parentheses where it binds less than a precedence."""
    operand = code(operand)
    if operand.precedence >= precedence:
        return operand
    return Code([Group("(", [operand], ")", has_comma=False)])


def call(function, *arguments, **keywords):
    """Returns a call; the function is a text or an expression."""
    items = [code(argument) for argument in arguments]
    items += [Code([name + "=", code(value)]) for name, value in keywords.items()]
    return Code([bracketed(function, ATOM), Group("(", items, ")")])


def method(operand, name, *arguments, **keywords):
    """Returns a call of a method."""
    return call(Code([bracketed(operand, ATOM), "." + name]), *arguments, **keywords)


def attribute(operand, name):
    """Returns an attribute."""
    return Code([bracketed(operand, ATOM), "." + name])


def index(operand, items):
    """Returns an element or a part: ``operand[a, b]``."""
    items = [code(item) for item in items]
    return Code([bracketed(operand, ATOM), Group("[", items, "]", has_comma=False)])


def infix(left, operator, right, precedence):
    """Returns an operation of two operands, which groups from the left."""
    left = bracketed(left, precedence + (precedence == COMPARE))
    return Code([left, f" {operator} ", bracketed(right, precedence + 1)], precedence)


def power(left, right):
    """Returns a power."""
    return Code([bracketed(left, ATOM), "**", bracketed(right, ATOM)], POWER)


def prefix(operator, operand):
    """Returns an operation of one operand."""
    return Code([operator, bracketed(operand, NEGATE)], NEGATE)


def inverted(operand):
    """Returns ``not operand``."""
    return Code(["not ", bracketed(operand, NOT)], NOT)


def sequence(items, opening="(", closing=")"):
    """Returns a list or a tuple."""
    items = [code(item) for item in items]
    if opening == "(" and len(items) == 1:
        return Code(["(", items[0], ",)"])
    return Code([Group(opening, items, closing)])


def choice(condition, left, right):
    """Returns ``left if condition else right``."""
    parts = [
        bracketed(left, OR),
        " if ",
        bracketed(condition, OR),
        " else ",
        bracketed(right, CHOICE),
    ]
    return Code(parts, CHOICE)


def leaves(expression):
    """Yields the literals, locals and members of an expression, from left to right."""
    for part in expression.parts:
        if isinstance(part, Code):
            yield from leaves(part)
        elif isinstance(part, Group):
            for item in part.items:
                yield from leaves(item)
        elif not isinstance(part, str):
            yield part


def text(expression, show):
    """Returns the text of an expression on one line.

    Args:
      show: a function of a `Literal`, `Local` or `Member` that returns its text.
    """
    return "".join(_part_text(part, show) for part in expression.parts)


def _part_text(part, show):
    if isinstance(part, str):
        return part
    if isinstance(part, Code):
        return text(part, show)
    if isinstance(part, Group):
        items = ", ".join(text(item, show) for item in part.items)
        return part.opening + items + part.closing
    return show(part)
