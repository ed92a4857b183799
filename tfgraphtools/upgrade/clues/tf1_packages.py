"""Installed packages that were written for TF 1: plain Python does not translate them."""

import ast
import functools

from tfgraphtools.analysis import library_sources
from tfgraphtools.analysis.scopes import nodes_of
from tfgraphtools.compat.engine.loading import packages


def imported_in(tree, files, path):
    """Yields (line, package, why) for each import of such a package.

    Args:
      tree: the `ast.Module`.
      files: the `modules.Files` of the codebase, whose own modules are not looked at.
      path: the file.
    """
    for node in nodes_of(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module]
        for root in dict.fromkeys(name.partition(".")[0] for name in names):
            if files.find(0, root, path) is None and _reason(root):
                why = f"the installed {root} was written for TF 1, which plain Python does not hide"
                yield node.lineno, root, f"{why}: {_reason(root)}"


@functools.lru_cache(None)
def _reason(root):
    """Returns why a package counts as written for TF 1; "" for others, and those not installed."""
    if root == "tfgraphtools" or packages.is_of_today(root):
        return ""
    definition = library_sources.top(root)
    if definition is None or not definition.file or "-packages" not in definition.file:
        return ""
    return packages.reason_for_tf1(root, packages.top_of(root, definition.file))
