"""Writes on other systems: no locks, no hard links, names without case, files of others."""

import builtins
import contextlib
import errno
import os
import signal
import subprocess
import sys
import tempfile
import time
import zlib

import numpy as np
import pytest
from checkpoint_files import ROOT, files_of, write_first

from tfgraphtools import checkpoints
from tfgraphtools.checkpoints.plans import recovery, staging
from tfgraphtools.checkpoints.plans.disk import file_locks, file_names
from tfgraphtools.checkpoints.read import positioned
from tfgraphtools.errors import DestinationError

#: No module of TensorFlow is used here.
pytestmark = pytest.mark.once

#: What only POSIX has.
POSIX_ONLY = ("fcntl", "pwd", "grp", "termios", "resource", "tty", "pty", "syslog")

#: What `os` has on POSIX alone.
FUNCTIONS = ("pread", "pwrite", "preadv", "pwritev", "chown", "O_DIRECTORY", "O_CLOEXEC")

#: The beginning of a script that runs as on a system without them, and without TensorFlow.
BLOCKED = f"""
import os, sys
for name in {FUNCTIONS!r}:
    if hasattr(os, name):
        delattr(os, name)
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {(*POSIX_ONLY, "tensorflow", "keras", "tf_keras")!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Blocked())
for name in {POSIX_ONLY!r}:
    sys.modules.pop(name, None)
"""


@pytest.fixture
def first(tmp_path):
    return write_first(tmp_path / "first")


def rename(prefix, destination, **options):
    with checkpoints.open_checkpoint(prefix) as ckpt:
        checkpoints.plan(ckpt, rename={"first": "second"}).apply(destination, **options)


def hidden_for(folder, base):
    return os.path.join(str(folder), staging.name_for(base))


def litter(folder):
    return [name for name in os.listdir(str(folder)) if staging.STAGING.fullmatch(name)]


def python(script, *words, **options):
    return subprocess.Popen(
        [sys.executable, "-c", script, *map(str, words)],
        cwd=str(ROOT),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **options,
    )


# No modules of POSIX ----------------------------------------------------------------


#: id -> the words of a command that writes.
COMMANDS = {
    "rename": ["rename", "a", "out", "--rule", "net/(.*)", r"n/\1"],
    "rename-in-place": ["rename", "a", "--in-place", "--rule", "net/(.*)", r"n/\1"],
    "strip": ["strip", "a", "out"],
    "cast": ["cast", "a", "out", "--to", "float16"],
    "partition": ["partition", "a", "out", "--into", "net/w", "2"],
    "merge": ["merge", "out", "a", "c"],
    "average": ["average", "out", "a", "b"],
    "split": ["split", "a", "out", "--match", "net/w", "--rest", "rest"],
    "recover": ["recover", "."],
    "npz": ["convert", "a", "out.npz", "--to", "npz"],
    "safetensors": ["convert", "a", "out.safetensors", "--to", "safetensors"],
}

COMMAND = (
    BLOCKED
    + """
from tfgraphtools.cli import main
sys.exit(main(["ckpt", *sys.argv[1:]]))
"""
)


def write_model(folder, name, prefix="net"):
    arrays = {f"{prefix}/w": np.ones((4, 2), "f"), f"{prefix}/w/Momentum": np.ones((4, 2), "f")}
    np.savez(str(folder / "model.npz"), **arrays)
    checkpoints.from_npz(str(folder / "model.npz"), str(folder / name))
    (folder / "model.npz").unlink()


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_without_modules_of_posix(command, tmp_path):
    for name, prefix in (("a", "net"), ("b", "net"), ("c", "other")):
        write_model(tmp_path, name, prefix)
    before = files_of(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, *COMMANDS[command]],
        cwd=str(tmp_path),
        env=dict(os.environ, PYTHONPATH=str(ROOT)),
        capture_output=True,
        text=True,
    )
    if "safetensors" in done.stderr and "install" in done.stderr:
        pytest.skip("no safetensors here")
    assert done.returncode == 0, done.stderr
    assert command == "recover" or files_of(tmp_path) != before
    assert litter(tmp_path) == []
    for name in os.listdir(str(tmp_path)):
        if name.endswith(".index"):
            assert checkpoints.verify(tmp_path / name).ok


