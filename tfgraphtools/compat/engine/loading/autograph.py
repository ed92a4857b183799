"""AutoGraph converts the translated source of user code, not the text of its file.

Its parser looks a function up in the file by its line; what it then compiles would
divide as Python 3 and add as NumPy 2.
"""

import ast
import copy
import inspect
import linecache
import os

from tfgraphtools.compat.engine import after_import, state
from tfgraphtools.compat.engine.loading import user_builtins
from tfgraphtools.compat.engine.translate import source

_PARSER = "tensorflow.python.autograph.pyct.parser"
_CONFIG = "tensorflow.python.autograph.core.config"

_trees = {}  # path -> the translated tree of the file


def install():
    """Makes AutoGraph see translated source until `state.restore`."""
    after_import.call(_PARSER, _patch_parser, "loading.autograph")
    after_import.call(_CONFIG, _pass_over_ours, "loading.autograph")
    state.at_restore(_trees.clear)


def _patch_parser(parser):
    parse_original = parser.parse_entity

    def parse_entity(entity, future_features):
        return _translated(entity, parser) or parse_original(entity, future_features)

    state.set_attribute(parser, "parse_entity", parse_entity)


def _pass_over_ours(config):
    """Makes AutoGraph leave alone what translated source calls: it is ours."""
    rules = (config.DoNotConvert("tfgraphtools"), *config.CONVERSION_RULES)
    state.set_attribute(config, "CONVERSION_RULES", rules)


def _translated(entity, parser):
    """Returns (gast node, source text) of a function of user code; None for anything else."""
    function = getattr(entity, "__func__", entity)
    code = getattr(function, "__code__", None)
    namespace = getattr(function, "__globals__", {})
    if code is None or not user_builtins.are_users(namespace.get("__builtins__")):
        return None
    path = code.co_filename
    if path not in _trees:
        _trees[path] = _tree_of(path)
    definition = _find(_trees[path], code.co_name, code.co_firstlineno, function)
    return None if definition is None else _cut_out(definition, linecache.getlines(path), parser)


def _tree_of(path):
    if os.path.isfile(path):
        with open(path, "rb") as file:
            return source.tree_of(file.read(), path)
    text = "".join(linecache.getlines(path))  # a cell of a notebook
    return source.tree_of(text.encode(), path)


def _find(tree, name, line, function):
    """Returns the one definition of this name whose code begins in this line, or None."""
    if name == "<lambda>":
        spec = inspect.getfullargspec(function)
        definitions = [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.Lambda)
            and node.lineno == line
            and [argument.arg for argument in node.args.args] == spec.args
        ]
    else:
        definitions = [
            node
            for node in ast.walk(tree)
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            and node.name == name
            and _first_line(node) == line
        ]
    return definitions[0] if len(definitions) == 1 else None


def _first_line(node):
    return min([node.lineno] + [decorator.lineno for decorator in node.decorator_list])


def _cut_out(node, lines, parser):
    """Returns the node, its lines counted from 1, and the text of these lines."""
    first = _first_line(node) if hasattr(node, "decorator_list") else node.lineno
    text = "".join(lines[first - 1 : node.end_lineno])
    node = copy.deepcopy(node)  # AutoGraph edits it
    for part in ast.walk(node):
        for attribute in ("lineno", "end_lineno"):
            line = getattr(part, attribute, None)
            if line is not None:
                setattr(part, attribute, max(1, line - first + 1))
    return parser.gast.ast_to_gast(node), text
