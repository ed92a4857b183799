"""Links to files: a file is written once, and only if it is in what the user named."""

import os

from tfgraphtools.upgrade.findings import CANNOT, Finding

#: Why a link is left.
_OUTSIDE = "a link to {}, outside the given paths: not changed; to upgrade that file, pass its path"


def settled(examined, paths):
    """Returns the files, where links that lead elsewhere, or to another of them, do not change.

    Args:
      examined: `reports.File`s.
      paths: the paths that the user named. One that is a link stands for where it leads.
    """
    roots = [os.path.realpath(path) for path in paths]
    taken = {file.path for file in examined if not os.path.islink(file.path)}
    settled_files = []
    for file in examined:
        if file.changes and os.path.islink(file.path):
            real = os.path.realpath(file.path)
            if not any(_is_within(real, root) for root in roots):
                name = os.path.basename(file.path)
                finding = Finding(1, name, CANNOT, "links", _OUTSIDE.format(real))
                file = _unchanged(file, (finding,))
            elif real in taken:
                file = _unchanged(file, ())
            taken.add(real)
        settled_files.append(file)
    return settled_files


def _unchanged(file, findings):
    return file._replace(after=file.before, new=file.old, findings=findings)


def _is_within(path, root):
    return path == root or path.startswith(os.path.join(root, ""))
