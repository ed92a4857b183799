"""Defaults of another type than their flag's."""

import functools

from tfgraphtools.compat.fixes.tensorflow.flags.absl_flags import IN_RUNTIME, replaces


class _Whole(float):
    """A float that also counts: in a slice, a shape, a range; so does 3 times it."""

    def __reduce__(self):
        return float, (float(self),)

    def __index__(self):
        _parse_from_default.used()
        return int(self)


def _stay_whole(name):
    original = getattr(float, name)

    def operator(self, other):
        result = original(self, other)
        return _Whole(result) if type(other) in (int, _Whole) else result

    return operator


for _name in ("add", "sub", "mul", "floordiv", "mod"):
    for _side in ("__", "__r"):
        setattr(_Whole, _side + _name + "__", _stay_whole(_side + _name + "__"))


@replaces(
    "absl.flags:Flag._parse_from_default",
    name="flags.default",
    since="TF 1.5",
    why="a default value of any type is not converted",
    rewrite=IN_RUNTIME,
)
def _parse_from_default(original, self, value):
    """Keeps a default of another type than its flag's, which absl refuses.

    The default 20 of a float flag becomes 20.0 there: it is a float, and still counts.
    """
    return default_of(functools.partial(original, self), value)


def default_of(parse, value):
    """Returns a default as absl's `parse` has it; one of another type as it is."""
    from absl import flags

    try:
        parsed = parse(value)
        return _Whole(parsed) if type(parsed) is float and type(value) is int else parsed
    except (flags.IllegalFlagValueError, TypeError):
        if isinstance(value, str):
            raise
        _parse_from_default.used()
        return value


REPLACEMENTS = (_parse_from_default,)
