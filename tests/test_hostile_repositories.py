"""Reading executes nothing: the plan of `revive`, `doctor`, `upgrade` and the readers of files.

The helper `hostile_repositories` lists the repositories. The oracle is a witness, a file that
whatever is executed writes: the first test proves of each case that it does.
"""

import contextlib
import itertools
import os
import shutil
import signal
import subprocess
import sys

import hostile_repositories
import pytest
from places import PACKAGE

from tfgraphtools import child_python, cli, compat

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(compat.is_tf1(), reason="these act on TF 2.x"),
    pytest.mark.skipif(os.name != "posix" or not shutil.which("git"), reason="a shell, and git"),
]

CASES = hostile_repositories.CASES

#: What is read of a repository, besides its code.
READERS = {
    ".pt": ["ckpt", "ls"],
    ".npz": ["ckpt", "ls"],
    ".npy": ["ckpt", "ls"],
    ".ckpt": ["ckpt", "ls"],
    ".pth": ["ckpt", "ls"],
    ".pkl": ["graph", "show"],
}


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home in which git has no settings."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)


@pytest.fixture(params=CASES, ids=lambda planted: planted.__name__)
def planted(request, tmp_path, home):
    """(A hostile repository, what executes it); nothing is executed yet."""
    repository = hostile_repositories.Repository(tmp_path)
    trigger = request.param(repository)
    if os.path.exists(repository.witness):
        os.remove(repository.witness)  # git's, while the case was made
    return repository, trigger


def _contents(repository):
    """{path: bytes, or the target of a link} of a repository, git's own included, and outside."""
    contents, outside = {}, os.path.dirname(repository.witness)
    walks = itertools.chain(os.walk(repository.folder), os.walk(outside))
    for place, folders, names in walks:
        for name in folders + names:
            path = os.path.join(place, name)
            if os.path.islink(path):
                contents[path] = os.readlink(path)
            elif os.path.isfile(path):
                with open(path, "rb") as file:
                    contents[path] = file.read()
    return contents


def _commands(repository):
    folder = repository.folder
    yield from (["revive", folder], ["upgrade", folder], ["doctor", folder])
    yield ["upgrade", folder, "--write"]
    for name in ("nested", "bare", "sub"):
        if os.path.isdir(repository.path(name)):
            yield from (["revive", repository.path(name)], ["upgrade", repository.path(name)])
    for name in sorted(os.listdir(folder)):
        reader = READERS.get(os.path.splitext(name)[1])
        if reader:
            yield [*reader, repository.path(name)]


def test_there_are_forty():
    assert len({case.__name__ for case in CASES}) == len(CASES) >= 40


def test_each_case_can_execute(planted):
    repository, trigger = planted
    process = subprocess.Popen(
        ["sh", "-c", trigger], cwd=repository.folder, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    with contextlib.suppress(subprocess.TimeoutExpired):  # a program that has run may be waited for
        process.wait(10)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert os.path.exists(repository.witness)


def test_nothing_is_executed(planted, monkeypatch, capsys):
    repository, trigger = planted
    if trigger.startswith("PATH="):
        monkeypatch.setenv("PATH", "." + os.pathsep + os.environ["PATH"])
    monkeypatch.chdir(repository.folder)
    for words in _commands(repository):
        before = _contents(repository)
        code = cli.main(words)
        out, err = capsys.readouterr()
        assert not os.path.exists(repository.witness), words
        assert code in (0, 1) or len(err.strip().splitlines()) == 1, err
        assert "Traceback" not in out + err
        after = _contents(repository)
        if "--write" in words:  # only sources of the repository
            after = {path: after[path] for path in after if not path.endswith((".py", ".ipynb"))}
            before = {path: before[path] for path in before if path in after}
        assert after == before, words


#: Modules in the current folder that this library imports in the place of its own, if it can.
SHADOWS = [case for case in CASES if case.__name__.endswith("_py") or "__init__" in case.__name__]


@pytest.mark.parametrize("words", [["upgrade", "."], ["revive", "."], ["ckpt", "ls", "."]])
def test_modules_of_the_current_folder(words, tmp_path, home):
    """With so many files, `upgrade` starts processes."""
    repository = hostile_repositories.Repository(tmp_path)
    for case in SHADOWS:
        case(repository)
    for number in range(30):
        repository.put(f"code_{number}.py", hostile_repositories.CODE)
    done = _run([sys.executable, "-m", "tfgraphtools", *words], repository)
    assert not os.path.exists(repository.witness)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("python", ["tf2", "tf1"])
def test_children_import_nothing_of_their_folder(python, request, tmp_path, home):
    """Python 3.7 has no option for it, and obeys no variable."""
    program = sys.executable if python == "tf2" else request.getfixturevalue("tf1_python")
    repository = hostile_repositories.Repository(tmp_path)
    for case in SHADOWS:
        case(repository)
    code = "import html, difflib, json; print(json.dumps(html.escape('<')))"
    done = _run(child_python.code_command(program, code), repository)
    assert done.stdout.strip() == '"&lt;"', done.stderr
    done = _run(child_python.module_command(program, "json.tool", "-h"), repository)
    assert done.returncode == 0 and "usage" in done.stdout
    assert not os.path.exists(repository.witness)
    subprocess.run([program, "-c", "import html, six"], cwd=repository.folder)
    assert os.path.exists(repository.witness)  # the check itself can fail


def _run(command, repository):
    environment = dict(os.environ, PYTHONPATH=str(PACKAGE.parent))
    return subprocess.run(
        command, cwd=repository.folder, env=environment, capture_output=True, text=True, timeout=120
    )
