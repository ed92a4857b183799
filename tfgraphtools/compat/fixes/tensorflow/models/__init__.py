"""``tensorflow.models.rnn`` of before 1.0: the helpers of the tutorials of recurrent networks."""

import importlib
import types

from tfgraphtools.compat.engine.rows import Fix, Table


def _package(name):
    return lambda: types.ModuleType(name)


def _module(name):
    return lambda: importlib.import_module(f"{__name__}.{name}")


TABLES = (
    Table(
        "the tutorials of before 1.0",
        "modules",
        [
            *(
                Fix(name, "TF 1.0", "the package of the RNN tutorial's helpers", _package(name))
                for name in (
                    "tensorflow.models",
                    "tensorflow.models.rnn",
                    "tensorflow.models.rnn.ptb",
                    "tensorflow.models.rnn.translate",
                )
            ),
            Fix(
                "tensorflow.models.rnn.translate.data_utils",
                "TF 1.0",
                "the vocabulary of the translation tutorial",
                _module("translate"),
            ),
            Fix(
                "tensorflow.models.rnn.ptb.reader",
                "TF 1.0",
                "reads the Penn Treebank, as in the RNN tutorial",
                _module("ptb"),
            ),
        ],
    ),
)
