"""`upgrade --write` on trees of every shape: what git cannot restore stays as it is.

The oracle is git: without --force, a file may differ afterwards only if ``git checkout`` brings
its bytes back.
"""

import os
import shutil
import subprocess

import pytest

from tfgraphtools import cli, upgrade
from tfgraphtools.errors import ArgumentError

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(shutil.which("git") is None, reason="no git here"),
]

OLD = b"import tensorflow as tf\nx = tf.Session()\ny = tf.mul(1, 2)\n"
CRLF = OLD.replace(b"\n", b"\r\n")
MIXED = OLD.replace(b"\n", b"\r\n", 2)


class Tree:
    """A checkout "tree", and a folder "outside" that is none."""

    def __init__(self, folder):
        self.folder = folder
        self.put("outside/b.py")
        self.put("tree/a.py")
        self.git("init", "-q")
        self.git("config", "user.name", "a")
        self.git("config", "user.email", "a@b")
        self.git("config", "protocol.file.allow", "always")

    def path(self, name):
        return os.path.join(str(self.folder), *name.split("/"))

    def put(self, name, data=OLD, mode=None):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "wb") as file:
            file.write(data)
        if mode is not None:
            os.chmod(self.path(name), mode)

    def link(self, name, target):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        os.symlink(target, self.path(name))

    def git(self, *words, inside="tree"):
        subprocess.run(
            ["git", "-c", "protocol.file.allow=always", "-C", self.path(inside), *words],
            check=True,
            capture_output=True,
        )

    def commit(self, inside="tree"):
        self.git("add", "-A", inside=inside)
        self.git("commit", "-qm", "x", inside=inside)

    def contents(self):
        """{name: bytes, or target of a link} below the folder, without git's own files."""
        found = {}
        for place, folders, names in os.walk(str(self.folder)):
            for name in names + [name for name in folders if os.path.islink(f"{place}/{name}")]:
                path = os.path.join(place, name)
                relative = os.path.relpath(path, str(self.folder)).replace(os.sep, "/")
                if "/.git/" not in relative and "repository/" not in relative:
                    is_link = os.path.islink(path)
                    found[relative] = os.readlink(path) if is_link else open(path, "rb").read()
            folders[:] = [name for name in folders if name != ".git"]
        return found

    def restored(self, name):
        """The bytes that git brings back for a file, or None."""
        folder, base = os.path.split(os.path.realpath(self.path(name)))
        subprocess.run(
            ["git", "-C", folder, "checkout", "-q", "--", base],
            capture_output=True,
        )
        with open(os.path.join(folder, base), "rb") as file:
            return file.read()


# Shapes: each makes a tree, the checks follow -------------------------------------


def committed(tree):
    tree.commit()


def committed_crlf(tree):
    tree.put("tree/a.py", CRLF)
    tree.commit()


def committed_mixed_ends(tree):
    tree.put("tree/a.py", MIXED)
    tree.commit()


def committed_with_spaces(tree):
    tree.put("tree/a b/\u00e9 c.py")
    tree.commit()


def committed_with_line_end_in_the_name(tree):
    tree.put("tree/a\nb.py")
    tree.commit()


def committed_executable(tree):
    tree.put("tree/a.py", mode=0o755)
    tree.commit()


def committed_renamed_before(tree):
    tree.commit()
    tree.git("mv", "a.py", "c.py")
    tree.git("commit", "-qm", "y")


def committed_in_a_worktree(tree):
    tree.commit()
    tree.git("worktree", "add", "-q", "../tree/more")
    tree.put("tree/.gitignore", b"more\n")
    tree.commit()


def committed_although_ignored(tree):
    tree.put("tree/.gitignore", b"a.py\n")
    tree.git("add", "-f", "a.py", ".gitignore")
    tree.git("commit", "-qm", "x")


def committed_in_a_submodule(tree):
    tree.git("init", "-q", "../repository", inside="outside")
    tree.put("repository/s.py")
    for words in (("user.name", "a"), ("user.email", "a@b")):
        tree.git("config", *words, inside="repository")
    tree.commit("repository")
    tree.git("submodule", "add", "-q", "../repository", "sub")
    tree.commit()


def committed_in_a_nested_checkout(tree):
    tree.put("tree/nested/n.py")
    tree.git("init", "-q", inside="tree/nested")
    for words in (("user.name", "a"), ("user.email", "a@b")):
        tree.git("config", *words, inside="tree/nested")
    tree.commit("tree/nested")
    tree.put("tree/.gitignore", b"nested\n")
    tree.commit()


def committed_link_within(tree):
    tree.link("tree/link.py", "a.py")
    tree.commit()


