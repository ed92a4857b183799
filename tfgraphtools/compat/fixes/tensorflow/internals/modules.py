"""Modules of ``tensorflow.python`` (and of before 1.0) that are replaced by modules of ours."""

import importlib

from tfgraphtools.compat.engine.rows import Row, Table


def _package(name):
    def provide():
        import types

        return types.ModuleType(name)

    return provide


def _ours(name):
    def provide():
        return importlib.import_module("tfgraphtools.compat.fixes.tensorflow.internals." + name)

    return provide


def _module_wrapper():
    import types

    from tensorflow.python.util import module_wrapper

    wrapper_module = types.ModuleType("tensorflow.python.util.deprecation_wrapper")
    wrapper_module.DeprecationWrapper = module_wrapper.TFModuleWrapper
    return wrapper_module


TABLE = Table(
    "internal modules that were removed",
    "modules",
    [
        Row(name, "TF 1.0", "the package of the RNN tutorial's helpers", _package(name))
        for name in (
            "tensorflow.models",
            "tensorflow.models.rnn",
            "tensorflow.models.rnn.ptb",
            "tensorflow.models.rnn.translate",
        )
    ]
    + [
        Row(
            "tensorflow.python.util.deprecation_wrapper",
            "TF 2.0",
            "today's module_wrapper.TFModuleWrapper",
            _module_wrapper,
        ),
        Row(
            "tensorflow.models.rnn.translate.data_utils",
            "TF 1.0",
            "the vocabulary of the translation tutorial",
            _ours("translate"),
        ),
        Row(
            "tensorflow.models.rnn.ptb.reader",
            "TF 1.0",
            "reads the Penn Treebank, as in the RNN tutorial",
            _ours("ptb"),
        ),
    ],
)
