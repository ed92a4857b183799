"""Evaluation with the averages of the variables."""

from typing import Any, Optional

from tfgraphtools._tf import v1
from tfgraphtools.errors import ArgumentError
from tfgraphtools.training import averages as _averages
from tfgraphtools.training.hooks.values_in_place import ValuesInPlace


class AverageHook(v1.train.SessionRunHook):
    """Makes the runs of a session read the averages in place of the variables.

    For a session that evaluates, in a graph that has the training step too. (A graph
    without it restores `variables_to_restore` by a ``Saver``.) The averages are those of the
    time when the session is created, or created again.

    It does nothing to the variables: what reads them in a run gets the averages as feeds. So
    neither an evaluation that fails nor a killed one leaves anything behind, other
    sessions on the same servers see nothing of it, and a ``Saver`` saves the variables. Where an
    op takes a resource variable itself (``tf.gather``, a loop, a branch or a function), there is
    nothing to feed: in a session of one process such variables hold the averages until the
    session ends, and the checkpoints of this session would, too; on servers such a run is refused.

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
        graph; from ``session.run``: a run that changes a variable which has an average.
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
        self._averages = ValuesInPlace([])
        self._before = []  # (variable, value) of those that hold their averages
        self._is_alone = False  # the session has its variables for itself

    def after_create_session(self, session: v1.Session, coord: Any) -> None:
        """Reads the averages."""
        known = self._optimizer.averages_now(session.run, session.graph, "AverageHook")
        self._averages = ValuesInPlace([(variable, average) for variable, _, average in known])
        self._is_alone = not session.sess_str
        unread = self._averages.unread if self._is_alone else []
        keys = {id(variable) for variable, _ in unread}
        self._before = [(variable, value) for variable, value, _ in known if id(variable) in keys]
        _averages.load(session.run, unread)

    def before_run(
        self, run_context: v1.train.SessionRunContext
    ) -> Optional[v1.train.SessionRunArgs]:
        """Feeds the averages."""
        fetches = run_context.original_args.fetches
        graph = run_context.session.graph
        self._averages.check("AverageHook", fetches, graph, self._is_alone)
        return v1.train.SessionRunArgs(None, self._averages.feed) if self._averages.feed else None

    def end(self, session: v1.Session) -> None:
        """Puts back the variables that hold averages."""
        _averages.load(session.run, self._before)
        self._averages, self._before = ValuesInPlace([]), []
