"""Progress that ``verbose=1`` prints while an estimator of skflow trains."""

from tfgraphtools._tf import v1

#: A line for the first step, and after so many more.
EVERY = 100


class ProgressHook(v1.train.SessionRunHook):
    """A hook that prints the step, the epochs that are over, and the average loss since then.

    Args:
      loss: its tensor.
      feeder: feeds the training.
    """

    def __init__(self, loss, feeder):
        self._loss = loss
        self._feeder = feeder
        self._losses = []

    def after_create_session(self, session, coord):
        """Counts on from where the model is."""
        self._start = self._step = session.run(v1.train.get_global_step())

    def before_run(self, run_context):
        """Asks for the loss."""
        return v1.train.SessionRunArgs(self._loss)

    def after_run(self, run_context, run_values):
        """Prints where it is time."""
        self._step += 1
        self._losses.append(run_values.results)
        if (self._step - self._start) % EVERY != 1:
            return
        epoch = self._feeder.get_feed_params().get("epoch")
        where = f" epoch #{epoch}," if epoch else ""
        average = sum(self._losses) / len(self._losses)
        print(f"Step #{self._step},{where} avg. train loss: {average:.5f}", flush=True)
        self._losses = []
