"""Questions to git about a folder, asked so that nothing that the folder holds is executed.

A repository's configuration, attributes and hooks name programs: ``core.fsmonitor``, filters,
``gpg.program``, ``core.sshCommand``, pagers, aliases. So git is never asked inside the folder. It
gets a git directory of our own, without configuration, which borrows the objects of the folder and
a copy of its index. The few settings that say which bytes git writes are read as text.

This is the one module that starts git.
"""

import contextlib
import os
import re
import shutil
import subprocess
import tempfile

#: The largest file of git's own that is read, in bytes; an index of a million files is smaller.
_LARGEST = 256 << 20

#: Seconds after which git has failed: it waits for something.
_TIMEOUT = 60

#: The settings that say which bytes git writes, and what their values look like.
_SWITCH = re.compile(r"(?i)true|false|yes|no|on|off|0|1|")
_SETTINGS = {
    "core.autocrlf": re.compile(r"(?i)true|false|input|yes|no|on|off|0|1|"),
    "core.eol": re.compile(r"(?i)lf|crlf|native"),
    "core.filemode": _SWITCH,
    "core.symlinks": _SWITCH,
    "core.ignorecase": _SWITCH,
    "core.precomposeunicode": _SWITCH,
}
_WORK_TREE, _FORMAT = "core.worktree", "extensions.objectformat"

#: Settings of a repository that is made: nothing signs, asks, converts or runs in the background.
_OF_NEW = (
    "user.name=tfgraphtools", "user.email=tfgraphtools@localhost", "commit.gpgsign=false",
    f"core.hooksPath={os.devnull}", "core.fsmonitor=false", "core.autocrlf=false", "gc.auto=0",
    f"core.attributesFile={os.devnull}", f"core.excludesFile={os.devnull}",
    "init.defaultBranch=original",
)  # fmt: skip

#: Attributes of every file of a repository that is made: no filter, and its bytes stay.
_ATTRIBUTES = "* -text -filter -ident !eol !working-tree-encoding !diff !merge\n"

_OBJECT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_COMMITTER = re.compile(rb"^committer .*> (\d+) ([+-])(\d\d)(\d\d)$", re.MULTILINE)


class GitError(Exception):
    """Git is not installed, or what a folder holds is nothing that it can read."""


def program():
    """Returns the path of git, or None; never one of the current folder."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    folders = [folder for folder in folders if os.path.isabs(folder)]
    path = shutil.which("git", path=os.pathsep.join(folders)) if folders else None
    is_there = path is not None and os.path.dirname(path) in map(os.path.normpath, folders)
    return path if is_there else None


def environment(own=()):
    """Returns environment variables under which git reads no configuration but its command's.

    Args:
      own: (name, value) of more variables.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    if "GIT_EXEC_PATH" in os.environ:
        kept["GIT_EXEC_PATH"] = os.environ["GIT_EXEC_PATH"]
    return dict(
        kept,
        GIT_CONFIG_NOSYSTEM="1",
        GIT_CONFIG_SYSTEM=os.devnull,
        GIT_CONFIG_GLOBAL=os.devnull,
        GIT_ATTR_NOSYSTEM="1",
        GIT_TERMINAL_PROMPT="0",
        GIT_OPTIONAL_LOCKS="0",
        GIT_NO_LAZY_FETCH="1",
        GIT_ALLOW_PROTOCOL="none",
        GIT_LITERAL_PATHSPECS="1",
        GIT_PAGER="cat",
        **dict(own),
    )


def top(folder):
    """Returns the folder of the checkout that a folder is in, or None.

    Args:
      folder: an absolute path. A folder that is itself a bare repository is none.
    """
    while not os.path.lexists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder


def last_commit_date(folder):
    """Returns the day of the last commit, as "2018-03-01", where it was committed; None without.

    Args:
      folder: a folder of a checkout.
    """
    checkout = top(os.path.abspath(folder))
    try:
        if checkout is None:
            return None
        with Checkout(checkout) as git:
            commit = git.call("cat-file", "commit", git.head) if git.head else b""
    except GitError:
        return None
    match = _COMMITTER.search(commit.partition(b"\n\n")[0])
    return match and _day(int(match[1]), match[2] + match[3], int(match[4]))


