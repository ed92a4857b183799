"""Python 2 source as Python 3 source, as a person would write it: layout and comments stay.

``fissix`` parses and rewrites (`FIXERS` says what); `floor_division` sees to ``/``, `silent`
reports what Python 3 would compute differently. Names of modules and built-in functions that
rows know (``cPickle``, ``itertools.izip``) are left to them.
"""

import ast
import functools
import re

from tfgraphtools import line_differences
from tfgraphtools.compat.fixes.python2 import reading, translation, tuples
from tfgraphtools.upgrade.findings import REWRITTEN, Finding
from tfgraphtools.upgrade.python2 import dictionary_views, floor_division, silent, user_names

#: fix -> the fixers of ``fissix`` that do it
FIXERS = {
    "python2.apply": "apply",
    "python2.backticks": "repr",
    "python2.builtins": "basestring execfile getcwdu input intern long raw_input reduce reload "
    "standarderror unicode",
    "python2.classes": "metaclass nonzero methodattrs funcattrs",
    "python2.dict": "dict has_key",
    "python2.except": "except",
    "python2.exec": "exec",
    "python2.iterators": "next xrange",
    "python2.lists": "filter map zip",
    "python2.literals": "numliterals",
    "python2.operators": "ne operator",
    "python2.parameters": "tuple_params paren",
    "python2.print": "print",
    "python2.raise": "raise throw sys_exc",
}


class NotPython2(Exception):
    """A source is no Python 2 either."""


def translated(code, path, choice, files=()):
    """Returns (Python 3 source, [`Finding`]) of Python 2 source.

    Args:
      code: str; its lines end in ``\\n``.
      path: its file.
      choice: the `roles.Choice` of fixes.
      files: the paths of its codebase, a tuple: they may bind names of this one.

    Raises:
      NotPython2: it cannot be parsed.
      MissingExtraError: ``fissix`` is not installed.
    """
    whole = code if code.endswith("\n") else code + "\n"
    seen = []
    expanded = reading.expand_tabs(whole)
    try:
        new = _fixed(whole, path, choice, seen)
    except NotPython2:
        if expanded == whole:
            raise
        new = ""
    if expanded != whole and not (new and _parses(new)):  # its tabs are Python 2's, too
        seen = list(_tabs(whole, expanded))
        new = _fixed(expanded, path, choice, seen)
    new, more = floor_division.divided(new, choice, files)
    seen += more
    seen += silent.differences(new, choice)
    return (new if code.endswith("\n") else new[:-1]), seen


def _tabs(before, after):
    """Yields a `Finding` for each line whose tabs become blanks."""
    pairs = zip(before.split("\n"), after.split("\n"))
    for number, (old, new) in enumerate(pairs, 1):
        if old != new:
            yield Finding(number, "tab", REWRITTEN, "python2.tabs", "blanks")


def _parses(source):
    try:
        compile(source, "", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def _fixed(code, path, choice, seen):
    names = user_names.UserNames(code, path)
    tool = _tool(path, choice, seen, names)
    try:
        tree = tool.refactor_string(code, path)
    except Exception as error:  # fissix raises errors of many classes
        raise NotPython2(str(error)) from None
    if tree is None:
        raise NotPython2("it cannot be parsed")
    translation.rewrite_leaves(tree)
    return _name_tuples(names.shown(tree))


def _tool(path, choice, seen, names):
    fixes = {
        name: fix for fix, names in FIXERS.items() for name in names.split() if choice.allows(fix)
    }
    tool = translation.new_tool(sorted(fixes), path)
    for fixer in tool.pre_order + tool.post_order:
        name = type(fixer).__module__.rpartition("fix_")[2]
        if name == "dict":
            dictionary_views.teach(fixer)
        fixer.transform = _noting(fixer.transform, fixes[name], seen)
        fixer.warning = fixer.cannot_convert = lambda *_, **__: None
    translation.before_fixers(tool, functools.partial(_prepare, seen=seen, names=names))
    return tool


def _prepare(tree, seen, names):
    names.hide(tree)

    def note(leaf, before):
        seen.extend(_differences(before, leaf.value, leaf.lineno, "python2.literals"))

    translation.respell_strings(tree, note)  # before a fixer removes the ``u`` that marks text
    for line, before, after in tuples.unpack(tree):
        seen.extend(_differences(before, after, line, "python2.parameters"))


def _noting(transform, fix, seen):
    """Returns `transform` of a fixer, noting each change."""

    def noting(node, results):
        line = node.get_lineno()
        before = str(node)[len(node.prefix) :]
        if fix == "python2.print" and _is_call(before.strip()):
            return None
        around = node.parent
        place = around.children.index(node) if around is not None else 0
        new = transform(node, results)
        if new is None and node.parent is None and around is not None:  # it replaced the node
            new = around.children[place]
            after, new = str(new).lstrip(), None
        else:
            after = str(node if new is None else new).lstrip()
        seen.extend(_differences(before, after, line, fix))
        return new

    return noting


def _differences(before, after, line, fix):
    """Yields a `Finding` for each line of a node's text that changes."""
    old, new = before.rstrip().split("\n"), after.rstrip().split("\n")
    for kind, start, end, other, other_end in line_differences.opcodes(old, new):
        if kind == "equal":
            continue
        for number in range(start, max(end, start + 1)):
            was = user_names.shown(old[number].strip()) if number < len(old) else ""
            place = other + number - start
            now = user_names.shown(new[place].strip()) if place < other_end else ""
            yield Finding(line + number, was[:60], REWRITTEN, fix, now[:80])


def _is_call(statement):
    """Tells whether ``print (x)`` means the same to both Pythons."""
    try:
        call = ast.parse(statement, mode="eval").body
    except (SyntaxError, ValueError):
        return False
    if not isinstance(call, ast.Call) or getattr(call.func, "id", None) != "print":
        return False
    return (
        len(call.args) == 1
        and not call.keywords
        and not isinstance(call.args[0], (ast.Tuple, ast.Starred, ast.GeneratorExp))
    )


def _name_tuples(source):
    """Parameters that were tuples, by names that say what is in them."""
    placeholders = re.findall(r"(?m)^[ \t]*\((.*)\) = (xxx_todo_changeme\d*)$", source)
    for text, placeholder in sorted(placeholders, key=lambda pair: -len(pair[1])):
        name = "_".join(re.findall(r"\w+", text))
        while re.search(rf"\b{name}\b", source):
            name += "_"
        source = re.sub(rf"\({re.escape(text)}\) = {placeholder}\b", f"{text} = {name}", source)
        source = re.sub(rf"\b{placeholder}\b", name, source)
    return source


__all__ = ["FIXERS", "NotPython2", "translated"]
