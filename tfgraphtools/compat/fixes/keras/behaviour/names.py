"""The names of Keras's layers and weights, which are the keys of checkpoints.

TF 1.15 had no scope for the cell of a recurrent layer: ``lstm/kernel``, where tf_keras has
``lstm/lstm_cell/kernel``. And a number after capitals began a word: ``conv_lst_m2d``.

Source: ``RNN.build``, ``StackedRNNCells.build`` and ``generic_utils.to_snake_case`` of TF 1.15.
"""

import contextlib
import re

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.build import ModuleWith

_CELLS = Row(
    "tensorflow.keras.layers.RNN.build",
    "TF 2.1",
    "the weights of recurrent layers are lstm/kernel, as in checkpoints of 1.15; "
    "lstm/lstm_cell/kernel in 2.x",
)
_WORDS = Row(
    "tensorflow.keras.layers.Layer.name",
    "TF 2.1",
    "the default name of ConvLSTM2D is conv_lst_m2d, and so on; conv_lstm2d in 2.x",
)

TABLE = Table("names of Keras's layers and weights", "listed", [_CELLS, _WORDS])


def _build_cells_without_scope(module):
    """The module takes scopes for cells alone."""

    def name_scope(name):
        rows.used(_CELLS)
        return contextlib.nullcontext()

    state.set_attribute(module, "backend", ModuleWith(module.backend, name_scope=name_scope))


def _split_words_at_numbers(module):
    plain = module.to_snake_case

    def to_snake_case(name):
        words = re.sub("(.)([A-Z][a-z0-9]+)", r"\1_\2", name)
        words = re.sub("([a-z])([A-Z])", r"\1_\2", words).lower()
        found = "private" + words if words[0] == "_" else words
        if found != plain(name):
            rows.used(_WORDS)
        return found

    state.set_attribute(module, "to_snake_case", to_snake_case)


#: (row, the module in which it is changed, the change)
CHANGES = (
    (_CELLS, "layers.rnn.base_rnn", _build_cells_without_scope),
    (_CELLS, "layers.rnn.stacked_rnn_cells", _build_cells_without_scope),
    (_WORDS, "utils.generic_utils", _split_words_at_numbers),
    (_WORDS, "engine.base_layer", _split_words_at_numbers),
    (_WORDS, "engine.base_layer_v1", _split_words_at_numbers),
)
