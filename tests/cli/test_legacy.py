"""`tfgraphtools legacy` with small wheels in place of the real ones."""

import hashlib
import os
import zipfile

import pytest

from tfgraphtools.cli import main
from tfgraphtools.compat import legacy, legacy_packages


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A cache folder of the test's own."""
    monkeypatch.setenv("TFGRAPHTOOLS_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def wheel(tmp_path, monkeypatch):
    """A wheel of the only package that `legacy` then wants."""
    path = tmp_path / "thing-1.0-py3-none-any.whl"
    with zipfile.ZipFile(str(path), "w") as archive:
        archive.writestr("core/contrib/__init__.py", "")
        archive.writestr("core/contrib/part.py", "A = 1\n")
        archive.writestr("core/contrib/_kernels.so", "binary")
        archive.writestr("core/other.py", "B = 2\n")
        archive.writestr("thing-1.0.dist-info/METADATA", "Name: thing\nVersion: 1.0\n")
        archive.writestr("thing-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr("thing-1.0.dist-info/RECORD", "")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    package = legacy_packages.Package("thing", "1.0", digest, (), (("core/contrib/", "contrib/"),))
    monkeypatch.setattr(legacy_packages, "PACKAGES", (package,))
    return path


def left_behind(cache):
    return sorted(os.listdir(str(cache))) if cache.exists() else []


def test_install_keeps_only_the_python_that_is_wanted(cache, wheel, capsys):
    assert main(["legacy", "install", "--wheel", str(wheel)]) == 0
    place = cache / legacy.FOLDER
    files = sorted(path.relative_to(place).as_posix() for path in place.rglob("*.*"))
    assert files == ["MANIFEST.json", "contrib/__init__.py", "contrib/part.py"]
    assert "thing 1.0 in" in capsys.readouterr().out
    assert left_behind(cache) == [legacy.FOLDER]
    assert legacy.find() == place


def test_status(cache, wheel, capsys):
    assert main(["legacy", "status"]) == 1
    assert "not installed" in capsys.readouterr().out
    main(["legacy", "install", "--wheel", str(wheel)])
    assert main(["legacy", "status"]) == 0
    (cache / legacy.FOLDER / "contrib" / "part.py").write_text("A = 2\n")
    assert main(["legacy", "status"]) == 1
    assert "damaged: contrib/part.py" in capsys.readouterr().out
    main(["legacy", "install", "--wheel", str(wheel)])
    assert main(["legacy", "status"]) == 0
    assert left_behind(cache) == [legacy.FOLDER]


def test_install_again_needs_no_wheel(cache, wheel, monkeypatch):
    main(["legacy", "install", "--wheel", str(wheel)])
    monkeypatch.setattr(legacy_packages, "fetched", None)
    assert main(["legacy", "install"]) == 0


def test_an_installation_of_other_packages_is_made_anew(cache, wheel, monkeypatch):
    main(["legacy", "install", "--wheel", str(wheel)])
    changed = legacy_packages.PACKAGES[0]._replace(keep=(("core/", "all/"),))
    monkeypatch.setattr(legacy_packages, "PACKAGES", (changed,))
    assert legacy.status().damaged == ("MANIFEST.json",)
    assert legacy.install([str(wheel)]).files == 3


def test_remove(cache, wheel, capsys):
    assert main(["legacy", "remove"]) == 0
    assert "nothing is installed" in capsys.readouterr().out
    main(["legacy", "install", "--wheel", str(wheel)])
    assert main(["legacy", "remove"]) == 0
    assert left_behind(cache) == []


@pytest.mark.parametrize("content", [b"another build", None], ids=["other", "absent"])
def test_a_wheel_that_is_not_known_is_refused(cache, wheel, tmp_path, capsys, content):
    other = tmp_path / "tensorflow-1.15.0-cp37-cp37m-manylinux2010_x86_64.whl"
    if content is not None:
        other.write_bytes(content)
    assert main(["legacy", "install", "--wheel", str(other)]) == 2
    message = capsys.readouterr().err
    assert len(message.splitlines()) == 1
    assert ("no such file" if content is None else "a file with sha256") in message
    assert left_behind(cache) == []


def test_no_package_index_leaves_nothing(cache, monkeypatch, capsys):
    package = legacy_packages.Package("tfgraphtools-no-such-package", "9.9", "0" * 64, (), ())
    monkeypatch.setattr(legacy_packages, "PACKAGES", (package,))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    assert main(["legacy", "install"]) == 2
    assert "pip's answer" in capsys.readouterr().err
    assert left_behind(cache) == []


def test_a_download_with_another_hash_is_refused(cache, wheel, monkeypatch, capsys):
    changed = legacy_packages.PACKAGES[0]._replace(sha256="0" * 64)
    monkeypatch.setattr(legacy_packages, "PACKAGES", (changed,))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheel.parent))
    assert main(["legacy", "install"]) == 2
    assert "a download with sha256" in capsys.readouterr().err
    assert left_behind(cache) == []


