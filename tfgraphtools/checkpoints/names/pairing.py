"""Pairs of names, certain or none: names that agree, or numbers that count both sides.

Every target of a conversion asks here. A group is paired in one way or not at all: a few
by name and the rest by what is left over would exchange layers where the names on one
side count on from another model.
"""

import collections

from tfgraphtools.checkpoints.names import name_parts


def by_words(sources, targets):
    """Pairs names that are equal as words, or of which each target's is one's end or the reverse.

    Args:
      sources, targets: lists of tuples of words.

    Returns:
      [(index of a source, index of its target)] of all, or None.

    Example:
      >>> by_words([("net", "fc"), ("net", "out")], [("out",), ("fc",)])
      [(0, 1), (1, 0)]
    """
    for relation in (by_equal_words, _ends):
        pairs = relation(sources, targets)
        if pairs is not None:
            return pairs
    return None


def order(names):
    """Returns the indices of names in the order of their numbers, or None if unclear.

    Example:
      >>> order(["dense_2", "dense", "dense_10"])
      [1, 0, 2]
    """
    skeletons = [name_parts.skeleton(name) for name in names]
    numbers = [numbers_of_name for _, numbers_of_name in skeletons]
    if len({family for family, _ in skeletons}) > 1 or len(set(numbers)) < len(numbers):
        return None
    return sorted(range(len(names)), key=numbers.__getitem__)


def by_equal_words(sources, targets):
    """Returns the pairs of `by_words` that are equal, if these are all; else None."""
    places = _indices(targets)
    return _one_to_one([places.get(words, ()) for words in sources], len(targets))


def _ends(sources, targets):
    """Returns pairs of which the shorter name, which is not empty, ends the longer one."""
    whole, ends = _indices(targets), collections.defaultdict(list)
    for index, words in enumerate(targets):
        for start in range(1, len(words)):
            ends[words[start:]].append(index)
    candidates = []
    for words in sources:
        near = list(ends.get(words, ())) if words else []
        for start in range(len(words)):
            near += whole.get(words[start:], ())
        if len(near) != 1:
            return None
        candidates.append(near)
    return _one_to_one(candidates, len(targets))


def _indices(names):
    places = collections.defaultdict(list)
    for index, words in enumerate(names):
        places[words].append(index)
    return places


def _one_to_one(candidates, count):
    pairs = [(i, near[0]) for i, near in enumerate(candidates) if len(near) == 1]
    is_all = len(pairs) == len(candidates) == count == len({j for _, j in pairs})
    return pairs if is_all else None
