"""The end of a session at a signal, as preempted machines send it, with a checkpoint."""

import os
import signal
import threading
from typing import Any, Sequence

from tfgraphtools._tf import v1
from tfgraphtools.errors import ArgumentError


class PreemptionHook(v1.train.SessionRunHook):
    """Ends a session after the run in which a signal comes, so that its hooks save and close.

    A machine that is taken away sends SIGTERM some seconds before. Without a handler the process
    ends at once, and the runs since the last checkpoint are lost. This hook lets the run end and
    asks the session to stop, as ``StopAtStepHook`` does at its last step: a ``CheckpointSaverHook``
    (``MonitoredTrainingSession(checkpoint_dir=...)`` has one) saves the step then, and all other
    hooks write what they hold. Their order does not matter.

    Of sessions inside one another, such as an evaluation beside a training, all end that have
    such a hook.

    It saves nothing itself, and does nothing while no session runs: a signal then does what it
    did without the hook, and so does a second one. A run that waits for input waits on. In a
    ``SyncReplicas`` job send the signal to all workers: the others wait for one that stopped.

    Args:
      signals: numbers of signals; SIGTERM by default.

    Attributes:
      received: the number of the signal that came, or None; for the exit code of the program.

    Example:
      >>> preemption = PreemptionHook()
      >>> with tf.compat.v1.train.MonitoredTrainingSession(
      ...     checkpoint_dir=folder, hooks=[preemption]
      ... ) as session:
      ...     while not session.should_stop():
      ...         session.run(train_op)

    Raises:
      ArgumentError: no signal, or what is none; a session that begins in another thread than the
        main one, where Python takes no signals.
    """

    def __init__(self, signals: Sequence[int] = (signal.SIGTERM,)) -> None:
        self._signals = list(signals)
        for number in self._signals or [None]:
            if number not in set(signal.Signals) - _UNCAUGHT:
                raise ArgumentError(
                    "PreemptionHook signals",
                    "signals that a program can take",
                    repr(number),
                    "Pass (signal.SIGTERM, signal.SIGINT), say.",
                )
        self.received = None
        self._coordinator = None
        self._before = {}

    def begin(self) -> None:
        """Checks that signals can be taken here."""
        if threading.current_thread() is not threading.main_thread():
            raise ArgumentError(
                "PreemptionHook",
                "a session of the main thread, which takes the signals of a process",
                f"the thread {threading.current_thread().name!r}",
                "Build the session in the main thread, or call request_stop() there yourself.",
            )

    def after_create_session(self, session: v1.Session, coord: Any) -> None:
        """Takes the signals from here on."""
        self._coordinator = coord
        if not self._before:
            self._before = {number: signal.signal(number, self._take) for number in self._signals}

    def after_run(
        self, run_context: v1.train.SessionRunContext, run_values: v1.train.SessionRunValues
    ) -> None:
        """Asks the session to stop if a signal came."""
        if self.received is not None:
            run_context.request_stop()

    def end(self, session: v1.Session) -> None:
        """Gives the signals back."""
        self._give_back()

    def _take(self, number, frame):
        """Notes a signal; after an error ended the session, or a second time, it is as before."""
        if not self._note(number):
            self._give_back()
            os.kill(os.getpid(), number)

    def _note(self, number):
        """Returns True if the signal ends this session; that of a session around it ends, too."""
        is_over = self._coordinator is None or self._coordinator.should_stop()
        if is_over or self.received is not None:
            return False
        self.received = number
        outer = getattr(self._before.get(number), "__self__", None)
        if isinstance(outer, PreemptionHook):
            outer._note(number)
        return True

    def _give_back(self):
        before, self._before = self._before, {}
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)


_UNCAUGHT = {getattr(signal, name, None) for name in ("SIGKILL", "SIGSTOP")}
