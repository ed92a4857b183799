"""Places of loops among the modules: each one is inside of what all its nodes have in common."""

from tfgraphtools.graphs.source_code.ir import loop_values


class LoopPart(tuple):
    """A part of a place that is a loop: the path of the module around it, and its name."""


def memberships(nodes):
    """Returns {node: tuple of the starts of the loops around it, the outermost first}.

    What does not depend on an iteration is outside. A start and its end are in the loops around.

    Args:
      nodes: in the order in which they are computed.
    """
    outer = {node: set() for node in nodes if node.op == loop_values.START}
    while True:
        around = _around(nodes, outer)
        before = {start: set(starts) for start, starts in outer.items()}
        for node in nodes:
            if node.op == loop_values.END:
                outer[node.attributes["start"]] |= around[node]
        if outer == before:
            break
    return {
        node: tuple(sorted(starts, key=lambda start: len(around[start])))
        for node, starts in around.items()
    }


def _around(nodes, outer):
    around = {}
    for node in nodes:
        starts = set(outer.get(node, ()))
        for value in node.inputs:
            if value.node in around:
                starts |= around[value.node]
            if value.op == loop_values.START:
                starts.add(value.node)
        if node.op == loop_values.END:
            starts.discard(node.attributes["start"])
        around[node] = starts
    return around


def with_loops(places, nodes):
    """Returns {node: place} with a `LoopPart` for each loop around a node.

    Modules that would be both in a loop and outside of it are left out.

    Args:
      places: {node: tuple of the paths of the modules around it}.
      nodes: in the order in which they are computed.
    """
    around = memberships(nodes)
    for node in nodes:
        if node.op in (loop_values.START, loop_values.END):
            around[node] += (node.attributes.get("start", node),)
    if not any(around.values()):
        return places
    while True:
        prefixes = _prefixes(places, around)
        torn = _torn(places, around, prefixes)
        if not torn:
            return {node: _placed(places[node], around[node], prefixes) for node in places}
        places = {
            node: tuple(part for part in place if part not in torn)
            for node, place in places.items()
        }


def _prefixes(places, around):
    """Returns {start of a loop: what the places of its nodes have in common}."""
    prefixes = {}
    for node, place in places.items():
        for start in around[node]:
            prefixes[start] = common(prefixes.get(start, place), place)
    return prefixes


def common(left, right):
    """Returns the parts that two places have in common."""
    count = 0
    while count < min(len(left), len(right)) and left[count] == right[count]:
        count += 1
    return left[:count]


def _torn(places, around, prefixes):
    """Returns the parts whose nodes are in different loops."""
    loops = {}
    for node, place in places.items():
        if node.op in (loop_values.START, loop_values.END):
            place = prefixes[around[node][-1]]
        for count, part in enumerate(place):
            inner = tuple(start for start in around[node] if len(prefixes[start]) <= count)
            loops.setdefault(part, set()).add(inner)
    return {part for part, kinds in loops.items() if len(kinds) > 1}


def _placed(place, starts, prefixes):
    result, done = [], 0
    for start in starts:
        prefix = prefixes[start]
        result += prefix[done:]
        done = len(prefix)
        result.append(LoopPart((*(prefix[-1] if prefix else ()), f"<{start.name}>")))
    if starts and place[:done] == prefixes[starts[-1]]:
        result += place[done:]
    return tuple(result) if starts else place


def modules_of(place):
    """Returns a place without its loops."""
    return tuple(part for part in place if not isinstance(part, LoopPart))