def committed_link_within_to_a_folder(tree):
    tree.put("tree/real/c.py")
    tree.link("tree/linked", "real")
    tree.commit()


def committed_two_links_to_a_passed_over_file(tree):
    tree.put("tree/build/c.py")
    tree.link("tree/link.py", "build/c.py")
    tree.link("tree/link2.py", "build/c.py")
    tree.commit()


def untracked_beside_unchanged_code(tree):
    tree.commit()
    tree.put("tree/notes.py", b"x = 1\n")


def link_to_a_file_outside(tree):
    tree.link("tree/link.py", "../outside/b.py")
    tree.commit()


def absolute_link_to_a_file_outside(tree):
    tree.link("tree/link.py", tree.path("outside/b.py"))
    tree.commit()


def chain_of_links_to_a_file_outside(tree):
    tree.link("outside/middle.py", "b.py")
    tree.link("tree/link.py", "../outside/middle.py")
    tree.commit()


def link_to_a_folder_outside(tree):
    tree.link("tree/linked", "../outside")
    tree.commit()


def link_to_a_file_in_another_checkout(tree):
    tree.git("init", "-q", inside="outside")
    for words in (("user.name", "a"), ("user.email", "a@b")):
        tree.git("config", *words, inside="outside")
    tree.commit("outside")
    tree.link("tree/link.py", "../outside/b.py")
    tree.commit()


def link_to_nothing(tree):
    tree.link("tree/link.py", "nowhere.py")
    tree.commit()


def hard_link_to_a_file_outside(tree):
    os.unlink(tree.path("tree/a.py"))
    os.link(tree.path("outside/b.py"), tree.path("tree/a.py"))
    tree.commit()


WRITTEN = [
    committed,
    committed_crlf,
    committed_mixed_ends,
    committed_with_spaces,
    committed_with_line_end_in_the_name,
    committed_executable,
    committed_renamed_before,
    committed_in_a_worktree,
    committed_although_ignored,
    committed_in_a_submodule,
    committed_in_a_nested_checkout,
    committed_link_within,
    committed_link_within_to_a_folder,
    committed_two_links_to_a_passed_over_file,
    untracked_beside_unchanged_code,
    link_to_a_file_outside,
    absolute_link_to_a_file_outside,
    chain_of_links_to_a_file_outside,
    link_to_a_folder_outside,
    link_to_a_file_in_another_checkout,
    link_to_nothing,
    hard_link_to_a_file_outside,
]


def no_git(tree):
    shutil.rmtree(tree.path("tree/.git"))


def git_folder_of_another_kind(tree):
    no_git(tree)
    os.makedirs(tree.path("tree/.git"))


def damaged_git_folder(tree):
    tree.commit()
    os.unlink(tree.path("tree/.git/HEAD"))


def no_commit_yet(tree):
    tree.git("add", "-A")


def untracked(tree):
    tree.commit()
    tree.put("tree/new.py")


def untracked_in_a_folder(tree):
    tree.commit()
    tree.put("tree/new/deep/c.py")


def untracked_with_spaces(tree):
    tree.commit()
    tree.put("tree/\u00e9 c.py")


def untracked_notebook(tree):
    tree.commit()
    source = (
        b'{"cells": [{"cell_type": "code", "source": "import tensorflow as tf\\ntf.mul(1, 2)"}]}'
    )
    tree.put("tree/new.ipynb", source)


def ignored(tree):
    tree.put("tree/.gitignore", b"mine/\n")
    tree.put("tree/mine/c.py")
    tree.commit()


def ignored_by_the_user(tree):
    tree.put("tree/.git/info/exclude", b"mine.py\n")
    tree.put("tree/mine.py")
    tree.commit()


def removed_from_the_index(tree):
    tree.commit()
    tree.git("rm", "-q", "--cached", "a.py")
    tree.git("commit", "-qm", "y")


def modified(tree):
    tree.commit()
    tree.put("tree/a.py", OLD + b"z = 1\n")


def staged(tree):
    tree.commit()
    tree.put("tree/a.py", OLD + b"z = 1\n")
    tree.git("add", "a.py")


def staged_and_modified(tree):
    staged(tree)
    tree.put("tree/a.py", OLD + b"z = 2\n")


def intent_to_add(tree):
    tree.commit()
    tree.put("tree/new.py")
    tree.git("add", "-N", "new.py")


def renamed_and_not_committed(tree):
    tree.commit()
    tree.git("mv", "a.py", "c.py")


def assumed_unchanged(tree):
    modified_flagged(tree, "--assume-unchanged")


def skipped_in_the_worktree(tree):
    modified_flagged(tree, "--skip-worktree")


