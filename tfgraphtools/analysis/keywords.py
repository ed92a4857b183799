"""Arguments that the installed function or class certainly refuses.

Signatures of libraries that are imported are asked for; those of others are read from their
sources. A function that takes any keyword, or whose decorator may change its arguments, refuses
none here, and one with ``*args`` takes any number by position.
"""

import ast
import functools
import importlib
import inspect
import types
import warnings
from typing import Any, NamedTuple

from tfgraphtools.analysis import library_sources
from tfgraphtools.analysis.library_sources import CLASS, MODULE
from tfgraphtools.analysis.source_tables import table_of
from tfgraphtools.errors import nearest

#: Libraries whose decorators hand on what they get.
_HANDING_ON = ("numpy", "sklearn")

#: Words in decorators that keep the arguments of what they decorate.
_KEEPING = (
    "tf_export keras_export estimator_export tf_contextlib dispatch deprecat doc_controls "
    "RegisterGradient allow_initializer_layout cache vectorize"
).split()


class Parameters(NamedTuple):
    """The arguments that a function or class takes.

    Fields:
      names: of all that may be passed by keyword; None where it may take any.
      places: how many may be passed by position; None for any number.
    """

    names: Any
    places: Any


_ANY = Parameters(None, None)


def refused(call, name, libraries):
    """Returns the keywords of a call that what has a dotted name refuses.

    Args:
      call: the `ast.Call`.
      name: the dotted name of what is called.
      libraries: the `installed.Libraries`.
    """
    words = [keyword.arg for keyword in call.keywords if keyword.arg is not None]
    known = parameters(name, libraries).names if words else None
    return [] if known is None else [word for word in words if word not in known]


def places_taken(call, name, libraries):
    """Returns how many arguments by position a function takes where a call passes more; else None.

    Args:
      call, name, libraries: as in `refused`.
    """
    if any(isinstance(argument, ast.Starred) for argument in call.args) or not call.args:
        return None
    places = parameters(name, libraries).places
    return places if places is not None and len(call.args) > places else None


def parameters(name, libraries):
    """Returns the `Parameters` of a function or class."""
    if libraries.is_imported(name.partition(".")[0]):
        return _of_value(name)
    owner = libraries.owner(name)
    if owner is None or owner.kind != MODULE:
        return _ANY
    return of_source(owner.file, name.rpartition(".")[2])


@library_sources.kept
def of_source(file, name):
    """Returns the same for what a module binds to a name, read from its source."""
    definition = definition_of(file, name)
    return _ANY if definition is None else _of_definition(*definition)


def definition_of(file, name, seen=()):
    """Returns (file, `ast.FunctionDef` or `ast.ClassDef`) of a name in a module, or None.

    None, too, where the module binds the name more than once.
    """
    table = table_of(file)
    nodes = table.names.get(name, ()) if table is not None else ()
    nodes = [node for node in nodes if not _is_overload(node)]
    if table is None or len(nodes) > 1 or (file, name) in seen:
        return None
    module, taken = None, name
    if not nodes:
        for star in table.stars:
            origin = library_sources.imported_module(star, file)
            if library_sources.of_star(origin, name) is not None:
                module = origin
    elif isinstance(nodes[0], (ast.FunctionDef, ast.ClassDef)):
        return file, nodes[0]
    elif isinstance(nodes[0], ast.ImportFrom):
        module = library_sources.imported_module(nodes[0], file)
        names = nodes[0].names
        taken = next(alias.name for alias in names if (alias.asname or alias.name) == name)
    elif isinstance(nodes[0], ast.Assign):
        value = _handed_on(nodes[0].value)
        if isinstance(value, ast.Name):
            return definition_of(file, value.id, (*seen, (file, name)))
        if isinstance(value, ast.Attribute):
            module, taken = library_sources.of_expression(value.value, file), value.attr
    if module is None or module.kind != MODULE:
        return None
    return definition_of(module.file, taken, (*seen, (file, name)))


def _handed_on(value):
    """Returns the ``f`` of ``moved(...)(f)``, which warns and calls it; others as they are."""
    maker = getattr(getattr(value, "func", None), "func", None)
    return value.args[0] if getattr(maker, "id", None) in ("moved", "deprecated") else value


def _is_overload(node):
    """Tells whether a function only describes one form of the function of its name."""
    decorators = getattr(node, "decorator_list", ())
    return any(getattr(part, "attr", getattr(part, "id", "")) == "overload" for part in decorators)


def written(name, libraries):
    """Returns ([arguments by position], {all arguments}) of a function, whatever decorates it.

    None for what its package's sources do not show.
    """
    owner = libraries.owner(name)
    if owner is None or owner.kind != MODULE:
        return None
    definition = definition_of(owner.file, name.rpartition(".")[2])
    if definition is None or not isinstance(definition[1], ast.FunctionDef):
        return None
    return [argument.arg for argument in definition[1].args.args], _arguments(definition[1])


def remedy(word, name, libraries):
    """Returns what may be meant by a keyword, as one line, or ""."""
    near = nearest(word, sorted(parameters(name, libraries).names), 1)
    return f"did you mean {near[0]}=?" if near else ""


@functools.lru_cache(None)
def _of_value(name):
    """Returns the parameters of what an imported library has under a name."""
    value, parts = None, name.split(".")
    if "__main__" in parts:  # importing it would run a program
        return _ANY
    try:
        for end in range(1, len(parts) + 1):
            if value is not None and not isinstance(value, (types.ModuleType, type)):
                return _ANY
            if value is None:
                value = importlib.import_module(parts[0])
            elif hasattr(value, parts[end - 1]):
                value = getattr(value, parts[end - 1])
            else:
                value = importlib.import_module(".".join(parts[:end]))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _of_signature(value, parts[0])
    except Exception:  # a library may raise anything while it is imported
        return _ANY


