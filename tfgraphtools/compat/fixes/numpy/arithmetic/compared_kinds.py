"""Kinds of arrays that NumPy 1 compared item by item; it called others unequal, as a whole.

Numbers beside texts, dates beside numbers, records beside anything else: the answer was one False.
"""

import sys

#: Kinds of dtypes -> those that are compared with each other.
_GROUPS = dict.fromkeys("biufc", "number")

_OF_PYTHON = {
    bool: "number",
    int: "number",
    float: "number",
    complex: "number",
    str: "U",
    bytes: "S",
}


def are_strangers(a, b):
    """Tells whether two values, of which one is an array, are of kinds that were never equal."""
    group, other = _group(a), _group(b)
    if group == other or (group == "O" and other == "V" and hasattr(a, "dtype")):
        return False
    if group == "V" or (other == "V" and group is not None):
        return True
    return not {group, other} & {"O", None}


def _group(value):
    """Returns the group of an array, number, text or list; None of other objects."""
    dtype = getattr(value, "dtype", None)
    kind = getattr(dtype, "kind", None)
    if kind is not None:
        if type(value).__name__ == "chararray":  # which compares by itself
            return None
        return _GROUPS.get(kind, kind) if type(value).__module__.startswith("numpy") else None
    if type(value) in (list, tuple):
        try:
            kind = sys.modules["numpy"].asarray(value).dtype.kind
        except ValueError:  # of unequal lengths: objects
            return "O"
        return _GROUPS.get(kind, kind)
    if type(value) is int and not -(2**63) <= value < 2**64:
        return "O"
    return _OF_PYTHON.get(type(value), "O" if value is None else None)
