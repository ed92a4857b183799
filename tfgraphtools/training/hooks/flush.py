"""The last step of an accumulation, with what is left when training ends."""

import os
from typing import Any, Mapping, Optional, Sequence

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
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
      feed_dict: ``{tensor: value}`` that the step takes, such as masks; None where it takes none.
      listeners: ``CheckpointSaverListener`` objects, called around that checkpoint as a
        ``CheckpointSaverHook`` calls its own. One that is given to both begins twice.

    Example:
      >>> hook = FlushHook(optimizer, checkpoint_dir=model_dir)
      >>> # EstimatorSpec(..., training_hooks=[hook]), or MonitoredTrainingSession(hooks=[hook])

    Raises:
      ArgumentError: another optimizer; listeners without a ``checkpoint_dir``; when the session
        begins: no step is built; it takes a feed that ``feed_dict`` lacks; there is no ``Saver``.
      OptimizerKindError: when the session begins: an accumulation inside, a
        ``MirroredStrategy`` that is not open, or a wrapper around that does something in every run.
    """

    def __init__(
        self,
        optimizer: GradientAccumulationOptimizer,
        checkpoint_dir: Optional[str] = None,
        saver: Optional[v1.train.Saver] = None,
        feed_dict: Optional[Mapping[Any, Any]] = None,
        listeners: Sequence[v1.train.CheckpointSaverListener] = (),
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
        self._feed = dict(feed_dict or {})
        self._listeners = list(listeners)
        if self._listeners and checkpoint_dir is None:
            raise ArgumentError(
                "FlushHook listeners",
                "a checkpoint_dir, to save in",
                "none",
                "Pass it: FlushHook(optimizer, checkpoint_dir, listeners=[...]).",
            )
        self._flush = None

    def begin(self) -> None:
        """Builds the step."""
        self._flush = self._optimizer.flush()
        self._check_feed()
        for listener in self._listeners:
            listener.begin()

    def _check_feed(self):
        """Raises where the step takes a placeholder that nobody feeds: now, not at the end."""
        graph = self._flush.graph
        parts = tf.nest.flatten(list(self._feed), expand_composites=True)
        fed = {graph.as_graph_element(part).name for part in parts}
        ops = _tf.upstream_ops([self._flush], controls=True, without=fed)
        asked = [op.outputs[0].name for op in ops if op.type == "Placeholder"]
        missing = sorted(set(asked) - fed)
        if missing:
            raise ArgumentError(
                "FlushHook feed_dict",
                "a value for each placeholder that the step takes",
                f"none for {', '.join(missing)}",
                "Pass FlushHook(optimizer, feed_dict={mask: value}).",
            )

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
        """Takes it, and saves."""
        session.run(self._flush, self._feed)
        if self._checkpoint_dir is None:
            return
        global_step = v1.train.get_global_step(session.graph)
        count = None if global_step is None else session.run(global_step)
        os.makedirs(self._checkpoint_dir, exist_ok=True)
        for listener in self._listeners:
            listener.before_save(session, count)
        path = os.path.join(self._checkpoint_dir, "model.ckpt")
        self._saver.save(session, path, global_step=count)
        for listener in self._listeners:
            listener.after_save(session, count)
        for listener in self._listeners:
            listener.end(session, count)
