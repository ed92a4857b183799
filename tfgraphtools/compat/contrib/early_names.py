"""Names that contrib had in early 1.x and had lost by 1.15, and their replacements.

Names that have another place today, or none, are lines of ``removed.tsv``.
"""

import importlib

from tfgraphtools.compat.engine.rows import Fix, Table

_HERE = "tfgraphtools.compat.contrib."
_SEQ2SEQ = "tensorflow.contrib.seq2seq."

#: Decoders of contrib.seq2seq, up to TF 1.1. TF 1.0's own source refuses variables that its scopes
#: share, which 1.15's layers make in another way.
DECODERS = (
    "attention_decoder_fn_inference attention_decoder_fn_train dynamic_rnn_decoder "
    "prepare_attention simple_decoder_fn_inference simple_decoder_fn_train"
).split()


def _from(module, name):
    """Returns what provides a name of one of the modules beside this one."""
    leaf = name.rpartition(".")[2]
    return lambda real: getattr(importlib.import_module(_HERE + module), leaf)


def _core_cells():
    return importlib.import_module(_HERE + "core_cells").module()


TABLE = Table(
    "decoders that contrib.seq2seq dropped",
    "names",
    [
        Fix(
            _SEQ2SEQ + name,
            "TF 1.2",
            "a decoder function of TF 1.0; its variables have the names of 1.0",
            _from("decoders", name),
        )
        for name in DECODERS
    ],
)

MODULES = Table(
    "modules that contrib split within 1.x",
    "modules",
    [
        Fix(
            "tensorflow.contrib.rnn.python.ops.core_rnn_cell_impl",
            "TF 1.2",
            "the cells, and _linear(args, output_size, bias, bias_start) of TF 1.1",
            _core_cells,
        )
    ],
)
