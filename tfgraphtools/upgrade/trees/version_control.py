"""Which files git can restore: those that are committed, byte for byte as they are now."""

import hashlib
import os
import subprocess

#: Why git cannot restore a file.
UNCOMMITTED = "changes that are not committed to git"
UNTRACKED = "not tracked by git"
IGNORED = "ignored by git"
NO_CHECKOUT = "not in a git checkout"
OTHER_BYTES = "not the bytes that git would check out"
UNKNOWN = "in a checkout that git cannot read"

#: What a hook of git sets for another checkout than the one that is asked for.
_OF_HOOKS = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX")


class _Failed(Exception):
    """Git is not here, or cannot read the checkout."""


def unrestorable(paths):
    """Returns {path: why} of the files that git cannot restore as they are now.

    Args:
      paths: paths of files; a link stands for the file that it leads to.
    """
    by_folder = {}
    for path in paths:
        real = os.path.realpath(path)
        by_folder.setdefault(_checkout(os.path.dirname(real)), []).append((real, path))
    reasons = {}
    for top, pairs in by_folder.items():
        if top is None:
            reasons.update((path, NO_CHECKOUT) for _, path in pairs)
            continue
        names = {path: os.path.relpath(real, top).replace(os.sep, "/") for real, path in pairs}
        try:
            reasons.update(_reasons(top, names))
        except _Failed:
            reasons.update(dict.fromkeys(names, UNKNOWN))
    return reasons


def _reasons(top, names):
    """Yields {path: why} of the files of one checkout, from {path: name in the checkout}."""
    shown_top = _git(top, "rev-parse", "--show-toplevel").decode("utf-8", "surrogateescape")
    if os.path.realpath(shown_top.rstrip("\n")) != top:  # a folder ".git" that is no checkout
        raise _Failed
    changed = _changed(top)
    tracked = _tracked(top)
    untracked = [name for name in names.values() if name not in tracked]
    ignored = _ignored(top, untracked) if untracked else ()
    for path, name in names.items():
        if name in changed:
            yield path, UNCOMMITTED
        elif name not in tracked:
            yield path, IGNORED if name in ignored else UNTRACKED
        elif not _is_checked_out(top, name, tracked[name]):
            yield path, OTHER_BYTES


def _checkout(folder):
    """Returns the folder of the checkout that a folder is in, or None."""
    while True:
        if os.path.exists(os.path.join(folder, ".git")):
            return folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def _changed(top):
    """Returns the names of the tracked files that have changes, staged ones included."""
    entries = iter(_names(_git(top, "status", "--porcelain", "-z", "--untracked-files=no")))
    changed = set()
    for entry in entries:
        changed.add(entry[3:])
        if entry[0] in "RC":  # the next entry is the old name
            changed.add(next(entries))
    return changed


def _tracked(top):
    """Returns {name: object} of the files of the index."""
    entries = (entry.split("\t", 1) for entry in _names(_git(top, "ls-files", "--stage", "-z")))
    return {name: description.split(" ")[1] for description, name in entries}


def _ignored(top, names):
    words = ["check-ignore", "-z", "--stdin"]
    data = "\0".join(names).encode("utf-8", "surrogateescape")
    return set(_names(_git(top, *words, data=data, codes=(0, 1))))


def _is_checked_out(top, name, expected):
    """Tells whether a file holds what git would write, which a clean status does not promise.

    The index may say not to look (``assume-unchanged``), and a filter (``text=auto``) may count
    other bytes as the same.
    """
    with open(os.path.join(top, *name.split("/")), "rb") as file:
        data = file.read()
    digest = hashlib.sha1 if len(expected) == 40 else hashlib.sha256
    if digest(b"blob %d\0" % len(data) + data).hexdigest() == expected:
        return True
    return _git(top, "cat-file", "--filters", ":" + name) == data


def _names(output):
    return [name for name in output.decode("utf-8", "surrogateescape").split("\0") if name]


def _git(top, *words, data=b"", codes=(0,)):
    """Returns what a command of git prints."""
    environment = {name: value for name, value in os.environ.items() if name not in _OF_HOOKS}
    try:
        done = subprocess.run(
            ["git", "-C", top, *words],
            input=data,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
    except OSError as error:
        raise _Failed from error
    if done.returncode not in codes:
        raise _Failed
    return done.stdout
