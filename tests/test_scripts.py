"""The two commands say what is wrong before they download anything.

Pythons here are small shell scripts that only know their version. That the
commands do their work is what continuous integration shows by running them.
"""

import os
import pathlib
import shutil
import subprocess
import sys

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
    assert "making it (Python 3.11.0)" in done.stderr  # what it was about to make
    assert "no module of yours" in done.stderr and "this failed: python3 -m venv" in done.stderr
    assert not list((tmp_path / "envs").glob("*/installed.txt"))  # made anew next time


@pytest.mark.parametrize(
    "script, words",
    [
        ("test", "--require-tf1"),
        ("quickstart", "It downloads TensorFlow"),
        ("docs", "it installs MkDocs Material"),
    ],
)
def test_help(machine, tmp_path, script, words):
    """Help makes no environment."""
    done = machine(script, "--help")
    assert done.returncode == 0 and words in done.stdout
    assert not (tmp_path / "envs").exists()


def test_what_is_installed_is_shown(make, capfd):
    """The packages of an extra, without those for another Python."""
    packages = ["one >=2", "# why", 'two; python_version >= "3"', 'old; python_version < "3"']
    make("a", "\n    ".join(["[options.extras_require]\nall =", *packages, ""]))
    assert "It installs: tensorflow, one, two\n" in capfd.readouterr().err


#: A Python that makes environments of itself, and writes down what pip is asked for.
MAKING_PYTHON = f"""#!/bin/sh
case "$*" in
  "-m venv "*) mkdir -p "$3/bin"; cp "$0" "$3/bin/python";;
  "-m pip "*) echo "$@" >> "$PIP_LOG";;
  --version) echo Python 3.11.0;;
  *) exec "{sys.executable}" "$@";;
esac
"""

MAKE = """
. "$SCRIPTS/shell/environment.sh"
ROOT="$FAKE_ROOT"
make_environment tf2 "$FAKE_PYTHON" tensorflow "$ROOT[all]"
"$ENVIRONMENTS/tf2/bin/python" --version
"""


@pytest.fixture
def make(tmp_path):
    """A function that makes an environment for a checkout, and returns how often pip ran so far."""
    python = tmp_path / "python"
    python.write_text(MAKING_PYTHON)
    python.chmod(0o755)

    def run(checkout, config="[options]\n", **environment):
        root = tmp_path / checkout
        root.mkdir(exist_ok=True)
        (root / "setup.cfg").write_text(config)
        environment.update(
            SCRIPTS=str(SCRIPTS),
            FAKE_ROOT=str(root),
            FAKE_PYTHON=str(python),
            PIP_LOG=str(tmp_path / "pip"),
            TFGRAPHTOOLS_ENVS=str(root / ".envs"),
        )
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", MAKE],
            env=dict(os.environ, **environment),
            capture_output=True,
            text=True,
        )
        sys.stderr.write(done.stderr)
        assert (done.returncode, done.stdout) == (0, "Python 3.11.0\n"), done.stderr
        return len((tmp_path / "pip").read_text().splitlines())

    return run


def test_an_environment_is_used_again_in_its_checkout_only(make):
    assert [make("a"), make("a"), make("b"), make("a", "[options]\nx = 1\n")] == [1, 1, 2, 3]


def test_a_cached_environment_serves_every_checkout(make, tmp_path):
    cache = {"TFGRAPHTOOLS_ENV_CACHE": str(tmp_path / "cache")}
    assert [make("a", **cache), make("a", **cache), make("b", **cache)] == [1, 1, 1]
    assert os.path.realpath(str(tmp_path / "b" / ".envs" / "tf2")).startswith(
        str(tmp_path / "cache")
    )
    assert make("b", "[options]\nx = 1\n", **cache) == 2  # another setup.cfg is another environment
    assert make("a", **cache) == 2


def test_a_cached_environment_in_use_is_left_alone(make, tmp_path):
    cache = {"TFGRAPHTOOLS_ENV_CACHE": str(tmp_path / "cache")}
    make("a", **cache)
    (lock,) = (tmp_path / "cache").glob("*.used-by")
    lock.write_text(str(os.getpid()))  # a run that goes on
    assert make("b", **cache) == 2
    assert not (tmp_path / "b" / ".envs" / "tf2").is_symlink()
    assert lock.read_text() == str(os.getpid())


#: Stands for the Python of an environment: pytest ends as the variables say.
ENDING_PYTHON = """#!/bin/sh
case "$*" in
  --version) echo Python 3.11;;
  *--last-failed*) echo "again: $*"; exit "$AGAIN";;
  *"--waiting only"*) echo waiting; exit "$WAITING";;
  *) echo main; exit "$MAIN";;
esac
"""

RUN_SUITE = """
. "$SCRIPTS/shell/environment.sh"
. "$SCRIPTS/shell/suite_runs.sh"
arguments=("$@")
run_suite tf2 > /dev/null
printf '%s' "$summary"
exit "$status"
"""


@pytest.fixture
def run_suite(tmp_path):
    """A function that runs a suite whose pytest ends with these; returns (status, summary)."""
    python = tmp_path / "tf2" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(ENDING_PYTHON)
    python.chmod(0o755)
    (tmp_path / "tf2/lib/python3.11/site-packages/tensorflow-2.21.0.dist-info").mkdir(parents=True)

    def run(main=0, waiting=0, again=0, words=()):
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", RUN_SUITE, "test", *words],
            env=dict(
                os.environ,
                SCRIPTS=str(SCRIPTS),
                TFGRAPHTOOLS_ENVS=str(tmp_path),
                MAIN=str(main),
                WAITING=str(waiting),
                AGAIN=str(again),
            ),
            capture_output=True,
            text=True,
        )
        assert done.stderr == ""
        return done.returncode, done.stdout

    return run


@pytest.mark.parametrize(
    "ends, status, again",
    [
        ({}, 0, 0),
        ({"main": 1}, 0, 1),
        ({"main": 1, "again": 1}, 1, 1),
        ({"waiting": 1}, 0, 1),
        ({"waiting": 1, "again": 1}, 1, 1),
        ({"main": 1, "waiting": 1}, 0, 2),
        ({"main": 2}, 1, 0),
        ({"waiting": 3}, 1, 0),
        ({"waiting": 5}, 0, 0),
        ({"main": 5, "waiting": 5}, 1, 0),
        ({"main": 1, "again": 1, "words": ["tests/x.py"]}, 1, 1),
    ],
    ids=str,
)
def test_what_fails_twice_is_a_failure(run_suite, ends, status, again):
    """Of both runs, that of the tests that wait, too; each runs its own failures again."""
    code, summary = run_suite(**ends)
    assert code == status
    assert summary.count("once more, alone: again:") == again
    assert summary.count("waiting\n") == (0 if "words" in ends else 1)
    assert ("--waiting only --last-failed" in summary) == (ends.get("waiting") == 1)
