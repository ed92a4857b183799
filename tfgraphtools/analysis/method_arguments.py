"""Arguments that a method of a known object refuses: ``saver = tf.train.Saver(); saver.save(...)``.

The class is known where a variable is assigned once, from a call of a class of a library that is
read from its sources, or where the method is called on that call itself.
"""

import ast
import functools

from tfgraphtools.analysis import keywords, library_sources
from tfgraphtools.analysis.library_sources import CLASS, MODULE, Definition


def refused(call, names, libraries):
    """Yields (what is refused, why) of one call, as far as the class of its object is known.

    Args:
      call: the `ast.Call`.
      names: its `resolving.Names`.
      libraries: the `installed.Libraries`.
    """
    name = _class_name(call.func, names)
    if name is None:
        return
    method = _method(_class(name, libraries), call.func.attr)
    if method is None:
        return
    parameters = keywords.of_method(method)
    where = f"{name}.{call.func.attr}"
    for keyword in call.keywords:
        if parameters.names is not None and keyword.arg not in (None, *parameters.names):
            yield f"{where}({keyword.arg}=)", "has no such argument there"
    is_starred = any(isinstance(argument, ast.Starred) for argument in call.args)
    if parameters.places is not None and len(call.args) > parameters.places and not is_starred:
        taken = f"takes {parameters.places} by position, not {len(call.args)}"
        yield f"{where}(...)", taken


def _class_name(function, names):
    """Returns the dotted name of the class of the object whose method is called, or None."""
    if not isinstance(function, ast.Attribute):
        return None
    owner = function.value
    if isinstance(owner, ast.Name):
        bindings = names.scopes.scope_of(owner).bindings(owner.id)
        owner = bindings[0].target if len(bindings) == 1 else None
    name = names.here(owner.func) if isinstance(owner, ast.Call) else None
    return None if name is None or name.startswith("@") or "." not in name else name


@functools.lru_cache(None)
def _class(name, libraries):
    """Returns the `Definition` of a class of a library that is read, or None."""
    owner = None if libraries.is_imported(name.partition(".")[0]) else libraries.owner(name)
    if owner is None or owner.kind != MODULE:
        return None
    definition = keywords.definition_of(owner.file, name.rpartition(".")[2])
    is_class = definition is not None and isinstance(definition[1], ast.ClassDef)
    return Definition(CLASS, *definition) if is_class else None


def _method(definition, name):
    """Returns the `ast.FunctionDef` of a method of a class, or of its first bases; or None."""
    for _ in range(20):
        if definition is None or definition.kind != CLASS:
            return None
        body = definition.node.body
        methods = [node for node in body if getattr(node, "name", None) == name]
        if methods:
            return methods[0] if len(methods) == 1 else None
        if any(isinstance(node, ast.Assign) and name in ast.dump(node) for node in body):
            return None
        bases = definition.node.bases
        if len(bases) != 1:
            return None
        definition = library_sources.of_expression(bases[0], definition.file)
    return None
