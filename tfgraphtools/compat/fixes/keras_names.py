"""The names of Keras's layers and weights, which are the keys of checkpoints.

TF 1.15 had no scope for the cell of a recurrent layer: ``lstm/kernel``, where tf_keras has
``lstm/lstm_cell/kernel``. And a number after capitals began a word: ``conv_lst_m2d``.

Source: ``RNN.build``, ``StackedRNNCells.build`` and ``generic_utils.to_snake_case`` of TF 1.15.
"""

import contextlib
import re
import types

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row, Table

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

#: (row, the module in which it is changed, the change)
CHANGES = []


def _change(row, *modules):
    def add(function):
        CHANGES.extend((row, module, function) for module in modules)
        return function

    return add


@_change(_CELLS, "layers.rnn.base_rnn", "layers.rnn.stacked_rnn_cells")
def _build_cells_without_scope(module):
    """The module takes scopes for cells alone."""
    state.set_attribute(module, "backend", _WithoutScopes(module.backend))


class _WithoutScopes(types.ModuleType):
    """The backend of Keras, whose scopes have no names."""

    def __init__(self, real):
        super().__init__(real.__name__)
        self._real = real

    def name_scope(self, name):
        rows.used(_CELLS)
        return contextlib.nullcontext()

    def __getattr__(self, name):
        return getattr(vars(self)["_real"], name)


@_change(_WORDS, "utils.generic_utils", "engine.base_layer", "engine.base_layer_v1")
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
