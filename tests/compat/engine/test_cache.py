"""The one cache: its place, and the compiled code in it."""

import os

import pytest

from tfgraphtools.compat.engine.rewrite import cache

KEY = cache.key_of("a", 1)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_what_was_kept_is_read(folder):
    assert cache.read(KEY) is None
    cache.write(KEY, (compile("1 + 1", "a.py", "eval"), ["a"]))
    code, names = cache.read(KEY)
    assert eval(code) == 2 and names == ["a"]
    assert os.stat(str(folder / "code")).st_mode & 0o077 == 0


@pytest.mark.parametrize("damage", ["changed", "cut", "empty", "of another key"])
def test_damaged_code_is_not_run(damage, folder):
    cache.write(KEY, "kept")
    path = folder / "code" / KEY
    data = path.read_bytes()
    key = KEY
    if damage == "of another key":
        key = cache.key_of("b")
        (folder / "code" / key).write_bytes(data)
    else:
        new = {"changed": data[:-1] + b"!", "cut": data[:20], "empty": b""}[damage]
        path.write_bytes(new)
    assert cache.read(key) is None


def test_code_that_others_could_have_written_is_not_run(folder):
    cache.write(KEY, "kept")
    os.chmod(str(folder / "code"), 0o777)
    assert cache.read(KEY) is None
    cache.write(cache.key_of("c"), "new")
    assert len(list((folder / "code").iterdir())) == 1


def test_a_home_and_a_relative_folder(monkeypatch, tmp_path):
    monkeypatch.setenv(cache.VARIABLE, "~/cc")
    assert cache.folder() == os.path.join(os.path.expanduser("~"), "cc")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(cache.VARIABLE, "relative-" + tmp_path.name)
    before = cache.folder()
    assert before == str(tmp_path / ("relative-" + tmp_path.name))
    (tmp_path / "else").mkdir()
    monkeypatch.chdir(tmp_path / "else")
    assert cache.folder() == before


def test_both_folders_are_one(folder):
    from tfgraphtools.compat import legacy

    assert str(legacy.cache_folder()) == cache.folder()


def test_it_is_bounded(folder, monkeypatch):
    monkeypatch.setattr(cache, "MOST_ENTRIES", 10)
    monkeypatch.setattr(cache, "_WRITES_UNTIL_COUNTED", 1.0)  # n % 1.0 is 0.0
    for number in range(15):
        cache.write(cache.key_of(number), number)
        os.utime(str(folder / "code" / cache.key_of(number)), (number, number))
    cache._evict(str(folder / "code"))
    kept = [number for number in range(15) if cache.read(cache.key_of(number)) is not None]
    assert kept == list(range(6, 15))


def test_keys_tell_settings_apart():
    keys = [cache.key_of(*one) for one in (("ab", "c"), ("a", "bc"), (b"ab", b"c"), (1, 2), (12,))]
    assert len(set(keys)) == len(keys)
