"""Names of the local variables of a body, by where each one is read last."""

from tfgraphtools.graphs.source_code.scopes.bodies import Loop
from tfgraphtools.graphs.source_code.statements import expressions, identifiers


def named(body):
    """Returns {`Local`: name} of a `Body`.

    A value takes the first of its names that no other value needs any more.
    """
    last = _last_reads(body)
    names, alive, ending = {}, set(), {}

    def bind(local, name):
        names[local] = name
        if local in last:
            alive.add(name)
            ending.setdefault(last[local], []).append(local)

    for name, local in body.arguments:
        bind(local, name)
    for number, statement in enumerate(body.statements):
        read = set()  # a loop reads its arguments in each round
        if isinstance(statement, Loop):
            read = {leaf for code in statement.codes[1:] for leaf in _locals(code)}
        finished = ending.pop(number, [])
        alive -= {names[local] for local in finished if local not in read}
        _bind_targets(statement, alive, bind)
        alive -= {names[local] for local in finished if local in read}
    return names


def _bind_targets(statement, alive, bind):
    """Gives the targets of a statement names, no two of them the same."""
    taken = set(alive)
    for target in statement.targets:
        if target is not None:
            name = _free(target.hints, taken)
            taken.add(name)
            bind(target, name)


def _free(hints, alive):
    for hint in hints:
        if hint not in alive:
            return hint
    return identifiers.unused(hints[-1], alive)


def _last_reads(body):
    """Returns {local: the number of the last statement that reads it}."""
    last = {}
    for number, statement in enumerate(body.statements):
        for code in statement.codes:
            for local in _locals(code):
                last[local] = number
    for code in body.returned:
        for local in _locals(code):
            last[local] = len(body.statements)
    return last


def _locals(code):
    return [leaf for leaf in expressions.leaves(code) if isinstance(leaf, expressions.Local)]
