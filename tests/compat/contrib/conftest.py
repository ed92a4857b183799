"""The legacy installation that these tests need, made once if it is not there."""

import os
import pathlib
import sys

import pytest

from tfgraphtools.compat import legacy
from tfgraphtools.errors import LegacyInstallError

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent


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
def run_script(legacy_cache, tf1_run_in):
    """A function that is ``tfgraphtools run`` with these words; it returns what was printed."""

    def run(*words, cache=legacy_cache):
        environment = {"TF_ENABLE_ONEDNN_OPTS": "0"}
        if cache != legacy.cache_folder():  # which the server knows
            environment["TFGRAPHTOOLS_CACHE"] = str(cache)
        done = tf1_run_in(os.getcwd(), *words, environment=environment)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
        return done.stdout

    return run
