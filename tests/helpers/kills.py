"""A kill at an exact system call of a write, in this process."""

import contextlib
import os

from tfgraphtools.checkpoints.plans import recovery

CALLS = ("rename", "replace", "fsync", "link", "unlink")


class Killed(BaseException):
    """Stands for a kill at an exact moment: nothing after it runs, not even a `finally`."""


def kill_at(monkeypatch, step, names=CALLS):
    """Ends the write at the given system call as a kill does: without any cleaning up.

    Args:
      step: the number of calls that still happen.
      names: functions of `os` that count.

    Returns:
      A function that makes another function count, too.
    """
    calls, real_exit = [0], recovery.Workspace.__exit__

    def counted(real):
        def call(*arguments, **named):
            calls[0] += 1
            if calls[0] > step:
                raise Killed()
            return real(*arguments, **named)

        return call

    def leave(self, kind, *rest):
        try:
            if kind is Killed:
                raise Killed()
            return real_exit(self, kind, *rest)
        except Killed:
            with contextlib.suppress(OSError):  # it may be closed
                os.close(self._lock)  # as the system does for a dead process
            raise

    monkeypatch.setattr(recovery.Workspace, "__exit__", leave)
    for name in names:
        monkeypatch.setattr(os, name, counted(getattr(os, name)))
    return counted
