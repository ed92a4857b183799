"""The last step of an accumulation, with what is left when training ends."""

import os
from typing import Optional

from tfgraphtools._tf import v1
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

    Example:
      >>> hook = FlushHook(optimizer, checkpoint_dir=model_dir)
      >>> # EstimatorSpec(..., training_hooks=[hook]), or MonitoredTrainingSession(hooks=[hook])

    Raises:
      ArgumentError: when the session begins: no step is built.
      OptimizerKindError: when the session begins: an accumulation inside.
    """

    def __init__(
        self, optimizer: GradientAccumulationOptimizer, checkpoint_dir: Optional[str] = None
    ) -> None:
        self._optimizer = optimizer
        self._checkpoint_dir = checkpoint_dir
        self._flush = None

    def begin(self) -> None:
        """Builds the step."""
        self._flush = self._optimizer.flush()

    def end(self, session: v1.Session) -> None:
        """Takes it."""
        session.run(self._flush)
        if self._checkpoint_dir is None:
            return
        savers = session.graph.get_collection(v1.GraphKeys.SAVERS)
        saver = savers[0] if savers else v1.train.Saver()
        global_step = v1.train.get_global_step(session.graph)
        path = os.path.join(self._checkpoint_dir, "model.ckpt")
        saver.save(session, path, global_step=global_step)
