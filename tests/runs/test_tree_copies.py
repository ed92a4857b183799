"""Copies never lead back into the original, which is the same bit by bit afterwards."""

import os
import subprocess

import pytest

from tfgraphtools.errors import DestinationError
from tfgraphtools.revive.workspace import Workspace
from tfgraphtools.runs import tree_copies

pytestmark = pytest.mark.once


def _run_git(folder, *command):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    words = ["-c", "user.name=a", "-c", "user.email=a@b"]
    words = ["git", "-C", str(folder), *words, *command]
    subprocess.run(words, check=True, env=environment, stdout=subprocess.DEVNULL)


def _git(folder):
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"]):
        _run_git(folder, *command)


def _init(folder, *options):
    folder.mkdir(exist_ok=True)
    _run_git(folder, "init", "-q", *options)


def _new(path):
    path.write_text("x")
    return str(path)


#: Shape of a tree: a function that makes it.
SHAPES = {
    "no git": lambda root: None,
    "git": _git,
    "untracked files": lambda root: [_git(root), (root / "new.py").write_text("x")],
    "changed files": lambda root: [_git(root), (root / "a.py").write_text("y")],
    "a submodule's file .git": lambda root: (root / "sub" / ".git").write_text("gitdir: ../x"),
    "the tree's own file .git": lambda root: (root / ".git").write_text("gitdir: /nowhere"),
    "a nested repository": lambda root: _git(root / "sub"),
    "a link to a file": lambda root: os.symlink("a.py", str(root / "l.py")),
    "a link to a folder": lambda root: os.symlink("sub", str(root / "l")),
    "a link to an absolute path inside": lambda root: os.symlink(
        str(root / "sub"), str(root / "l")
    ),
    "a link that leads outside": lambda root: os.symlink("../beside", str(root / "l")),
    "a link through a link outside": lambda root: [
        os.symlink(str(root), str(root.parent / "alias")),
        os.symlink("../alias/sub", str(root / "l")),
    ],
    "a link to the tree": lambda root: [
        os.symlink(str(root), str(root.parent / "alias")),
        os.symlink("../alias", str(root / "l")),
    ],
    "a broken link": lambda root: os.symlink("nothing", str(root / "l")),
    "a link to itself": lambda root: os.symlink("l", str(root / "l")),
    "hard links": lambda root: os.link(str(root / "a.py"), str(root / "b.py")),
    "a read-only file": lambda root: (root / "a.py").chmod(0o444),
    "a read-only tree": lambda root: [(root / "sub").chmod(0o555), root.chmod(0o555)],
    "a virtual environment": lambda root: [
        (root / "env").mkdir(),
        (root / "env" / "pyvenv.cfg").write_text(""),
    ],
    "a pipe": lambda root: os.mkfifo(str(root / "pipe")),
    "no permission to run": lambda root: (root / "a.py").chmod(0o600),
    "a program": lambda root: (root / "a.py").chmod(0o755),
    "an empty folder": lambda root: (root / "new").mkdir(),
    "an empty file": lambda root: (root / "new").write_text(""),
    "a deep folder": lambda root: (root / "/".join("abcdefghij")).mkdir(parents=True),
    "a name with spaces": lambda root: (root / "a b '\"$(x).py").write_text("x"),
    "a name with a line end": lambda root: (root / "a\nb").write_text("x"),
    "a name in Chinese": lambda root: (root / "\u6570\u636e").mkdir(),
    "a name that begins with a dash": lambda root: (root / "-rf").write_text("x"),
    "a hidden folder": lambda root: [(root / ".x").mkdir(), (root / ".x" / "a").write_text("x")],
    "a large file with holes": lambda root: os.truncate(_new(root / "new"), 1 << 24),
    "an old file": lambda root: os.utime(str(root / "a.py"), (1, 1)),
    "a git repository without files": lambda root: _init(root),
    "a bare repository": lambda root: _init(root / "store.git", "--bare"),
    "ignored files": lambda root: [
        (root / ".gitignore").write_text("*.ckpt\n"),
        _git(root),
        (root / "a.ckpt").write_text("x"),
    ],
    "another branch and a stash": lambda root: [
        _git(root),
        (root / "a.py").write_text("y"),
        _run_git(root, "stash"),
        _run_git(root, "checkout", "-qb", "other"),
    ],
    "bytecode": lambda root: [
        (root / "__pycache__").mkdir(),
        (root / "__pycache__" / "a.pyc").write_text("x"),
    ],
    "a link to a link": lambda root: [
        os.symlink("a.py", str(root / "first")),
        os.symlink("first", str(root / "l")),
    ],
    "a link to .git": lambda root: [_git(root), os.symlink(".git", str(root / "l"))],
    "a link upwards from below": lambda root: os.symlink("..", str(root / "sub" / "l")),
    "a name that is no text": lambda root: open(os.fsencode(str(root)) + b"/\xff.txt", "w").close(),
}


