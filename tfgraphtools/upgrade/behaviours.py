"""Lists calls that run and compute something else than under `run`, as the source shows them.

Each is a row that `run` applies and that no name of today expresses. Calls that say themselves
what they mean (``regex=True``, ``recurrent_activation=...``) are left out.
"""

import ast
from typing import NamedTuple

from tfgraphtools.analysis.assignments import assigned_names
from tfgraphtools.analysis.scopes import nodes_of
from tfgraphtools.compat import rewrites
from tfgraphtools.upgrade.clues import (
    array_values,
    awaited_locks,
    bool_images,
    decoded_images,
    float32_sums,
    library_attributes,
    lstm_states,
    normalizations,
    ops_by_class,
    pandas_left,
    tf_keras_calls,
    transposed_convolutions,
)
from tfgraphtools.upgrade.uses import imported_roots


class Use(NamedTuple):
    """One call: its line (from 1), what is called, the row that is about it, why, the remedy."""

    line: int
    name: str
    row: str
    why: str
    remedy: str


#: Layers and optimizers of tf_keras: arguments whose defaults were others in Keras 2.2.4, with
#: their place among the arguments by position.
_KERAS_DEFAULTS = {
    "LSTM": {"recurrent_activation": ('"hard_sigmoid"', 2)},
    "LSTMCell": {"recurrent_activation": ('"hard_sigmoid"', 2)},
    "GRU": {"recurrent_activation": ('"hard_sigmoid"', 2), "reset_after": ("False", 99)},
    "GRUCell": {"recurrent_activation": ('"hard_sigmoid"', 2), "reset_after": ("False", 99)},
    "Adadelta": {"learning_rate": ("1.0", 0)},
    "Adagrad": {"learning_rate": ("0.01", 0)},
    "Adamax": {"learning_rate": ("0.002", 0)},
    "Nadam": {"learning_rate": ("0.002", 0)},
}

#: Arguments of Keras's models -> what tf_keras has instead.
_ARGUMENTS = {
    "nb_epoch": "epochs=",
    "nb_val_samples": "validation_steps=",
    "samples_per_epoch": "steps_per_epoch=",
    "val_samples": "steps=",
    "show_accuracy": "compile(metrics=['accuracy'])",
}

#: Methods of layers that a model of tf_keras refuses until it is called, unlike one of Keras 2.
_OF_NODES = frozenset(
    f"get_{side}{what}_at" for side in ("input", "output") for what in ("", "_shape", "_mask")
)

_NO_NODES = ("a model of tf_keras has no node of its own", "read .inputs, .outputs, .output_shape")

#: The same for ``compile(optimizer="adadelta")``.
_KERAS_TEXTS = {name.lower(): name for name in ("Adadelta", "Adagrad", "Adamax", "Nadam")}

_TRUNCATED = "tensorflow.truncatediv"
_FLOATS = ("TF 2.10 and later truncate quotients of floats, too", "write tf.divide for floats")

_YAML = "tensorflow.keras.models.model_from_yaml"
_NO_YAML = ("models of today's Keras refuse it", "write to_json() and model_from_json(...)")


def uses(tree, names, had_keras):
    """Yields the `Use`s of a module.

    Args:
      tree: the `ast.Module`, upgraded.
      names: its `resolving.Names`.
      had_keras: whether it imported Keras 1 or 2 before it was upgraded.
    """
    has_models = not set(imported_roots(tree)).isdisjoint(
        ("tensorflow", "keras", "tf_keras", "tfgraphtools")
    )
    for line, name, row, why in pandas_left.uses(tree, names):
        yield Use(line, name, row, why, rewrites.cannot(row))
    yield from (Use(*use) for use in pandas_left.without_successor(tree))
    lines_of = {
        float32_sums: float32_sums.lines(tree),
        lstm_states: lstm_states.lines(tree, names),
        normalizations: normalizations.replaced(tree, names),
    }
    for clue, lines in lines_of.items():
        yield from (Use(line, clue.ROW, clue.ROW, clue.WHY, clue.REMEDY) for line in lines)
    if not had_keras:
        yield from (Use(*use) for use in tf_keras_calls.uses(tree, names))
    for clue in (bool_images, decoded_images):
        for line, name in clue.uses(tree, names):
            yield Use(line, name, name, clue.WHY, clue.REMEDY)
    for line, name in transposed_convolutions.uses(tree, names):
        row = transposed_convolutions.ROW
        yield Use(line, name, row, transposed_convolutions.WHY, rewrites.cannot(row))
    for clue in (ops_by_class, library_attributes, array_values, awaited_locks):
        for line, name, row, why in clue.uses(tree, names):
            yield Use(line, name, row, why, rewrites.cannot(row))
    models = _models(tree, names) if had_keras else set()
    for node in nodes_of(tree):
        if isinstance(node, ast.Call):
            if getattr(node.func, "attr", None) in _OF_NODES and _is_model(node, names, models):
                yield Use(node.lineno, "." + node.func.attr, "keras.standalone", *_NO_NODES)
            if getattr(node.func, "attr", None) == "truncatediv" and names.in_tensorflow(node.func):
                yield Use(node.lineno, _TRUNCATED, _TRUNCATED, *_FLOATS)
            if has_models and getattr(node.func, "attr", None) == "to_yaml":
                yield Use(node.lineno, ".to_yaml", _YAML, *_NO_YAML)
            if had_keras:
                yield from _of_keras(node, names)
        elif had_keras and isinstance(node, ast.Subscript):
            yield from _of_history(node)
        elif had_keras and isinstance(node, ast.ImportFrom):
            yield from _of_star(node)


