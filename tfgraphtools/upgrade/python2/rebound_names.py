"""Variables of a module that may hold something else than its source assigns to them."""

import ast
import functools
import re

from tfgraphtools import regular_files
from tfgraphtools.analysis import scopes

#: What binds the name of another module: ``settings.n = 2``, ``settings.n += 1``, ``for m.n in``.
_STORE = re.compile(
    r"\.(\w+)\s*(?:,[^=\n()]*)?(?:[-+*/%&|^@]|//|\*\*|<<|>>)?=(?!=)|\bfor .*?\.(\w+)\s+in\b"
)
_SETATTR = re.compile(r"""\bsetattr\(\s*([\w.\[\]]+)\s*,\s*(?:u?["'](\w+)["'])?""")

#: Objects whose attributes a program sets by computed names, and which are no modules.
_OBJECTS = {"self", "cls", "args", "obj"}

#: Stands for every name.
ANY = "*"


@functools.lru_cache(8)
def of_files(paths):
    """Returns the names that files bind as attributes of something, which may be a module.

    Args:
      paths: a tuple of paths. `ANY` is among the names where one sets a computed name.
    """
    names = set()
    for path in paths:
        text = regular_files.text(path)
        for match in _STORE.finditer(text):
            names.update(filter(None, match.groups()))
        for owner, name in _SETATTR.findall(text):
            if name or owner not in _OBJECTS:
                names.add(name or ANY)
    return frozenset(names)


def of_module(tree, files):
    """Returns those of the variables of a module that something else may bind.

    Args:
      tree: its `ast.Module`.
      files: the paths of its codebase, a tuple.
    """
    names = set(scopes.scopes_of(tree).module.names)
    rebound = of_files(files)
    reads = {node.id for node, _ in scopes.scopes_of(tree).names}
    if ANY in rebound or reads & scopes.HIDDEN_BINDINGS:
        return names
    last_star = max((star.lineno for _, _, star in scopes.scopes_of(tree).stars), default=0)
    early = {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
        if node.lineno <= last_star  # what the star brings replaces it
    }
    return names & (rebound | early)
