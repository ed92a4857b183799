"""Rules that rewrite nodes, applied until none applies."""

import collections


def apply(program, rules):
    """Applies rules to the nodes of a program until nothing changes.

    A rule is a function of (program, node). It returns None, or the `Value` that takes the place of
    the node's first output, or True where it changed the node.

    Args:
      program: a `Program`.
      rules: {op: list of rules}.
    """
    waiting = collections.deque(program.sweep())
    queued = set(waiting)
    while waiting:
        node = waiting.popleft()
        queued.discard(node)
        if not _is_needed(program, node):
            continue
        for rule in rules.get(node.op, ()):
            sources = [value.node for value in node.inputs]
            result = rule(program, node)
            if result is None:
                continue
            for neighbour in _rewritten(program, node, result, sources):
                if neighbour not in queued:
                    queued.add(neighbour)
                    waiting.append(neighbour)
            break


def _rewritten(program, node, result, sources):
    """Replaces a node by its result; returns the nodes to look at again.

    Args:
      sources: the nodes that it read before.
    """
    if result is True:
        changed = [node, *_users(node), *(value.node for value in node.inputs)]
    else:
        readers = list(node.output.users)
        program.replace(node.output, result)
        changed = [result.node, *readers, *sources, *_users(result.node)]
        changed += [value.node for value in result.node.inputs]
    for each in [node, *sources]:
        _detach(program, each)
    return changed


def _is_needed(program, node):
    return any(value.users or program.is_output(value) for value in node.outputs)


def _users(node):
    return [user for value in node.outputs for user in value.users]


def _detach(program, node):
    """Takes the inputs from a node that nothing reads, and from what only it needed."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if not _is_needed(program, node):
            waiting += [value.node for value in node.inputs]
            node.set_inputs([])


def joined(*tables):
    """Returns one table of rules; of one op, those of an earlier table come first."""
    rules = {}
    for table in tables:
        for op, functions in table.items():
            rules.setdefault(op, []).extend(functions)
    return rules