def _state(folder):
    """Returns all that is below a folder: names, modes, times, links and bytes, .git included."""
    state = {}
    for place, folders, names in os.walk(str(folder)):
        for name in folders + names + [""]:
            path = os.path.join(place, name)
            status = os.lstat(path)
            is_file = os.path.isfile(path) and not os.path.islink(path)
            data = open(path, "rb").read() if is_file else b""
            link = os.readlink(path) if os.path.islink(path) else ""
            state[path] = status.st_mode, status.st_mtime_ns, status.st_ino, data, link
    return state


@pytest.mark.skipif(os.name == "nt", reason="modes, pipes and links of POSIX")
@pytest.mark.parametrize("shape", SHAPES)
def test_the_original_stays(shape, tmp_path):
    root = tmp_path / "repo"
    (root / "sub").mkdir(parents=True)
    (tmp_path / "beside").write_text("other")
    (root / "a.py").write_text("print(1)")
    (root / "sub" / "b.py").write_text("print(2)")
    SHAPES[shape](root)
    before = _state(root)
    copy = tmp_path / "copy"
    outside = tree_copies.copy(str(root), str(copy))
    assert outside == (["l"] if shape == "a link that leads outside" else [])
    assert (copy / "a.py").exists() and (copy / "sub" / "b.py").read_text() == "print(2)"
    for place, folders, names in os.walk(str(copy)):
        assert ".git" not in folders + names
        for name in names + folders:
            path = os.path.join(place, name)
            real = os.path.realpath(path)
            assert not real.startswith(str(root) + os.sep) and real != str(root), path
            if not os.path.islink(path):
                assert os.access(path, os.W_OK)
                if os.path.isfile(path):
                    with open(path, "a") as file:  # what a program may do
                        file.write("# written")
    assert _state(root) == before


@pytest.mark.parametrize("shape", sorted(set(SHAPES) - {"a pipe"}))
@pytest.mark.skipif(os.name == "nt", reason="modes, pipes and links of POSIX")
def test_a_copy_does_not_differ(shape, tmp_path):
    root, copy = tmp_path / "repo", tmp_path / "copy"
    (root / "sub").mkdir(parents=True)
    for path in (root / "a.py", root / "sub" / "b.py"):
        path.write_text("print(1)")
    SHAPES[shape](root)
    tree_copies.copy(str(root), str(copy))
    assert tree_copies.differing(str(root), str(copy)) == []
    (copy / "a.py").write_text("print(3)")
    os.symlink("sub", str(copy / "added"))
    assert set(tree_copies.differing(str(root), str(copy))) >= {"a.py", "added"}


def test_another_folder_is_refused(tmp_path):
    (tmp_path / "repo").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.txt").write_text("mine")
    with pytest.raises(DestinationError, match="one with other files"):
        Workspace(str(tmp_path / "repo"), str(tmp_path / "out"))
    assert os.listdir(str(tmp_path / "out")) == ["thesis.txt"]


@pytest.mark.parametrize("out", ["repo", "repo/out", "."])
def test_a_folder_of_the_repository_is_refused(out, tmp_path):
    (tmp_path / "repo").mkdir()
    with pytest.raises(DestinationError, match="outside the repository"):
        Workspace(str(tmp_path / "repo"), str(tmp_path / out))


def test_the_folder_of_another_repository_is_refused(tmp_path):
    for name in ("repo", "other"):
        (tmp_path / name).mkdir()
    Workspace(str(tmp_path / "other"), str(tmp_path / "out"))
    with pytest.raises(DestinationError, match="one of .*other"):
        Workspace(str(tmp_path / "repo"), str(tmp_path / "out"), resume=True)


def test_an_earlier_folder_needs_resume(tmp_path):
    (tmp_path / "repo").mkdir()
    places = str(tmp_path / "repo"), str(tmp_path / "out")
    Workspace(*places).finish("run", ["a"], {"code": 0})
    with pytest.raises(DestinationError, match="--resume"):
        Workspace(*places)
    again = Workspace(*places, resume=True)
    assert again.result("run", ["a"]) == {"code": 0}
    assert again.result("run", ["b"]) is None


def test_a_folder_whose_mark_was_not_finished(tmp_path):
    (tmp_path / "repo").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "revive.json.new").write_text("")  # a kill left it
    Workspace(str(tmp_path / "repo"), str(tmp_path / "out"))
    assert os.listdir(str(tmp_path / "out")) == ["revive.json"]


def test_a_copy_that_was_not_finished_is_made_again(tmp_path):
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo" / "a.py").write_text("1")
    workspace = Workspace(str(tmp_path / "repo"), str(tmp_path / "out"))
    os.makedirs(workspace.path("original.unfinished", "half"))
    folder, _ = workspace.fresh_copy("original", str(tmp_path / "repo"))
    assert os.listdir(folder) == ["a.py"]
