"""The lines of a constraints file: the version by pin or date, and the reasons."""

import subprocess

import pytest

from tfgraphtools.compat.constraints import (
    choosing,
    pins,
    repository_pins,
    requirement_files,
    tables,
)

pytestmark = [pytest.mark.quick, pytest.mark.once]

DUMMIES = tables.Change("pandas", "pandas.get_dummies", None, False, "pandas", "2.0", "bools")


def lines(package, *changes, limit=None, date=None, python=(3, 11)):
    packages = {package: pins.Pin(limit, "requirements.txt:2")} if limit is not None else {}
    use = choosing.Use("a.py:1", [("a.py:3", change) for change in changes])
    return choosing.lines({package: use}, pins.Pins(packages, date), python)


@pytest.mark.parametrize(
    "limit, date, python, expected",
    [
        (None, None, (3, 11), "pandas==1.5.3"),
        (None, "2018-03-01", (3, 11), "pandas==1.5.3"),
        (None, "2024-02-01", (3, 11), "pandas==2.1.4"),
        ("==0.24.2", "2024-02-01", (3, 11), "pandas==1.5.3"),
        ("==2.1", None, (3, 11), "pandas==2.1.4"),
        (">=0.20", None, (3, 11), "pandas==1.5.3"),
        (None, "2018-03-01", (3, 12), "pandas==2.1.4"),
    ],
    ids="unknown old new old-pin pin lower-limit python-3.12".split(),
)
def test_version(limit, date, python, expected):
    assert expected in lines("pandas", DUMMIES, limit=limit, date=date, python=python)


def test_the_reasons_come_first():
    written = lines("pandas", DUMMIES, limit="==0.24.2")
    place = written.index("pandas==1.5.3")
    assert written[place - 2] == "# requirements.txt:2 asks for pandas==0.24.2"
    assert written[place - 1] == "# a.py:3: pandas.get_dummies: bools, since pandas 2.0"


def test_what_it_needs_comes_with_it():
    assert "numpy==1.26.4" in lines("pandas", DUMMIES)


def test_no_change_no_version():
    assert not [line for line in lines("pandas") if not line.startswith("#")]


def test_a_ceiling_needs_no_change():
    assert lines("opencv-python")[-1] == "opencv-python<5"


def test_python_313_is_told_to_use_another():
    written = lines("pandas", DUMMIES, python=(3, 13))
    assert not [line for line in written if not line.startswith("#")]
    assert written[-1].endswith("wheels for Python 3.13: use Python 3.12")


def test_the_repository_says(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "requirements-dev.txt").write_text(
        "# tools\nPandas == 0.24.2 # old\n-r other.txt\n"
    )
    (tmp_path / "setup.py").write_text("setup(name='a', install_requires=['six>=1', 'Pillow'])\n")
    (tmp_path / "environment.yml").write_text("dependencies:\n  - numpy=1.13\n  - six\n")
    (tmp_path / "README.md").write_text("Type `pip install scipy==1.0 pandas`.\n")
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b.c"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-qm", "a", "--date=2018-03-01T12:00:00"], check=True, env={
        "GIT_COMMITTER_DATE": "2018-03-01T12:00:00", "PATH": "/usr/bin:/bin:/usr/local/bin"
    })  # fmt: skip
    says = repository_pins.read(str(tmp_path / "src"))
    assert says.packages == {
        "numpy": pins.Pin("==1.13", "environment.yml:2"),
        "pandas": pins.Pin("==0.24.2", "requirements-dev.txt:2"),
        "pillow": pins.Pin("", "setup.py:1"),
        "scipy": pins.Pin("==1.0", "README.md:1"),
        "six": pins.Pin("", "environment.yml:3"),
    }
    assert says.date == "2018-03-01"


def test_only_texts_of_requirements_are_read(tmp_path):
    """Checkpoints may be large: this one is not there, so that reading it would fail."""
    (tmp_path / "Pipfile").write_text('[packages]\nsix = "*"\n')
    files = ["Pipfile", "model.ckpt.data-00000-of-00001"]
    assert [name for name, _, _ in requirement_files.declared(str(tmp_path), files)] == ["six"]
