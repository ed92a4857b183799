"""A model with a step in one process, on a server and under a MirroredStrategy, for hooks."""

import contextlib

import numpy as np

START = np.random.RandomState(0).normal(size=(4, 6)).astype(np.float32)
MASK = START > 0
REPLICAS = 2
PLACES = ["one-process", "mirrored", "server"]


class Setup:
    """A model with a step, in one of the places."""

    def __init__(self, tf, v1, training, place, server):
        self.v1, self.place, self.training = v1, place, training
        self.target = server.target if place == "server" else ""
        self.strategy = None
        if place == "mirrored":
            devices = [f"/cpu:{i}" for i in range(REPLICAS)]
            self.strategy = tf.distribute.MirroredStrategy(devices)
        with self.strategy.scope() if self.strategy else contextlib.nullcontext():
            with v1.device("/job:ps/task:0" if place == "server" else None):
                self._build(tf)

    def _build(self, tf):
        v1, training = self.v1, self.training
        self.step_count = v1.train.get_or_create_global_step()
        self.w = v1.get_variable("w", initializer=START)
        self.frozen = v1.get_variable("frozen", initializer=MASK, trainable=False)
        self.average = training.ExponentialAverageOptimizer(
            training.FreezeOptimizer(v1.train.AdamOptimizer(0.1), {"w": self.frozen}), 0.5
        )
        self.sums = training.GradientAccumulationOptimizer(self.average, 2)
        if self.strategy is None:
            loss = tf.reduce_sum(tf.sin(self.w))
            self.pairs = self.sums.compute_gradients(loss)
            self.step = self.sums.apply_gradients(self.pairs, global_step=self.step_count)
            self.read = self.w * 1
            return

        def replica():
            loss = tf.reduce_sum(tf.sin(self.w))
            return self.sums.minimize(loss, global_step=self.step_count)

        run = getattr(self.strategy, "run", None) or self.strategy.experimental_run_v2
        self.step = self.strategy.group(run(replica))
        self.read = self.strategy.experimental_local_results(self.w)[0] * 1

    def session(self, hooks=(), folder=None):
        creator = self.v1.train.ChiefSessionCreator(
            master=self.target,
            checkpoint_dir=folder and str(folder),
            config=self.v1.ConfigProto(device_count={"CPU": REPLICAS}),
        )
        return self.v1.train.MonitoredSession(creator, hooks=hooks)
