"""Python 2 source as Python 3 source, as a person would write it: layout and comments stay.

``fissix`` parses and rewrites (`FIXERS` says what); `division` sees to ``/``. Names of modules
and built-in functions that rows know (``cPickle``, ``itertools.izip``) are left to them.
"""

import logging

from tfgraphtools.compat.fixes.python.python2 import reading, translation
from tfgraphtools.errors import MissingExtraError
from tfgraphtools.upgrade.findings import REWRITTEN, Finding
from tfgraphtools.upgrade.python2 import division

#: fix -> the fixers of ``fissix`` that do it
FIXERS = {
    "python2.apply": ("apply",),
    "python2.backticks": ("repr",),
    "python2.builtins": (
        "basestring",
        "execfile",
        "getcwdu",
        "intern",
        "long",
        "raw_input",
        "reduce",
        "reload",
        "standarderror",
        "unicode",
        "input",
    ),
    "python2.classes": ("metaclass", "nonzero", "methodattrs", "funcattrs"),
    "python2.dict": ("dict", "has_key"),
    "python2.except": ("except",),
    "python2.exec": ("exec",),
    "python2.imports": ("import", "imports", "urllib"),
    "python2.iterators": ("next", "itertools", "itertools_imports", "xrange"),
    "python2.lists": ("filter", "map", "zip"),
    "python2.literals": ("numliterals",),
    "python2.operators": ("ne", "operator"),
    "python2.parameters": ("tuple_params", "paren"),
    "python2.print": ("print",),
    "python2.raise": ("raise", "throw", "sys_exc"),
}

_WORDS = {"async", "await"}


class NotPython2(Exception):
    """A source is no Python 2 either."""


def translated(code, path, choice):
    """(Python 3 source, [`Finding`]) of Python 2 source.

    Args:
      code: str; its lines end in ``\\n``.
      path: its file.
      choice: the `rewriting.Choice` of fixes.

    Raises:
      NotPython2: it cannot be parsed.
      MissingExtraError: ``fissix`` is not installed.
    """
    whole = code if code.endswith("\n") else code + "\n"
    seen = []
    new = _fixed(whole, path, choice, seen)
    if not _parses(new):
        expanded = reading.expand_tabs(whole)
        if expanded != whole:
            seen = []
            new = _fixed(expanded, path, choice, seen)
    if choice.allows(division.FIX):
        new, more = division.divided(new, code, choice)
        seen += more
    return (new if code.endswith("\n") else new[:-1]), seen


def _parses(source):
    try:
        compile(source, "", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def _fixed(code, path, choice, seen):
    tool = _tool(path, choice, seen)
    try:
        tree = tool.refactor_string(code, path)
    except Exception as error:  # fissix raises errors of many classes
        raise NotPython2(str(error)) from None
    if tree is None:
        raise NotPython2("it cannot be parsed")
    _rewrite_leaves(tree)
    return str(tree)


def _tool(path, choice, seen):
    try:
        from fissix import refactor
    except ImportError:
        raise MissingExtraError(
            path,
            "fissix, which reads Python 2 source",
            "no such package",
            "pip install 'tfgraphtools[upgrade]'",
        )
    logging.getLogger("RefactoringTool").setLevel(logging.CRITICAL)
    fixes = {name: fix for fix, names in FIXERS.items() for name in names if choice.allows(fix)}
    tool = refactor.RefactoringTool(["fissix.fixes.fix_" + name for name in sorted(fixes)])
    for fixer in tool.pre_order + tool.post_order:
        name = type(fixer).__module__.rpartition("fix_")[2]
        fixer.transform = _noting(fixer.transform, fixes[name], seen)
        fixer.warning = fixer.cannot_convert = lambda *_, **__: None
    return tool


def _noting(transform, fix, seen):
    """`transform` of a fixer, noting each change."""

    def noting(node, results):
        line = node.get_lineno()
        before = str(node).strip()
        new = transform(node, results)
        after = str(node if new is None else new).strip()
        if after != before:
            shown = after.split("\n")[0][:80]
            seen.append(Finding(line, before.split("\n")[0][:60], REWRITTEN, fix, shown))
        return new

    return noting


def _rewrite_leaves(tree):
    """Renames what became words of the language, and spells string literals anew."""
    from fissix.pgen2 import token

    is_text = "unicode_literals" in getattr(tree, "future_features", ())
    for leaf in tree.leaves():
        if leaf.type == token.NAME and leaf.value in _WORDS:
            leaf.value += "_"
        elif leaf.type == token.STRING:
            leaf.value = translation.string_literal(leaf.value, is_text)


__all__ = ["FIXERS", "NotPython2", "translated"]
