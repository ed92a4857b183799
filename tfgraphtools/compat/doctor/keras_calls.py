"""The calls of Keras 1 that Keras 2.2.4, which `run` provides, refuses (see `keras1`)."""

import ast
import functools

from tfgraphtools.analysis import keywords, library_sources, library_uses
from tfgraphtools.analysis.scopes import nodes_of
from tfgraphtools.compat.doctor import statuses
from tfgraphtools.compat.fixes.keras import keras1, standalone


def refused_in(tree):
    """Yields ``(status, line)`` of what a module does with Keras as only Keras 1 took it.

    Yields nothing where ``import keras`` gives no Keras 2.2.4.
    """
    roots = {name.partition(".")[0] for name, _ in library_uses.imported_names(tree)}
    if "keras" not in roots or not standalone.serves("keras"):
        return
    for name, call in library_uses.of(tree).calls:
        if name.partition(".")[0] in standalone.ROOTS:
            for argument, why in _refused_arguments(name, call):
                yield _status(f"{name}({argument}=)", why), call.lineno
            if _merges_models(name, call):
                yield _status("keras.layers.Merge", keras1.MERGE), call.lineno
    yield from _of_stars(tree)
    for node in nodes_of(tree):
        for name, why in _KINDS.get(type(node), _nothing)(node):
            yield _status(name, why), node.lineno


def _status(name, why):
    return statuses.Status(name, statuses.MISSING, "of Keras 1: " + why)


def _of_stars(tree):
    """Yields the names that ``from keras.layers import *`` brought in Keras 1 alone."""
    nodes = nodes_of(tree)
    stars = [
        node.module
        for node in nodes
        if isinstance(node, ast.ImportFrom) and node.names[0].name == "*" and not node.level
    ]
    loaded = [node for node in nodes if isinstance(node, ast.Name)]
    bound = {node.id for node in loaded if not isinstance(node.ctx, ast.Load)}
    bound.update(getattr(node, "asname", None) or getattr(node, "name", None) for node in nodes)
    for node in loaded:
        for module in stars if node.id not in bound else ():
            name = f"{module}.{node.id}"
            why = keras1.NAMES.get(name) or keras1.NOT_BY_STAR.get(name)
            if why:
                yield _status(name, why), node.lineno


def _refused_arguments(name, call):
    root = name.partition(".")[0]
    known = _parameters(name, statuses.top(root)) if call.keywords else None
    for word in call.keywords:
        if _is_mode_of_batches(name, word):
            yield "mode", "modes 1 and 2 are gone; mode 0 is the only one"
        elif known is not None and word.arg is not None and word.arg not in known:
            now = keras1.ARGUMENTS.get(word.arg)
            yield word.arg, f"it is {now}=" if now in known else "Keras 2 has no such argument"


@functools.lru_cache(None)
def _parameters(name, module):
    """Returns the names of all parameters of what a package has; None where it may take others."""
    parts = name.split(".")
    if parts[:2] == ["keras", "backend"] and len(parts) == 3:
        parts.insert(2, "tensorflow_backend")
    for part in parts[1:-1]:
        module = module and library_sources.submodule(module.file, part)
    return module and keywords.of_source(module.file, parts[-1]).names


def _is_mode_of_batches(name, word):
    is_mode = name.endswith(".BatchNormalization") and word.arg == "mode"
    return is_mode and _text(word.value) in (1, 2)


def _merges_models(name, call):
    is_merge = name in ("keras.layers.Merge", "keras.engine.topology.Merge")
    return is_merge and (bool(call.args) or any(word.arg == "layers" for word in call.keywords))


def _in_method(call):
    method = getattr(call.func, "attr", None)
    for word in call.keywords:
        why = keras1.METHODS.get((method, word.arg))
        if why:
            yield f"keras.models.Model.{method}({word.arg}=)", why
        if method == "compile" and word.arg == "metrics":
            yield from _metrics_in(word.value)


def _metrics_in(node):
    for item in getattr(node, "elts", ()):
        if _text(item) in keras1.METRICS:
            name = "keras.metrics." + _text(item)
            yield name, keras1.NAMES[name]


def _in_params(subscript):
    index = subscript.slice
    key = _text(index.value if type(index).__name__ == "Index" else index)
    if getattr(subscript.value, "attr", None) == "params" and key in keras1.PARAMS:
        yield f"keras.callbacks.Callback.params[{key!r}]", f"it is {keras1.PARAMS[key]!r}"


def _in_class(node):
    methods = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
    old, new = keras1.OUTPUT_SHAPE
    if old in methods and new not in methods:
        why = f"Keras 2 never calls it; it is {new}"
        yield f"keras.engine.topology.Layer.{old}", why
    for base in node.bases:
        layer = getattr(base, "attr", getattr(base, "id", None))
        for name in _of_cells(node, methods) if layer in keras1.CELL_LAYERS else ():
            yield f"keras.layers.{layer}.{name}", keras1.CELL


def _of_cells(node, methods):
    """Returns what a subclass of a recurrent layer expects of Keras 1, by name."""
    own = [
        part
        for part in ast.walk(node)
        if isinstance(part, ast.Attribute) and getattr(part.value, "id", None) == "self"
    ]
    assigned = {part.attr for part in own if isinstance(part.ctx, ast.Store)}
    expected = {part.attr for part in own}.intersection(keras1.CELL_ATTRIBUTES) - assigned - methods
    uncalled = () if "call" in methods else methods.intersection(keras1.STEP_METHODS)
    return sorted(expected.union(uncalled))


def _text(node):
    """Returns the value of a constant, of Python 3.7's trees as well; else None."""
    return getattr(node, "value", getattr(node, "s", getattr(node, "n", None)))


def _nothing(node):
    return ()


_KINDS = {ast.Call: _in_method, ast.Subscript: _in_params, ast.ClassDef: _in_class}
