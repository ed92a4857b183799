"""Lists calls of Keras 2 (TF 2.0 to 2.15) that Keras 3 refuses or ignores, as the source shows."""

import ast

from tfgraphtools.analysis.assignments import assigned_names
from tfgraphtools.analysis.scopes import nodes_of
from tfgraphtools.upgrade.uses import imported_roots

ROW = "keras.3"

#: Methods of models -> what Keras 3 has instead.
_METHODS = {
    "fit_generator": "fit(generator)",
    "evaluate_generator": "evaluate(generator)",
    "predict_generator": "predict(generator)",
    "predict_classes": "np.argmax(model.predict(x), axis=1), or model.predict(x) > 0.5",
}

#: Methods of models -> the files that they take; other objects have a method ``save``, too.
_EXTENSIONS = {
    "save": (".keras", ".h5", ".hdf5"),
    "save_weights": (".weights.h5",),
    "load_weights": (".keras", ".h5", ".hdf5"),
}

#: Arguments of optimizers -> why, and what Keras 3 has instead.
_ARGUMENTS = {
    "lr": ("Keras 3 has no such argument", "write learning_rate="),
    "decay": (
        "Keras 3 ignores it, and the rate stays",
        "write learning_rate=keras.optimizers.schedules.InverseTimeDecay(...)",
    ),
}

_KERAS = ("tensorflow.keras.", "tensorflow.compat.v1.keras.", "keras.")


def uses(tree, names):
    """Yields (line, name, why, remedy) of calls.

    Args:
      tree: the `ast.Module`, of a file whose Keras is Keras 3.
      names: its `resolving.Names`.
    """
    roots = imported_roots(tree)
    if "tf_keras" in roots or roots.isdisjoint(("tensorflow", "keras")):
        return
    nodes = nodes_of(tree)
    models = assigned_names(nodes, lambda value: _makes_model(value, names))
    for call in nodes:
        if not isinstance(call, ast.Call):
            continue
        method = getattr(call.func, "attr", None)
        is_of_model = method != "save" or getattr(call.func.value, "id", None) in models
        if method in _METHODS:
            yield (
                call.lineno,
                f".{method}",
                "Keras 3 has no such method",
                f"write {_METHODS[method]}",
            )
        elif method in _EXTENSIONS and is_of_model and _ends_otherwise(call, _EXTENSIONS[method]):
            files = " or ".join("*" + extension for extension in _EXTENSIONS[method])
            yield call.lineno, f".{method}", f"Keras 3 takes {files} only", "write such a name"
        yield from _of_optimizer(call, names.here(call.func) or "")


def _makes_model(node, names):
    name = names.here(node.func) or "" if isinstance(node, ast.Call) else ""
    return name.startswith(_KERAS) and name.endswith((".Model", ".Sequential"))


def _ends_otherwise(call, extensions):
    """Tells whether a call's file is a text that has another extension."""
    path = getattr(call.args[0], "value", None) if call.args else None
    return isinstance(path, str) and not path.endswith(extensions)


def _of_optimizer(call, name):
    owner, _, leaf = name.rpartition(".")
    if owner.startswith(_KERAS) and owner.endswith(".optimizers") and leaf[0].isupper():
        for keyword in call.keywords:
            if keyword.arg in _ARGUMENTS:
                yield (call.lineno, f"{name}({keyword.arg}=)", *_ARGUMENTS[keyword.arg])
