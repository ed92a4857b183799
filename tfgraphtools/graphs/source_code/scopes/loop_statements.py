"""Loops as statements: ``for`` where a counter stays below a limit, else ``while``."""

from typing import Any, List, NamedTuple, Optional

from tfgraphtools.graphs.source_code.ir import loop_values, python_numbers, tensor_arrays
from tfgraphtools.graphs.source_code.scopes import name_hints
from tfgraphtools.graphs.source_code.scopes.scope_trees import Scope
from tfgraphtools.graphs.source_code.statements import expressions
from tfgraphtools.graphs.source_code.statements.expressions import Code, Local


class LoopHead(NamedTuple):
    """The beginning of a loop; what follows, up to the `LoopTail`, is its body.

    Attributes:
      targets: the `Local` of each variable.
      initials: list of `Code`.
      counter: the `Local` that counts, or None.
      condition: the `Code` of the range of the counter, or of the condition; None for ``True``.
    """

    targets: List[Any]
    initials: List[Code]
    counter: Optional[Local]
    condition: Optional[Code]

    @property
    def codes(self):
        return [*self.initials, *([self.condition] if self.condition is not None else [])]


class LoopBreak(NamedTuple):
    """The end of a loop in its middle: ``if not condition: break``."""

    condition: Code

    @property
    def targets(self):
        return []

    @property
    def codes(self):
        return [self.condition]


class LoopTail(NamedTuple):
    """The end of an iteration.

    Attributes:
      variables: the `Local` of each variable.
      targets: the `Local` by which the last value of each variable is read after the loop; it has
        the name of the variable.
      nexts: list of `Code`.
      are_lists: list of bool: the code is what is appended.
    """

    variables: List[Any]
    targets: List[Any]
    nexts: List[Code]
    are_lists: List[bool]

    @property
    def codes(self):
        return self.nexts


def add(body, loop):
    """Adds the statements of a `LoopScope` to a `Body`."""
    _Adding(body, loop)


class _Adding:
    def __init__(self, body, loop):
        self._body, self._loop = body, loop
        end = loop.end
        self._counter = end.attributes.get("counter")
        rows = list(zip(loop.start.outputs, loop.start.inputs, end.inputs[1:], end.outputs))
        self._rows = [row for i, row in enumerate(rows) if i != self._counter]
        self._locals = {}
        initials = [self._initial(*row) for row in self._rows]
        self._name_variables()
        sizes = dict(body.sizes)
        self._bind_variables()
        self._add_items(initials)
        self._add_tail()
        body.sizes.clear()
        body.sizes.update(sizes)
        for value, _, _, last in self._rows:
            body.note_sizes(last, self._finals[value])

    # Variables -------------------------------------------------------------------------------

    def _initial(self, value, initial, new, last):
        if value.dtype == tensor_arrays.LIST:
            return expressions.sequence(self._elements(initial), "[", "]")
        return self._code_of(initial, value)

    def _elements(self, value):
        elements = []
        while value.op == "Append":
            elements.insert(0, self._body.of_value(value.node.inputs[-1]))
            value = value.node.inputs[0]
        return elements

    def _code_of(self, value, variable):
        """Returns what a variable becomes: a tensor, unless it is a number of Python."""
        if python_numbers.is_number(variable) or not python_numbers.is_number(value):
            return self._body.of_value(value)
        return self._body.new("tensor", self._body.of_value(value), dtype=value.dtype)

    def _name_variables(self):
        depth = self._body.depth
        for row in self._rows:
            self._locals[row[0]] = Local(*name_hints.of_variable(self._body, row))
        if self._counter is not None:
            value = self._loop.start.outputs[self._counter]
            new = self._loop.end.inputs[1 + self._counter]
            hint = "t" if any(user.op == "Row" for user in value.users) else "ijk"[depth % 3]
            is_read = any(user is not new.node for user in value.users)
            self._locals[value] = Local(hint if is_read else "_")

    def _bind_variables(self):
        body = self._body
        for value, local in self._locals.items():
            body.codes[value] = Code([local])
            body.ancestors[value] = {value}
            body.note_sizes(value, local)
        for value, _, new, _ in self._rows:
            body.continued.setdefault(new, self._locals[value])

    # Statements ------------------------------------------------------------------------------

    def _add_items(self, initials):
        body, loop = self._body, self._loop
        place = len(body.statements)
        body.statements.append(None)
        body.depth += 1
        locals_ = [self._locals[row[0]] for row in self._rows]
        counter, condition = None, None
        if self._counter is not None:
            value = loop.start.outputs[self._counter]
            counter, condition = self._locals[value], self._range()
            first, others = [], [item for item in loop.items if not self._is_step(item)]
        else:
            first, others = self._split()
        for item in first:
            body.add(item)
        if self._counter is None:
            condition = body.of_value(loop.end.inputs[0])
            if len(body.statements) > place + 1:
                body.statements.append(LoopBreak(condition))
                condition = None
        body.statements[place] = LoopHead(locals_, initials, counter, condition)
        for item in others:
            body.add(item)

    def _range(self):
        start = self._loop.start.inputs[self._counter]
        arguments = [self._body.of_value(self._loop.end.inputs[0])]
        if start.content != 0:
            arguments.insert(0, self._body.of_value(start))
        return expressions.call("range", *arguments)

    def _is_step(self, item):
        """Tells whether an item is the addition to the counter alone."""
        new = self._loop.end.inputs[1 + self._counter]
        return item is new.node and list(new.users) == [self._loop.end]

    def _split(self):
        """Returns (items that the condition needs, the others)."""
        producers = {value: item for item in self._loop.items for value in item.outputs}
        needed, waiting = set(), [self._loop.end.inputs[0]]
        while waiting:
            item = producers.get(waiting.pop())
            if item is not None and item not in needed:
                needed.add(item)
                waiting += item.inputs
        items = self._loop.items
        return [i for i in items if i in needed], [i for i in items if i not in needed]

    def _add_tail(self):
        body = self._body
        nexts, are_lists, self._finals = [], [], {}
        for value, _, new, last in self._rows:
            is_list = value.dtype == tensor_arrays.LIST
            nexts.append(
                body.of_value(new.node.inputs[-1]) if is_list else self._code_of(new, value)
            )
            are_lists.append(is_list)
            self._finals[value] = Local(self._locals[value])
            body.codes[last] = Code([self._finals[value]])
            body.ancestors[last] = {last}
        variables = [self._locals[row[0]] for row in self._rows]
        targets = [self._finals[row[0]] for row in self._rows]
        body.statements.append(LoopTail(variables, targets, nexts, are_lists))
        body.depth -= 1


