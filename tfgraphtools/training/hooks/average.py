"""Evaluation with the averages of the variables."""

from typing import Any

from tfgraphtools._tf import v1
from tfgraphtools.errors import ArgumentError
from tfgraphtools.training import averages as _averages


class AverageHook(v1.train.SessionRunHook):
    """Makes a session use the averages in place of the variables, from its beginning to its end.

    For a session that evaluates, in a graph that has the training step too. (A graph
    without it restores `variables_to_restore` by a ``Saver``.) When the session ends the
    variables get their values back, bit for bit.

    It does nothing where no step has been taken yet.

    Args:
      optimizer: an `ExponentialAverageOptimizer` or `WeightAverageOptimizer`, the one that
        averages, not a wrapper around it.

    Example:
      >>> with tf.compat.v1.train.MonitoredSession(
      ...     creator, hooks=[AverageHook(average)]) as session:
      ...     accuracy = session.run(accuracy_op)

    Raises:
      ArgumentError: another optimizer; when the session begins: the step is not built in its
        graph.
    """

    def __init__(self, optimizer: _averages.AveragingOptimizer) -> None:
        if not isinstance(optimizer, _averages.AveragingOptimizer):
            raise ArgumentError(
                "AverageHook",
                "an ExponentialAverageOptimizer or WeightAverageOptimizer",
                f"{optimizer!r} of type {type(optimizer).__name__}",
                "Pass the one that averages, not a wrapper around it.",
            )
        self._optimizer = optimizer
        self._before = []

    def after_create_session(self, session: v1.Session, coord: Any) -> None:
        """Loads the averages."""
        self._before = self._optimizer.swap_in(session.run, session.graph)

    def end(self, session: v1.Session) -> None:
        """Puts back what was there."""
        _averages.load(session.run, self._before)
