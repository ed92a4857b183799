"""Python 2 source as a Python 3 tree, in memory: nothing is ever written to a file.

`to_tree` turns the bytes of a user's module into a tree. What Python 3 parses
passes through untouched, unless it can only have been meant for Python 2
(`dialect`). Else `translation` turns its syntax into Python 3's, line for line,
and `meaning` has it divide, print, list and import as Python 2 did; `mixed`
is for single spellings of Python 2 in sources that Python 3 parses. What the
trees call at run time is in `HELPERS`.
"""

import ast

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.parts import ImportRules, SourceReader
from tfgraphtools.compat.engine.translate import in_place, removed_attributes, trees
from tfgraphtools.compat.fixes.python2 import (
    ahead,
    dialect,
    helpers,
    implicit_imports,
    meaning,
    mixed,
    old_attributes,
    python2_programs,
    reading,
    table,
    translation,
)
from tfgraphtools.compat.fixes.python2.library import library_modules
from tfgraphtools.compat.fixes.python2.python2_programs import supposed as in_company
from tfgraphtools.errors import MissingExtraError

__all__ = ["HELPERS", "OFFERS", "TABLES", "in_company", "install", "to_tree", "why_python2"]

TABLES = (
    table.TABLE,
    mixed.TABLE,
    old_attributes.TABLE,
    removed_attributes.TABLE,
)

HELPERS = dict(helpers.HELPERS, **removed_attributes.HELPERS, **in_place.HELPERS)


def install(options):
    """Takes the whole program for Python 2's where the options say so."""
    if options.python2:
        python2_programs.note(table.SYNTAX.name)


def to_tree(source, path, is_users=True):
    """Returns the tree of a module's source, whichever Python it was written for.

    Args:
      source: the bytes of the file.
      path: its path, for errors and tracebacks.
      is_users: whether it is part of the user's program, and of one Python with it (see
        `python2_programs`).

    Returns:
      an `ast.Module` whose line numbers are those of the file.

    Example:
      >>> tree = to_tree(b"print 5 / 2", "old.py")

    Raises:
      SyntaxError: the source is neither Python 3 nor Python 2; it is the error
        that Python 3 finds in it.
      MissingExtraError: the source is Python 2 and ``fissix`` is not installed.
    """
    is_text = path.startswith("<")
    try:
        tree = ast.parse(source, path)
    except SyntaxError as error:
        return meaning.as_python2(_translated(source, path, error), table.SYNTAX, is_text)
    if dialect.is_python2(source, tree) and not rows.is_off(table.BY_NAMES.name):
        return meaning.as_python2(_in_bytes(source, path, tree), table.BY_NAMES, is_text)
    if is_users and python2_programs.concerns(tree):
        return meaning.as_python2(_in_bytes(source, path, tree), table.BY_COMPANY, is_text)
    return tree


def _in_bytes(source, path, tree):
    """Returns the tree of a source that Python 3 can parse, as Python 2 parsed it."""
    if trees.mentions(tree, "print") and "print_function" not in dialect.future_imports(tree):
        try:  # to Python 3 `print [x]` takes an item of print
            return _translated(source, path, SyntaxError("no statement of Python 2"))
        except (SyntaxError, MissingExtraError):
            pass
    if source.isascii() and not any(escape in source for escape in (b"\\u", b"\\U", b"\\N")):
        return tree
    text = reading.text_of(source)
    return ast.parse(reading.spell_bytes(text, reading.encoding_of(source)), path)


OFFERS = (
    SourceReader(ahead.look_ahead, to_tree, python2_programs.is_python2),
    ImportRules(implicit_imports.import_implicitly, library_modules.module_for),
)


def why_python2(tree):
    """Returns the row by which `to_tree` took a module for Python 2, or None if it did not."""
    name = meaning.mark_of(tree)
    return table.TABLE.row(name) if name else None


def _translated(source, path, error):
    """Returns the tree of a source in which Python 3 found `error`, or raises that error."""
    if rows.is_off(table.SYNTAX.name):
        raise error from None
    try:
        text = reading.expand_tabs(reading.text_of(source))
        text = reading.spell_bytes(text, reading.encoding_of(source))
    except (SyntaxError, UnicodeDecodeError):
        raise error from None
    tree = _parsed_by_python3(text, path) if error.lineno else None
    if tree is None:
        tree = translation.translate(text, path, error)
    if dialect.has_python3_syntax(tree):
        raise error from None
    return tree


def _parsed_by_python3(text, path):
    """Returns the tree of a source of which only the tabs were Python 2's; None of others."""
    try:
        return ast.parse(text, path)
    except SyntaxError:
        return None
