"""Which variable of a model gets which tensor: by the user's rules, by name, by shape, by order.

Every match says how it was found, for the table that is shown before anything is
written. What is left over on either side is an error: nothing is skipped silently.
"""

import collections

from tfgraphtools.checkpoints.names import parts
from tfgraphtools.checkpoints.objects import locations, refusals
from tfgraphtools.checkpoints.objects.locations import plain
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
      CollisionError: two tensors for one place.
      PlanError: a tensor of another shape than its place.
    """
    matches = _by_rule(sources, expected, graph, mapping, describe)
    rest = _Rest(sources, expected, matches)
    rest.take(_by_whole_name)
    rest.take(_by_end_of_name)
    for of_name in (parts.last, parts.meaning):
        for of_place in (plain, _path):
            rest.take_by(of_name, lambda place, of=of_place, last=of_name: last(of(place)))
    rest.take(lambda names, places: _alone(names, places, _nothing, _nothing))
    refusals.require_all(sources, expected, matches, describe)
    order = {place: i for i, place in enumerate(expected)}
    return sorted(matches, key=lambda one: order[one.place])


def _by_rule(sources, expected, graph, mapping, describe):
    if not mapping:
        return []
    matches, taken = [], {}
    finder = locations.Finder(graph, expected)
    for name, words in rules.renamed(mapping, list(sources), "the map").items():
        found = finder.find(words)
        if len(found) != 1:
            raise refusals.no_place(name, words, found, expected, describe)
        (place,) = found
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


def _names(place):
    """What a place may be called: its variable's name in a graph, its path of objects."""
    return dict.fromkeys([plain(place), place.path])


def _by_whole_name(sources, expected):
    places = collections.defaultdict(list)
    for place in expected:
        for name in _names(place):
            places[name].append(place)
    matches = []
    for name, shape in sources.items():
        if len(places.get(name, ())) == 1:
            (place,) = places[name]
            refusals.require_shape(name, shape, place, expected[place], "name")
            matches.append(Match(name, place, "name"))
    return matches


def _by_end_of_name(sources, expected):
    """Names of which one is the other with scopes in front: model/dense/kernel, dense/kernel."""
    by_name, by_place = collections.defaultdict(set), collections.defaultdict(set)
    whole, ends = collections.defaultdict(list), collections.defaultdict(list)
    for place in expected:
        for called in _names(place):
            whole[called].append(place)
            for end in _ends(called):
                ends[end].append(place)
    for name, shape in sources.items():
        near = list(ends[name]) + [place for end in _ends(name) for place in whole[end]]
        for place in near:
            if expected[place] == shape:
                by_name[name].add(place)
                by_place[place].add(name)
    return [
        Match(name, place, "name")
        for name, places in by_name.items()
        for place in places
        if len(places) == len(by_place[place]) == 1
    ]


def _ends(name):
    """What is left of a name without its first scope, its first two, ..."""
    while "/" in name:
        name = name.partition("/")[2]
        yield name


class _Rest:
    """What has no match yet. What is found for one variable of a layer leads to its others."""

    def __init__(self, sources, expected, matches):
        self._sources, self._wanted, self._matches = sources, expected, matches

    def take(self, find):
        """Adds what a finder finds, and then the neighbours; returns whether there was any."""
        found = find(*self._left())
        self._matches += found
        if found:
            self._matches += _by_neighbours(*self._left(), matches=self._matches)
        return bool(found)

    def take_by(self, of_name, of_place):
        """Takes what has one last name and shape on both sides, by functions for both."""
        self.take(lambda names, places: _alone(names, places, of_name, of_place))
        while self.take(lambda names, places: _one_group(names, places, of_name, of_place)):
            pass

    def _left(self):
        taken = {one.place for one in self._matches}
        named = {one.name for one in self._matches}
        return (
            {name: shape for name, shape in self._sources.items() if name not in named},
            {place: shape for place, shape in self._wanted.items() if place not in taken},
        )


def _by_neighbours(sources, expected, matches):
    """Variables of one layer stay together: conv/bias goes where conv/kernel went."""
    layers = collections.defaultdict(set)
    for one in matches:
        layers[_layer(one.name)].add(_layer(_called(one.place)))
    found, taken = [], set()
    for last in (parts.last, parts.meaning):
        places = collections.defaultdict(list)
        for place, shape in expected.items():
            if place not in taken:
                places[(_layer(_called(place)), last(_called(place)), shape)].append(place)
        mine = collections.Counter((_layer(name), last(name), sources[name]) for name in sources)
        for name, shape in list(sources.items()):
            layer = _layer(name)
            if not layer or len(layers[layer]) != 1 or mine[layer, last(name), shape] > 1:
                continue
            near = places.get((next(iter(layers[layer])), last(name), shape), [])
            if len(near) == 1 and near[0] not in taken:
                taken.add(near[0])
                found.append(Match(name, near[0], "layer"))
                sources = {other: shape for other, shape in sources.items() if other != name}
    return found


def _called(place):
    """The name of a place that shows its layer: Keras 3's paths only show a list."""
    return plain(place) if "/" in plain(place) else place.path


def _layer(name):
    return name.rpartition("/")[0]


def _alone(sources, expected, of_name, of_place):
    """What is the only one of its last name and shape on both sides."""
    groups = _groups(sources, expected, of_name, of_place)
    return [
        Match(names[0], places[0], "shape")
        for names, places in groups.values()
        if len(names) == len(places) == 1
    ]


def _one_group(sources, expected, of_name, of_place):
    """What has one last name and shape, equally often on both sides: in order. Kernels first."""
    groups = _groups(sources, expected, of_name, of_place)
    for _, (names, places) in sorted(groups.items(), key=_by_rank):
        # Names that only mean the same, such as w and kernel, say nothing of their order.
        if names and len(names) == len(places) and len(set(map(parts.last, names))) == 1:
            how = "shape" if len(names) == 1 else "order"
            names = sorted(names, key=parts.natural)
            return [Match(name, place, how) for name, place in zip(names, places)]
    return []


def _by_rank(item):
    (last, shape), _ = item
    return -len(shape or ()), last, shape or ()


def _groups(sources, expected, of_name, of_place):
    """{(last name, shape): (tensors, places)}"""
    groups = collections.defaultdict(lambda: ([], []))
    for name, shape in sources.items():
        groups[(of_name(name), shape)][0].append(name)
    for place, shape in expected.items():
        groups[(of_place(place), shape)][1].append(place)
    return groups


def _path(place):
    return place.path


def _nothing(unused):
    return None
