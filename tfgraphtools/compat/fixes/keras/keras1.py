"""Features of Keras 1 that Keras 2.2.4, which `run` provides, refuses: names, arguments, methods.

Most of Keras 1 still runs: Keras 2.2.4 converts the arguments of layers itself. This is the rest,
with the advice that `doctor` gives, and `run` when the program stops there.
"""

import re
import sys
from typing import Optional, Tuple

from tfgraphtools.compat.fixes import build

#: Full name -> what Keras 2 has instead.
NAMES = dict(build.lines_of(__file__, "keras1.tsv"))

#: Names that exist, but not for ``from keras.layers import *``.
NOT_BY_STAR = {
    "keras.layers.Merge": "from keras.layers import Merge",
    "keras.layers.core.Merge": "from keras.layers import Merge",
}

#: Metrics, also as strings.
METRICS = (
    "fbeta_score",
    "fmeasure",
    "matthews_correlation",
    "mean_absolute_error_score",
    "precision",
    "recall",
)

#: Old argument -> new.
ARGUMENTS = {
    "border_mode": "padding",
    "dim": "axis",
    "dim_ordering": "data_format",
    "nb_classes": "num_classes",
    "nb_epoch": "epochs",
    "nb_words": "num_words",
    "std": "stddev",
}

#: (method, argument) -> advice. No other class of Keras has such an argument.
METHODS = {
    ("compile", "class_mode"): "leave it out: the loss says it",
    **{
        (method, "show_accuracy"): "use compile(metrics=['accuracy'])"
        for method in ("evaluate", "fit", "fit_generator", "test_on_batch", "train_on_batch")
    },
}

#: Keys of a callback's ``params`` -> what they are now.
PARAMS = {"nb_epoch": "epochs", "nb_sample": "samples"}

#: A method that layers defined, which Keras 2 does not call -> its name now.
OUTPUT_SHAPE = ("get_output_shape_for", "compute_output_shape")

#: Layers that compute a step in a cell since Keras 2.1.
CELL_LAYERS = ("GRU", "LSTM", "SimpleRNN")
#: Their methods that Keras 1 called, in subclasses too.
STEP_METHODS = ("get_constants", "get_initial_states", "preprocess_input", "step")
#: Their attributes in Keras 1.
CELL_ATTRIBUTES = (
    "consume_less",
    "forget_bias_init",
    "inner_activation",
    "inner_init",
    "output_dim",
)
CELL = "its cell computes a step: write a cell, and give it to keras.layers.RNN"

MERGE = (
    "Keras 2.2 merges no models: write Model([a.input, b.input], concatenate([a.output, b.output]))"
)


def found_in(name: str) -> Tuple[Optional[str], Optional[str]]:
    """Returns (the name of Keras 1 that begins a full name, its successor), or (None, None)."""
    parts = name.split(".")
    for end in range(2, len(parts) + 1):
        old = ".".join(parts[:end])
        if old in NAMES:
            return old, NAMES[old]
    return None, None


#: Errors of Keras 2.2.4: what is found in them is (a module, a name), or a name, or an argument.
_IMPORT = re.compile(r"ImportError: cannot import name '(\w+)' from '(keras[\w.]*)'")
_MODULE = re.compile(r"ModuleNotFoundError: No module named '(keras\.[\w.]+)'")
_ATTRIBUTE = re.compile(r"AttributeError: module '(keras[\w.]*)' has no attribute '(\w+)'")
_ARGUMENT = re.compile(r"TypeError: .*unexpected keyword argument '(\w+)'")


def advice_on(text: str) -> Optional[str]:
    """Returns how to fix the Keras 1 code that raised an error; None for another error.

    Args:
      text: ``"Class: message"``.
    """
    name = _name_in(text)
    old, now = found_in(name) if name else (None, None)
    if old is not None:
        return (
            f"{old} is of Keras 1. In Keras 2: {now}. 'tfgraphtools doctor' lists all such lines."
        )
    argument = _ARGUMENT.match(text)
    if argument and argument.group(1) in ARGUMENTS and "keras" in sys.modules:
        now = ARGUMENTS[argument.group(1)]
        return (
            f"{argument.group(1)}= is of Keras 1. Where Keras 2 has that argument, it is {now}=. "
            "'tfgraphtools doctor' lists all such lines."
        )
    return None


def _name_in(text):
    match = _IMPORT.match(text)
    if match:
        return f"{match.group(2)}.{match.group(1)}"
    match = _MODULE.match(text) or _ATTRIBUTE.match(text)
    return ".".join(match.groups()) if match else None
