"""Versions that a repository asks for: in lines of requirements, ``setup.py`` and asserts."""

import ast
import codecs
import re
from typing import NamedTuple

from tfgraphtools import regular_files
from tfgraphtools.analysis.scopes import nodes_of

#: A package, extras and limits, and what pip allows after them: options and a continued line.
_REQUIREMENT = re.compile(
    r"([A-Za-z][\w.-]*)\s*(?:\[[^\]]*\])?\s*\(?((?:[<>=!~]=?=?\s*[\w.*+!-]+\s*,?\s*)*)\)?"
    r"(?:\s+--?\w.*)?\s*\\?"
)
_OPERATORS = {ast.Eq: "==", ast.GtE: ">=", ast.Gt: ">", ast.LtE: "<=", ast.Lt: "<"}


class Pin(NamedTuple):
    """A version that is asked for: ``==1.13.3``, or "" for any; and where, "FILE:LINE"."""

    limit: str
    place: str


class Pins(NamedTuple):
    """All versions that a repository asks for.

    Fields:
      packages: {package, with dashes and in small letters: its `Pin`}.
      date: the day of the last commit, as "2018-03-01"; None without git.
    """

    packages: dict
    date: str


def normalized(package):
    """Returns the name of a package as pip compares it."""
    return re.sub(r"[-_.]+", "-", package).lower()


def asserted(tree, package_of):
    """Yields (package, limit, line) of the versions that a source asserts: ``np.__version__``.

    Args:
      tree: an `ast.Module`.
      package_of: a function of a name in the source that gives a package, or None.
    """
    for node in nodes_of(tree):
        test = getattr(node, "test", None) if isinstance(node, ast.Assert) else None
        if not isinstance(test, ast.Compare) or len(test.ops) != 1:
            continue
        version = getattr(test.comparators[0], "value", None)
        is_version = isinstance(test.left, ast.Attribute) and test.left.attr == "__version__"
        operator = _OPERATORS.get(type(test.ops[0]))
        if is_version and operator and isinstance(version, str):
            package = isinstance(test.left.value, ast.Name) and package_of(test.left.value.id)
            if package:
                yield package, operator + version, node.lineno


def lines_of(path):
    """Returns the lines of a text; one that begins with a mark of UTF-16 is read as such."""
    try:
        content = regular_files.read(path)
    except OSError:
        return []
    is_utf16 = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return content.decode("utf-16" if is_utf16 else "utf-8-sig", "replace").splitlines()


def requirement(text):
    """Returns (package, limit) that a line of requirements asks for, or None.

    A comment and a marker, ``; python_version < "3"``, do not count.
    """
    match = _REQUIREMENT.fullmatch(text.partition("#")[0].partition(";")[0].strip())
    return match and (normalized(match[1]), re.sub(r"\s", "", match[2]).rstrip(","))


def of_setup(path):
    """Yields (line, requirement) of the strings of a ``setup.py``, which is not executed."""
    try:
        tree = ast.parse(regular_files.read(path))
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return
    assigned = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        for keyword in getattr(node, "keywords", ()):
            if keyword.arg in ("install_requires", "tests_require", "extras_require"):
                value = assigned.get(getattr(keyword.value, "id", None), keyword.value)
                for text in _strings(value):
                    yield text.lineno, text.value


def _strings(node):
    """Yields the constant strings of an expression that may be packages.

    Arguments of calls are files, and keys of a dict are names of extras.
    """
    if isinstance(getattr(node, "value", None), str):
        yield node
    children = node.values if isinstance(node, ast.Dict) else ast.iter_child_nodes(node)
    for child in () if isinstance(node, ast.Call) else children:
        yield from _strings(child)