def modified_flagged(tree, flag):
    tree.commit()
    tree.git("update-index", flag, "a.py")
    tree.put("tree/a.py", OLD + b"z = 1\n")


def mixed_ends_that_git_normalizes(tree):
    tree.put("tree/.gitattributes", b"*.py text=auto eol=lf\n")
    tree.put("tree/a.py", MIXED)
    tree.commit()


def modified_in_a_submodule(tree):
    committed_in_a_submodule(tree)
    tree.put("tree/sub/s.py", OLD + b"z = 1\n")


def untracked_in_a_submodule(tree):
    committed_in_a_submodule(tree)
    tree.put("tree/sub/new.py")


def untracked_in_a_nested_checkout(tree):
    committed_in_a_nested_checkout(tree)
    tree.put("tree/nested/new.py")


def link_to_an_ignored_file_within(tree):
    tree.put("tree/.gitignore", b"build/\n")
    tree.put("tree/build/c.py")
    tree.link("tree/link.py", "build/c.py")
    tree.commit()


def link_to_a_modified_file_within(tree):
    tree.put("tree/build/c.py")
    tree.link("tree/link.py", "build/c.py")
    tree.commit()
    tree.put("tree/build/c.py", OLD + b"z = 1\n")


def link_that_is_committed_to_a_file_that_is_not(tree):
    tree.put("tree/.gitignore", b"*.txt\n")
    tree.put("tree/real.txt")
    tree.link("tree/link.py", "real.txt")
    tree.commit()


def read_only(tree):
    tree.put("tree/a.py", mode=0o444)
    tree.commit()


def one_of_many_untracked(tree):
    for number in range(5):
        tree.put(f"tree/{number}.py")
    tree.commit()
    tree.put("tree/new.py")


REFUSED = [
    no_git,
    git_folder_of_another_kind,
    damaged_git_folder,
    no_commit_yet,
    untracked,
    untracked_in_a_folder,
    untracked_with_spaces,
    untracked_notebook,
    ignored,
    ignored_by_the_user,
    removed_from_the_index,
    modified,
    staged,
    staged_and_modified,
    intent_to_add,
    renamed_and_not_committed,
    assumed_unchanged,
    skipped_in_the_worktree,
    mixed_ends_that_git_normalizes,
    modified_in_a_submodule,
    untracked_in_a_submodule,
    untracked_in_a_nested_checkout,
    link_to_an_ignored_file_within,
    link_to_a_modified_file_within,
    link_that_is_committed_to_a_file_that_is_not,
    read_only,
    one_of_many_untracked,
]


def shape_id(shape):
    return shape.__name__.replace("_", "-")