def is_loop(item):
    """Tells whether an item of a scope is an op of a loop that has no statement of its own."""
    return not isinstance(item, Scope) and item.op in (loop_values.START, "List", "Append")


def lines(statement, names, show, indent, width):
    """Returns the lines of a statement of a loop.

    Args:
      statement: a `LoopHead`, `LoopBreak` or `LoopTail`.
      names: {`Local`: name}.
      show: as in `expressions.text`.
      indent: the spaces before each line.
      width: a function (code, show, indent, before, after) that lays an expression out.
    """
    if isinstance(statement, LoopBreak):
        condition = expressions.text(expressions.inverted(statement.condition), show)
        return [f"{indent}if {condition}:", f"{indent}    break"]
    if isinstance(statement, LoopHead):
        return _head(statement, names, show, indent, width)
    return _tail(statement, names, show, indent, width)


def _head(head, names, show, indent, width):
    rows = []
    for local, code in zip(head.targets, head.initials):
        if expressions.text(code, show) != names[local]:
            rows.append((names[local], code))
    result = _assignments(rows, show, indent, width)
    if head.condition is None:
        return [*result, f"{indent}while True:"]
    before = f"for {names[head.counter]} in " if head.counter is not None else "while "
    return result + width(head.condition, show, indent, before, ":")


def _tail(tail, names, show, indent, width):
    result, rows = [], []
    for local, code, is_list in zip(tail.variables, tail.nexts, tail.are_lists):
        if is_list:
            result += width(code, show, indent, f"{names[local]}.append(", ")")
        elif expressions.text(code, show) != names[local]:
            rows.append((names[local], code))
    result += _assignments(rows, show, indent, width)
    return result


def _assignments(rows, show, indent, width):
    """Returns assignments as if they were one: none reads what another one has changed."""
    ordered, waiting = [], list(rows)
    while waiting:
        for row in waiting:
            others = [code for name, code in waiting if name != row[0]]
            if not any(row[0] in _names(code, show) for code in others):
                ordered.append(row)
                waiting.remove(row)
                break
        else:
            break
    result = []
    for name, code in ordered:
        result += width(code, show, indent, f"{name} = ", "")
    if waiting:
        targets = ", ".join(name for name, _ in waiting)
        values = Code(_joined([code for _, code in waiting]))
        result += width(values, show, indent, f"{targets} = ", "")
    return result


def _names(code, show):
    return {show(leaf) for leaf in expressions.leaves(code) if isinstance(leaf, Local)}


def _joined(codes):
    parts = []
    for code in codes:
        parts += [", ", code] if parts else [code]
    return parts
