"""Names that a Python 2 source gives a meaning of its own, and the built-in ones that fixers write.

A fixer of ``fissix`` goes by the name alone: ``apply(f, x)`` becomes ``f(*x)`` though the file
defines `apply`, and ``raw_input()`` becomes ``input()`` where `input` is a variable.
"""

import ast
import builtins

from tfgraphtools.analysis import scopes
from tfgraphtools.compat.fixes.python2 import translation

#: The names by which fixers find what they change, or leave it as it is.
_LOOKED_FOR = frozenset(
    "all any apply basestring dict enumerate execfile exit filter input intern iter list long map "
    "max min range raw_input reduce reload set sorted sum tuple unichr unicode xrange zip "
    "StandardError".split()
)

_OWN, _BUILT_IN = "_tfgraphtools_own_", "_tfgraphtools_built_in_"


class UserNames:
    """The names of one source, while fixers change its tree.

    Args:
      code: the source, as the fixers get it.
      path: its file.
    """

    def __init__(self, code, path):
        self._built_in = _built_in_reads(code, path)
        self._before = {}

    def hide(self, tree):
        """Renames in a tree of fissix what the user binds: no fixer knows it then."""
        for leaf in _names(tree):
            self._before[leaf.lineno, leaf.column] = leaf.value
            if self._built_in is not None and leaf.value in _LOOKED_FOR:
                if (leaf.lineno, leaf.column) not in self._built_in:
                    leaf.value = _OWN + leaf.value

    def shown(self, tree):
        """Returns the text of a tree with the user's names, and what fixers wrote as built in."""
        written = [leaf for leaf in _names(tree) if self._is_written(leaf)]
        for number, leaf in enumerate(written):
            leaf.value = f"{_BUILT_IN}{number}_{leaf.value}"
        bound = _bound_to_others(str(tree)) if written else set()
        for leaf in _names(tree):
            leaf.value = "builtins." * (leaf.value in bound) + _plain(leaf.value)
        return _importing_builtins(str(tree)) if bound else str(tree)

    def _is_written(self, leaf):
        if not hasattr(builtins, leaf.value) or _is_attribute(leaf):
            return False
        return not leaf.lineno or self._before.get((leaf.lineno, leaf.column)) != leaf.value


def shown(text):
    """Returns a text in which hidden names are the user's again."""
    return text.replace(_OWN, "")


def _built_in_reads(code, path):
    """Returns the (line, column) of reads of built-in names; None where it cannot be told."""
    try:
        concrete = translation.concrete_tree(code, path)
        text = str(concrete)
        tree = ast.parse(text)
    except Exception:  # fissix raises errors of many classes
        return None
    reads = set().union(*scopes.builtin_reads(tree, _LOOKED_FOR))
    reads -= {node for node, scope in scopes.scopes_of(tree).names if scope.owner(node.id)}
    positions = {(node.lineno, node.col_offset) for node in reads}
    return {
        (leaf.lineno, leaf.column)
        for leaf, position in _positions(concrete)
        if position in positions and leaf.lineno
    }


def _positions(concrete):
    """Yields (leaf, (line, column in UTF-8 bytes)) of the text of a tree."""
    line = column = 0
    for leaf in concrete.leaves():
        for text in (leaf.prefix, leaf.value):
            if text is leaf.value:
                yield leaf, (line + 1, column)
            lines = text.split("\n")
            line += len(lines) - 1
            column = len(lines[-1].encode("utf-8")) + (column if len(lines) == 1 else 0)


def _bound_to_others(text):
    """Returns the marked names of a source that a scope around them binds."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return set()
    return {
        node.id
        for node, scope in scopes.scopes_of(tree).names
        if node.id.startswith(_BUILT_IN)
        and (scope.owner(_plain(node.id)) or scope.owner(_OWN + _plain(node.id)))
    }


def _plain(value):
    if value.startswith(_BUILT_IN):
        return value[len(_BUILT_IN) :].partition("_")[2]
    return shown(value)


def _names(tree):
    from fissix.pgen2 import token

    return [leaf for leaf in tree.leaves() if leaf.type == token.NAME]


def _is_attribute(leaf):
    before = leaf.prev_sibling
    return before is not None and str(before).strip() == "."


def _importing_builtins(text):
    """Returns a source with ``import builtins`` before its first statement that can follow one."""
    for statement in ast.parse(text).body:
        is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not is_text and getattr(statement, "module", None) != "__future__":
            break
    decorators = getattr(statement, "decorator_list", ())
    first = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
    lines = text.split("\n")
    return "\n".join([*lines[: first - 1], "import builtins", *lines[first - 1 :]])
