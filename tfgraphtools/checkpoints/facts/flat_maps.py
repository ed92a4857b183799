"""The order of the axes that became one, and the way from one such order to another.

A map that is flattened keeps the order of its axes: rows, columns and channels in NHWC, channels
first in NCHW. Every weight along the flat axis has that order.
"""

import collections

import numpy as np

#: ``axes``: a letter for each axis that was merged, in its order: `CHANNEL`, a digit for an axis of
#: space, one of `RAW` for those of an input whose meaning nothing says, `LOST`
#: after a transposition that is not constant, `MIXED` for one that is not a map's alone;
#: ``sizes``: theirs, None where unknown; ``parts``: a `FlatMap` for each part of an axis that was
#: joined of several, one without axes where any order is the same.
FlatMap = collections.namedtuple("FlatMap", "axes sizes parts")
FlatMap.__new__.__defaults__ = ((),)

CHANNEL, RAW, LOST, MIXED = "C", "abcde", "?", "!"
FIRST, LAST, OTHER = "channels first", "channels last", "another order"

#: What `change` gives if nothing is to be done.
SAME = ()


def of(bases):
    """Returns the `FlatMap` of [(letter, size)], None if any order of them is the same.

    Axes of one element have no order. Axes of space are numbered from 0, without those. The letter
    of an axis that was joined of several is the `FlatMap` of it.
    """
    bases = [(letter, size) for letter, size in bases if size != 1]
    mixed = [letter for letter, _ in bases if isinstance(letter, FlatMap)]
    if mixed:
        return mixed[0] if len(bases) == 1 else FlatMap(MIXED, tuple(size for _, size in bases))
    letters = [letter for letter, _ in bases]
    if len(letters) < 2 and MIXED not in letters:
        return None
    rank = {letter: str(i) for i, letter in enumerate(sorted(filter(str.isdigit, letters)))}
    axes = "".join(rank.get(letter, letter) for letter in letters)
    return FlatMap(axes, tuple(size for _, size in bases))


def joined_of(axes):
    """Returns the `FlatMap` of an axis that was joined of several, lists of (letter, size)."""
    parts = [of(axis) or FlatMap("", (count(axis),)) for axis in axes]
    sizes = [count_of(part) for part in parts]
    return FlatMap(MIXED, (None if None in sizes else sum(sizes),), tuple(parts))


def count(axis):
    """Returns the number of elements of [(letter, size)], None if that is not known."""
    return _product([size for _, size in axis])


def count_of(flat):
    """Returns the number of elements of a `FlatMap`, None if that is not known."""
    return _product(flat.sizes)


def _product(sizes):
    return None if None in sizes else int(np.prod(sizes))


def to_order(flat, order):
    """Returns the `FlatMap` of the same elements in the order FIRST or LAST, or None."""
    if flat.parts:
        parts = tuple(to_order(part, order) for part in flat.parts)
        return None if None in parts else flat._replace(parts=parts)
    space = "".join(sorted(letter for letter in flat.axes if letter.isdigit()))
    if CHANNEL not in flat.axes:
        return flat if flat.axes == space else None
    if len(space) + 1 != len(flat.axes):
        return None
    axes = {FIRST: CHANNEL + space, LAST: space + CHANNEL}.get(order)
    return axes and FlatMap(axes, tuple(flat.sizes[flat.axes.index(letter)] for letter in axes))


def order_of(flat):
    """Returns FIRST, LAST or OTHER."""
    for order in (LAST, FIRST):
        if flat == to_order(flat, order):
            return order
    return OTHER


def opposite(flat):
    """Returns a map with its channels at the other end, or None."""
    return to_order(flat, LAST if order_of(flat) == FIRST else FIRST)


def joined(flat, other):
    """Returns what two uses say of one axis: a `FlatMap`, of no order if they differ."""
    if flat is None or other is None or flat == other:
        return flat or other
    return FlatMap(MIXED, flat.sizes)


def change(flat, other):
    """Compares the orders of two sides.

    Args:
      flat, other: the `FlatMap` of either side, or None.

    Returns:
      The numbers of the elements of ``flat`` in the order of ``other``; `SAME` if nothing is to be
      done; None if they do not say enough.
    """
    if flat is None or other is None:
        return None
    if flat.parts or other.parts:
        return _change_of_parts(flat.parts, other.parts)
    if {MIXED, LOST}.intersection(flat.axes + other.axes):
        return None
    if not (flat.axes and other.axes):
        return SAME if flat.sizes == other.sizes and None not in flat.sizes else None
    if sorted(flat.axes) != sorted(other.axes):
        return None
    places = [flat.axes.index(letter) for letter in other.axes]
    sizes = list(flat.sizes)
    for place, size in zip(places, other.sizes):
        sizes[place] = size if sizes[place] is None else sizes[place]
        if size not in (None, sizes[place]):
            return None
    if places == sorted(places):
        return SAME
    if None in sizes:
        return None
    return np.arange(_product(sizes)).reshape(sizes).transpose(places).reshape(-1)


def _change_of_parts(parts, others):
    if len(parts) != len(others):
        return None
    changes = [change(part, other) for part, other in zip(parts, others)]
    if any(numbers is None for numbers in changes):
        return None
    if all(numbers is SAME for numbers in changes):
        return SAME
    start, result = 0, []
    for part, numbers in zip(parts, changes):
        size = count_of(part)
        if size is None:
            return None
        result.append(start + (np.arange(size) if numbers is SAME else numbers))
        start += size
    return np.concatenate(result)


def is_raw(flat):
    """Tells whether the axes are those of an input whose meaning nothing says."""
    return bool(flat.axes) and set(flat.axes) <= set(RAW)


def as_picture(flat, other):
    """Returns the map of a picture, by its sizes in the order of another side, or None."""
    space = "0123"[: len(flat.sizes) - 1]
    if flat.sizes[1:] + flat.sizes[:1] == other.sizes:
        return FlatMap(CHANNEL + space, flat.sizes)
    if flat.sizes[-1:] + flat.sizes[:-1] == other.sizes:
        return FlatMap(space + CHANNEL, flat.sizes)
    return None


def words(flat):
    """Returns the sizes of a map, as words."""
    if flat.parts:
        return " beside ".join(words(part) for part in flat.parts)
    return " x ".join("?" if size is None else str(size) for size in flat.sizes)