IMPORTS = (
    BLOCKED
    + """
import importlib, pkgutil, tfgraphtools
from tfgraphtools.cli import subcommands
list(subcommands())
import tfgraphtools.checkpoints as package
tried = 0
for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
    try:
        importlib.import_module(module.name)
        tried += 1
    except ModuleNotFoundError as error:
        assert error.name.partition(".")[0] not in POSIX, (module.name, error)
print(tried)
""".replace("POSIX", repr(POSIX_ONLY))
)


def test_no_module_of_the_base_needs_what_only_posix_has():
    child = python(IMPORTS)
    out, err = child.communicate()
    assert child.returncode == 0, err.decode()
    assert int(out) > 100


# Writers in one folder -----------------------------------------------------------------

WRITERS = 8
EACH = int(os.environ.get("TFGRAPHTOOLS_WRITES", "40"))  # of each writer

WRITER = """
import os, sys, traceback
from tfgraphtools import checkpoints
os.fsync = lambda descriptor: None  # the disk is not under test
folder, number, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
print("ready", flush=True)
sys.stdin.readline()
for i in range(count):
    with checkpoints.open_checkpoint(folder + "/first") as ckpt:
        checkpoints.plan(ckpt, rename={"first": number}).apply(f"{folder}/{number}-{i}")
"""


@pytest.mark.parametrize("system", ["posix", "no-fcntl"])
def test_writers_of_many_prefixes_in_one_folder(system, first, tmp_path):
    script = WRITER if system == "posix" else BLOCKED + WRITER
    children = [
        python(script, tmp_path, number, EACH, stdin=subprocess.PIPE) for number in range(WRITERS)
    ]
    for child in children:
        child.stdout.readline()
    for child in children:
        child.stdin.write(b"go\n")
        child.stdin.flush()
    errors = [child.communicate()[1].decode() for child in children]
    assert errors == [""] * WRITERS
    indexes = [name for name in os.listdir(str(tmp_path)) if name.endswith(".index")]
    assert len(indexes) == 1 + WRITERS * EACH
    assert litter(tmp_path) == []
    for number in range(WRITERS):
        with checkpoints.open_checkpoint(tmp_path / f"{number}-{EACH - 1}") as ckpt:
            assert list(ckpt) == [str(number)]


# No locks ------------------------------------------------------------------------------


def descriptors():
    return len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0


@pytest.fixture
def no_fcntl(monkeypatch):
    monkeypatch.setattr(file_locks, "fcntl", None)


@pytest.mark.parametrize("number", ["ENOLCK", "ENOSYS", "EOPNOTSUPP", "EINVAL"])
def test_a_file_system_without_locks(number, first, tmp_path, monkeypatch):
    def flock(descriptor, operation):
        raise OSError(getattr(errno, number), os.strerror(getattr(errno, number)))

    monkeypatch.setattr(file_locks.fcntl, "flock", flock)
    before = descriptors()
    rename(first, tmp_path / "out")
    assert checkpoints.verify(tmp_path / "out").ok
    assert litter(tmp_path) == [] and descriptors() == before


def test_a_lock_that_fails_otherwise_leaves_nothing(first, tmp_path, monkeypatch):
    def flock(descriptor, operation):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(file_locks.fcntl, "flock", flock)
    files, before = files_of(tmp_path), descriptors()
    with pytest.raises(DestinationError, match="Nothing was changed"):
        rename(first, tmp_path / "out")
    assert descriptors() == before
    monkeypatch.undo()
    checkpoints.recover(tmp_path)
    assert files_of(tmp_path).keys() - files.keys() <= {
        os.path.join(staging.name_for("out"), "lock")
    }


