"""Processes of their own for the tests of compat: it acts on a whole process."""

import os
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def plain_python(tmp_path):
    """A function that runs Python with these words, and returns the completed process."""

    def run(*words, **options):
        environment = dict(os.environ, PYTHONPATH=str(ROOT), **options.pop("environment", {}))
        options.setdefault("cwd", str(tmp_path))
        return subprocess.run(
            [sys.executable, *map(str, words)],
            capture_output=True,
            text=True,
            env=environment,
            **options,
        )

    return run


@pytest.fixture
def tf1_run(plain_python):
    """A function that is ``tfgraphtools run`` with these words."""

    def run(*words, **options):
        return plain_python("-m", "tfgraphtools", "run", *words, **options)

    return run
