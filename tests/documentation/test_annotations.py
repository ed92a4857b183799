"""Type annotations: on every public name, and on every function that other modules call."""

import ast
import importlib
import inspect
import pathlib

import pytest
from public_modules import PARTS

import tfgraphtools

pytestmark = pytest.mark.quick

PACKAGE = pathlib.Path(tfgraphtools.__file__).resolve().parent

#: Modules that export nothing, whose functions without an underscore are annotated too.
INNER = ["__init__.py", "select.py", "errors.py", "cli/**/*.py", "runner/*.py"]


def _functions(thing):
    """(name, function, whether its first argument is ``self``) of a function or class of ours."""
    if not inspect.isclass(thing):
        yield thing.__name__, inspect.unwrap(thing), False
        return
    for cls in thing.__mro__:
        if not cls.__module__.startswith("tfgraphtools."):
            continue
        for name, value in vars(cls).items():
            is_static = isinstance(value, staticmethod)
            value = getattr(value, "__func__", getattr(value, "fget", value))
            if inspect.isfunction(value) and (name == "__init__" or not name.startswith("_")):
                yield f"{cls.__name__}.{name}", value, not is_static


def _missing(function, has_self):
    signature = inspect.signature(function)
    arguments = list(signature.parameters.values())[has_self:]
    missing = [one.name for one in arguments if one.annotation is one.empty]
    if signature.return_annotation is signature.empty and function.__name__ != "__init__":
        missing.append("return")
    return missing


@pytest.mark.parametrize("part", PARTS)
def test_public_names(part, tf):
    module = importlib.import_module("tfgraphtools." + part)
    public = getattr(module, "__all__", None) or [
        name for name, value in vars(module).items() if inspect.isclass(value)
    ]
    found = {}
    for name in public:
        thing = getattr(module, name)
        if not callable(thing) or not thing.__module__.startswith("tfgraphtools."):
            continue
        for of, function, has_self in _functions(thing):
            if function.__module__.startswith("tfgraphtools.") and _missing(function, has_self):
                found[of] = _missing(function, has_self)
    assert found == {}


def _public_definitions(tree):
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield node, False
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            for item in node.body:
                if isinstance(item, ast.FunctionDef):
                    if item.name == "__init__" or not item.name.startswith("_"):
                        yield item, True


@pytest.mark.parametrize("pattern", INNER)
def test_functions_of_inner_modules(pattern):
    found = []
    for path in PACKAGE.glob(pattern):
        for node, has_self in _public_definitions(ast.parse(path.read_text(encoding="utf-8"))):
            arguments = (node.args.args + node.args.kwonlyargs)[has_self:]
            arguments += filter(None, [node.args.vararg, node.args.kwarg])
            if any(one.annotation is None for one in arguments) or (
                node.returns is None and node.name != "__init__"
            ):
                found.append(f"{path.relative_to(PACKAGE)}:{node.lineno} {node.name}")
    assert found == []
