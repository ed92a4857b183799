"""The one cache: its place, the compiled code in it, and the user's files beside it."""

import hashlib
import os
import subprocess
import sys

import pytest
from places import PACKAGE

from tfgraphtools import compat
from tfgraphtools.compat.engine.translate import code_cache, source
from tfgraphtools.installed import distributions

pytestmark = pytest.mark.quick

KEY = code_cache.key_of("a", 1)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(code_cache.VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def small(monkeypatch):
    """A cache that holds ten entries, or 10,000 bytes, and is counted at each write."""
    monkeypatch.setattr(code_cache, "MOST_ENTRIES", 10)
    monkeypatch.setattr(code_cache, "MOST_BYTES", 10000)
    monkeypatch.setattr(code_cache, "_WRITES_UNTIL_COUNTED", 1)


def code_in(folder):
    return folder / code_cache.CODE_FOLDER


def entries(folder):
    return sorted(path.name for path in code_in(folder).iterdir() if path.name != code_cache.MARKER)


def contents(folder):
    """{path: bytes, target of a link or None of a folder} of all below a folder, links as links."""
    tree = {}
    for place, folders, names in os.walk(str(folder)):
        for name in folders + names:
            path = os.path.join(place, name)
            if os.path.islink(path):
                tree[path] = os.readlink(path)
            else:
                tree[path] = open(path, "rb").read() if os.path.isfile(path) else None
    return tree


def test_what_was_kept_is_read(folder):
    assert code_cache.read(KEY) is None
    code_cache.write(KEY, (compile("1 + 1", "a.py", "eval"), ["a"]))
    code, names = code_cache.read(KEY)
    assert eval(code) == 2 and names == ["a"]
    assert os.stat(str(code_in(folder))).st_mode & 0o077 == 0
    assert os.listdir(str(folder)) == [code_cache.CODE_FOLDER]


@pytest.mark.parametrize("damage", ["changed", "cut", "empty", "of another key"])
def test_damaged_code_is_not_run(damage, folder):
    code_cache.write(KEY, "kept")
    path = code_in(folder) / (KEY + ".code")
    data = path.read_bytes()
    key = KEY
    if damage == "of another key":
        key = code_cache.key_of("b")
        (code_in(folder) / (key + ".code")).write_bytes(data)
    else:
        new = {"changed": data[:-1] + b"!", "cut": data[:20], "empty": b""}[damage]
        path.write_bytes(new)
    assert code_cache.read(key) is None


def test_code_that_others_could_have_written_is_not_run(folder):
    code_cache.write(KEY, "kept")
    os.chmod(str(code_in(folder)), 0o777)
    assert code_cache.read(KEY) is None
    code_cache.write(code_cache.key_of("c"), "new")
    assert len(entries(folder)) == 1


def test_a_home_and_a_relative_folder(monkeypatch, tmp_path):
    monkeypatch.setenv(code_cache.VARIABLE, "~/cc")
    assert code_cache.folder() == os.path.join(os.path.expanduser("~"), "cc")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(code_cache.VARIABLE, "relative-" + tmp_path.name)
    before = code_cache.folder()
    assert before == str(tmp_path / ("relative-" + tmp_path.name))
    (tmp_path / "else").mkdir()
    monkeypatch.chdir(tmp_path / "else")
    assert code_cache.folder() == before


def test_both_folders_are_one(folder):
    from tfgraphtools.compat import legacy

    assert str(legacy.cache_folder()) == code_cache.folder()


def test_it_is_bounded(folder, monkeypatch):
    monkeypatch.setattr(code_cache, "MOST_ENTRIES", 10)
    monkeypatch.setattr(code_cache, "_WRITES_UNTIL_COUNTED", 10**9)
    for number in range(15):
        code_cache.write(code_cache.key_of(number), number)
        path = code_in(folder) / (code_cache.key_of(number) + ".code")
        os.utime(str(path), (number, number))
    code_cache._evict(str(code_in(folder)))
    kept = [
        number for number in range(15) if code_cache.read(code_cache.key_of(number)) is not None
    ]
    assert kept == list(range(6, 15))


def test_what_a_killed_process_left_goes_with_the_rest(folder, small):
    code_cache.write(KEY, 0)
    partial = code_in(folder) / (code_cache.key_of("killed") + ".a1b2c3d4.code")
    partial.write_bytes(b"x")
    os.utime(str(partial), (1, 1))
    for number in range(12):
        code_cache.write(code_cache.key_of(number), number)
    assert not partial.exists()


def test_keys_tell_settings_apart():
    keys = [
        code_cache.key_of(*one) for one in (("ab", "c"), ("a", "bc"), (b"ab", b"c"), (1, 2), (12,))
    ]
    assert len(set(keys)) == len(keys)


# The user's files -------------------------------------------------------------


def _many(place):
    place.mkdir(parents=True)
    for number in range(30):
        (place / f"{number}.txt").write_text(str(number))


def _named_like_entries(place):
    place.mkdir(parents=True)
    for number in range(30):
        (place / hashlib.sha1(str(number).encode()).hexdigest()).write_text(str(number))


def _large(place):
    place.mkdir(parents=True)
    (place / "data.bin").write_bytes(b"x" * 20000)


def _nested(place):
    _many(place / "inner")
    (place / "link").symlink_to(place / "inner")


def _link(place):
    place.parent.mkdir(parents=True)
    _many(place.parent.parent / "elsewhere")
    place.symlink_to(place.parent.parent / "elsewhere")


def _link_to_a_marked_folder(place):
    _link(place)
    (place / code_cache.MARKER).write_bytes(code_cache.MARKER_TEXT)


def _marked_by_a_link(place):
    _many(place)
    (place.parent / "text").write_bytes(code_cache.MARKER_TEXT)
    (place / code_cache.MARKER).symlink_to(place.parent / "text")


def _marked_with_another_text(place):
    _many(place)
    (place / code_cache.MARKER).write_text("mine")


def _file(place):
    place.parent.mkdir(parents=True)
    place.write_text("mine")


def _empty(place):
    place.mkdir(parents=True)


#: id -> makes what the user has at the path.
TREES = {
    "many": _many,
    "named-like-entries": _named_like_entries,
    "large": _large,
    "nested": _nested,
    "link": _link,
    "link-to-a-marked-folder": _link_to_a_marked_folder,
    "marked-by-a-link": _marked_by_a_link,
    "marked-with-another-text": _marked_with_another_text,
    "file": _file,
    "empty": _empty,
}


@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize("name", ["code", code_cache.CODE_FOLDER])
def test_what_is_not_ours_stays(name, tree, folder, small):
    """A folder of the user's is bit-identical, whatever is in it and whatever its name is."""
    TREES[tree](folder / name)
    before = contents(folder.parent)
    for number in range(50):
        code_cache.write(code_cache.key_of(number), number)
        code_cache.read(code_cache.key_of(number))
    after = contents(folder.parent)
    assert {path: after.get(path, "removed") for path in before} == before
    own = set(after) - set(before)
    ours = str(code_in(folder))
    assert all(path.startswith(ours) for path in own)
    assert bool(own) == (name == "code")  # where the name is taken, nothing is kept


def test_the_users_files_in_our_folder_stay(folder, small):
    code_cache.write(KEY, 0)
    place = code_in(folder)
    (folder / "target.txt").write_text("mine")
    (place / "notes.txt").write_text("mine")
    (place / hashlib.sha1(b"").hexdigest()).write_text("mine")
    (place / (code_cache.key_of("folder") + ".code")).mkdir()
    (place / (code_cache.key_of("link") + ".code")).symlink_to(folder / "target.txt")
    before = contents(folder)
    for number in range(50):
        code_cache.write(code_cache.key_of(number), number)
    code_cache.write(code_cache.key_of("folder"), "new")
    after = contents(folder)
    lost = {path for path in before if after.get(path, "removed") != before[path]}
    assert lost <= {str(place / (KEY + ".code"))}


def test_an_entry_is_not_written_through_a_link(folder):
    code_cache.write(KEY, 0)
    (folder / "target.txt").write_text("mine")
    link = code_in(folder) / (code_cache.key_of("b") + ".code")
    link.symlink_to(folder / "target.txt")
    code_cache.write(code_cache.key_of("b"), "new")
    assert (folder / "target.txt").read_text() == "mine"
    assert code_cache.read(code_cache.key_of("b")) == "new"


ASSERTING = (
    b"def f():\n    'text'\n    assert False, 'asserted'\ntry:\n    f()\n    print(f.__doc__)\n"
)
ASSERTING += b"except AssertionError as error:\n    print(error)\n"

#: Options of Python -> what the program prints. The oracle is Python without `run`.
OPTIONS = [[], ["-O"], [], ["-OO"], ["-O"], []]


@pytest.mark.once
@pytest.mark.skipif(compat.is_tf1(), reason="code is translated on TF 2.x")
def test_code_of_another_python_is_not_taken(tmp_path):
    """Assertions stayed off, or on, as in the first run."""
    (tmp_path / "program.py").write_bytes(b"import module\n")
    (tmp_path / "module.py").write_bytes(ASSERTING)
    environment = dict(os.environ, TFGRAPHTOOLS_CACHE=str(tmp_path / "cache"))
    environment["PYTHONPATH"] = str(PACKAGE.parent)
    for options in OPTIONS:
        printed = [
            subprocess.run(
                [sys.executable, *options, *words, "program.py"],
                cwd=str(tmp_path),
                env=environment,
                stdout=subprocess.PIPE,
                check=True,
            ).stdout
            for words in ([], ["-m", "tfgraphtools", "run", "-q"])
        ]
        assert printed[0] == printed[1], options
    assert len(entries(tmp_path / "cache")) >= 3  # the cache was used


@pytest.mark.parametrize("name", ["fissix", "tf_keras", "NumPy", "tensorflow"])
def test_versions_that_are_in_the_key(name, monkeypatch):
    before, real = source._key_of(b"a", "a.py", True), distributions.version
    assert source._key_of(b"a", "a.py", True) == before
    monkeypatch.setattr(distributions, "version", lambda n: "99" if n == name else real(n))
    assert source._key_of(b"a", "a.py", True) != before


@pytest.mark.parametrize("part", ["compat/engine", "analysis"])
def test_our_own_files_are_in_the_key(part, tmp_path, monkeypatch):
    for folder in ("compat/engine", "analysis", "_tf"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "a.py").write_text("a")
    monkeypatch.setattr(source, "_PACKAGE", str(tmp_path))
    state = source._our_state.__wrapped__
    before = state()
    assert state() == before
    os.utime(tmp_path / part / "a.py", ns=(5, 5))  # an older file, as of an earlier version
    assert state() != before
