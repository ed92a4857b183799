"""Lists calls of TF 1's ``tf.keras`` that tf_keras refuses, or computes in another way."""

import ast

from tfgraphtools.analysis.scopes import nodes_of

_LOSS = "tensorflow.keras.losses.cosine_proximity"
_SIGN = ("tf_keras has minus the similarity, by another name", "write -cosine_similarity(...)")
_ADAGRAD = "tensorflow.keras.optimizers.Adagrad.from_config"
_LAYER = "tensorflow.keras.layers.Layer.apply"
_CLASSES = "tensorflow.keras.Sequential.predict_classes"

#: A text in ``compile(...)`` -> the row, why, the remedy.
_TEXTS = {
    "adagrad": (
        _ADAGRAD,
        "its accumulators begin with 0.1 in tf_keras",
        "write Adagrad(initial_accumulator_value=0.0)",
    ),
    "cosine_proximity": (_LOSS, *_SIGN),
    "cosine": (_LOSS, *_SIGN),
}

#: A method of models and layers -> the same.
METHODS = {
    "predict_classes": (
        _CLASSES,
        "tf_keras has no such method",
        "write np.argmax(model.predict(x), axis=1), or model.predict(x) > 0.5",
    ),
    "predict_proba": (_CLASSES, "tf_keras has no such method", "write model.predict(x)"),
    "get_losses_for": (_LAYER, "tf_keras has no such method", "write layer.losses"),
    "get_updates_for": (_LAYER, "tf_keras has no such method", "write layer.updates"),
}


def uses(tree, names):
    """Yields (line, name, row, why, remedy) of the calls in a module that names ``tf.keras``.

    Args:
      tree: the `ast.Module`, upgraded.
      names: its `resolving.Names`.
    """
    nodes = nodes_of(tree)
    loaded = [node for node in nodes if isinstance(getattr(node, "ctx", None), ast.Load)]
    loaded = [node for node in loaded if isinstance(node, (ast.Attribute, ast.Name))]
    named = [(node, names.here(node)) for node in loaded]
    of_keras = [(node, name) for node, name in named if _is_of_keras(name)]
    for node, name in of_keras:
        if name.endswith(("losses.cosine_proximity", "losses.cosine")):
            yield (node.lineno, name, _LOSS, *_SIGN)
    for call in nodes if of_keras else ():
        method = getattr(call.func, "attr", None) if isinstance(call, ast.Call) else None
        if method in METHODS:
            yield (call.lineno, "." + method, *METHODS[method])
        elif method == "compile":
            for text in ast.walk(call):
                value = getattr(text, "value", None)
                if isinstance(value, str) and value.lower() in _TEXTS:
                    yield (text.lineno, f"compile({value!r})", *_TEXTS[value.lower()])


def _is_of_keras(name):
    return (name or "").startswith(("tensorflow.compat.v1.keras.", "tensorflow.keras."))
