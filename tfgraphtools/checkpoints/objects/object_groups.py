"""Tensors and places that could be each other's, in groups, and the pairs that are certain.

A group has one role (or last name) and one shape. It is paired as a whole: by name, as the
only tensor and the only place, or by number; and by what is already known of other
variables of its layers. Whatever is left is not certain, and `refusals` says so.
"""

import collections

from tfgraphtools.checkpoints.names import name_parts, pairing
from tfgraphtools.checkpoints.objects.object_places import variable_name

_UNNAMED = "Variable"  # what TF calls a variable that was given no name


def pairs(sources, expected):
    """Finds the pairs that are certain.

    Args:
      sources: {name: shape} of the tensors that no rule places.
      expected: {place: shape} of the places that no rule fills.

    Returns:
      [(name, place, how)]; ``how`` is "name", "shape", "layer" or "order".
    """
    left = _Left(sources, expected)
    for name_of in (_by_graph, _by_path):
        left.group(_role, lambda place, of=name_of: _role(of(place)))
        left.pair_groups()
    left.group(lambda name: None, lambda place: None)
    left.pair_alone()
    return left.pairs


def _by_graph(place):
    """Returns the name of a place's variable in a graph, or its path if it was given none."""
    name = variable_name(place)
    return place.path if name.startswith(_UNNAMED) else name


def _by_path(place):
    return place.path


def called(place):
    """Returns the name of a place that shows its layer."""
    name = _by_graph(place)
    return name if "/" in name else place.path


def _split(name):
    """Returns (a layer's name, the variable's role), or (the name, None)."""
    scope, slash, leaf = name.rpartition("/")
    return name_parts.split(scope + slash + leaf.lstrip("_"))


def _role(name):
    """Returns the role that a name says, or its last part."""
    return _split(name)[1] or name_parts.last(name)


def _scope(name):
    return name.rpartition("/")[0]


class _Left:
    """The names and places without a pair yet, in groups by (role, shape)."""

    def __init__(self, sources, expected):
        self._sources, self._places = dict(sources), dict(expected)
        self._layers = collections.defaultdict(set), collections.defaultdict(set)
        self._in_layer = collections.defaultdict(dict), collections.defaultdict(dict)
        for side, shapes, name_of in ((0, sources, str), (1, expected, called)):
            for member in shapes:
                self._in_layer[side][_scope(name_of(member))][member] = None
        self._touched = {}
        self.pairs = []

    def group(self, of_name, of_place):
        """Puts what is left into groups, by functions for the role of either side."""
        self._key = {}
        self._groups = collections.defaultdict(lambda: ({}, {}))
        for side, shapes, of in ((0, self._sources, of_name), (1, self._places, of_place)):
            for member, shape in shapes.items():
                self._key[member] = of(member), shape
                self._groups[self._key[member]][side][member] = None

    def pair_groups(self):
        """Pairs by name; then what is alone; then by layers and numbers, until nothing changes."""
        for group in self._groups.values():
            self._pair(group, _named, "name")
        for group in self._groups.values():
            self._pair(group, _only, "shape")
        self._follow_layers()
        ranked = sorted(self._groups.items(), key=_rank)
        count = -1
        while count < len(self.pairs):
            count = len(self.pairs)
            for _, group in ranked:
                for find, how in ((_only, "shape"), (_named, "name"), (_counted, "order")):
                    self._pair(group, find, how)
                self._follow_layers()

    def pair_alone(self):
        """Pairs what is alone in its group, unless the names say two different roles."""
        for names, places in list(self._groups.values()):
            if len(names) == len(places) == 1:
                (name,), (place,) = names, places
                roles = {_split(name)[1], _split(called(place))[1]}
                if len(roles - {None}) < 2 and not self._contradicts(name, place):
                    self._put(name, place, "shape")

    def _pair(self, group, find, how):
        names, places = map(list, group)
        if not names or len(names) != len(places):
            return
        candidates = [(names[i], places[j]) for i, j in find(names, places) or ()]
        if how == "name" or not any(self._contradicts(*pair) for pair in candidates):
            for name, place in candidates:
                self._put(name, place, how)

    def _contradicts(self, name, place):
        """Tells whether both layers are known to be those of others."""
        layer, other = _scope(name), _scope(called(place))
        partners, back = self._layers[0].get(layer), self._layers[1].get(other)
        return bool(partners and back and other not in partners)

    def _put(self, name, place, how):
        self.pairs.append((name, place, how))
        names, places = self._groups[self._key[name]]
        del names[name], places[place], self._sources[name], self._places[place]
        layer, other = _scope(name), _scope(called(place))
        del self._in_layer[0][layer][name], self._in_layer[1][other][place]
        self._layers[0][layer].add(other)
        self._layers[1][other].add(layer)
        self._touched[layer] = None

    def _follow_layers(self):
        """Keeps the variables of one layer together: conv/bias goes where conv/kernel went."""
        while self._touched:
            layer, _ = self._touched.popitem()
            if not layer or len(self._layers[0][layer]) != 1:
                continue
            (other,) = self._layers[0][layer]
            by_key = collections.defaultdict(lambda: ([], []))
            for side, scope in ((0, layer), (1, other)):
                for member in self._in_layer[side][scope]:
                    by_key[self._key[member]][side].append(member)
            for names, places in by_key.values():
                if len(names) == len(places) == 1:
                    self._put(names[0], places[0], "layer")


def _rank(item):
    """Returns a key that sorts kernels first: fewer layers have one of the same shape."""
    (role, shape), _ = item
    return -len(shape or ()), str(role), shape or ()


def _only(names, places):
    return [(0, 0)] if len(names) == 1 else None


def _named(names, places):
    """Pairs by whole names, else by the words of layers."""
    words = [_words(name) for name in names]
    for name_of in (_by_graph, _by_path):
        others = [name_of(place) for place in places]
        index = {name: j for j, name in enumerate(others)}
        if len(index) == len(others) and set(index) == set(names):
            return [(i, index[name]) for i, name in enumerate(names)]
        by_words = all(words) and pairing.by_words(words, [_words(name) for name in others])
        if by_words:
            return by_words
    return None


def _words(name):
    return name_parts.words(_split(name)[0])


def _counted(names, places):
    """Pairs by the numbers of both sides. Synonyms, such as w and kernel, say no order."""
    order = pairing.order(names)
    for name_of in (_by_graph, _by_path):
        others = pairing.order([name_of(place) for place in places])
        if order and others:
            return list(zip(order, others))
    return None