def _day(seconds, hours, minutes):
    import datetime

    offset = 60 * int(hours) + (minutes if not hours.startswith(b"-") else -minutes)
    moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds, minutes=offset)
    return moment.strftime("%Y-%m-%d")


class Checkout:
    """A checkout, read by git without its configuration: ``with Checkout(top) as git``.

    Args:
      folder: the folder that has ``.git``.

    Attributes:
      head: the name of the last commit, or None before the first.

    Raises:
      GitError: it is no checkout.
    """

    def __init__(self, folder):
        self.folder = os.path.realpath(folder)
        self._git = program()
        if self._git is None:
            raise GitError("git is not installed")
        self._directory, self._common = _directories(self.folder)
        self.head = _commit(self._directory, self._common)

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            try:
                self._own = stack.enter_context(tempfile.TemporaryDirectory(prefix="git-"))
                values = self._settings()
                self._borrow(values.get(_FORMAT, "sha1").lower())
            except (OSError, ValueError) as error:
                raise GitError(str(error)) from error
            self._options = [part for pair in _of_bytes(values) for part in ("-c", pair)]
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_):
        self._stack.close()

    def _settings(self):
        """Returns {name: value} of the configuration: the user's, then that of the checkout.

        Raises:
          GitError: the files of the checkout are in another folder.
        """
        values = self._listed([], _of_user())
        for folder in dict.fromkeys((self._common, self._directory)):
            for name in ("config", "config.worktree"):
                path = os.path.join(folder, name)
                if _is_small_file(path):
                    values.update(self._listed(["--file", path, "--no-includes"], environment()))
        if _WORK_TREE in values:
            place = os.path.realpath(os.path.join(self._directory, values[_WORK_TREE]))
            if place != self.folder:
                raise GitError(f"its files are in {place}")
        return values

    def _borrow(self, object_format):
        """Fills the git directory of our own: the last commit, and copies of files without code."""
        for name in ("refs", "info"):
            os.mkdir(os.path.join(self._own, name))
        config = "[core]\nbare = false\nrepositoryFormatVersion = 0\n"
        if object_format == "sha256":
            config = config.replace("= 0", "= 1") + "[extensions]\nobjectFormat = sha256\n"
        _write(os.path.join(self._own, "config"), config)
        _write(os.path.join(self._own, "HEAD"), (self.head or "ref: refs/heads/none") + "\n")
        shared = [name for name in os.listdir(self._directory) if name.startswith("sharedindex.")]
        exclude = os.path.join("info", "exclude")
        for folder, names in (
            (self._directory, ["index", *shared]),
            (self._common, ["shallow", exclude]),
        ):
            for name in names:
                _copy(os.path.join(folder, name), os.path.join(self._own, name))

    def _listed(self, options, variables):
        """Returns {name: value} of a configuration; no value is used but `_SETTINGS`."""
        command = [self._git, "--no-pager", "config", *options, "--null", "--list"]
        text = _output(command, dict(variables, GIT_DIR=self._own), self._own)
        entries = text.decode("utf-8", "surrogateescape").split("\0")
        return {name: value for name, _, value in (entry.partition("\n") for entry in entries)}

    def call(self, *words, data=b"", codes=(0,)):
        """Returns what a command of git prints.

        Args:
          words: the command; of those that neither fetch nor write.
          data: its stdin.
          codes: the exit codes of no failure.

        Raises:
          GitError: it fails.
        """
        if words[0] not in _READING:
            raise ValueError(f"git {words[0]} is none of the commands that only read")
        paths = [("GIT_DIR", self._own), ("GIT_WORK_TREE", self.folder)]
        paths += [("GIT_OBJECT_DIRECTORY", os.path.join(self._common, "objects"))]
        command = [self._git, "--no-pager", "--no-replace-objects", *self._options, *words]
        return _output(command, environment(paths), self.folder, data, codes)