def test_two_writers_without_locks(first, tmp_path, no_fcntl, monkeypatch):
    monkeypatch.setattr(staging, "_PATIENCE", 0.1)
    with recovery.Workspace(str(tmp_path / "out")):
        with pytest.raises(DestinationError, match="another process"):
            rename(first, tmp_path / "out")
        rename(first, tmp_path / "other")
        assert checkpoints.recover(tmp_path) == 0 and len(litter(tmp_path)) == 1
    rename(first, tmp_path / "out")
    assert litter(tmp_path) == []


KILLED = (
    BLOCKED
    + """
import time
from tfgraphtools.checkpoints.plans import recovery
with recovery.Workspace(sys.argv[1]) as workspace:
    open(workspace.stage("shard-0"), "w").close()
    print("ready", flush=True)
    time.sleep(60)
"""
)


@pytest.mark.parametrize("how", ["recover", "write", "write of another prefix"])
def test_a_killed_writer_without_locks(how, first, tmp_path, no_fcntl):
    child = python(KILLED, tmp_path / "out")
    child.stdout.readline()
    assert checkpoints.recover(tmp_path) == 0 and len(litter(tmp_path)) == 1
    child.send_signal(signal.SIGKILL)
    child.communicate()
    if how == "recover":
        assert checkpoints.recover(tmp_path) == 1
    else:
        rename(first, tmp_path / ("out" if how == "write" else "other"))
    assert litter(tmp_path) == []


def test_a_lock_of_another_machine_is_held(tmp_path, no_fcntl):
    path = str(tmp_path / "lock")
    os.close(file_locks.take(path))
    record = (tmp_path / "lock").read_bytes().split(b"\n")
    dead = b"\n".join([record[0], record[1], b"999999999 x", b""])
    (tmp_path / "lock").write_bytes(dead.replace(record[1], b"elsewhere"))
    assert file_locks.take(path) is None
    (tmp_path / "lock").write_bytes(dead)
    descriptor = file_locks.take(path)
    assert descriptor is not None and file_locks.take(path) is None
    os.close(descriptor)


# What is not ours ------------------------------------------------------------------------


def _files(hidden, tmp_path):
    os.mkdir(hidden)
    write(hidden, "thesis.txt")


def _files_and_a_lock(hidden, tmp_path):
    _files(hidden, tmp_path)
    write(hidden, "lock", "my lock\n")


def _files_and_an_empty_lock(hidden, tmp_path):
    _files(hidden, tmp_path)
    write(hidden, "lock", "")


def _files_and_a_linked_lock(hidden, tmp_path):
    _files(hidden, tmp_path)
    (tmp_path / "text").write_bytes(file_locks.MARK)
    os.symlink(str(tmp_path / "text"), os.path.join(hidden, "lock"))


def _a_journal(hidden, tmp_path):
    os.mkdir(hidden)
    write(hidden, "journal", '{"base": "first", "old": ["first.data-00000-of-00001"]}')


def _link(hidden, tmp_path):
    _files(str(tmp_path / "elsewhere"), tmp_path)
    (tmp_path / "elsewhere" / "lock").write_bytes(file_locks.MARK)
    os.symlink(str(tmp_path / "elsewhere"), hidden)


def _link_to_nothing(hidden, tmp_path):
    os.symlink(str(tmp_path / "nowhere"), hidden)


def _file(hidden, tmp_path):
    write(*os.path.split(hidden))


def write(folder, name, text="mine"):
    with open(os.path.join(folder, name), "w") as file:
        file.write(text)


FOREIGN = {
    "files": _files,
    "files-and-a-lock": _files_and_a_lock,
    "files-and-an-empty-lock": _files_and_an_empty_lock,
    "files-and-a-linked-lock": _files_and_a_linked_lock,
    "a-journal": _a_journal,
    "link": _link,
    "link-to-nothing": _link_to_nothing,
    "file": _file,
}


