"""Processes of their own for the tests of compat: it acts on a whole process."""

import functools
import os
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


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


@pytest.fixture(scope="session")
def tf1_run_in(python_in):
    """A function that is ``tfgraphtools run`` in a folder with these words."""

    def run(folder, *words, **options):
        return python_in(folder, "-m", "tfgraphtools", "run", *words, **options)

    return run


@pytest.fixture
def plain_python(python_in, tmp_path):
    """`python_in` the folder of the test."""
    return functools.partial(python_in, tmp_path)


@pytest.fixture
def tf1_run(tf1_run_in, tmp_path):
    """`tf1_run_in` the folder of the test."""
    return functools.partial(tf1_run_in, tmp_path)
