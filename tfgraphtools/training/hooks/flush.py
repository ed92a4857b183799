"""The last step of an accumulation, with what is left when training ends."""

import os
from typing import Any, Optional

from tfgraphtools._tf import v1
from tfgraphtools.errors import ArgumentError
from tfgraphtools.training.accumulate import GradientAccumulationOptimizer


class FlushHook(v1.train.SessionRunHook):
    """When the session ends, takes a step with the gradients that were accumulated since the last.

    It does nothing before, and nothing where no run is waiting.

    A hook ends after TensorFlow has saved the last checkpoint: give ``checkpoint_dir`` to
    save another one after the step. (Without it nothing is lost: the last checkpoint has
    the sum, and training that resumes from it goes on adding.)

    Args:
      optimizer: the `GradientAccumulationOptimizer`, not a wrapper around it.
      checkpoint_dir: folder to save in, or None.
      saver: a ``Saver`` to save with, where the ``Scaffold`` of the session has one of its
        own; None takes the one that TensorFlow has made for the session.

    Example:
      >>> hook = FlushHook(optimizer, checkpoint_dir=model_dir)
      >>> # EstimatorSpec(..., training_hooks=[hook]), or MonitoredTrainingSession(hooks=[hook])

    Raises:
      ArgumentError: another optimizer; when the session begins: no step is built; there is no
        ``Saver``.
      OptimizerKindError: when the session begins: an accumulation inside.
    """

    def __init__(
        self,
        optimizer: GradientAccumulationOptimizer,
        checkpoint_dir: Optional[str] = None,
        saver: Optional[v1.train.Saver] = None,
    ) -> None:
        if not isinstance(optimizer, GradientAccumulationOptimizer):
            raise ArgumentError(
                "FlushHook",
                "a GradientAccumulationOptimizer",
                f"{optimizer!r} of type {type(optimizer).__name__}",
                "Pass the one that accumulates, not a wrapper around it.",
            )
        self._optimizer = optimizer
        self._checkpoint_dir = checkpoint_dir
        self._given_saver = self._saver = saver
        self._flush = None

    def begin(self) -> None:
        """Builds the step."""
        self._flush = self._optimizer.flush()

    def after_create_session(self, session: v1.Session, coord: Any) -> None:
        """Finds the ``Saver``: the graph is final now."""
        if self._checkpoint_dir is None or self._given_saver is not None:
            return
        savers = session.graph.get_collection(v1.GraphKeys.SAVERS)
        if not savers:
            raise ArgumentError(
                "FlushHook checkpoint_dir",
                "a session whose Saver is in the collection GraphKeys.SAVERS",
                "one without, as of a Scaffold with a saver of its own",
                "Pass that saver: FlushHook(optimizer, checkpoint_dir, saver=scaffold.saver).",
            )
        self._saver = savers[0]

    def end(self, session: v1.Session) -> None:
        """Takes it."""
        session.run(self._flush)
        if self._checkpoint_dir is None:
            return
        global_step = v1.train.get_global_step(session.graph)
        path = os.path.join(self._checkpoint_dir, "model.ckpt")
        self._saver.save(session, path, global_step=global_step)
