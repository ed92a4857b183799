"""The branch of the upgraded code, in a repository of git of its own."""

import os
import shutil

from tfgraphtools.revive import environments, tree_copies

BRANCH = "revived"

#: Larger files are data, and are not committed.
_LARGEST = 1 << 20

_OPTIONS = (
    "user.name=tfgraphtools", "user.email=tfgraphtools@localhost", "commit.gpgsign=false",
    f"core.hooksPath={os.devnull}", "core.autocrlf=false", "init.defaultBranch=original",
)  # fmt: skip


def begin(folder, log):
    """Makes a repository of a folder: its files as they are, and a branch for the upgrade.

    Returns:
      whether git is installed and did so.
    """
    if shutil.which("git") is None:
        return False
    if _git(folder, log, "init", "--quiet"):
        return False
    files = [
        name
        for name in tree_copies.names(folder)
        if os.path.islink(os.path.join(folder, name))
        or os.path.getsize(os.path.join(folder, name)) <= _LARGEST
    ]
    for start in range(0, len(files), 500):
        _git(folder, log, "add", "--force", "--", *files[start : start + 500])
    _git(folder, log, "commit", "--quiet", "--allow-empty", "-m", "The code as it was")
    return _git(folder, log, "checkout", "--quiet", "-b", BRANCH) == 0


def commit(folder, message, log):
    """Commits what changed in the files that git knows, and new sources."""
    _git(folder, log, "add", "--update")
    _git(folder, log, "add", "--force", "--", "*.py")
    _git(folder, log, "commit", "--quiet", "--allow-empty", "-m", message)


def _git(folder, log, *words):
    options = [word for option in _OPTIONS for word in ("-c", option)]
    return environments.call(["git", "-C", folder, *options, *words], log)[0]
