"""Graphs whose source is lost: a ``.meta``, a ``.pb``, an event file or a SavedModel of TF 1.

    show              inputs, outputs, variables, ops, what only trains, what cannot leave TF 1
    extract           the part between tensors, as a frozen graph
    convert           ONNX and TFLite
    source            source code of PyTorch that computes it, with its weights
    diff              the ops and results in which two graphs differ
    check_model       a model that was converted beside the graph: both run on the same inputs
    check_step        its optimizer beside that of the graph: both get the same gradients
    as_module         a `tf.Module` of TF 2, with variables that can be trained
    as_keras_layer    a layer of Keras 3

The names are loaded when first used, so that `import tfgraphtools` waits for none of them; `show`
never imports TensorFlow.
"""

import importlib

TYPE_CHECKING = False
if TYPE_CHECKING:  # what type checkers and the documentation see of the lazy names
    from tfgraphtools.graphs.comparing.model_check import ModelCheck, check_model
    from tfgraphtools.graphs.comparing.step_check import StepCheck, check_step
    from tfgraphtools.graphs.converting.conversion import convert
    from tfgraphtools.graphs.converting.extraction import extract
    from tfgraphtools.graphs.converting.graph_diff import GraphDiff, diff
    from tfgraphtools.graphs.showing import Summary, show
    from tfgraphtools.graphs.source_code.source_folders import source
    from tfgraphtools.graphs.tf2.keras_layer import as_keras_layer
    from tfgraphtools.graphs.tf2.module import as_module

#: {name: the module that has it}
_HOMES = {
    "as_module": "tf2.module",
    "as_keras_layer": "tf2.keras_layer",
    "check_model": "comparing.model_check",
    "check_step": "comparing.step_check",
    "convert": "converting.conversion",
    "diff": "converting.graph_diff",
    "extract": "converting.extraction",
    "GraphDiff": "converting.graph_diff",
    "ModelCheck": "comparing.model_check",
    "show": "showing",
    "StepCheck": "comparing.step_check",
    "source": "source_code.source_folders",
    "Summary": "showing",
}

__all__ = [
    "GraphDiff",
    "ModelCheck",
    "StepCheck",
    "Summary",
    "as_keras_layer",
    "as_module",
    "check_model",
    "check_step",
    "convert",
    "diff",
    "extract",
    "show",
    "source",
]

if not TYPE_CHECKING:  # to type checkers it would mean that every name is there

    def __getattr__(name):
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__():
    return __all__
