"""The weights of TF1's recurrent cells as those of Keras's, and back: NumPy, one pair per cell.

TF1 keeps a cell's input and recurrent weights in one matrix, the input's rows
first; Keras keeps two. The columns of the gates differ in order:

    TF1 LSTM     i, c, f, o     (i input, c new input, f forget, o output)
    Keras LSTM   i, f, c, o
    TF1 GRU      r, u           (r reset, u update), the candidate apart
    Keras GRU    z, r, h        (z update, r reset, h candidate)

Every function takes the arrays by the names that the cell gives its variables
(``/`` as ``_``) and returns a dict by the names of the other side. They are
permutations, but for what their notes say, so that they hold for an optimizer's
slots too, with ``forget_bias=0``. Sources: TF 1.15 `python/ops/rnn_cell_impl.py`,
`contrib/rnn/python/ops/lstm_ops.py`, `gru_ops.py`, `contrib/cudnn_rnn/python/ops/cudnn_rnn_ops.py`;
Keras 3 `layers/rnn/lstm.py`, `gru.py`, `simple_rnn.py`.
"""

import numpy as np

from tfgraphtools.errors import ArgumentError

_KERAS_FROM_TF1 = (0, 2, 1, 3)  # i, c, f, o -> i, f, c, o; its own inverse
_FORGET = 1  # the place of f among Keras's gates


# LSTM -----------------------------------------------------------------------


def lstm_to_keras(kernel, bias, forget_bias, projection_kernel=None):
    """Converts BasicLSTMCell, LSTMCell, LSTMBlockCell and their fused and compatible forms.

    TF1 adds its forget bias at every step and does not save it: it is 1.0 unless the model's
    code says otherwise, and 0.0 in CudnnCompatibleLSTMCell. Keras adds nothing, so it goes into
    the bias. A projection (``num_proj``) has no layer in Keras. But the projected output enters
    the next step only through the recurrent weights: an LSTM whose recurrent weights are the
    product, followed by a Dense layer without bias, is the same function of zero initial states.

    Args:
      kernel: [inputs + recurrent, 4 * units]; recurrent is units, or the projection's size.
      bias: [4 * units].
      forget_bias: the argument of that name with which the cell was built.
      projection_kernel: [units, size of the projection], or None.

    Returns:
      {"kernel": [inputs, 4 * units], "recurrent_kernel": [units, 4 * units], "bias": [4 * units]}
      of ``keras.layers.LSTM``, and with a projection "projection_kernel", the Dense layer's.

    Example:
      >>> weights = lstm_to_keras(np.ones((3 + 2, 8)), np.zeros(8), forget_bias=1.0)
      >>> weights["kernel"].shape, weights["bias"]
      ((3, 8), array([0., 0., 1., 1., 0., 0., 0., 0.]))

    Raises:
      ArgumentError: the shapes are not those of such a cell.
    """
    units = _units(bias, 4, "lstm_to_keras")
    recurrent = units if projection_kernel is None else projection_kernel.shape[1]
    inputs = _inputs(kernel, recurrent, 4 * units, "lstm_to_keras")
    kernel, bias = _reordered(kernel), _reordered(bias)
    if forget_bias:  # -0.0 + 0.0 would lose the sign
        bias[_FORGET * units : (_FORGET + 1) * units] += bias.dtype.type(forget_bias)
    weights = {"kernel": kernel[:inputs], "recurrent_kernel": kernel[inputs:], "bias": bias}
    if projection_kernel is not None:
        weights["recurrent_kernel"] = projection_kernel @ kernel[inputs:]
        weights["projection_kernel"] = np.array(projection_kernel)
    return weights


def lstm_from_keras(kernel, recurrent_kernel, bias, forget_bias):
    """Converts back: ``kernel`` and ``bias`` of a TF1 cell that adds ``forget_bias``."""
    units = _units(bias, 4, "lstm_from_keras")
    bias = np.array(bias)
    if forget_bias:
        bias[_FORGET * units : (_FORGET + 1) * units] -= bias.dtype.type(forget_bias)
    kernel = np.concatenate([kernel, recurrent_kernel])
    return {"kernel": _reordered(kernel), "bias": _reordered(bias)}


def _reordered(array):
    """Returns the four gates of the last axis, from TF1's order to Keras's or back, as a copy."""
    gates = np.split(np.asarray(array), 4, axis=-1)
    return np.concatenate([gates[i] for i in _KERAS_FROM_TF1], axis=-1)


# GRU ------------------------------------------------------------------------


def gru_to_keras(gates_kernel, gates_bias, candidate_kernel, candidate_bias):
    """Converts GRUCell, GRUBlockCell, GRUBlockCellV2 to ``GRU(reset_after=False)``.

    TF1's update gate says how much of the old state stays, as Keras's z does.

    Args:
      gates_kernel: [inputs + units, 2 * units], r and u; ``w_ru`` of GRUBlockCell.
      gates_bias: [2 * units].
      candidate_kernel: [inputs + units, units].
      candidate_bias: [units].

    Returns:
      {"kernel": [inputs, 3 * units], "recurrent_kernel": [units, 3 * units], "bias": [3 * units]}

    Example:
      >>> gates_bias = np.array([1.0, 1.0, 2.0, 2.0])  # r, u
      >>> weights = gru_to_keras(np.ones((5, 4)), gates_bias, np.ones((5, 2)), np.zeros(2))
      >>> weights["bias"]
      array([2., 2., 1., 1., 0., 0.])

    Raises:
      ArgumentError: the shapes are not those of such a cell.
    """
    units = _units(candidate_bias, 1, "gru_to_keras")
    inputs = _inputs(candidate_kernel, units, units, "gru_to_keras")
    _inputs(gates_kernel, units, 2 * units, "gru_to_keras")
    kernel = _zrh(gates_kernel, candidate_kernel)
    return {
        "kernel": kernel[:inputs],
        "recurrent_kernel": kernel[inputs:],
        "bias": _zrh(gates_bias, candidate_bias),
    }


