"""One line of a run whose code was written for an older library than the installed one.

It is seen in the source, when a file of user code is compiled: nothing of the library is touched.
"""

import functools

from tfgraphtools.compat.constraints import tables
from tfgraphtools.compat.engine import notices
from tfgraphtools.compat.engine.translate import trees

_tells = False


def begin(tells):
    """Starts a run, which says it or does not."""
    global _tells
    _tells = tells


def changes_in(tree, data):
    """Returns (package, version, name, what changed, line) of what a source meets.

    Args:
      tree: its `ast.Module`, before it is adapted.
      data: its bytes.
    """
    words = _words()
    roots = words.keys() & trees.imported_roots(tree)
    if not any(word in data for root in roots for word in words[root]):
        return ()
    from tfgraphtools.compat.doctor import differences  # here, as few sources need it

    return tuple(
        (change.package, change.version, change.name.lstrip("."), change.why, line)
        for change, line in differences.in_tree(tree)
        if change.has_remedy
    )


@functools.lru_cache(maxsize=None)
def _words():
    """Returns {module whose import may need an older version: words of what needs it}."""
    words = {}
    for change in tables.changes():
        if change.has_remedy:
            words.setdefault(change.root, set()).add(change.name.rpartition(".")[2].encode())
    return words


def tell(path, changes):
    """Prints the line for the first change that the installed library has, once in a run."""
    if not _tells or not changes:
        return
    from tfgraphtools.compat.doctor import differences

    for package, version, name, why, line in changes:
        if differences.has(package, version):
            notices.once(
                "constraints",
                f"{path}:{line}: {name} of {package} differs since {version} ({why}); versions "
                f"that this code needs: 'tfgraphtools doctor --constraints FILE {path}'",
            )
            return
