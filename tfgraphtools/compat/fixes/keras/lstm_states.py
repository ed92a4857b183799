"""LSTM cells whose state is one tensor with two parts, as before TF 0.12.

Before 0.12 ``BasicLSTMCell(n)`` took and returned a state of shape [batch, 2 * n]. Since 0.12
the state is a pair, unless the cell is created with ``state_is_tuple=False``. A cell that gets
one such tensor behaves as with ``state_is_tuple=False`` from then on, and so do its inner cells.
"""

from tfgraphtools.compat.engine.rows import Fix
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces

_CELLS = Fix(
    "tensorflow.nn.rnn_cell.LSTMCell.call",
    "TF 0.12",
    "a cell that gets one tensor of shape [batch, 2 * units] as its state, as before 0.12, "
    "behaves as with state_is_tuple=False; 1.x refuses the tensor",
    cannot="create the cell with state_is_tuple=False",
)


def _call(original, self, inputs, state, *arguments, **options):
    """Makes an LSTM cell of tf_keras accept a state of one tensor."""
    if _is_concatenated(self, state):
        _calls[0].used()
        _make_concatenated(self)
    return original(self, inputs, state, *arguments, **options)


_calls = [
    replaces(f"tf_keras.src.layers.rnn.legacy_cells:{cell}.call", row=_CELLS)(_call)
    for cell in ("BasicLSTMCell", "LSTMCell", "MultiRNNCell")
]


def _is_concatenated(cell, state):
    """Tells whether `state` is one tensor with all parts of the state of `cell`, a tuple."""
    from tfgraphtools._tf import v1

    if state is None or v1.nest.is_nested(state):
        return False
    sizes = v1.nest.flatten(cell.state_size)
    if len(sizes) < 2 or not all(isinstance(size, int) for size in sizes):
        return False
    shape = v1.TensorShape(getattr(state, "shape", None))
    if shape.rank is not None and (
        shape.rank != 2 or shape.dims[1].value not in (None, sum(sizes))
    ):
        return False
    return all(hasattr(part, "_state_is_tuple") for part in _parts(cell) if _wrapped(part) is None)


def _make_concatenated(cell):
    for part in _parts(cell):
        if hasattr(part, "_state_is_tuple"):
            part._state_is_tuple = False


def _parts(cell):
    """Yields `cell` and its inner cells whose states have several parts."""
    from tfgraphtools._tf import v1

    yield cell
    wrapped = _wrapped(cell)
    for inner in getattr(cell, "_cells", ()) if wrapped is None else (wrapped,):
        if v1.nest.is_nested(inner.state_size):
            yield from _parts(inner)


def _wrapped(cell):
    """Returns the inner cell of a wrapper such as ``DropoutWrapper``; None for other cells."""
    return getattr(cell, "cell", getattr(cell, "_cell", None))


@replaces("tensorflow.python.ops.rnn:_rnn_step", row=_CELLS)
def _rnn_step(original, *arguments, state, state_size, **options):
    """Makes loops with sequence lengths accept one tensor; they read a cell's size first."""
    from tensorflow.python.ops import rnn

    if rnn.nest.is_nested(state_size) and not rnn.nest.is_nested(state):
        state_size = sum(rnn.nest.flatten(state_size))
    return original(*arguments, state=state, state_size=state_size, **options)


REPLACEMENTS = (*_calls, _rnn_step)
