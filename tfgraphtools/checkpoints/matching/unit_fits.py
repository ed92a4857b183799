"""The fit of a unit of a checkpoint and one of a model: exact, or the reason why there is none."""

import collections

from tfgraphtools.checkpoints.names import name_parts as names

#: How a source becomes a target. ``leaves``: {argument: tensor name}; ``convert(arrays)`` gives
#: {role: array} and ``convert_slots`` the same of an optimizer's slots, None if that cannot be
#: exact; ``steps`` says what is done: {role: words}; ``notes`` what the checkpoint does not say;
#: ``is_shifted`` if something is added to a weight; ``back(arrays)`` gives {argument: array} of
#: {role: array}, None if there is no way back.
Fit = collections.namedtuple("Fit", "leaves convert convert_slots steps notes is_shifted back")
Fit.__new__.__defaults__ = (False, None)

#: A model's layer cannot take a unit: ``reason`` says why.
Misfit = collections.namedtuple("Misfit", "reason")

#: What tells units apart for a fit: a function of a source and one of a target, whose results are
#: hashable. Units with equal results fit the same units.
Alike = collections.namedtuple("Alike", "source target")


class Fits:
    """The pairs of units that fit: asked once of all that are alike, and made when one is taken.

    Args:
      sources, targets: lists of units.
      fit: function of a source and a target that gives a `Fit` or a `Misfit`.
      alike: an `Alike`; None if each unit is a kind of its own.
    """

    def __init__(self, sources, targets, fit, alike=None):
        self._sources, self._targets, self._fit = sources, targets, fit
        self._kinds = [
            [of(unit) for unit in units] if alike else list(range(len(units)))
            for units, of in zip((sources, targets), alike or (None, None))
        ]
        self._first = [_first(kinds) for kinds in self._kinds]
        self._by_kind = {}

    def __contains__(self, pair):
        return self._is_fit(*(kinds[number] for kinds, number in zip(self._kinds, pair)))

    def __getitem__(self, pair):
        """Returns the `Fit` of (number of a source, number of a target), or its `Misfit`."""
        s, t = pair
        return self._fit(self._sources[s], self._targets[t])

    def _is_fit(self, source_kind, target_kind):
        kinds = source_kind, target_kind
        if kinds not in self._by_kind:
            pair = tuple(first[kind] for first, kind in zip(self._first, kinds))
            self._by_kind[kinds] = isinstance(self[pair], Fit)
        return self._by_kind[kinds]

    def is_complete(self, some_sources, some_targets):
        """Tells whether each of some sources fits each of some targets."""
        kinds_s = {self._kinds[0][s] for s in some_sources}
        kinds_t = {self._kinds[1][t] for t in some_targets}
        return all(self._is_fit(s, t) for s in kinds_s for t in kinds_t)

    def groups(self):
        """Returns [([sources], [targets])] that are connected by fits, by their numbers.

        One that fits none is alone.
        """
        connected = collections.OrderedDict()
        labels = self._labels()
        for side, kinds in enumerate(self._kinds):
            for number, kind in enumerate(kinds):
                label = labels.get((side, kind), (side, number))
                connected.setdefault(label, ([], []))[side].append(number)
        return list(connected.values())

    def _labels(self):
        """Returns {(side, kind): the label that connected kinds share}, of kinds that fit some."""
        labels = {}
        for source_kind in self._first[0]:
            near = [kind for kind in self._first[1] if self._is_fit(source_kind, kind)]
            ends = [(0, source_kind), *((1, kind) for kind in near)]
            if near:
                old = {labels[end] for end in ends if end in labels}
                labels.update((end, ends[0]) for end, label in labels.items() if label in old)
                labels.update(dict.fromkeys(ends, ends[0]))
        return labels


def _first(kinds):
    """Returns {kind: the number of the first unit of it}."""
    numbers = collections.OrderedDict()
    for number, kind in enumerate(kinds):
        numbers.setdefault(kind, number)
    return numbers


def alike(tensors, facts, more=lambda source: None):
    """Returns the `Alike` of units whose fits depend on shapes, facts and a few words of names.

    Args:
      tensors: {tensor name: (type name, shape)}.
      facts: function of a source that gives {question: `Fact`}.
      more: function of a source that gives what else its fits depend on.
    """

    def of_source(source):
        shapes = tuple((role, tensors[name]) for role, name in sorted(source.leaves.items()))
        words = _telling(source.name, *source.leaves.values())
        known = tuple(sorted(facts(source).items()))
        return (*source._replace(name=words, leaves=shapes), known, more(source))

    def of_target(target):
        shapes = [(role, weight.shape) for role, weight in sorted(target.weights.items())]
        config = repr(sorted(target.config.items()))
        return target.kind, tuple(shapes), config, _telling(target.name)

    return Alike(of_source, of_target)


def _telling(name, *tensors):
    """Returns what fits ask of names: a direction, a normalisation, and whether it is a table."""
    words = {word for text in (name, *tensors) for word in names.words(text)}
    tables = frozenset(words & {"embedding", "lookup", "table"})
    return names.direction(name), names.normalisation(name), tables
