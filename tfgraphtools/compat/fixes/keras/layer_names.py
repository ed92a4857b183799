"""The names of Keras's layers and weights, which are the keys of checkpoints.

TF 1.15 had no scope for the cell of a recurrent layer: ``lstm/kernel``, where tf_keras has
``lstm/lstm_cell/kernel``. And a number after capitals began a word: ``conv_lst_m2d``.

Source: ``RNN.build``, ``StackedRNNCells.build`` and ``generic_utils.to_snake_case`` of TF 1.15.
"""

import contextlib
import re
import sys

from tfgraphtools.compat.engine import replacing
from tfgraphtools.compat.engine.rows import Fix
from tfgraphtools.compat.fixes.tensorflow import ownership
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces

_WORDS = Fix(
    "tensorflow.keras.layers.Layer.name",
    "TF 2.1",
    "the default name of ConvLSTM2D is conv_lst_m2d, and so on; conv_lstm2d in 2.x",
)

#: The modules that take scopes for cells alone.
_OF_CELLS = ("tf_keras.src.layers.rnn.base_rnn", "tf_keras.src.layers.rnn.stacked_rnn_cells")


def _is_of_cell(name):
    """Tells whether a recurrent layer of user code asks for the scope of its cell."""
    asking = sys._getframe(2)
    return asking.f_globals.get("__name__") in _OF_CELLS and ownership.is_user(asking)


@replacing.replaces(
    "tf_keras.src.backend:name_scope",
    when=_is_of_cell,
    name="tensorflow.keras.layers.RNN.build",
    since="TF 2.1",
    why="the weights of recurrent layers are lstm/kernel, as in checkpoints of 1.15; "
    "lstm/lstm_cell/kernel in 2.x",
)
def _name_scope(original, name):
    _name_scope.used()
    return contextlib.nullcontext()


def _to_snake_case(original, name):
    """Begins a word with a number that follows capitals."""
    words = re.sub("(.)([A-Z][a-z0-9]+)", r"\1_\2", name)
    words = re.sub("([a-z])([A-Z])", r"\1_\2", words).lower()
    name_of_115 = "private" + words if words[0] == "_" else words
    if name_of_115 != original(name):
        _words[0].used()
    return name_of_115


_words = [
    replaces(f"tf_keras.src.{module}:to_snake_case", row=_WORDS)(_to_snake_case)
    for module in ("utils.generic_utils", "engine.base_layer", "engine.base_layer_v1")
]

REPLACEMENTS = (_name_scope, *_words)