@pytest.fixture
def tree(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    return Tree(tmp_path)


@pytest.mark.parametrize("shape", WRITTEN, ids=shape_id)
def test_git_restores_what_is_written(shape, tree):
    shape(tree)
    before = tree.contents()
    assert cli.main(["upgrade", tree.path("tree"), "--write"]) == (shape is link_to_nothing)
    after = tree.contents()
    changed = [name for name in before if after.get(name) != before[name]]
    assert changed and set(after) == set(before)
    assert all(name.startswith("tree/") for name in changed)
    for name in changed:
        assert b"compat.v1" in after[name]
        assert tree.restored(name) == before[name], name


@pytest.mark.parametrize("shape", REFUSED, ids=shape_id)
def test_nothing_is_written(shape, tree, capsys):
    shape(tree)
    before = tree.contents()
    assert cli.main(["upgrade", tree.path("tree"), "--write"]) == 2
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1
    assert ("chmod u+w" if shape is read_only else "--force") in said
    assert tree.contents() == before


@pytest.mark.parametrize("shape", REFUSED, ids=shape_id)
def test_force_writes(shape, tree):
    shape(tree)
    before = tree.contents()
    code = cli.main(["upgrade", tree.path("tree"), "--write", "--force"])
    assert (code == 2) == (tree.contents() == before) == (shape is read_only)


@pytest.mark.parametrize(
    "shape",
    [link_to_a_file_outside, absolute_link_to_a_file_outside, chain_of_links_to_a_file_outside],
    ids=shape_id,
)
@pytest.mark.parametrize("force", [[], ["--force"]], ids=["plain", "force"])
def test_a_link_that_leaves_the_tree_is_reported(shape, force, tree, capsys):
    shape(tree)
    assert cli.main(["upgrade", tree.path("tree"), "--write", *force]) == 0
    assert tree.contents()["outside/b.py"] == OLD
    said = capsys.readouterr().err
    assert "link.py" in said and tree.path("outside/b.py") in said


def test_a_target_that_is_named_is_written(tree):
    link_to_a_file_outside(tree)
    words = ["upgrade", tree.path("tree"), tree.path("outside/b.py"), "--write"]
    assert cli.main(words) == 2  # no git restores it
    assert tree.contents()["outside/b.py"] == OLD
    assert cli.main([*words, "--force"]) == 0
    assert b"compat.v1" in tree.contents()["outside/b.py"]
    assert os.path.islink(tree.path("tree/link.py"))


def test_a_hook_of_git_asks_about_the_checkout_of_the_file(tree, monkeypatch):
    """A hook runs with variables that name the checkout and the index of its own repository."""
    tree.commit()
    tree.git("init", "-q", "../repository", inside="outside")
    monkeypatch.setenv("GIT_DIR", tree.path("repository/.git"))
    monkeypatch.setenv("GIT_INDEX_FILE", tree.path("repository/.git/index"))
    assert cli.main(["upgrade", tree.path("tree"), "--write"]) == 0


def test_no_git_program(tree, monkeypatch):
    tree.commit()
    monkeypatch.setenv("PATH", str(tree.folder))
    assert cli.main(["upgrade", tree.path("tree"), "--write"]) == 2
    assert tree.contents()["tree/a.py"] == OLD


# --backup -----------------------------------------------------------------------------


@pytest.mark.parametrize("shape", WRITTEN + REFUSED, ids=shape_id)
def test_a_backup_or_git_has_every_byte(shape, tree):
    shape(tree)
    before = tree.contents()
    cli.main(["upgrade", tree.path("tree"), "--write", "--backup"])
    after = tree.contents()
    for name in [name for name in before if after.get(name) != before[name]]:
        assert after[name + ".orig"] == before[name]
    assert {name for name in set(after) - set(before) if not name.endswith(".orig")} == set()


@pytest.mark.parametrize("shape", [untracked, ignored, no_git], ids=shape_id)
def test_a_backup_stands_for_git(shape, tree):
    shape(tree)
    assert cli.main(["upgrade", tree.path("tree"), "--write", "--backup"]) == 0
    assert tree.contents()["tree/a.py.orig"] == OLD


def test_a_backup_does_not_stand_for_a_commit(tree):
    modified(tree)
    with pytest.raises(ArgumentError, match="uncommitted"):
        upgrade.examine([tree.path("tree")]).write(backup=True)
    assert upgrade.examine([tree.path("tree")]).write(force=True, backup=True)
    assert tree.contents()["tree/a.py.orig"] == OLD + b"z = 1\n"


@pytest.mark.parametrize("kind", ["file", "link", "folder", "link to nothing"])
@pytest.mark.parametrize("force", [False, True], ids=["plain", "force"])
def test_a_backup_replaces_nothing(kind, force, tree):
    tree.commit()
    tree.put("tree/b.py")
    tree.put("outside/old.txt", b"mine")
    if kind == "file":
        tree.put("tree/b.py.orig", b"mine")
    elif kind == "folder":
        tree.put("tree/b.py.orig/x", b"mine")
    else:
        tree.link("tree/b.py.orig", "../outside/old.txt" if kind == "link" else "nowhere")
    before = tree.contents()
    with pytest.raises(ArgumentError, match="another file, which would be lost"):
        upgrade.examine([tree.path("tree")]).write(force=force, backup=True)
    assert tree.contents() == before


def test_a_backup_of_the_same_bytes_may_be_there(tree):
    tree.commit()
    tree.put("tree/a.py.orig", OLD)
    assert cli.main(["upgrade", tree.path("tree"), "--write", "--backup"]) == 0
    assert b"compat.v1" in tree.contents()["tree/a.py"]


def test_a_backup_keeps_the_mode(tree):
    committed_executable(tree)
    assert cli.main(["upgrade", tree.path("tree"), "--write", "--backup"]) == 0
    assert os.stat(tree.path("tree/a.py.orig")).st_mode & 0o777 == 0o755


# --verify -----------------------------------------------------------------------------


def test_verify_writes_through_no_link(tree, monkeypatch):
    """The copies of the folder hold links as links: an absolute one leads to the original."""
    from tfgraphtools.upgrade.verify import verify

    tree.put("tree/build/c.py", b"import numpy as np\nprint(np.float)\n")
    tree.link("tree/link.py", tree.path("tree/build/c.py"))
    tree.put("tree/a.py", b"print(1)\n")
    before = tree.contents()
    monkeypatch.chdir(tree.path("tree"))
    report = upgrade.examine(["."])
    assert report.changed
    verify(report, ["python", "a.py"])
    assert tree.contents() == before
