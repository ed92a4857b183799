"""Settings of a model as data: constants, and expressions of sizes and of the model's own file."""

import collections
import re

#: The size of a tensor's axis, divided by ``per``, a number or an expression; 1 at least.
#: ``optional``: without the tensor there is no such setting. The tensor is a pattern; the first
#: that it matches counts.
Size = collections.namedtuple("Size", "tensor axis per optional")
Size.__new__.__defaults__ = (1, False)

#: A size as a part of another: 8 channels of 32 are 0.25.
Ratio = collections.namedtuple("Ratio", "tensor axis of")

#: A value that goes with a size: {size: value}.
Choice = collections.namedtuple("Choice", "tensor axis values")

#: One more than the largest number in the pattern's group: how many layers there are.
Layers = collections.namedtuple("Layers", "pattern")

#: The model's own setting; ``default`` is a constant or an expression, and without one the setting
#: must be there; ``words`` translates it: {own word: the library's}.
Own = collections.namedtuple("Own", "name default words")
REQUIRED, ABSENT = "REQUIRED", "ABSENT"
Own.__new__.__defaults__ = (REQUIRED, {})

#: ``then`` if a tensor of this name is there, else ``otherwise``.
If = collections.namedtuple("If", "tensor then otherwise")


def evaluate(settings, own, shapes):
    """Returns {setting: value}.

    Args:
      settings: {setting: constant or expression}.
      own: {setting: value} of the model's own file.
      shapes: {tensor: shape}.

    Raises:
      KeyError: a setting that no tensor tells, by its name.
    """
    values = {name: value_of(value, own, shapes) for name, value in settings.items()}
    return {name: value for name, value in values.items() if value is not ABSENT}


def assumed(settings, own):
    """Returns the settings that are derived from sizes because the model's own file lacks them."""
    return [
        name
        for name, value in settings.items()
        if isinstance(value, Own)
        and isinstance(value.default, (Size, Ratio, Choice))
        and own.get(value.name) is None
    ]


def contradicted(settings, own, values):
    """Returns the settings of which the model's own file says something else than its tensors."""
    return [
        name
        for name, value in settings.items()
        if isinstance(value, (Size, Layers)) and name != "vocab_size"  # which may be padded
        if own.get(name) is not None and values.get(name) not in (None, own[name])
    ]


def value_of(value, own, shapes):
    """Returns the value of one constant or expression; `ABSENT` if there is none."""
    if isinstance(value, Own):
        if value.name in own and own[value.name] is not None:
            return value.words.get(own[value.name], own[value.name])
        if value.default is REQUIRED:
            raise KeyError(value.name)
        return value_of(value.default, own, shapes)
    if isinstance(value, Layers):
        matches = [re.fullmatch(value.pattern, name) for name in shapes]
        return 1 + max([int(match.group(1)) for match in matches if match] or [-1])
    if isinstance(value, If):
        there = any(re.fullmatch(value.tensor, name) for name in shapes)
        return value_of(value.then if there else value.otherwise, own, shapes)
    if isinstance(value, (Size, Ratio, Choice)):
        return _of_size(value, shapes)
    return value


def _of_size(value, shapes):
    shape = next((shapes[n] for n in sorted(shapes) if re.fullmatch(value.tensor, n)), None)
    if shape is None:
        if getattr(value, "optional", False):
            return ABSENT
        raise KeyError(value.tensor)
    size = shape[value.axis]
    if isinstance(value, Ratio):
        return size / value.of
    if isinstance(value, Choice):
        if size not in value.values:
            raise KeyError(f"a model with {size} at axis {value.axis} of {value.tensor}")
        return value.values[size]
    return max(1, size // value_of(value.per, {}, shapes))
