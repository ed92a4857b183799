"""The tensor of each variable of a model: by the user's rules, by name, by shape, by number.

Every match says how it was found, for the table that is shown before anything is
written. What could be each of several, and what is left over on either side, is an error.
"""

import collections

from tfgraphtools.checkpoints.objects import object_groups, object_places, refusals
from tfgraphtools.checkpoints.plans import rules
from tfgraphtools.errors import CollisionError

#: ``name``: in the source; ``how``: "rule", "name", "shape", "layer" or "order".
Match = collections.namedtuple("Match", "name place how")


def match(sources, expected, graph, mapping, describe):
    """Pairs the tensors of a name-based checkpoint with the places of an object graph.

    Args:
      sources: {name: shape} of the tensors to place; of a table, its name without -keys: None.
      expected: {place: shape} of the places to fill.
      graph: the `ObjectGraph` of the places.
      mapping: {name: words for a place}, or ordered (pattern, replacement) pairs, or nothing.
      describe: the name of what has the places, for an error.

    Returns:
      [`Match`], in the order of the places.

    Raises:
      NothingMatchedError: a rule fits no tensor or no place, or something is left over.
      UnmatchedError: tensors that could each be any of several variables.
      CollisionError: two tensors for one place.
      PlanError: a tensor of another shape than its place.
    """
    matches = _by_rule(sources, expected, graph, mapping, describe)
    matches += [Match(*pair) for pair in object_groups.pairs(*_left(sources, expected, matches))]
    left = _left(sources, expected, matches)
    refusals.require_shapes(*left)
    refusals.require_sure(*left)
    refusals.require_all(sources, expected, matches, describe)
    order = {place: i for i, place in enumerate(expected)}
    return sorted(matches, key=lambda match: order[match.place])


def _left(sources, expected, matches):
    """Returns ({name: shape}, {place: shape}) of what has no match."""
    named, taken = {match.name for match in matches}, {match.place for match in matches}
    return (
        {name: shape for name, shape in sources.items() if name not in named},
        {place: shape for place, shape in expected.items() if place not in taken},
    )


def _by_rule(sources, expected, graph, mapping, describe):
    if not mapping:
        return []
    matches, taken = [], {}
    finder = object_places.Finder(graph, expected)
    for name, words in rules.renamed(mapping, list(sources), "the map").items():
        places = finder.find(words)
        if len(places) != 1:
            raise refusals.no_place(name, words, places, expected, describe)
        (place,) = places
        if place in taken:
            raise CollisionError(
                f"the map: {place.path!r}",
                "one tensor for each variable",
                f"{taken[place]!r} and {name!r}",
                "Narrow a rule.",
            )
        taken[place] = name
        refusals.require_shape(name, sources[name], place, expected[place], "rule")
        matches.append(Match(name, place, "rule"))
    return matches