def _of_signature(value, root):
    """Returns the `Parameters` of a function or class that is imported."""
    function = value.__init__ if isinstance(value, type) else value
    if isinstance(value, type) and type(value) is not type:
        return _ANY  # its metaclass may take the call
    if isinstance(value, type) and value.__new__ is not object.__new__:
        return _ANY
    if hasattr(function, "__wrapped__") and root not in _HANDING_ON:
        return _ANY
    if not isinstance(function, (types.FunctionType, types.MethodType)) and root != "numpy":
        return _ANY
    parameters = list(inspect.signature(function).parameters.values())
    kinds = [parameter.kind for parameter in parameters]
    places = kinds.count(_POSITIONAL) + kinds.count(inspect.Parameter.POSITIONAL_OR_KEYWORD)
    names = {parameter.name for parameter in parameters if parameter.kind != _POSITIONAL}
    return Parameters(
        None if inspect.Parameter.VAR_KEYWORD in kinds else frozenset(names),
        None if inspect.Parameter.VAR_POSITIONAL in kinds else places - isinstance(value, type),
    )


_POSITIONAL = inspect.Parameter.POSITIONAL_ONLY


def _of_definition(file, node):
    """Returns the `Parameters` of a function or class in the sources of a library."""
    if isinstance(node, ast.ClassDef):
        here = library_sources.Definition(CLASS, file, node)
        return Parameters(*_of_class(here)) if _is_ordinary(here) else _ANY
    if not _keeps_all(node):
        return _ANY
    return Parameters(None if node.args.kwarg is not None else _arguments(node), _places(node))


def of_method(node):
    """Returns the `Parameters` of a method, as a call on an object passes them."""
    if not isinstance(node, ast.FunctionDef) or not _keeps_all(node):
        return _ANY
    if any(getattr(part, "id", "") in ("property", "staticmethod") for part in node.decorator_list):
        return _ANY
    places = _places(node)
    names = None if node.args.kwarg is not None else _arguments(node)
    return Parameters(names, None if places is None else places - 1)


def _places(node):
    arguments = node.args
    by_position = [*getattr(arguments, "posonlyargs", ()), *arguments.args]
    # ``@deprecate_positional_args`` still takes what follows the ``*``, with a warning.
    warns = any("deprecate_positional" in ast.dump(part) for part in node.decorator_list)
    return None if warns or arguments.vararg is not None else len(by_position)


def _of_class(here):
    """Returns (names, places) of a class, as far as its bases take what it hands on to them."""
    known, places, is_first = set(), None, True
    for _ in range(20):
        methods = [node for node in here.node.body if isinstance(node, ast.FunctionDef)]
        body = {method.name: method for method in methods}
        init = body.get("__init__")
        if _is_layer(here) and init is not None:  # what ``**kwargs`` may hold is listed there
            return known | _arguments(init) | _texts(init), places
        if "__new__" in body or (init is not None and not _keeps_all(init)):
            return None, None if is_first else places
        if init is not None:
            taken = _places(init)
            if is_first and taken is not None:
                places = taken - 1
            known, is_first = known | _arguments(init) | _texts(init), False
            if init.args.kwarg is None:
                return known, places
        hands_on = init is None or _hands_on(init)
        if not hands_on or len(here.node.bases) != 1:
            return None, places
        here = library_sources.of_expression(here.node.bases[0], here.file)
        if here is None or here.kind != CLASS:
            return None, places
    return None, places


def _is_ordinary(definition, depth=0):
    """Tells whether neither a class nor its bases have a metaclass, which may take the call."""
    if definition is None or definition.kind != CLASS or depth > 20:
        return False
    node = definition.node
    if node.keywords or node.decorator_list and not _keeps_all(node):
        return False
    if _is_layer(definition):
        return True
    bases = [base for base in node.bases if getattr(base, "id", None) != "object"]
    return all(
        _is_ordinary(library_sources.of_expression(base, definition.file), depth + 1)
        for base in bases
    )


def _is_layer(definition):
    """Tells whether a class is that of all layers of some Keras."""
    return definition.node.name == "Layer" and "keras" in definition.file


def _hands_on(init):
    """Tells whether all that ``**kwargs`` is for is the ``__init__`` of the base."""
    name, hands_on = init.args.kwarg.arg, set()
    for part in ast.walk(init):
        if isinstance(part, ast.Call) and getattr(part.func, "attr", None) == "__init__":
            hands_on.update(id(word.value) for word in part.keywords if word.arg is None)
        elif isinstance(part, ast.Attribute) and part.attr in ("pop", "get"):
            hands_on.add(id(part.value))
        elif isinstance(part, ast.Compare):
            hands_on.update(map(id, part.comparators))
        elif isinstance(part, ast.Subscript):
            hands_on.add(id(part.value))
    reads = [part for part in ast.walk(init) if getattr(part, "id", None) == name]
    return all(id(part) in hands_on for part in reads)


def _arguments(node):
    return {argument.arg for argument in [*node.args.args, *node.args.kwonlyargs]}


def _texts(node):
    """Returns the words in a function: what it may take out of its ``**kwargs``."""
    values = (getattr(part, "value", None) for part in ast.walk(node))
    return {value for value in values if isinstance(value, str)}


def _keeps_all(node):
    texts = [ast.dump(decorator) for decorator in node.decorator_list]
    return all(any(word in text for word in _KEEPING) for text in texts)
