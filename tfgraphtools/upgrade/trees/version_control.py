"""Files that git can restore: those that are committed, byte for byte as they are now."""

import hashlib
import os

from tfgraphtools import git_repository

#: Why git cannot restore a file.
UNCOMMITTED = "changes that are not committed to git"
UNTRACKED = "not tracked by git"
IGNORED = "ignored by git"
NO_CHECKOUT = "not in a git checkout"
OTHER_BYTES = "not the bytes that git would check out"
UNKNOWN = "in a checkout that git cannot read"
FILTERED = "written by a filter of git, a program that is not run"


def unrestorable(paths):
    """Returns {path: why} of the files that git cannot restore as they are now.

    Args:
      paths: paths of files; a link stands for the file that it leads to.
    """
    by_folder = {}
    for path in paths:
        real = os.path.realpath(path)
        by_folder.setdefault(git_repository.top(os.path.dirname(real)), []).append((real, path))
    reasons = {}
    for top, pairs in by_folder.items():
        if top is None:
            reasons.update((path, NO_CHECKOUT) for _, path in pairs)
            continue
        names = {path: os.path.relpath(real, top).replace(os.sep, "/") for real, path in pairs}
        try:
            with git_repository.Checkout(top) as git:
                reasons.update(_reasons(git, names))
        except git_repository.GitError:
            reasons.update(dict.fromkeys(names, UNKNOWN))
    return reasons


def _reasons(git, names):
    """Yields {path: why} of the files of one checkout, from {path: name in the checkout}."""
    changed, tracked = _changed(git), _tracked(git)
    untracked = [name for name in names.values() if name not in tracked]
    ignored = _ignored(git, untracked) if untracked else ()
    filtered = _filtered(git, names.values())
    for path, name in names.items():
        if name not in tracked:
            yield path, IGNORED if name in ignored else UNTRACKED
        elif name in filtered:
            yield path, FILTERED
        elif name in changed:
            yield path, UNCOMMITTED
        elif not _is_checked_out(git, name, tracked[name]):
            yield path, OTHER_BYTES


def _changed(git):
    """Returns the names of the tracked files that have changes, staged ones included."""
    options = ["--porcelain", "-z", "--untracked-files=no", "--ignore-submodules=all"]
    entries = iter(_names(git.call("status", *options)))
    changed = set()
    for entry in entries:
        changed.add(entry[3:])
        if entry[0] in "RC":  # the next entry is the old name
            changed.add(next(entries))
    return changed


def _tracked(git):
    """Returns {name: object} of the files of the index."""
    entries = (entry.split("\t", 1) for entry in _names(git.call("ls-files", "--stage", "-z")))
    return {name: description.split(" ")[1] for description, name in entries}


def _ignored(git, names):
    words = ["check-ignore", "-z", "--stdin"]
    return set(_names(git.call(*words, data=_bytes(names), codes=(0, 1))))


def _filtered(git, names):
    """Returns the names of which an attribute names a filter: only running it tells the bytes."""
    output = _names(git.call("check-attr", "-z", "--stdin", "filter", data=_bytes(names)))
    triples = zip(output[::3], output[2::3])
    return {name for name, value in triples if value not in ("unspecified", "unset")}


def _is_checked_out(git, name, expected):
    """Tells whether a file holds what git would write, which a clean status does not promise.

    The index may say not to look (``assume-unchanged``), and an attribute (``text=auto``) may count
    other bytes as the same.
    """
    with open(os.path.join(git.folder, *name.split("/")), "rb") as file:
        data = file.read()
    digest = hashlib.sha1 if len(expected) == 40 else hashlib.sha256
    if digest(b"blob %d\0" % len(data) + data).hexdigest() == expected:
        return True
    return git.call("cat-file", "--filters", ":" + name) == data


def _bytes(names):
    return "\0".join(names).encode("utf-8", "surrogateescape")


def _names(output):
    return [name for name in output.decode("utf-8", "surrogateescape").split("\0") if name]
