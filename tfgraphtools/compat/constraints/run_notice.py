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
    """Returns (is_silent, package, version, name, what changed, line) of what a source meets.

    What changes numbers without an error comes first.

    Args:
      tree: its `ast.Module`, before it is adapted.
      data: its bytes.
    """
    words = _words()
    roots = words.keys() & trees.imported_roots(tree)
    if not any(word in data for root in roots for word in words[root]):
        return ()
    from tfgraphtools.compat.doctor import differences  # here, as few sources need it

    met = [(change, line) for change, line in differences.in_tree(tree) if change.has_remedy]
    return tuple(
        (
            change.is_silent,
            change.package,
            change.version,
            change.name.lstrip("."),
            change.why,
            line,
        )
        for change, line in sorted(met, key=lambda pair: (not pair[0].is_silent, pair[1]))
    )


@functools.lru_cache(maxsize=None)
def _words():
    """Returns {module whose import may need an older version: words of what needs it}."""
    words = {}
    for change in tables.changes():
        if change.has_remedy:
            words.setdefault(change.root, set()).add(_word(change).encode())
    return words


def _word(change):
    """Returns the word of a change that its source contains."""
    return change.name.rpartition(".")[2].partition("=")[0]


def tell(path, changes):
    """Prints the line for the first change that the installed library has.

    Once in a run, and once more where numbers change without an error.
    """
    if not _tells or not changes:
        return
    from tfgraphtools.compat.doctor import differences

    for is_silent, package, version, name, why, line in changes:
        if differences.has(package, version):
            key = "constraints" if is_silent else "constraints.loud"
            what = f"{name} of {package} differs since {version} ({why})"
            notices.once(
                key,
                f"{path}:{line}: {what}; {package}<{version} restores it. Versions that this code "
                f"needs: 'tfgraphtools doctor --constraints FILE {path}'",
            )
            return
