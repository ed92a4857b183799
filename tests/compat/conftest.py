"""Processes of their own for the tests of compat: it acts on a whole process."""

import functools
import os
import pathlib
import subprocess
import sys

import pytest

import forks
from tfgraphtools.compat import legacy
from tfgraphtools.errors import LegacyInstallError

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="session")
def interpreters(request, this_server, compat_server):
    """{"plain", "compat", "1.15": a `forks.Server`}; None for 1.15 where there is none."""
    import row_scripts

    try:
        python = request.getfixturevalue("tf1_python")
    except pytest.skip.Exception:
        yield {"plain": this_server, "compat": compat_server, "1.15": None}
        return
    of_115 = forks.Server(python, "plain", row_scripts.environment_of_115())
    yield {"plain": this_server, "compat": compat_server, "1.15": of_115}
    of_115.close()


def _made():
    """The cache folder with an installation, made where it is missing; or skips."""
    wheels = os.environ.get("TFGRAPHTOOLS_LEGACY_WHEEL", "")
    found = legacy.status()
    if found.packages and not found.damaged:
        return legacy.cache_folder()
    folder = ROOT / ".envs" / "cache"
    try:
        legacy.install(filter(None, wheels.split(os.pathsep)), folder)
    except LegacyInstallError as error:
        pytest.skip("no legacy installation can be made here: " + str(error))
    return folder


@pytest.fixture(scope="session")
def legacy_cache():
    """The cache folder that holds a legacy installation."""
    if sys.version_info < (3, 8):
        pytest.skip("TF 1.15 has contrib itself")
    return _made()


@pytest.fixture(scope="session")
def python_in():
    """A function that runs Python in a folder with these words; returns the completed process."""

    def run(folder, *words, **options):
        environment = dict(os.environ, PYTHONPATH=str(ROOT), **options.pop("environment", {}))
        options.setdefault("cwd", str(folder))
        return subprocess.run(
            [sys.executable, *map(str, words)],
            capture_output=True,
            text=True,
            env=environment,
            **options,
        )

    return run


#: What decides while TensorFlow and the tables are imported: a process must have it from its start.
AT_IMPORT = {"TFGRAPHTOOLS_CACHE", "TF_ENABLE_ONEDNN_OPTS", "TF_USE_LEGACY_KERAS"}


@pytest.fixture(scope="session")
def tf1_run_in(python_in, interpreters):
    """A function that is ``tfgraphtools run`` in a folder with these words.

    A fork of a process that has imported TensorFlow, unless its environment decides at import
    time, or it starts Python itself.
    """

    def run(folder, *words, environment=(), cwd=None):
        if AT_IMPORT & set(environment) or "--compare" in words:
            options = {"cwd": str(cwd or folder), "environment": dict(environment)}
            return python_in(folder, "-m", "tfgraphtools", "run", *words, **options)
        done = interpreters["compat"].run(cwd or folder, *words, environment=environment)
        return subprocess.CompletedProcess(words, done.code, done.out, done.err)

    return run


@pytest.fixture
def plain_python(python_in, tmp_path):
    """`python_in` the folder of the test."""
    return functools.partial(python_in, tmp_path)


@pytest.fixture
def tf1_run(tf1_run_in, tmp_path):
    """`tf1_run_in` the folder of the test."""
    return functools.partial(tf1_run_in, tmp_path)
