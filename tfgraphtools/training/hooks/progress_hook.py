"""The progress of training: a bar on a terminal, plain lines elsewhere."""

import atexit
import sys
import time
from typing import Any, Optional, TextIO

import numpy as np

from tfgraphtools._tf import v1
from tfgraphtools.training import _arguments

_REDRAW_SECONDS = 0.1  # of the bar, at most this often


class ProgressHook(v1.train.SessionRunHook):
    """Shows the step, the speed and chosen scalars, such as loss and rate.

    On a terminal it draws a progress bar, if the package ``rich`` is installed;
    when piped it prints a plain line every ``every`` steps:

        step 200/1000  loss 0.1234  rate 0.001  85.3 steps/s

    It does nothing to the graph; the scalars are fetched only when they are shown.

    Args:
      scalars: ``{label: scalar tensor or variable}``; may be empty.
      total: the step at which training ends, for the bar and the time left, or
        None.
      every: steps between plain lines, an int.
      stream: where to write; None is ``sys.stderr``.

    Example:
      >>> hook = ProgressHook({"loss": loss, **learning_rates(optimizer)}, total=1000)

    Raises:
      ArgumentError: a label's value is not scalar; ``total`` or ``every`` is no
        positive int.
    """

    def __init__(
        self,
        scalars: Any = None,
        total: Optional[int] = None,
        every: int = 100,
        stream: Optional[TextIO] = None,
    ) -> None:
        self._scalars = dict(scalars or {})
        for label, scalar in self._scalars.items():
            _arguments.check_shown(f"ProgressHook {label!r}", scalar)
        self._total = None if total is None else _arguments.check_count("ProgressHook total", total)
        self._every = _arguments.check_count("ProgressHook every", every)
        self._stream = stream
        self._global_step = self._view = None
        self._runs = 0
        self._asked = False  # whether the run in progress fetches the scalars

    def begin(self) -> None:
        """Finds the global step and looks at the stream."""
        self._global_step = v1.train.get_global_step()
        stream = sys.stderr if self._stream is None else self._stream
        bar_class = _Bar if stream.isatty() and _rich_is_there() else _Lines
        self._view = bar_class(stream, self._total, self._every)

    def after_create_session(self, session: v1.Session, coord: Any) -> None:
        """Notes the step to count the speed from."""
        self._view.start(self._step(session))

    def before_run(
        self, run_context: v1.train.SessionRunContext
    ) -> Optional[v1.train.SessionRunArgs]:
        """Asks for the scalars where they are going to be shown."""
        self._runs += 1
        self._asked = self._view.is_due(self._runs)
        if self._asked and self._scalars:
            return v1.train.SessionRunArgs(self._scalars)

    def after_run(
        self, run_context: v1.train.SessionRunContext, run_values: v1.train.SessionRunValues
    ) -> None:
        """Shows them."""
        if self._asked:
            self._view.show(self._step(run_context.session), run_values.results or {})

    def end(self, session: v1.Session) -> None:
        """Shows the last step and closes the bar."""
        self._view.close(self._step(session))

    def _step(self, session):
        return self._runs if self._global_step is None else int(session.run(self._global_step))


class _Lines:
    """Plain lines."""

    def __init__(self, stream, total, every):
        self._stream, self._total, self._every = stream, total, every
        self._first_step = self._began = None

    def start(self, step):
        self._first_step, self._began = step, time.monotonic()

    def is_due(self, runs):
        return runs % self._every == 0

    def show(self, step, values):
        position = f"step {step}" if self._total is None else f"step {step}/{self._total}"
        speed = (step - self._first_step) / max(time.monotonic() - self._began, 1e-9)
        words = [position, *_words(values), f"{speed:.3g} steps/s"]
        print("  ".join(words), file=self._stream, flush=True)

    def close(self, step):
        pass


class _Bar:
    """A rich progress bar, redrawn now and then."""

    def __init__(self, stream, total, every):
        from rich import console, progress

        self._total = total
        self._progress = progress.Progress(
            progress.TextColumn("step"),
            progress.BarColumn(),
            progress.MofNCompleteColumn(),
            progress.TextColumn("{task.fields[words]}"),
            progress.TextColumn("{task.fields[speed]}"),
            progress.TimeRemainingColumn(),
            console=console.Console(file=stream),
            auto_refresh=False,
        )
        self._task = None
        self._first_step = self._began = self._drawn = None

    def start(self, step):
        if self._task is None:  # a session may be created again after a failure
            self._task = self._progress.add_task("", total=self._total, words="", speed="")
            self._progress.start()  # hides the cursor, also where training fails and never ends
            atexit.register(self._progress.stop)
        self._first_step, self._began = step, time.monotonic()
        self._drawn = -np.inf

    def is_due(self, runs):
        return time.monotonic() - self._drawn >= _REDRAW_SECONDS

    def show(self, step, values):
        self._drawn = time.monotonic()
        speed = (step - self._first_step) / max(self._drawn - self._began, 1e-9)
        fields = {"words": "  ".join(_words(values)), "speed": f"{speed:.3g} steps/s"}
        self._progress.update(self._task, completed=step, **fields)
        self._progress.refresh()

    def close(self, step):
        self._progress.update(self._task, completed=step)
        self._progress.refresh()
        self._progress.stop()
        atexit.unregister(self._progress.stop)


def _words(values):
    return [f"{label} {float(value):.4g}" for label, value in values.items()]


def _rich_is_there():
    try:
        import rich.progress  # noqa: F401
    except ImportError:
        return False
    return True