def _of_keras(call, names):
    name = names.here(call.func) or ""
    leaf = name.rpartition(".")[2]
    if name.startswith("tf_keras."):
        for argument, (value, place) in _KERAS_DEFAULTS.get(leaf, {}).items():
            is_rate = argument == "learning_rate"
            if not _has(call, argument, None) and not (is_rate and _has(call, "lr")):
                if len(call.args) <= place:
                    yield _default(call.lineno, name, f"{argument}={value}")
    method = getattr(call.func, "attr", None)
    if method in tf_keras_calls.METHODS:
        _, why, remedy = tf_keras_calls.METHODS[method]
        yield Use(call.lineno, "." + method, "keras.standalone", why, remedy)
    for keyword in call.keywords if method else ():
        if keyword.arg in _ARGUMENTS:
            why, remedy = "tf_keras has no such argument", f"write {_ARGUMENTS[keyword.arg]}"
            yield Use(call.lineno, f".{method}({keyword.arg}=)", "keras.standalone", why, remedy)
    if method == "compile":
        optimizers = [keyword.value for keyword in call.keywords if keyword.arg == "optimizer"]
        for node in [*call.args[:1], *optimizers]:
            text = getattr(node, "value", None)
            if isinstance(text, str) and text.lower() in _KERAS_TEXTS:
                leaf = _KERAS_TEXTS[text.lower()]
                value = _KERAS_DEFAULTS[leaf]["learning_rate"][0]
                yield _default(node.lineno, f"compile({text!r})", f"{leaf}(learning_rate={value})")


def _models(tree, names):
    """Returns the names of variables that hold a model somewhere in a module."""
    return assigned_names(nodes_of(tree), lambda value: _makes_model(value, names))


def _makes_model(node, names):
    name = names.here(node.func) or "" if isinstance(node, ast.Call) else ""
    return name.startswith("tf_keras.") and name.endswith((".Model", ".Sequential"))


def _is_model(call, names, models):
    owner = call.func.value
    return getattr(owner, "id", None) in models or _makes_model(owner, names)


def _default(line, name, call):
    return Use(line, name, "keras.standalone", "Keras 2.2.4 had another default", f"write {call}")


def _of_star(node):
    """Yields ``from keras.layers import *``, which stays as it is: layers of Keras 3."""
    module = node.module or ""
    if node.names[0].name == "*" and module.partition(".")[0] == "keras" and not node.level:
        why, remedy = "these are Keras 3's, beside models of tf_keras", f"import tf_{module}'s"
        yield Use(node.lineno, f"{module}.*", "keras.standalone", why, remedy)


def _of_history(node):
    """Yields ``history.history["acc"]``, which tf_keras calls "accuracy" where ``metrics`` does."""
    key = getattr(node.slice, "value", node.slice)
    key = getattr(key, "value", key)
    if getattr(node.value, "attr", None) == "history" and key in ("acc", "val_acc"):
        why = "tf_keras has this key only for metrics=['acc']"
        new = key.replace("acc", "accuracy")
        yield Use(node.lineno, f"history[{key!r}]", "keras.standalone", why, f"write {new!r}")


def _has(call, *arguments):
    return any(keyword.arg in arguments for keyword in call.keywords)
