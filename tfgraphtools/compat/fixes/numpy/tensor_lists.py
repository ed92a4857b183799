"""NumPy's functions of a list of tensors: ``np.sum(losses)``, ``np.array([loss, accuracy])``.

A symbolic tensor cannot become an array, and says so. Until 1.20 NumPy took that for an
object like any other, made an array of objects, and added them up with ``+``.
"""

from tfgraphtools.compat.fixes.build import in_place_of

_REFUSED = "Cannot convert a symbolic"


def objects(values, error):
    """Returns the items of a nested list as an array of objects.

    Args:
      values: what NumPy was given.
      error: what came of it, being handled; raised again where it is of something else.
    """
    import numpy as np

    if not isinstance(values, (list, tuple)) or not str(error).startswith(_REFUSED):
        raise error
    array = np.empty(_shape(values), dtype=object)
    for index in np.ndindex(array.shape):
        item = values
        for place in index:
            item = item[place]
        array[index] = item
    return array


def _shape(values):
    """Returns the sizes of a nested list, as deep as it has equal lengths."""
    if not isinstance(values, (list, tuple)):
        return ()
    inner = {_shape(value) for value in values}
    return (len(values), *(inner.pop() if len(inner) == 1 else ()))


def call(original, used, values, *arguments, **options):
    """Calls a function of NumPy whose first argument may be a list of tensors."""
    try:
        return original(values, *arguments, **options)
    except NotImplementedError as error:
        array = objects(values, error)
    used()
    return original(array, *arguments, **options)


#: The rows of what, beside `sum`, `prod` and `array`, scripts may well call with such a list.
ROWS = in_place_of(
    "numpy.cumprod numpy.cumsum numpy.ravel numpy.transpose",
    "NumPy 1.20",
    "takes a list of tensors",
)(call)
