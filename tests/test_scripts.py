"""The two commands say what is wrong before they download anything.

Pythons here are small shell scripts that only know their version. That the
commands do their work is what continuous integration shows by running them.
"""

import pathlib
import shutil
import subprocess

import pytest

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent / "scripts"
TOOLS = "basename bash cat dirname grep mkdir rm sed sleep tail tee".split()

FAKE_PYTHON = """#!/bin/sh
case "$*" in
  -c*version_info*) echo VERSION;;
  --version) echo Python VERSION.0;;
  *) echo no module of yours; exit 1;;
esac
"""


@pytest.fixture
def machine(tmp_path):
    """A function that runs a script where only the given Pythons exist."""

    def run(script, *words, pythons=(), **environment):
        tools = tmp_path / "bin"
        tools.mkdir()
        for name in TOOLS:
            (tools / name).symlink_to(shutil.which(name))
        for name, version in pythons:
            fake = tools / name
            fake.write_text(FAKE_PYTHON.replace("VERSION", version))
            fake.chmod(0o755)
        environment.update(
            PATH=str(tools), HOME=str(tmp_path), TFGRAPHTOOLS_ENVS=str(tmp_path / "envs")
        )
        return subprocess.run(
            [str(SCRIPTS / script), *words],
            env=environment,
            cwd=str(tmp_path),
            check=False,
            capture_output=True,
            text=True,
        )

    return run


@pytest.mark.parametrize(
    "script, pythons, said",
    [
        ("quickstart", [], "'python3' does not run. Install Python 3.7 to 3.13"),
        ("quickstart", [("python3", "3.6")], "is Python 3.6; expected Python 3.7 to 3.13"),
        ("quickstart", [("python3", "3.14")], "is Python 3.14; expected Python 3.7 to 3.13"),
        ("test", [("python3", "3.9")], "is Python 3.9; expected Python 3.10 to 3.13"),
        ("test", [("python3", "2.7")], "is Python 2.7; expected Python 3.10 to 3.13"),
    ],
    ids=["none", "too-old", "too-new", "too-old-for-the-tests", "python-2"],
)
def test_no_fitting_python(machine, tmp_path, script, pythons, said):
    done = machine(script, pythons=pythons)
    assert done.returncode == 2
    assert done.stderr.startswith("scripts/" + script + ": ") and said in done.stderr
    assert done.stderr.count("\n") == 1 and not (tmp_path / "envs").exists()


def test_no_python_37_where_it_is_required(machine, tmp_path):
    done = machine("test", "--require-tf1", pythons=[("python3", "3.11"), ("python3.7", "3.8")])
    assert done.returncode == 2
    assert "no Python 3.7 was found for TF 1.15" in done.stderr
    assert not (tmp_path / "envs").exists()


@pytest.mark.parametrize("script", ["quickstart", "test"])
def test_a_failing_install_shows_why(machine, tmp_path, script):
    done = machine(script, pythons=[("python3", "3.11")])
    assert done.returncode == 2
    assert "Python 3.11.0, tensorflow==2.21" in done.stderr  # what it was about to make
    assert "no module of yours" in done.stderr and "this failed: python3 -m venv" in done.stderr
    assert not list((tmp_path / "envs").glob("*/installed.txt"))  # made anew next time


def test_help(machine):
    done = machine("test", "--help")
    assert done.returncode == 0 and "--require-tf1" in done.stdout
