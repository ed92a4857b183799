"""Arguments that several optimizers and hooks take, checked."""

import numbers
import re

from tfgraphtools._tf import tf
from tfgraphtools.errors import ArgumentError

#: How many threads of this process run steps.
THREADS = ("several", "one")


def items(mapping, place, value_kind):
    """Returns the (selector, value) items of a mapping, or of a list of pairs.

    Raises:
      ArgumentError: there are none, or it is neither.
    """
    listed = mapping
    if hasattr(mapping, "items"):
        listed = list(mapping.items())
    is_list = isinstance(listed, (list, tuple))
    if not is_list or not all(
        isinstance(pair, (tuple, list)) and len(pair) == 2 for pair in listed
    ):
        got = f"{mapping!r} of type {type(mapping).__name__}"
    elif not listed:
        got = "none"
    else:
        return [tuple(pair) for pair in listed]
    raise ArgumentError(
        place,
        f"a dict {{selector: {value_kind}}}, or a list of such pairs",
        got,
        f"Pass {{'w': {value_kind}}}, or {{'.*': {value_kind}}} for all variables.",
    )


def check_scalar(place, value, fits, expected):
    """Raises unless ``value`` is a finite number that ``fits``, or a scalar float tensor.

    Args:
      place: the call and argument to name in an error.
      value: what the user passed: a number, tensor or variable.
      fits: ``number -> bool``.
      expected: the numbers that fit, in words.
    """
    if tf.is_tensor(value) or hasattr(value, "read_value"):
        good = value.dtype.is_floating and value.shape.rank in (0, None)
        shown = f"a {value.dtype.name} tensor of shape {value.shape}"
    else:
        good = isinstance(value, numbers.Real) and abs(value) < float("inf") and fits(value)
        shown = repr(value)
    if not good:
        raise ArgumentError(
            place,
            f"{expected}, or a scalar float tensor",
            shown,
            "A tensor may be fed, or follow the global step.",
        )


def check_steps(place, value):
    """Raises unless the value is a finite number from 0 on, or a scalar numeric tensor."""
    if tf.is_tensor(value) or hasattr(value, "read_value"):
        dtype = value.dtype.base_dtype
        good = (dtype.is_integer or dtype.is_floating) and value.shape.rank in (0, None)
        got = f"a {dtype.name} tensor of shape {value.shape}"
    else:
        good = isinstance(value, numbers.Real) and not isinstance(value, bool)
        good, got = good and 0 <= value < float("inf"), repr(value)
    if not good:
        raise ArgumentError(
            place,
            "a number of steps from 0 on, or a scalar integer or float tensor",
            got,
            "Pass tf.compat.v1.train.get_or_create_global_step().",
        )


def check_shown(place, value):
    """Raises unless the value is a scalar tensor or variable of numbers, to show or to plot."""
    is_tensor = tf.is_tensor(value) or hasattr(value, "read_value")
    dtype = tf.as_dtype(value.dtype).base_dtype if is_tensor else None
    is_number = is_tensor and (dtype.is_floating or dtype.is_integer or dtype.is_bool)
    if not is_number or value.shape.rank not in (0, None):
        raise ArgumentError(
            place,
            "a scalar tensor or variable of numbers",
            f"a {dtype.name} one of shape {value.shape}" if is_tensor else repr(value),
            "Pass a reduction of it, such as tf.reduce_mean(x).",
        )


def check_number(place, value, fits, expected):
    """Returns the value as a float; raises unless it is a finite number that ``fits``."""
    if not isinstance(value, numbers.Real) or not (abs(value) < float("inf") and fits(value)):
        raise ArgumentError(place, expected, repr(value), "See the docstring for what it does.")
    return float(value)


def check_count(place, value):
    """Returns the value; raises unless it is an int of at least 1."""
    if not isinstance(value, numbers.Integral) or isinstance(value, bool) or value < 1:
        raise ArgumentError(place, "an int of at least 1", repr(value), "Pass 1 for every one.")
    return int(value)


def check_slot_name(place, name):
    """Returns the name; raises unless it is None or may be a part of a slot's name."""
    good = isinstance(name, str) and re.fullmatch(r"[A-Za-z][A-Za-z0-9.\-]*", name)
    if name is not None and not good:
        raise ArgumentError(
            place,
            "a name of letters, digits, '.' and '-', which begins with a letter",
            repr(name),
            "It is saved in the slot's name, so choose one that stays, such as 'Fast'.",
        )
    return name


def check_choice(place, value, choices):
    """Returns the value; raises unless it is one of the choices."""
    if value not in choices:
        raise ArgumentError(
            place,
            "one of {}".format(", ".join(map(repr, choices))),
            repr(value),
            "See the docstring for what each does.",
        )
    return value


def shown(scalar):
    """Returns a scalar argument in words: a number, or the name of a tensor or variable."""
    return f"{scalar:g}" if isinstance(scalar, numbers.Real) else scalar.name
