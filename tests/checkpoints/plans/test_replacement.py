"""Files and folders are replaced in one step, or not at all."""

import errno
import os

import kills
import pytest

from tfgraphtools import checkpoints
from tfgraphtools.checkpoints.plans import recovery, replacement, staging
from tfgraphtools.errors import CheckpointNotFoundError, DestinationError

pytestmark = pytest.mark.quick

MARK = ("saved_model.pb",)


def kill_at(monkeypatch, step):
    count = kills.kill_at(monkeypatch, step, ("rename", "replace", "fsync", "unlink", "rmdir"))
    monkeypatch.setattr(replacement, "exchange", count(replacement.exchange))


def put(path, words, folder):
    if folder:
        (path / "variables").mkdir(parents=True)
        (path / "saved_model.pb").write_text(words)
        (path / "variables" / "data").write_text(words)
    else:
        path.write_text(words)


def words_in(path):
    """What the file or the whole folder says."""
    if not path.exists():
        return None
    if path.is_file():
        return path.read_text()
    texts = {file.read_text() for file in path.rglob("*") if file.is_file()}
    assert len(list(path.rglob("*"))) == 3 and len(texts) == 1
    return texts.pop()


@pytest.mark.parametrize("can_exchange", [True, False], ids=["exchange", "two-renames"])
@pytest.mark.parametrize("kind", ["folder", "file", "new-folder", "new-file"])
def test_killed_between_any_two_system_calls(kind, can_exchange, tmp_path, monkeypatch):
    """Old or new after `recover`, never neither; and where folders can be swapped, before it."""
    is_folder, is_new = "folder" in kind, "new" in kind
    if not can_exchange:
        monkeypatch.setattr(replacement, "exchange", lambda path, other: False)
    before = None if is_new else "old"
    step, outcomes = 0, set()
    while True:
        folder = tmp_path / str(step)
        folder.mkdir()
        path = folder / "model"
        if not is_new:
            put(path, "old", is_folder)
        with monkeypatch.context() as patch:
            kill_at(patch, step)
            try:
                with replacement.replacing(str(path), True, MARK if is_folder else None) as staged:
                    put(type(path)(staged), "new", is_folder)
                break
            except kills.Killed:
                pass
        if can_exchange or not is_folder:
            assert words_in(path) in (before, "new"), f"after system call {step}"
        checkpoints.recover(folder)
        assert words_in(path) in (before, "new"), f"after system call {step}"
        assert set(os.listdir(str(folder))) <= {"model"}, f"after system call {step}"
        outcomes.add(words_in(path))
        step += 1
    assert step > 2 and words_in(path) == "new" and os.listdir(str(folder)) == ["model"]
    assert outcomes == {before, "new"}


def test_a_swap_that_the_system_lacks(tmp_path, monkeypatch):
    """`exchange` says so, and the caller takes two renames."""
    import ctypes

    def lacking(*unused, **named):
        raise AttributeError("renameat2")

    monkeypatch.setattr(ctypes, "CDLL", lacking)
    assert staging.exchange(str(tmp_path / "a"), str(tmp_path / "b")) is False
    put(tmp_path / "model", "old", True)
    with replacement.replacing(str(tmp_path / "model"), True, MARK) as staged:
        put(tmp_path / staged, "new", True)
    assert words_in(tmp_path / "model") == "new" and os.listdir(str(tmp_path)) == ["model"]


def test_an_error_leaves_the_old_folder(tmp_path):
    put(tmp_path / "model", "old", True)
    with pytest.raises(DestinationError, match="Nothing was changed"):
        with replacement.replacing(str(tmp_path / "model"), True, MARK) as staged:
            put(tmp_path / staged, "new", True)
            raise OSError(errno.ENOSPC, "No space left on device")
    assert words_in(tmp_path / "model") == "old" and os.listdir(str(tmp_path)) == ["model"]


def test_a_folder_of_other_files_is_never_replaced(tmp_path):
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter1.tex").write_text("x")
    with pytest.raises(DestinationError, match="saved_model.pb"):
        with replacement.replacing(str(tmp_path / "thesis"), True, MARK):
            raise AssertionError("entered")
    (tmp_path / "empty").mkdir()
    with replacement.replacing(str(tmp_path / "empty"), True, MARK) as staged:
        put(tmp_path / staged, "new", True)
    assert words_in(tmp_path / "empty") == "new"


def test_a_link_is_replaced_and_not_what_it_points_to(tmp_path):
    put(tmp_path / "real", "old", True)
    (tmp_path / "model").symlink_to(tmp_path / "real")
    with replacement.replacing(str(tmp_path / "model"), True, MARK) as staged:
        put(tmp_path / staged, "new", True)
    assert words_in(tmp_path / "real") == "old" and words_in(tmp_path / "model") == "new"


def test_what_was_put_back_is_not_replaced_without_asking(tmp_path, monkeypatch):
    """The destination was free because a killed write had moved it away."""
    monkeypatch.setattr(replacement, "exchange", lambda path, other: False)
    put(tmp_path / "model", "old", True)
    with monkeypatch.context() as patch:
        patch.setattr(recovery.Workspace, "__exit__", lambda self, *error: os.close(self._lock))
        real, calls = os.rename, []

        def second_fails(*arguments):
            calls.append(arguments)
            if len(calls) == 2:
                raise kills.Killed()
            real(*arguments)

        patch.setattr(os, "rename", second_fails)
        with pytest.raises(kills.Killed):
            with replacement.replacing(str(tmp_path / "model"), True, MARK) as staged:
                put(tmp_path / staged, "new", True)
    assert not (tmp_path / "model").exists()
    with pytest.raises(DestinationError, match="a free path"):
        with replacement.replacing(str(tmp_path / "model"), False, MARK):
            raise AssertionError("entered")
    assert words_in(tmp_path / "model") == "old" and os.listdir(str(tmp_path)) == ["model"]


def test_recover_of_no_folder(tmp_path):
    with pytest.raises(CheckpointNotFoundError, match="a folder"):
        checkpoints.recover(tmp_path / "nowhere")
