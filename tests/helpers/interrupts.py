"""Programs that Ctrl-C reaches, wherever the tests run: a job of a shell may ignore it."""

import signal


def listen():
    """Makes a new process end by SIGINT, which it would ignore if this one does: a preexec_fn."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
