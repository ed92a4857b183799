"""A package's own modules are found from a folder inside it, and in a checkout with ``src``."""

import os

import pytest

from tfgraphtools import compat
from tfgraphtools.compat.doctor import statuses

pytestmark = pytest.mark.quick

FILES = {
    "repo/setup.py": "",
    "repo/flat/__init__.py": "",
    "repo/flat/tf/__init__.py": "import flat.tf.layers",
    "repo/flat/tf/layers/__init__.py": "from flat.tf.core import thing",
    "repo/flat/tf/core.py": "import flat, nobodys_package\nthing = 1",
    "repo/tests/test_flat.py": "import flat.tf.core, inner.module",
    "repo/src/inner/__init__.py": "",
    "repo/src/inner/module.py": "import inner",
    "loose/pack/__init__.py": "",
    "loose/pack/sub/__init__.py": "import pack.sub.part, pack.no_such_part",
    "loose/pack/sub/part.py": "",
    "loose/src/other/__init__.py": "",
    "loose/run/main.py": "import other",
    "odd-name/__init__.py": "",
    "odd-name/mine/__init__.py": "import mine.part",
    "odd-name/mine/part.py": "",
    "site-packages/tensorflow/__init__.py": "",
    "site-packages/theirs/__init__.py": "import tensorflow as tf\ntf.placeholder",
}

#: Folder -> the names that are missing there.
MISSING = {
    "repo": {"nobodys_package"},
    "repo/flat": {"nobodys_package"},
    "repo/flat/tf": {"nobodys_package"},
    "repo/flat/tf/layers": {"nobodys_package"},  # of what it imports
    "repo/flat/tf/core.py": {"nobodys_package"},
    "repo/tests": {"nobodys_package"},  # of the package, which the tests import
    "repo/src": set(),
    "repo/src/inner": set(),
    "loose/pack": {"pack.no_such_part"},
    "loose/pack/sub": {"pack.no_such_part"},
    "loose/run": {"other"},
    "odd-name": set(),
    "odd-name/mine": set(),
}


@pytest.fixture
def folder(tmp_path):
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def missing(report):
    return {each.status.name for each in report.entries if each.status.status in statuses.ABSENT}


@pytest.mark.parametrize("name", MISSING)
def test_what_is_missing(name, folder):
    from tfgraphtools.compat.doctor import examine

    assert missing(examine(str(folder / name))) == MISSING[name]


@pytest.mark.parametrize("inside, path", [("repo/flat", "."), ("repo/flat/tf", "..")])
def test_relative_paths_from_within(inside, path, folder, monkeypatch):
    from tfgraphtools.compat.doctor import examine

    monkeypatch.chdir(str(folder / inside))
    assert missing(examine(path)) == {"nobodys_package"}


def test_a_package_in_src_without_a_project_file_is_named(folder):
    from tfgraphtools.compat.doctor import examine

    report = examine(str(folder / "loose" / "run"))
    why = {each.status.name: each.status.why for each in report.entries}
    source = os.path.join(str(folder), "loose", "src")
    assert why["other"] == f"it is in {source}: add this folder to PYTHONPATH"


def test_installed_packages_are_not_the_users_own(folder):
    if compat.is_tf1():
        pytest.skip("TF 1.15 has the name that the package uses")
    from tfgraphtools.compat.doctor import examine

    report = examine(str(folder / "site-packages" / "theirs"))
    assert "tensorflow.placeholder" in {each.status.name for each in report.entries}


def test_a_repository_or_home_is_the_top(folder, monkeypatch):
    from tfgraphtools.compat.doctor import projects

    inner = folder / "repo" / "tests"
    assert projects.root_of(str(inner)) == str(folder / "repo")
    (inner / ".git").mkdir()
    assert projects.root_of(str(inner)) is None
    monkeypatch.setenv("HOME", str(folder / "repo" / "flat"))
    assert projects.root_of(str(folder / "repo" / "flat" / "tf")) is None