def gru_from_keras(kernel, recurrent_kernel, bias):
    """Returns the way back, of a Keras GRU with ``reset_after=False``."""
    gates_kernel, candidate_kernel = _gates_and_candidate(
        np.concatenate([kernel, recurrent_kernel])
    )
    gates_bias, candidate_bias = _gates_and_candidate(bias)
    return {
        "gates_kernel": gates_kernel,
        "gates_bias": gates_bias,
        "candidate_kernel": candidate_kernel,
        "candidate_bias": candidate_bias,
    }


def cudnn_gru_to_keras(
    gates_kernel,
    gates_bias,
    candidate_input_projection_kernel,
    candidate_input_projection_bias,
    candidate_hidden_projection_kernel,
    candidate_hidden_projection_bias,
):
    """Converts CudnnCompatibleGRUCell, CudnnGRU's canonical form, to ``reset_after=True``.

    Keras has two biases for each gate where this cell has one; the second becomes zero. That is
    the same function, but not the same training: both get the gate's gradient. So an optimizer's
    slots cannot be converted.

    Returns:
      {"kernel": [inputs, 3 * units], "recurrent_kernel": [units, 3 * units],
      "bias": [2, 3 * units]}

    Raises:
      ArgumentError: the shapes are not those of such a cell.
    """
    place = "cudnn_gru_to_keras"
    units = _units(candidate_input_projection_bias, 1, place)
    inputs = _inputs(gates_kernel, units, 2 * units, place)
    _inputs(candidate_input_projection_kernel, inputs, units, place)
    _inputs(candidate_hidden_projection_kernel, units, units, place)
    second = _zrh(np.zeros_like(gates_bias), candidate_hidden_projection_bias)
    return {
        "kernel": _zrh(gates_kernel[:inputs], candidate_input_projection_kernel),
        "recurrent_kernel": _zrh(gates_kernel[inputs:], candidate_hidden_projection_kernel),
        "bias": np.stack([_zrh(gates_bias, candidate_input_projection_bias), second]),
    }


def cudnn_gru_from_keras(kernel, recurrent_kernel, bias):
    """Converts back a Keras GRU with ``reset_after=True``: adds the gates' two biases."""
    gates_kernel, input_kernel = _gates_and_candidate(kernel)
    recurrent_gates, hidden_kernel = _gates_and_candidate(recurrent_kernel)
    input_gates, input_bias = _gates_and_candidate(bias[0])
    hidden_gates, hidden_bias = _gates_and_candidate(bias[1])
    return {
        "gates_kernel": np.concatenate([gates_kernel, recurrent_gates]),
        # The sum, but of what came from TF1 the very bits: -0.0 + 0.0 is 0.0.
        "gates_bias": np.where(hidden_gates == 0, input_gates, input_gates + hidden_gates),
        "candidate_input_projection_kernel": input_kernel,
        "candidate_input_projection_bias": input_bias,
        "candidate_hidden_projection_kernel": hidden_kernel,
        "candidate_hidden_projection_bias": hidden_bias,
    }


def _zrh(gates, candidate):
    """Returns TF1's [r, u] and candidate as Keras's [z, r, h]: z is u."""
    r, u = np.split(np.asarray(gates), 2, axis=-1)
    return np.concatenate([u, r, candidate], axis=-1)


def _gates_and_candidate(array):
    """Returns Keras's [z, r, h] as TF1's [r, u] and the candidate."""
    z, r, h = np.split(np.asarray(array), 3, axis=-1)
    return np.concatenate([r, z], axis=-1), np.array(h)


# The plain cell ---------------------------------------------------------------


def basic_rnn_to_keras(kernel, bias):
    """Converts BasicRNNCell to ``keras.layers.SimpleRNN``: the matrix is cut in two.

    Args:
      kernel: [inputs + units, units].
      bias: [units].

    Raises:
      ArgumentError: the shapes are not those of such a cell.
    """
    units = _units(bias, 1, "basic_rnn_to_keras")
    inputs = _inputs(kernel, units, units, "basic_rnn_to_keras")
    kernel = np.array(kernel)
    return {"kernel": kernel[:inputs], "recurrent_kernel": kernel[inputs:], "bias": np.array(bias)}


def basic_rnn_from_keras(kernel, recurrent_kernel, bias):
    """Returns the way back."""
    return {"kernel": np.concatenate([kernel, recurrent_kernel]), "bias": np.array(bias)}


# Shapes ---------------------------------------------------------------------


def _units(bias, gates, place):
    if bias.ndim != 1 or bias.shape[0] % gates or not bias.shape[0]:
        raise ArgumentError(
            place,
            f"a bias of {gates} x units" if gates > 1 else "a bias of one dimension",
            f"the shape {list(bias.shape)}",
            "These are not the weights of such a cell.",
        )
    return bias.shape[0] // gates


def _inputs(kernel, recurrent, columns, place):
    """Returns the rows of a kernel that are the input's."""
    if kernel.ndim != 2 or kernel.shape[1] != columns or kernel.shape[0] < recurrent:
        raise ArgumentError(
            place,
            f"a kernel of [{recurrent} or more, {columns}]",
            f"the shape {list(kernel.shape)}",
            "These are not the weights of such a cell.",
        )
    return kernel.shape[0] - recurrent
