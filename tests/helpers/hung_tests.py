"""A test that hangs fails, and a run of all tests ends: one that waits for ever tells nothing."""

import faulthandler
import os
import signal

import pytest

#: Seconds that a test may take, with its fixtures: ten times the dearest. All cases of a test that
#: searches may take more.
SECONDS = 600
SECONDS_OF_WHOLE = 3600

#: Seconds more after which the process ends, for a test that hangs where Python hears no signal.
GRACE = 60


def register(config, is_whole):
    """Adds the plugin; under xdist a worker that ends is replaced, and its test has failed."""
    config.pluginmanager.register(Limit(SECONDS_OF_WHOLE if is_whole else SECONDS), "hung_tests")


class Limit:
    """Stops a test that takes too long, or else the process that runs it."""

    def __init__(self, seconds):
        self.seconds = seconds
        self.terminal = os.dup(2)  # that of the run: pytest catches what is written to 2 later

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item):
        """Sets both limits while a test runs."""
        faulthandler.dump_traceback_later(self.seconds + GRACE, exit=True, file=self.terminal)
        if not hasattr(signal, "setitimer"):  # Windows
            yield
        else:
            before = signal.signal(signal.SIGALRM, self._stop)
            signal.setitimer(signal.ITIMER_REAL, self.seconds)
            yield
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        faulthandler.cancel_dump_traceback_later()

    def _stop(self, *unused):
        pytest.fail(f"the test did not end within {self.seconds} s")
