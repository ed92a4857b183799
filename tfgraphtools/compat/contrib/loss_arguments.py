"""A script's ``softmax_loss_function``, called with the arguments that it was written for."""

import inspect

#: How a first parameter begins that takes the labels.
_LABELS = ("label", "target", "y")


def called(function, labels, logits):
    """Returns the loss of one batch.

    Until 0.12 the function was called (logits, labels), until 1.2 (labels, logits),
    since then by keyword; its own parameters say which it expects.
    """
    try:
        names = list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return function(labels=labels, logits=logits)
    if {"labels", "logits"} <= set(names) or len(names) < 2:
        return function(labels=labels, logits=logits)
    if names[0].startswith(_LABELS):
        return function(labels, logits)
    return function(logits, labels)
