"""Names of the local variables of a body, by where each one is read last."""

from tfgraphtools.graphs.source_code.scopes.bodies import Loop
from tfgraphtools.graphs.source_code.statements import expressions, identifiers


def named(body):
    """Returns {`Local`: name} of a `Body`.

    A value takes the first of its names that no other value needs any more.
    """
    last = _last_reads(body)
    names = {local: name for name, local in body.arguments}
    for number, statement in enumerate(body.statements):
        kept = number - isinstance(statement, Loop)  # a loop reads its arguments in each round
        read = {leaf for code in statement.codes[1:] for leaf in _locals(code)}
        alive = {
            name
            for local, name in names.items()
            if last.get(local, -1) > (kept if local in read else number)
        }
        for target in statement.targets:
            if target is None:
                continue
            name = _free(target.hints, alive)
            names[target] = name
            if last.get(target, -1) > number:
                alive.add(name)
            else:  # the name is needed on the left side alone
                alive = alive | {name}
    return names


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
