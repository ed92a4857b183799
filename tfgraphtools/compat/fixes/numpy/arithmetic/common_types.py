"""The one type of several arrays and numbers, by the two rules that NumPy 1 had.

`by_values`, of ``result_type``: beside arrays a single number counts by its value.
`of_kinds`, of ``find_common_type``, ``r_`` and ``choose``: it counts by its kind.

Source of the rules: NumPy 1.18, ``PyArray_ResultType`` and ``core/numerictypes.py``.
"""

import functools
import sys

_CATEGORY = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 2}

#: The order in which `of_kinds` tries types, and its order of kinds.
_TRIED = "?bBhHiIlLqQefdgFDG"
_KINDS = "buifcSUVOMm"


def by_values(values):
    """Returns NumPy 1's ``result_type`` of arrays, numbers and dtypes; None if one is no number."""
    numpy = sys.modules["numpy"]
    arrays, scalars = [], []
    for value in values:
        if isinstance(value, (type, str, numpy.dtype)):
            arrays.append(numpy.dtype(value))
            continue
        value = numpy.asarray(value)
        if value.ndim:
            arrays.append(value.dtype)
        else:
            scalars.append(value[()])
    if any(dtype.kind not in _CATEGORY for dtype in [*arrays, *(s.dtype for s in scalars)]):
        return None
    if not arrays or _highest(arrays) < _highest([scalar.dtype for scalar in scalars]):
        return functools.reduce(numpy.promote_types, [*arrays, *(s.dtype for s in scalars)])
    common = functools.reduce(numpy.promote_types, arrays)
    for scalar in scalars:
        common = numpy.promote_types(common, _least(numpy, scalar, common))
    return common


def _highest(dtypes):
    return max([_CATEGORY[dtype.kind] for dtype in dtypes], default=-1)


def _least(numpy, scalar, beside):
    """Returns the smallest type that holds a number; small ones are signed beside signed arrays."""
    least = numpy.min_scalar_type(scalar)
    is_small = least.kind == "u" and int(scalar) < 2 ** (8 * least.itemsize - 1)
    return numpy.dtype(f"i{least.itemsize}") if is_small and beside.kind not in "bu" else least


def of_kinds(array_types, scalar_types):
    """Returns NumPy 1's ``find_common_type``."""
    numpy = sys.modules["numpy"]
    arrays, scalars = (_holding([numpy.dtype(x) for x in t]) for t in (array_types, scalar_types))
    if arrays is None or scalars is None:
        return arrays if scalars is None else scalars
    if _KINDS.index(scalars.kind) <= _KINDS.index(arrays.kind):
        return arrays
    if numpy.can_cast(arrays, scalars):
        return scalars
    return _holding([scalars, arrays], _TRIED.find(scalars.char))


def _holding(dtypes, start=0):
    """Returns the first type, from `start` on, to which all can be cast."""
    import numpy

    if len(dtypes) < 2:
        return dtypes[0] if dtypes else None
    for char in _TRIED[start:] if start >= 0 else "":
        if all(numpy.can_cast(dtype, char) for dtype in dtypes):
            return numpy.dtype(char)
    return numpy.dtype(object)
