"""NumPy's functions of a list of tensors: ``np.sum(losses)``, ``np.array([loss, accuracy])``.

A symbolic tensor cannot become an array, and says so. Until 1.20 NumPy took that for an
object like any other, made an array of objects, and added them up with ``+``.
"""

import functools

from tfgraphtools.compat.fixes.build import provides

_REFUSED = "Cannot convert a symbolic"

#: What, beside `sum` and `array`, scripts may well call with such a list.
FUNCTIONS = ("cumprod", "cumsum", "prod", "ravel", "transpose")


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


def taking(function, used):
    """Returns `function` of NumPy, whose first argument may be a list of tensors."""

    @functools.wraps(function)
    def of_tensors(values, *arguments, **options):
        try:
            return function(values, *arguments, **options)
        except NotImplementedError as error:
            array = objects(values, error)
            used()
            return function(array, *arguments, **options)

    return of_tensors


def rows():
    """Yields a row for each function that does nothing else than take such lists."""
    for name in FUNCTIONS:

        def provide(real, used, name=name):
            return taking(getattr(real, name), used)

        yield provides("numpy." + name, "NumPy 1.20", "takes a list of tensors")(provide)
