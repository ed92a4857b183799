"""Installed packages that plain Python cannot use: of TF 1, or of a Python that had more names."""

from tfgraphtools.analysis import library_sources, library_uses, python_imports
from tfgraphtools.compat.engine.loading import packages

_OF_TF1 = "start the program with tfgraphtools run, or upgrade the source of the package, too"
_OLD = "install a newer version of it, or start the program with tfgraphtools run --v1-package"


def imported_in(tree, files, path):
    """Yields (line, package, why, remedy) for each import of such a package.

    Args:
      tree: the `ast.Module`.
      files: the `modules.Files` of the codebase, whose own modules are not looked at.
      path: the file.
    """
    imported = library_uses.imported_names(tree)
    for line, root in dict.fromkeys(
        (node.lineno, name.partition(".")[0]) for name, node in imported
    ):
        if files.find(0, root, path) is None and _reason(root):
            yield (line, root, *_reason(root))


@library_sources.kept
def _reason(root):
    """Returns (why, remedy) of a package that plain Python cannot use; () for all others."""
    if root == "tfgraphtools" or packages.is_of_today(root):
        return ()
    definition = library_sources.top(root)
    if definition is None or not definition.file or "-packages" not in definition.file:
        return ()
    of_tf1 = packages.reason_for_tf1(root, packages.top_of(root, definition.file))
    if of_tf1:
        why = f"the installed {root} was written for TF 1, which plain Python does not hide"
        return f"{why}: {of_tf1}", _OF_TF1
    asked = python_imports.missing_name(definition.file)
    if not asked:
        return ()
    return f"the installed {root} imports {asked}, which this Python has not", _OLD
