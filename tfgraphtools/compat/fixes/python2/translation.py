"""The syntax of Python 2 as Python 3's, line for line (`fissix` does the parsing).

Only what Python 3 cannot parse is rewritten here. What parses and means
something else (`/`, ``map``, ``print``) is left to `meaning`.
"""

import ast
import re

from tfgraphtools.compat.fixes.python2 import tuples
from tfgraphtools.errors import MissingExtraError

#: The fixers for what Python 3 cannot parse, and no others.
_FIXERS = (
    "except",
    "exec",
    "ne",
    "paren",
    "print",
    "raise",
    "repr",
    "throw",
    "tuple_params",
)

#: Names of Python 2 that are now words of the language.
_WORDS = {"async", "await", "nonlocal"}

#: How the messages of Python 3 about correct Python 2 begin.
_SAYS_PYTHON2 = (
    "Missing parentheses in call to",
    "multiple exception types must be parenthesized",
    "leading zeros in decimal integer literals",
    "invalid decimal literal",
    "inconsistent use of tabs",
)

_STRING = re.compile(r"(?s)([A-Za-z]*)('''|\"\"\"|'|\")(.*)\2\Z")

#: An integer that is long.
_LONG = re.compile(r"\b(?:0[xX][0-9a-fA-F]+|\d+)[lL]\b")

_tool = None


def translate(text, path, error):
    """Returns the tree of Python 2 source, with the line numbers of the original.

    Args:
      text: the source; its indentation holds no tabs.
      path: for errors.
      error: the SyntaxError that Python 3 finds in the source; it is raised
        when the source is not Python 2 either.
    """
    _refactoring_tool(path)  # which may be missing: no fault of the source
    try:
        concrete = concrete_tree(text, path)
        _keep_backticks(concrete)
        translated = str(concrete)
        tree = ast.parse(translated, path)
    except Exception as failure:  # fissix raises errors of many classes
        raise _real_error(text, path, error, failure) from None
    _relocate(tree, _original_lines(concrete, translated))
    tree._has_long = _LONG.search(text) is not None
    return tree


def concrete_tree(text, path):
    """Returns the tree of fissix of Python 2 source, whose text is Python 3's syntax.

    A leaf keeps the line and column that it has in the source.

    Raises:
      Exception: it cannot be parsed, in one of many classes of fissix.
      MissingExtraError: `fissix` is not installed.
    """
    concrete = _refactoring_tool(path).refactor_string(text, path)
    respell_strings(concrete)
    rewrite_leaves(concrete)
    return concrete


def _refactoring_tool(path):
    global _tool
    if _tool is None:
        _tool = new_tool(_FIXERS, path)
        before_fixers(_tool, tuples.unpack)
    return _tool


def new_tool(fixers, path):
    """Returns a RefactoringTool with some of `fissix`'s fixers.

    Raises:
      MissingExtraError: `fissix` is not installed; it names the file at `path`.
    """
    try:
        from fissix import refactor
    except ImportError:
        raise MissingExtraError(
            path,
            "fissix, which reads Python 2 source",
            "no such package",
            "Install it: pip install fissix.",
        )
    import logging

    # Its own log says what we say ourselves, or speaks of other fixers.
    logging.getLogger("RefactoringTool").setLevel(logging.CRITICAL)
    return refactor.RefactoringTool(["fissix.fixes.fix_" + name for name in fixers])


def before_fixers(tool, prepare):
    """Makes a RefactoringTool call ``prepare(tree)`` before its fixers see a tree."""
    fix = tool.refactor_tree

    def refactor_tree(tree, name):
        prepare(tree)
        return fix(tree, name)

    tool.refactor_tree = refactor_tree


def _real_error(text, path, error, failure):
    """Returns `error`, or where a Python 2 source breaks Python 2's own rules."""
    context = getattr(failure, "context", None)  # of a ParseError: (prefix, (line, column))
    if context is None or not str(error.msg).startswith(_SAYS_PYTHON2):
        return error
    line, column = context[1]
    if line <= error.lineno:
        return error
    lines = text.split("\n")
    shown = lines[line - 1] if line <= len(lines) else ""
    return SyntaxError("invalid syntax", (path, line, column + 1, shown))


# Leaves ---------------------------------------------------------------------


def _keep_backticks(concrete):
    """Makes the `repr` that a fixer wrote the built-in one, where the source has one of its own."""
    leaves = [leaf for leaf in concrete.leaves() if leaf.value == "repr"]
    if any(leaf.lineno for leaf in leaves):
        for leaf in leaves:
            if not leaf.lineno:
                leaf.value = "__import__('builtins').repr"


def rewrite_leaves(concrete):
    """Renames names that became keywords, and rewrites number literals."""
    from fissix.pgen2 import token

    for leaf in concrete.leaves():
        if leaf.type == token.NAME and leaf.value in _WORDS:
            leaf.value += "_"
        elif leaf.type == token.NUMBER:
            leaf.value = number(str(leaf.value))


def respell_strings(concrete, note=lambda leaf, before: None):
    """Rewrites string literals; calls ``note(leaf, its old text)`` for each."""
    from fissix.pgen2 import token

    is_text = "unicode_literals" in getattr(concrete, "future_features", ())
    for leaf in concrete.leaves():
        if leaf.type == token.STRING:
            before, leaf.value = leaf.value, string_literal(leaf.value, is_text)
            note(leaf, before)


def number(literal):
    """Returns a literal in Python 3's spelling: ``10L`` is 10, ``0777`` is 0o777."""
    if literal[-1] in "lL":
        literal = literal[:-1] + " "  # 10L.real is 10 .real
    if literal.strip().isdigit() and literal.startswith("0") and literal.strip("0 "):
        return "0o" + literal.lstrip("0")
    return literal


def string_literal(literal, unicode_literals):
    r"""Returns a literal in Python 3's spelling: ``ur''`` is gone, and ``'\u'`` was no escape."""
    prefix, quote, body = _STRING.match(literal).groups()
    kind = prefix.lower()
    if kind == "ur":  # Python 2 read the escapes \uXXXX in it, and no others
        body = re.sub(r"\\\\|\\(?!u[0-9A-Fa-f]{4})", lambda match: match.group() * 2, body)
        return "u" + quote + body + quote
    if kind == "" and not unicode_literals:
        body = re.sub(r"(\\\\)|\\(?=[uUN])", lambda match: match.group(1) or "\\\\", body)
        return quote + body + quote
    return literal


# Lines ----------------------------------------------------------------------


def _original_lines(concrete, translated):
    """Returns the original line numbers, by the line numbers of the translation (from 1)."""
    lines = [None] * (translated.count("\n") + 2)
    now = 1
    for leaf in concrete.leaves():
        now += leaf.prefix.count("\n")
        height = leaf.value.count("\n")
        if leaf.lineno:
            for below in range(height + 1):
                if lines[now + below] is None:
                    lines[now + below] = leaf.lineno + below
        now += height
    known = 1
    for number, line in enumerate(lines):
        known = lines[number] = line or known
    return lines


def _relocate(tree, lines):
    """Gives the nodes their original lines, and no columns: these are the translation's."""
    for node in ast.walk(tree):
        if hasattr(node, "lineno"):
            node.lineno = lines[node.lineno]
            node.col_offset = -1
        if getattr(node, "end_lineno", None) is not None:
            node.end_lineno = max(lines[node.end_lineno], node.lineno)
            node.end_col_offset = -1
