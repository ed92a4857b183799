"""Copies of cells: `legacy_seq2seq` copies the one that it gets for every bucket.

Until TF 1.0 a cell held no variables: they came from the scope in which it was
called, and a copy of a used cell was as good as a new one. Since then a used
cell cannot be copied, which ended every model with two buckets.
"""

import copy
import weakref

#: cell -> a copy of it from before it made its variables
_unused = weakref.WeakKeyDictionary()


def copied(cell):
    """Returns a copy of a cell that makes, or finds, its variables where it is called.

    Args:
      cell: an RNN cell, used or not; a used one must have been copied before it was.

    Raises:
      TypeError: the copying of a used cell that was never seen unused, as in TF 1.1 to 1.15.
    """
    if cell not in _unused:  # `built` does not tell: a used wrapper is not, its cell is
        _unused[cell] = copy.deepcopy(cell)
    return copy.deepcopy(_unused[cell])
