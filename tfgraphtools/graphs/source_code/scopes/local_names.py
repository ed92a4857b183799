"""Names of the local variables of a body, by where each one is read last."""

from tfgraphtools.graphs.source_code.scopes.body_statements import Loop
from tfgraphtools.graphs.source_code.scopes.loop_statements import LoopHead, LoopTail
from tfgraphtools.graphs.source_code.statements import expressions, identifiers


def named(body):
    """Returns {`Local`: name} of a `Body`.

    A value takes the first of its names that no other value needs any more.
    """
    naming = _Naming(_last_reads(body))
    for name, local in body.arguments:
        naming.bind(local, name)
    for number, statement in enumerate(body.statements):
        naming.go_on(number, statement)
    return naming.names


class _Naming:
    """The names up to a statement.

    Attributes:
      names: {`Local`: name}.
    """

    def __init__(self, last):
        self.names, self._last = {}, last
        self._alive, self._ending = {}, {}

    def bind(self, local, name):
        """Gives a local a name, which is taken as long as it is read."""
        self.names[local] = name
        if local in self._last:
            self._alive[local] = name
            self._ending.setdefault(self._last[local], []).append(local)

    def go_on(self, number, statement):
        """Gives the targets of a statement names."""
        read = set()  # a loop reads its arguments in each round
        if isinstance(statement, Loop):
            read = {leaf for code in statement.codes[1:] for leaf in _locals(code)}
        if isinstance(statement, LoopHead) and statement.condition is not None:
            read = set(_locals(statement.condition))
        finished = self._ending.pop(number, [])
        for local in finished:
            if local not in read:
                self._alive.pop(local, None)
        if isinstance(statement, LoopTail):
            for local, variable in zip(statement.targets, statement.variables):
                self.bind(local, self.names[variable])
        else:
            self._bind_targets(number, statement)
        for local in finished:
            self._alive.pop(local, None)

    def _bind_targets(self, number, statement):
        """Gives the targets of a statement names, no two of them the same."""
        taken = set(self._alive.values())
        targets = list(statement.targets)
        if isinstance(statement, LoopHead) and statement.counter is not None:
            targets.append(statement.counter)
        for target in targets:
            if target is not None:
                name = self._free(target.hints, taken)
                taken.add(name)
                self.bind(target, name)
                if self._last.get(target) == number:  # nothing but the condition reads it
                    self._alive.pop(target)

    def _free(self, hints, taken):
        names = [self.names[hint] if hint in self.names else hint for hint in hints]
        for name in names:
            if name not in taken:
                return name
        return identifiers.unused(names[-1], taken)


def _last_reads(body):
    """Returns {local: the number of the last statement that reads it}.

    What is computed before a loop and read in it is read until the end of the loop.
    """
    last, made, loops = {}, {local: -1 for _, local in body.arguments}, []
    spans = _spans(body.statements)
    for number, statement in enumerate(body.statements):
        while loops and loops[-1][1] < number:
            loops.pop()
        for code in statement.codes:
            for local in _locals(code):
                last[local] = _end_of_read(number, made.get(local, -1), loops)
        if isinstance(statement, LoopHead):
            loops.append((number, spans[number]))
            for local in _locals(statement.condition) if statement.condition is not None else ():
                is_own = local in statement.targets
                last[local] = number if is_own else _end_of_read(number, made[local], loops)
        own = [statement.counter] if isinstance(statement, LoopHead) else []
        for target in [*statement.targets, *own]:
            if target is not None:
                made[target] = number
    for code in body.returned:
        for local in _locals(code):
            last[local] = len(body.statements)
    return last


def _end_of_read(number, place, loops):
    """Returns until when a value of a place is needed that is read in some loops."""
    for start, end in loops:
        if place < start:
            return end
    return number


def _spans(statements):
    """Returns {number of a `LoopHead`: number of its `LoopTail`}."""
    spans, heads = {}, []
    for number, statement in enumerate(statements):
        if isinstance(statement, LoopHead):
            heads.append(number)
        elif isinstance(statement, LoopTail):
            spans[heads.pop()] = number
    return spans


def _locals(code):
    return [leaf for leaf in expressions.leaves(code) if isinstance(leaf, expressions.Local)]
