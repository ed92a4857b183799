"""The switch that turns compat on for this process, and off again."""

from typing import Dict, Optional

from tfgraphtools.compat.engine import (
    environment,
    parts,
    quiet,
    rows,
    skipped,
    state,
    switches,
    views,
)
from tfgraphtools.compat.engine.loading import dispatch, tracing
from tfgraphtools.compat.engine.options import Options
from tfgraphtools.compat.engine.replacing import callers
from tfgraphtools.compat.engine.views import api_pickles, lookup, tensorflow_v1, user_imports
from tfgraphtools.compat.tf_version import is_tf1, require_tensorflow

_active = None


def activate(options: Optional[Options] = None, running_code: bool = True) -> "Handle":
    """Makes user code speak TF 1: its ``import tensorflow`` gives the 1.x API.

    Does nothing to installed libraries, nothing to modules loaded before (but
    their next ``import`` counts, if they are user code), and nothing under TF
    1.15. So the module that makes this call keeps today's arithmetic of NumPy,
    except in the block of a ``with``. Activated already, it returns the handle
    that is active.

    Args:
      options: an `Options`; by default every fix is on, and whatever is not installed
        is user code. The configuration of the working folder adds to it (`switches`).
      running_code: whether modules that are loaded already are user code too,
        such as the one that makes this call.

    Returns:
      a handle: a context manager, also undone with ``handle.deactivate()``,
      as often as one likes.

    Example:
      >>> with activate():
      ...     import tensorflow as tf
      ...     tf.placeholder

    Raises:
      UnsupportedVersionError: TensorFlow is older than 2.16, and not a 1.x.
      MissingExtraError: no TensorFlow is installed.
      ArgumentError: the options, or the configuration of the working folder, name no fix.
    """
    global _active
    if _active is None:
        require_tensorflow("tfgraphtools.compat.activate()")
        environment.require_any("tfgraphtools.compat.activate()")
        is_project_read = options is not None and not running_code  # by `run`
        options = options or Options()
        if not is_project_read and not is_tf1():
            options = switches.with_project(options, "")
        quiet.begin(options.quiet)
        rows.begin(options.without, options.libraries)
        switches.begin(options)
        _active = Handle()
        if is_tf1():
            return _active
        lookup.begin(rows.tables())
        api_pickles.install(views.module)
        environment.prepare(options.seeds)
        user_imports.begin(options)
        callers.begin(running_code)
        dispatch.begin()
        tensorflow_v1.begin(options)
        tracing.install()
        if running_code:
            dispatch.watch()
        for part in parts.load():
            if hasattr(part, "install"):
                skipped.apply(part.__name__.partition("compat.")[2], part.install, options)
    return _active


def not_applied() -> Dict[str, str]:
    """Returns {name of a fix: why it cannot be applied} for the TensorFlow that is installed.

    It imports TensorFlow, and applies the fixes of TensorFlow itself, if no run has done so.
    """
    if _active is None:
        with activate(running_code=False):
            return not_applied()
    views.module("tensorflow")
    return skipped.reasons()


def is_active() -> bool:
    """Tells whether user code speaks TF 1 in this process now."""
    return _active is not None


class Handle:
    """A handle that undoes an activation."""

    def deactivate(self) -> None:
        """Restores everything that was changed; a second call does nothing."""
        global _active
        if _active is self:
            _active = None
            state.restore()
            lookup.end()

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.deactivate()
