"""The branch of the upgraded code, in a repository of git of its own: a commit for each kind."""

import json
import os

from tfgraphtools import git_repository
from tfgraphtools.revive import environments
from tfgraphtools.runs import tree_copies
from tfgraphtools.upgrade.findings import CANNOT, REWRITTEN, RUNTIME, UNSEEN, Finding

BRANCH = "revived"

#: Larger files are data, and are not committed.
_LARGEST = 1 << 20
_SOURCES = (".py", ".ipynb")

#: Kinds of changes in the order of their commits: (title, how the names of their fixes begin).
_KINDS = (
    ("Python 2", "python2"),
    ("tf.contrib", "tensorflow.contrib"),
    ("names of TensorFlow", "tensorflow"),
    ("Keras", "keras"),
    ("NumPy", "numpy"),
)


def upgrade(folder, environment, log):
    """Upgrades the code of a folder, on a branch if there is git.

    Args:
      folder: the code, in which git has nothing yet.
      environment: an `environments.Environment`.
      log: a file.

    Returns:
      {"branch": whether there is one, "code": the exit code of `upgrade`, "changed": how many
      files, "left": its findings about what is left or was not looked at}.
    """
    has_git = begin(folder, log)
    code, files = _write(folder, environment, log)
    if has_git:
        _commit_kinds(folder, environment, files, log)
    left = [
        dict(finding, path=file["path"])
        for file in files
        for finding in file["findings"]
        if finding["status"] in (CANNOT, UNSEEN)
    ]
    left += [
        dict(_failure(file["error"]), path=file["path"]) for file in files if file.get("error")
    ]
    changed = sum(bool(file["changes"]) for file in files)
    return {"branch": has_git, "code": code, "changed": changed, "left": left}


def _write(folder, environment, log, *options):
    """Runs `upgrade`; returns (its exit code, what its report says of files)."""
    words = ["upgrade", ".", "--write", "--force", "--json", *options]
    code, text = environment.tfgraphtools(words, log, folder)
    try:
        return code, json.loads(text[text.index("{") :])["files"]
    except ValueError:
        failure = _failure("it failed: see logs/upgrade.log")
        return code, [{"path": ".", "changes": 0, "findings": [failure]}]


def _failure(text):
    return Finding(0, "upgrade", CANNOT, "", text)._asdict()


def begin(folder, log):
    """Makes a repository of a folder: its files as they are, and a branch for the upgrade.

    Returns:
      whether git is installed and did so.
    """
    if git_repository.program() is None or _git(folder, log, "init", "--quiet", "--template="):
        return False
    git_repository.keep_bytes(folder)
    files = [
        name
        for name in tree_copies.names(folder)
        if os.path.islink(os.path.join(folder, name))
        or name.endswith(_SOURCES)
        or os.path.getsize(os.path.join(folder, name)) <= _LARGEST
    ]
    _add_files(folder, log, files)
    failed = _git(folder, log, "commit", "--quiet", "--allow-empty", "-m", "The code as it was")
    return not failed and _git(folder, log, "checkout", "--quiet", "-b", BRANCH) == 0


def _add_files(folder, log, files):
    """Adds files by their names, 500 at a time; one that git cannot have keeps out no other."""
    for start in range(0, len(files), 500):
        part = files[start : start + 500]
        if _git(folder, log, "add", "--force", "--", *part):
            for name in part:
                _git(folder, log, "add", "--force", "--", name)


def _commit_kinds(folder, environment, files, log):
    """Commits what `upgrade` wrote into a folder, by kinds; the files end as it wrote them."""
    fixes = [
        finding["fix"]
        for file in files
        for finding in file["findings"]
        if finding["status"] in (REWRITTEN, RUNTIME)
    ]
    occurring = [kind for kind in _KINDS if any(fix.startswith(kind[1] + ".") for fix in fixes)]
    _add(folder, log)
    code, output = _call(folder, log, "write-tree")
    whole = output.strip()
    if code == 0 and len(occurring) > 1:
        _git(folder, log, "read-tree", "--reset", "-u", "HEAD")
        for title, root in occurring:
            _write(folder, environment, log, "--select", root)
            _add(folder, log)
            _commit(folder, f"Upgrade: {title}", log)
        _git(folder, log, "read-tree", "--reset", "-u", whole)
    is_rest = len(occurring) > 1
    _commit(folder, "Upgrade: the rest" if is_rest else "Upgrade to today's TensorFlow", log)


def _add(folder, log):
    """Adds what changed in the files that git knows, and new sources."""
    _git(folder, log, "add", "--update")
    _add_files(folder, log, [n for n in tree_copies.names(folder) if n.endswith(".py")])


def _commit(folder, message, log):
    if _git(folder, log, "diff", "--cached", "--quiet", "--no-ext-diff"):
        _git(folder, log, "commit", "--quiet", "-m", message)


def _git(folder, log, *words):
    return _call(folder, log, *words)[0]


def _call(folder, log, *words):
    command, variables = git_repository.command_of_new(words), git_repository.environment()
    return environments.call(command, log, folder, variables=variables)