@pytest.mark.parametrize("shape", FOREIGN)
def test_a_folder_of_the_users_with_our_name(shape, first, tmp_path):
    FOREIGN[shape](hidden_for(tmp_path, "out"), tmp_path)
    before = files_of(tmp_path)
    assert checkpoints.recover(tmp_path) == 0
    rename(first, tmp_path / "other")
    with pytest.raises(DestinationError, match="not ours"):
        rename(first, tmp_path / "out")
    after = files_of(tmp_path)
    assert {name: after.get(name) for name in before} == before
    assert {name for name in after if name not in before and "other" not in name} == set()


def as_another_user(function, *arguments):
    """Calls a function in a fork that has no rights of the superuser; returns what it printed."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if os.getuid() == 0:
                os.setgroups([])
                os.setuid(65534)
            answer = function(*arguments)
        except BaseException as error:
            answer = f"{type(error).__name__}: {error}"
        os.write(write_end, str(answer).encode())
        os._exit(0)
    os.close(write_end)
    with open(read_end, "rb") as file:
        answer = file.read().decode()
    os.waitpid(child, 0)
    return answer


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.parametrize("state", ["running", "killed"])
def test_a_write_of_another_user(state, first, tmp_path):
    """In a shared folder it blocks the write of its own prefix alone, with one sentence."""
    rename(first, tmp_path / "warm")  # what a write imports, before there are no rights to read it
    for folder in (tmp_path, *list(tmp_path.parents)[:3]):  # pytest's, and xdist's
        if str(folder) != tempfile.gettempdir() and os.stat(str(folder)).st_uid == os.getuid():
            os.chmod(str(folder), 0o777)
    hidden = hidden_for(tmp_path, "out")
    lock = staging.acquire(hidden)
    write(hidden, "shard-0")
    os.chmod(hidden, 0o755 if os.getuid() == 0 else 0)
    if state == "killed":
        os.close(lock)
    assert as_another_user(checkpoints.recover, str(tmp_path)) == "0"
    assert as_another_user(rename, first, str(tmp_path / "other")) == "None"
    message = as_another_user(rename, first, str(tmp_path / "out"))
    assert message.startswith("DestinationError") and "of another user" in message
    os.chmod(hidden, 0o755)
    assert sorted(os.listdir(hidden)) == ["lock", "shard-0"]
    if state == "running":
        os.close(lock)


def test_files_that_cannot_be_removed_wait(first, tmp_path, monkeypatch):
    """On Windows a file that is open anywhere stays: the write is done, and its rest goes later."""
    real = os.unlink

    def unlink(path, *arguments, **options):
        if ".data-" in str(path):
            raise PermissionError(errno.EACCES, "in use", path)
        real(path, *arguments, **options)

    with monkeypatch.context() as patch, checkpoints.open_checkpoint(first) as ckpt:
        patch.setattr(os, "unlink", unlink)
        plan = checkpoints.plan(ckpt, cast={"first": "float64"})
        plan.apply(first, overwrite=True, compact=True)
    assert "first.data-00000-of-00001" in os.listdir(str(tmp_path))  # of the old checkpoint
    assert checkpoints.verify(first).ok and len(litter(tmp_path)) == 1
    assert checkpoints.recover(tmp_path) == 1
    assert "first.data-00000-of-00001" not in os.listdir(str(tmp_path))
    assert checkpoints.verify(first).ok and litter(tmp_path) == []


# Hard links, case, names --------------------------------------------------------------------


@pytest.mark.parametrize("number", ["EPERM", "ENOTSUP", "EINVAL", "EXDEV", "EMLINK", None])
def test_no_hard_links(number, first, tmp_path, monkeypatch):
    def link(source, target, **options):
        raise OSError(getattr(errno, number), os.strerror(getattr(errno, number)))

    if number is None:
        monkeypatch.delattr(os, "link")
    else:
        monkeypatch.setattr(os, "link", link)
    rename(first, tmp_path / "out")
    assert checkpoints.verify(tmp_path / "out").ok
    assert os.stat(str(tmp_path / "out.data-00000-of-00001")).st_nlink == 1


def test_an_index_that_cannot_be_replaced_while_it_is_open(first, tmp_path, monkeypatch):
    """On Windows nothing may hold the index open that a write in place replaces."""
    monkeypatch.setattr(positioned, "REPLACES_OPEN_FILES", False)
    real = os.replace

    def replace(source, target):
        held = [os.path.realpath(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd")]
        if os.path.realpath(target) in held:
            raise PermissionError(errno.EACCES, "in use", target)
        real(source, target)

    monkeypatch.setattr(os, "replace", replace)
    rename(first, first, overwrite=True)
    assert checkpoints.verify(first).ok and litter(tmp_path) == []
    with checkpoints.open_checkpoint(first) as ckpt:
        assert list(ckpt) == ["second"]


def test_reads_and_writes_without_positions(first, tmp_path, monkeypatch):
    for name in ("pread", "pwrite", "preadv"):
        monkeypatch.delattr(os, name, raising=False)
    arrays = {f"a{i}": np.random.RandomState(i).rand(700, 700) for i in range(4)}
    with checkpoints.open_checkpoint(first) as ckpt:
        checkpoints.plan(ckpt, add=arrays).apply(tmp_path / "out")
    checkpoints.to_npz(tmp_path / "out", tmp_path / "out.npz")
    with np.load(str(tmp_path / "out.npz")) as loaded:
        for name, array in arrays.items():
            assert loaded[name].tobytes() == array.tobytes()
    assert checkpoints.verify(tmp_path / "out").ok


def test_names_that_differ_in_case_alone(first, tmp_path):
    """Where names have a case they are two checkpoints, and each is replaced by itself."""
    rename(first, tmp_path / "Model")
    rename(first, tmp_path / "model")
    before = {name: data for name, data in files_of(tmp_path).items() if name.startswith("Model")}
    rename(first, tmp_path / "model", overwrite=True, compact=True)
    after = files_of(tmp_path)
    assert {name: after[name] for name in before} == before
    assert checkpoints.verify(tmp_path / "model").ok and checkpoints.verify(tmp_path / "Model").ok


@pytest.fixture
def caseless(tmp_path, monkeypatch):
    """A file system that finds names whatever their case, below the folder of the test."""
    root = str(tmp_path)
    real_listdir, real_lstat = os.listdir, os.lstat

    def stored(path):
        if not isinstance(path, (str, bytes, os.PathLike)):
            return path
        path = os.path.abspath(os.fspath(path))
        if not path.startswith(root + os.sep):
            return path
        folder, name = os.path.split(path)
        folder = stored(folder)
        try:
            real_lstat(os.path.join(folder, name))
        except OSError:
            with contextlib.suppress(OSError):
                matching = [n for n in real_listdir(folder) if n.casefold() == name.casefold()]
                name = matching[0] if matching else name
        return os.path.join(folder, name)

    def patched(real, count):
        def call(*arguments, **options):
            arguments = [*map(stored, arguments[:count]), *arguments[count:]]
            return real(*arguments, **options)

        return call

    for name in (
        "stat",
        "lstat",
        "open",
        "mkdir",
        "rmdir",
        "unlink",
        "remove",
        "listdir",
        "access",
    ):
        monkeypatch.setattr(os, name, patched(getattr(os, name), 1))
    for name in ("rename", "replace", "link"):
        monkeypatch.setattr(os, name, patched(getattr(os, name), 2))
    monkeypatch.setattr(builtins, "open", patched(builtins.open, 1))
    return tmp_path


def cast_to(prefix, destination, dtype, **options):
    with checkpoints.open_checkpoint(prefix) as ckpt:
        name = list(ckpt)[0]
        checkpoints.plan(ckpt, cast={name: dtype}).apply(destination, compact=True, **options)


def test_a_file_system_without_case(first, caseless):
    cast_to(first, caseless / "Model", "float64")
    assert os.path.exists(str(caseless / "mODEL.index"))  # the fixture does what it says
    with pytest.raises(DestinationError):
        rename(first, caseless / "model")
    files = files_of(caseless)
    with pytest.raises(DestinationError, match="another process"):
        with recovery.Workspace(str(caseless / "Model")):
            staging._PATIENCE, patience = 0.1, staging._PATIENCE
            try:
                rename(first, caseless / "MODEL", overwrite=True)
            finally:
                staging._PATIENCE = patience
    assert files_of(caseless) == files


def test_a_failure_without_case_keeps_the_old_checkpoint(first, caseless, monkeypatch):
    """The new shards must not replace those of the old index before the new one is there."""
    cast_to(first, caseless / "Model", "float64")
    files, real = files_of(caseless), os.replace

    def replace(source, target):
        if str(target).endswith(".index"):
            raise OSError(errno.ENOSPC, "full")
        real(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", replace)
        with pytest.raises(DestinationError):
            cast_to(first, caseless / "model", "int32", overwrite=True)
    assert files_of(caseless) == files
    assert checkpoints.verify(caseless / "model").ok


def test_a_checkpoint_is_replaced_under_a_name_in_another_case(first, caseless):
    cast_to(first, caseless / "Model", "float64")
    cast_to(first, caseless / "model", "int32", overwrite=True)
    with checkpoints.open_checkpoint(caseless / "model") as ckpt:
        assert ckpt.info("first").dtype == "int32"
    shards = [n for n in os.listdir(str(caseless)) if n.lower().startswith("model.data")]
    assert len(shards) == 2 and all(name.endswith("-of-00002") for name in shards)
    assert checkpoints.verify(caseless / "model").ok


#: name -> a word of the reason on Windows, or None.
NAMES = {
    "model.ckpt-100": None,
    "console": None,
    "com": None,
    "com10": None,
    ".hidden": None,
    "\u00e9\u65e5": None,
    "CON": "device",
    "con.ckpt": "device",
    "Nul.tar.npz": "device",
    "aux .txt": "device",
    "COM1": "device",
    "lpt9.x": "device",
    "a:b": "':'",
    "a?b": "'?'",
    'a"b': "'\"'",
    "a<b": "'<'",
    "a|b": "'|'",
    "a*b": "'*'",
    "a\tb": "\\t",
    "model.": "dot",
    "model ": "space",
}


@pytest.mark.parametrize("name", NAMES)
def test_names_that_windows_reserves(name, first, tmp_path, monkeypatch):
    word = NAMES[name]
    problem = file_names.problem(name, "nt")
    assert (problem is None) == (word is None) and (word or "") in (problem or "")
    assert file_names.problem(name, "posix") is None
    monkeypatch.setattr(recovery.file_names, "problem", lambda name: problem)
    if problem is None:
        rename(first, tmp_path / name)
        assert checkpoints.verify(tmp_path / name).ok
    else:
        before = files_of(tmp_path)
        with pytest.raises(DestinationError, match="Nothing was changed"):
            rename(first, tmp_path / name)
        assert files_of(tmp_path) == before


def test_the_name_of_a_working_folder_has_no_case():
    assert staging.name_for("Model") == staging.name_for("mODEL") != staging.name_for("model2")
    assert staging.name_for("m") == f".tfgraphtools-{zlib.crc32(b'm'):08x}"


@pytest.mark.parametrize("has_locks", [True, False], ids=["posix", "no-fcntl"])
def test_a_lock_without_its_mark(has_locks, tmp_path, monkeypatch):
    """A kill left it, or its holder is about to write it: without locks its age tells which."""
    if not has_locks:
        monkeypatch.setattr(file_locks, "fcntl", None)
    hidden = hidden_for(tmp_path, "out")
    os.mkdir(hidden)
    write(hidden, "lock", "")
    assert checkpoints.recover(tmp_path) == has_locks and bool(litter(tmp_path)) != has_locks
    if not has_locks:
        then = time.time() - file_locks.NEWBORN - 1
        os.utime(os.path.join(hidden, "lock"), (then, then))
        assert checkpoints.recover(tmp_path) == 1 and not litter(tmp_path)


def test_a_folder_that_was_only_made_goes(first, tmp_path):
    os.mkdir(hidden_for(tmp_path, "out"))
    rename(first, tmp_path / "other")
    assert litter(tmp_path) == []
