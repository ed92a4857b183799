"""Refusals of tensors matched with places: other shapes, and what is left over."""

import collections

from tfgraphtools.checkpoints.objects import object_groups
from tfgraphtools.checkpoints.objects.object_places import variable_name
from tfgraphtools.errors import (
    NothingMatchedError,
    PlanError,
    UnmatchedError,
    did_you_mean,
    nearest,
)

_SHOWN = 6
_OF_A_CELL = (
    "A cell of TF 1 has one matrix where Keras has two, which no object graph says: convert it to "
    "the model (to_keras, --to keras), and save that with tf.train.Checkpoint."
)


def no_place(name, words, places, wanted, describe):
    """Returns the error for a rule that names no place, or several."""
    names = [place.path for place in wanted] + [variable_name(place) for place in wanted]
    near = nearest(str(words), list(names))
    return NothingMatchedError(
        f"the map: {name!r} -> {words!r}",
        f"one variable of {describe}",
        ", ".join(repr(place.path) for place in places) or f"none among {len(wanted)}",
        did_you_mean(near) or "Give a path of names from the root, a key, or a variable's name.",
    )


def require_shape(name, shape, place, other, how):
    """Raises unless a tensor and its place have one shape, or are both tables."""
    if shape is not None and other is not None and tuple(shape) != tuple(other):
        raise PlanError(
            f"{name!r} -> {place.path!r} (by {how})",
            f"the shape {list(other)} of the variable",
            f"{list(shape)}",
            "Correct the map, or reshape or transpose the tensor first (checkpoints.plan).",
        )
    if (shape is None) != (other is None):
        raise PlanError(
            f"{name!r} -> {place.path!r} (by {how})",
            "a table for a table, a variable for a variable",
            "a table" if shape is None else "a variable",
            "Correct the map.",
        )


def require_shapes(sources, expected):
    """Raises if a tensor and a variable of one name are left over because their shapes differ."""
    places = {}
    for place in expected:
        for name in {variable_name(place), place.path}:
            places.setdefault(name, []).append(place)
    for name, shape in sources.items():
        if len(places.get(name, ())) == 1:
            (place,) = places[name]
            require_shape(name, shape, place, expected[place], "name")


def require_sure(sources, expected):
    """Raises if tensors are left over that could each be any of as many variables."""
    by_shape = collections.defaultdict(lambda: ([], []))
    for side, shapes in enumerate((sources, expected)):
        for member, shape in shapes.items():
            by_shape[shape][side].append(member)
    unsure = [(n, p) for n, p in by_shape.values() if n and len(n) == len(p)]
    if not unsure:
        return
    problems = [
        _listed(list(map(object_groups.called, places))) + " could each be any of " + _listed(names)
        for names, places in unsure[:_SHOWN]
    ]
    raise UnmatchedError(
        "matching the objects with the checkpoint",
        "names that agree, or numbers that count both sides",
        "; ".join(problems)
        + (f"; and {len(unsure) - _SHOWN} more" if len(unsure) > _SHOWN else ""),
        "Say which with rules={'tensor': 'object'} (--rule, --map); leave tensors out with "
        "drop=[...] (--drop), objects as they are with keep=[...] (--keep).",
    )


def _listed(names):
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(map(repr, names[:_SHOWN])) + more


def require_all(sources, wanted, matches, describe):
    """Raises unless every place has a tensor and every tensor a place."""
    named = {match.name for match in matches}
    taken = {match.place for match in matches}
    names = [name for name in sources if name not in named]
    places = [place for place in wanted if place not in taken]
    if places:
        raise _left_over(
            f"{describe}: {places[0].path!r}",
            "a tensor for each of its variables",
            [f"{place.path} {_shape(wanted[place])}" for place in places],
            nearest(variable_name(places[0]), names or list(sources)),
            _OF_A_CELL
            if any(place.path.endswith("/recurrent_kernel") for place in places)
            else "Name it in the map, or keep the value that is there (keep=, --keep).",
        )
    if names:
        raise left_over_tensors(
            names, sources, describe, [variable_name(place) for place in wanted]
        )


def left_over_tensors(names, sources, describe, places):
    """Returns the error for tensors that have found no place."""
    return _left_over(
        f"the tensor {names[0]!r}",
        f"a variable of {describe} for each tensor",
        [f"{name} {_shape(sources[name])}" for name in names],
        nearest(names[0], list(places)),
        "Name it in the map, or leave it out (drop=, --drop).",
    )


def _left_over(place, expected, left, near, advice):
    more = f" and {len(left) - 5} more" if len(left) > 5 else ""
    hint = "Nearest: {}. ".format(" or ".join(map(repr, near))) if near else ""
    return NothingMatchedError(
        place, expected, "nothing for " + ", ".join(left[:5]) + more, hint + advice
    )


def _shape(shape):
    return "(a table)" if shape is None else str(list(shape))
