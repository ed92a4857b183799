"""Expressions on lines of at most 88 columns, as black lays them out."""

from tfgraphtools.graphs.source_code.statements import expressions

WIDTH = 88
_STEP = "    "


def laid_out(expression, show, indent="", before="", after=""):
    """Returns the lines of an expression.

    Args:
      expression: a `Code`.
      show: as in `expressions.text`.
      indent: the spaces before each line.
      before, after: texts around the expression, such as ``x = ``.
    """
    line = indent + before + expressions.text(expression, show) + after
    if len(line) <= WIDTH:
        return [line]
    if expression.is_infix:
        return _infix_lines(expression, show, indent, before, after)
    parts = list(_flattened(expression))
    places = [i for i, part in enumerate(parts) if isinstance(part, expressions.Group)]
    places = [i for i in places if parts[i].items]
    if not places:
        return [line]
    return _broken(parts, _best(parts, places), show, indent, before, after)


def _best(parts, places):
    """Returns the place of the last brackets, or those before if they hold much more."""
    last = places[-1]
    sizes = {place: _size(parts[place]) for place in places}
    return last if sizes[last] * 2 >= max(sizes.values()) else max(places, key=sizes.get)


def _size(group):
    return sum(len(expressions.text(item, lambda leaf: "name")) + 2 for item in group.items)


def _flattened(expression):
    """Yields the parts of an expression that is no operation, without nested `Code`."""
    for part in expression.parts:
        if isinstance(part, expressions.Code):
            yield from _flattened(part)
        else:
            yield part


def _broken(parts, place, show, indent, before, after):
    group = parts[place]
    head = expressions.text(expressions.Code(parts[:place]), show) + group.opening
    tail = group.closing + expressions.text(expressions.Code(parts[place + 1 :]), show)
    inner = indent + _STEP
    body = inner + ", ".join(expressions.text(item, show) for item in group.items)
    if len(body) <= WIDTH:
        lines = [body]
    elif len(group.items) == 1 and group.items[0].is_infix and not group.has_comma:
        lines = _operands(group.items[0], show, inner)
    else:
        comma = "," if group.has_comma or len(group.items) > 1 else ""
        lines = []
        for i, item in enumerate(group.items):
            is_last = i == len(group.items) - 1
            end = comma if group.has_comma or not is_last else ""
            lines += laid_out(item, show, inner, after=end)
    return [indent + before + head, *lines, indent + tail + after]


def _infix_lines(expression, show, indent, before, after):
    """Returns an operation in parentheses, an operand on each line."""
    inner = indent + _STEP
    return [indent + before + "(", *_operands(expression, show, inner), indent + ")" + after]


def _operands(expression, show, indent):
    line = indent + expressions.text(expression, show)
    if len(line) <= WIDTH:
        return [line]
    lines = []
    for operator, operand in _chain(expression):
        lines += laid_out(operand, show, indent, before=operator)
    return lines


def _chain(expression):
    """Yields (operator, operand) of a chain of operations of one precedence."""
    if not expression.is_infix:
        yield "", expression
        return
    if len(expression.parts) == 5:  # left if condition else right
        yield "", expression.parts[0]
        for operator, operand in zip(expression.parts[1::2], expression.parts[2::2]):
            yield operator.strip() + " ", operand
        return
    left, operator, right = expression.parts
    if left.is_infix and left.precedence == expression.precedence:
        yield from _chain(left)
    else:
        yield "", left
    yield operator.strip() + " ", right