def test_a_cache_in_a_folder_with_spaces(tmp_path, wheel, monkeypatch, capsys):
    """pip looks for the wheel in a folder with spaces, too, and is told one to download to."""
    cache = tmp_path / "a cache of mine"
    monkeypatch.setenv("TFGRAPHTOOLS_CACHE", str(cache))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", wheel.as_uri())
    assert main(["legacy", "install"]) == 0, capsys.readouterr().err
    assert main(["legacy", "status"]) == 0
    assert len(left_behind(cache)) == 1


def test_a_wheel_that_breaks_off_leaves_nothing(cache, wheel, monkeypatch):
    def breaks(tree):
        raise KeyboardInterrupt

    monkeypatch.setattr(legacy, "_write_manifest", breaks)
    with pytest.raises(KeyboardInterrupt):
        legacy.install([str(wheel)])
    assert left_behind(cache) == []


def test_a_cache_that_cannot_be_written(tmp_path, wheel, capsys):
    (tmp_path / "file").write_text("")
    words = ["legacy", "install", "--wheel", str(wheel), "--folder", str(tmp_path / "file" / "x")]
    assert main(words) == 2
    assert "--folder DIR" in capsys.readouterr().err


def test_where_the_cache_is(monkeypatch, tmp_path):
    monkeypatch.delenv("TFGRAPHTOOLS_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert legacy.cache_folder() == tmp_path / "tfgraphtools"
    monkeypatch.setenv("TFGRAPHTOOLS_CACHE", str(tmp_path / "own"))
    assert legacy.cache_folder() == tmp_path / "own"
    assert legacy.cache_folder(tmp_path / "named") == tmp_path / "named"


def test_the_packages_are_named_with_whole_hashes():
    assert all(len(package.sha256) == 64 for package in legacy_packages.PACKAGES)
    assert legacy_packages.PACKAGES[0][:2] == ("tensorflow", "1.15.5")


# A folder of the user's -----------------------------------------------------------


def _no_manifest(place, elsewhere):
    place.mkdir(parents=True)
    (place / "thesis.txt").write_text("mine")


def _another_manifest(place, elsewhere):
    _no_manifest(place, elsewhere)
    (place / legacy.MANIFEST).write_text('{"name": "my web page"}')


def _damaged_manifest(place, elsewhere):
    _no_manifest(place, elsewhere)
    (place / legacy.MANIFEST).write_text('{"files": ')


def _linked(place, elsewhere):
    _no_manifest(elsewhere, None)
    place.parent.mkdir(parents=True)
    place.symlink_to(elsewhere)


def _link_to_nothing(place, elsewhere):
    place.parent.mkdir(parents=True)
    place.symlink_to(elsewhere)


FOREIGN = {
    "no-manifest": _no_manifest,
    "another-manifest": _another_manifest,
    "damaged-manifest": _damaged_manifest,
    "link": _linked,
    "link-to-nothing": _link_to_nothing,
}


@pytest.mark.parametrize("word", ["install", "remove"])
@pytest.mark.parametrize("shape", FOREIGN)
def test_a_folder_of_the_users_stays(shape, word, cache, wheel, tmp_path, capsys):
    place, elsewhere = cache / legacy.FOLDER, tmp_path / "elsewhere"
    FOREIGN[shape](place, elsewhere)
    before = _contents(tmp_path)
    words = ["legacy", word] + (["--wheel", str(wheel)] if word == "install" else [])
    assert main(words) == 2
    message = capsys.readouterr().err
    assert len(message.splitlines()) == 1 and "Nothing was changed" in message
    assert _contents(tmp_path) == before


@pytest.mark.parametrize("word", ["install", "remove"])
@pytest.mark.parametrize("kind", ["file", "link", "link to a folder"])
def test_the_users_file_in_an_installation_stays(kind, word, cache, wheel, tmp_path, capsys):
    main(["legacy", "install", "--wheel", str(wheel)])
    place = cache / legacy.FOLDER
    (place / "contrib" / "part.py").write_text("A = 2\n")  # so that 'install' replaces it
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "data.txt").write_text("mine")
    if kind == "file":
        (place / "contrib" / "mine.py").write_text("mine")
    else:
        target = "elsewhere" if kind == "link to a folder" else "elsewhere/data.txt"
        (place / "contrib" / "mine.py").symlink_to(tmp_path / target)
    before = _contents(tmp_path)
    words = ["legacy", word] + (["--wheel", str(wheel)] if word == "install" else [])
    assert main(words) == 2
    assert "contrib/mine.py" in capsys.readouterr().err
    assert _contents(tmp_path) == before


def test_compiled_python_goes_with_the_installation(cache, wheel):
    main(["legacy", "install", "--wheel", str(wheel)])
    compiled = cache / legacy.FOLDER / "contrib" / "__pycache__"
    compiled.mkdir()
    (compiled / "part.cpython-311.pyc").write_bytes(b"x")
    assert main(["legacy", "remove"]) == 0
    assert left_behind(cache) == []


def _contents(folder):
    """{path: bytes or target} of the files and links below a folder."""
    return {
        str(path): os.readlink(str(path)) if path.is_symlink() else path.read_bytes()
        for path in folder.rglob("*")
        if path.is_symlink() or path.is_file()
    }
