"""The length of the text that NumPy 1.18 made of a list of text and numbers.

After a text each number counted with its own length; before, with that of its type.
"""

#: How many characters NumPy keeps for numbers of a type: 21 for int64.
_OF_TYPES = frozenset((3, 4, 5, 6, 10, 11, 20, 21, 32, 64))

_TEXT = (str, bytes)
_SEQUENCES = (list, tuple)


def shortened(array, values, used):
    """Returns an array of text, with items as long as NumPy 1.18 made them.

    Args:
      array: the array that NumPy made.
      values: what it was made of.
      used: called where the length differs.
    """
    kind = array.dtype.kind
    if kind not in "US" or array.dtype.itemsize // _size(kind) not in _OF_TYPES:
        return array
    length = _length(list(_leaves(values)), kind) if isinstance(values, _SEQUENCES) else None
    if length is None or length * _size(kind) == array.dtype.itemsize:
        return array
    import numpy

    used()
    return numpy.array(values, dtype=f"{kind}{length}").reshape(array.shape)


def _size(kind):
    """Returns the bytes of a character."""
    return 4 if kind == "U" else 1


def _leaves(values):
    for value in values:
        if isinstance(value, _SEQUENCES):
            yield from _leaves(value)
        else:
            yield value


def _length(leaves, kind):
    """Returns how long the items are; None where all are text, or one is no number."""
    import numpy

    numbers = [value for value in leaves if not isinstance(value, _TEXT)]
    kinds = (int, float, complex, numpy.number, numpy.bool_)
    if not numbers or not all(isinstance(value, kinds) for value in numbers):
        return None
    first = next((place for place, value in enumerate(leaves) if isinstance(value, _TEXT)), None)
    if first is None:
        return None
    lengths = [len(value if isinstance(value, _TEXT) else str(value)) for value in leaves]
    if first:
        together = numpy.result_type(numpy.array(leaves[:first]).dtype, kind + "1")
        lengths.append(together.itemsize // _size(kind))
    return max(1, *lengths)