#: The commands that `Checkout.call` takes. None of them starts a program without configuration.
_READING = {"cat-file", "check-attr", "check-ignore", "ls-files", "status"}


def _of_bytes(values):
    """Yields "name=value" of the settings that say which bytes git writes."""
    for name, pattern in _SETTINGS.items():
        if pattern.fullmatch(values.get(name, "none")):
            yield f"{name}={values[name]}"


def _of_user():
    """Returns the environment in which git reads the configuration of the user alone."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    chosen = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_EXEC_PATH")
    kept.update((name, os.environ[name]) for name in chosen if name in os.environ)
    return dict(kept, GIT_TERMINAL_PROMPT="0")


def _output(command, variables, folder, data=b"", codes=(0,)):
    try:
        done = subprocess.run(
            command, cwd=folder, env=variables, input=data, timeout=_TIMEOUT,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise GitError(str(error)) from error
    if done.returncode not in codes:
        raise GitError(f"git {command[-1]} fails")
    return done.stdout


def _directories(folder):
    """Returns (the git directory of a checkout, the one that has its objects)."""
    directory = os.path.join(folder, ".git")
    if os.path.isfile(directory):
        text = _first_line(directory)
        if not text.startswith("gitdir: "):
            raise GitError(f"{directory} names no folder")
        directory = os.path.join(folder, text[len("gitdir: ") :])
    common = directory
    if _is_small_file(os.path.join(directory, "commondir")):
        common = os.path.join(directory, _first_line(os.path.join(directory, "commondir")))
    if not os.path.isdir(os.path.join(common, "objects")):
        raise GitError(f"{directory} has no objects")
    return os.path.realpath(directory), os.path.realpath(common)


def _commit(directory, common):
    """Returns the name of the commit that is checked out."""
    text = _first_line(os.path.join(directory, "HEAD"))
    for _ in range(5):  # as git follows references
        if _OBJECT.fullmatch(text):
            return text
        name = text[len("ref: ") :].strip()
        if not text.startswith("ref: refs/") or ".." in name.split("/"):
            break
        text = _reference(directory, common, name)
        if text is None:  # before the first commit
            return None
    raise GitError(f"{directory} has no branch")


def _reference(directory, common, name):
    for folder in (directory, common):
        path = os.path.join(folder, *name.split("/"))
        if _is_small_file(path):
            return _first_line(path)
    packed = os.path.join(common, "packed-refs")
    if _is_small_file(packed):
        with open(packed, encoding="utf-8", errors="surrogateescape") as file:
            for line in file:
                commit, _, packed_name = line.rstrip("\n").partition(" ")
                if packed_name == name:
                    return commit
    return None


def _first_line(path):
    if not _is_small_file(path):
        raise GitError(f"{path} is no file")
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.readline(1 << 16).rstrip("\r\n")
    except OSError as error:
        raise GitError(str(error)) from error


def _is_small_file(path):
    """Tells whether there is a regular file: no pipe, no device, of no endless size."""
    return os.path.isfile(path) and os.path.getsize(path) <= _LARGEST


def _copy(path, destination):
    if _is_small_file(path):
        shutil.copyfile(path, destination)


def _write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def command_of_new(words):
    """Returns the command line of git for a repository that this library makes.

    It goes with `environment`, and runs in the folder of the repository.

    Args:
      words: a command of git.
    """
    options = [part for pair in _OF_NEW for part in ("-c", pair)]
    return [program() or "git", "--no-pager", *options, *words]


def keep_bytes(folder):
    """Makes git commit the bytes of each file of a new repository, whatever ``.gitattributes`` say.

    Args:
      folder: the repository, of which ``git init`` made ``.git``.
    """
    info = os.path.join(folder, ".git", "info")
    os.makedirs(info, exist_ok=True)
    _write(os.path.join(info, "attributes"), _ATTRIBUTES)
