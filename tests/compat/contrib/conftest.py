"""Runs scripts with TF 1.15's own contrib."""

import os

import pytest

from tfgraphtools.compat import legacy


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
