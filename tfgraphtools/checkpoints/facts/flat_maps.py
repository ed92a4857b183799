"""The order of the axes that became one, and the way from one such order to another.

A map that is flattened keeps the order of its axes: rows, columns and channels in NHWC, channels
first in NCHW. Every weight along the flat axis has that order.
"""

import collections

import numpy as np

#: ``axes``: a letter for each axis that was merged, in its order: `CHANNEL`, a digit for an axis of
#: space, `RAW` for one whose meaning nothing says, `MIXED` for one that is not a map's alone;
#: ``sizes``: theirs, None where unknown.
FlatMap = collections.namedtuple("FlatMap", "axes sizes")

CHANNEL, RAW, MIXED = "C", "?", "!"
FIRST, LAST, OTHER = "channels first", "channels last", "another order"


def of(bases):
    """Returns the `FlatMap` of [(letter, size)], None if any order of them is the same.

    Axes of one element have no order. Axes of space are numbered anew, without those.
    """
    bases = [(letter, size) for letter, size in bases if size != 1]
    letters = [letter for letter, _ in bases]
    if len(letters) < 2 and MIXED not in letters:
        return None
    rank = {letter: str(i) for i, letter in enumerate(sorted(filter(str.isdigit, letters)))}
    axes = "".join(rank.get(letter, letter) for letter in letters)
    return FlatMap(axes, tuple(size for _, size in bases))


def of_order(flat, order):
    """Returns the axes of a map in the order FIRST or LAST, None if it is neither's."""
    space = "".join(sorted(letter for letter in flat.axes if letter.isdigit()))
    if CHANNEL not in flat.axes:
        return space if set(flat.axes) == set(space) else None
    if len(space) + 1 != len(flat.axes):
        return None
    return {FIRST: CHANNEL + space, LAST: space + CHANNEL}.get(order)


def order_of(flat):
    """Returns FIRST, LAST or OTHER."""
    for order in (LAST, FIRST):
        if flat.axes == of_order(flat, order):
            return order
    return OTHER


def joined(flat, other):
    """Returns what two sides say of one axis: a `FlatMap`, MIXED if they differ."""
    if flat is None or other is None or flat == other:
        return flat or other
    return FlatMap(MIXED, flat.sizes)


def between(flat, other):
    """Compares the orders of two sides.

    Args:
      flat, other: the `FlatMap` of either side.

    Returns:
      The axes of ``other`` as numbers of those of ``flat``: (0, 1, 2) if nothing is to be done;
      None if neither side says enough.
    """
    if MIXED in flat.axes + other.axes:
        return None
    if RAW in flat.axes + other.axes:
        is_equal = flat.sizes == other.sizes and None not in flat.sizes
        return tuple(range(len(flat.axes))) if is_equal else None
    if sorted(flat.axes) != sorted(other.axes):
        return None
    places = tuple(flat.axes.index(letter) for letter in other.axes)
    known = [(flat.sizes[place], size) for place, size in zip(places, other.sizes)]
    return None if any(None not in pair and pair[0] != pair[1] for pair in known) else places


def filled(flat, other, places):
    """Returns the sizes of a map, those that it does not know from the other side."""
    sizes = list(flat.sizes)
    for place, size in zip(places, other.sizes):
        sizes[place] = sizes[place] or size
    return tuple(sizes)


def numbers(sizes, places):
    """Returns the number of the element that comes to each place of a flat axis."""
    count = int(np.prod(sizes))
    return np.arange(count).reshape(sizes).transpose(places).reshape(-1)


def words(flat):
    """Returns the sizes of a map, as words."""
    return " x ".join("?" if size is None else str(size) for size in flat.sizes)
