"""A training that is preempted again and again: each life has other servers, or none.

See `test_preempted.py`. The first process supervises: it forks the servers and the chief, and
sends the chief SIGTERM, or kills it, once it has taken some runs.
"""

import json
import os
import pathlib
import random
import signal
import sys
import time

import killed_job
import numpy as np

BATCH = (6, 4)
PATIENCE = 120  # seconds for a life to begin
_MASKS = [np.arange(24).reshape(BATCH) % 3 == 0, np.arange(24).reshape(BATCH) % 5 == 1]


class Stacked:
    """Three variables, one with a sparse gradient, under all wrappers.

    Attributes:
      step: the op of a run, which `feed` feeds.
      runs: the variable that counts the runs.
      state: {name: variable}.
    """

    def __init__(self, tf):
        from tfgraphtools import training as t

        v1 = tf.compat.v1
        self.global_step = v1.train.get_or_create_global_step()
        start = v1.constant_initializer(_batch(10**6))
        self.x, self.mask = v1.placeholder(tf.float32, BATCH), v1.placeholder(tf.bool, BATCH)
        w, too, table = (
            v1.get_variable(name, BATCH, initializer=start) for name in ("w", "w_too", "table")
        )
        groups = [
            t.Group("rates", "w", t.LRMultiplierOptimizer(v1.train.AdamOptimizer(0.1), {"w": 0.3})),
            t.Group("trust", "w_too", t.TrustRatioOptimizer(v1.train.MomentumOptimizer(0.1, 0.9))),
            t.Group("ours", "table", t.AdamWOptimizer(0.1)),
        ]
        optimizer = t.PartitionOptimizer(groups)
        clip = t.transforms.clip_by_global_norm(3.0)
        optimizer = t.GradientTransformOptimizer(optimizer, clip)
        optimizer = t.FreezeOptimizer(optimizer, {"w.*": self.mask})
        optimizer = t.DecoupledWeightDecayOptimizer(optimizer, {"w.*": 0.01})
        optimizer = t.LookaheadOptimizer(optimizer, 2)
        optimizer = t.ExponentialAverageOptimizer(optimizer, 0.9, debias=True)
        optimizer = t.WeightAverageOptimizer(optimizer, start=2, every=2)
        optimizer = t.GradientAccumulationOptimizer(optimizer, 3)
        optimizer = t.LossScaleOptimizer(optimizer, 8.0, growth_steps=4)
        self.runs = v1.get_variable("runs", [], tf.int64, v1.zeros_initializer(), trainable=False)
        rows = tf.gather(table, [1, 3, 1])
        loss = tf.reduce_sum((tf.sin(w) + tf.cos(too)) * self.x)
        loss += tf.reduce_sum(rows * rows * self.x[:3])
        step = optimizer.minimize(loss, global_step=self.global_step)
        with tf.control_dependencies([step]):
            self.step = v1.assign_add(self.runs, 1)
        self.state = {variable.op.name: variable for variable in v1.global_variables()}

    def feed(self, number):
        """What the run of this number is fed: every ninth has a gradient that is skipped."""
        x = _batch(number)
        if number % 9 == 5:
            x[0, 0] = np.inf
        return {self.x: x, self.mask: _MASKS[number // 4 % 2]}


def _batch(number):
    return np.random.RandomState(number).normal(size=BATCH).astype(np.float32)


def main(job):
    """The process of a server or of the chief."""
    import tensorflow as tf

    v1 = tf.compat.v1
    v1.disable_eager_execution()
    v1.logging.set_verbosity(v1.logging.ERROR)
    servers = job["servers"]
    addresses = [f"127.0.0.1:{port}" for port in job["ports"]]
    cluster = {"ps": addresses[:servers], "worker": addresses[servers : servers + 1]}
    if job["role"].startswith("ps"):
        v1.train.Server(cluster, "ps", int(job["role"][2:])).join()
    device, target = None, ""
    if servers:
        target = v1.train.Server(cluster, "worker", 0).target
        device = v1.train.replica_device_setter(cluster=cluster)
    with v1.device(device):
        model = Stacked(tf)
    train(v1, model, target, job)


def train(v1, model, target, job):
    """Runs until a signal comes, or up to a number of runs."""
    from tfgraphtools import training

    scaffold = v1.train.Scaffold(saver=training.ConsistentSaver(max_to_keep=2))
    progress = killed_job.Progress(job["out"], "chief")
    session = v1.train.MonitoredTrainingSession(
        master=target,
        checkpoint_dir=job["out"],
        scaffold=scaffold,
        hooks=[training.PreemptionHook()],
        save_checkpoint_steps=2,
        save_summaries_steps=None,
        save_summaries_secs=None,
        log_step_count_steps=None,
    )
    with session:
        number = session.run_step_fn(lambda step_context: step_context.session.run(model.runs))
        while not session.should_stop() and number < job["last"]:
            session.run(model.step, model.feed(number))
            progress.advance()
            number += 1


# The supervisor.


class Life:
    """The processes of one life."""

    def __init__(self, job, servers):
        self._job = dict(job, servers=servers)
        self._pids = {}
        self._progress = killed_job.Progress(job["out"], "chief")
        for role in [f"ps{number}" for number in range(servers)] + ["chief"]:
            child = os.fork()
            if child == 0:
                killed_job.run_role(dict(self._job, role=role), main)
            self._pids[role] = child

    def run(self, number):
        """Waits until the chief has taken so many runs in this life, or has ended."""
        begin, before = time.monotonic(), self._progress.now()
        while self._progress.now() < before + number and self._is_alive():
            if time.monotonic() - begin > PATIENCE:
                raise RuntimeError(f"no {number} runs in {PATIENCE} s")
            time.sleep(0.002)

    def end(self, signal_number):
        """Ends the chief, and then the servers, which lose their variables; returns its status."""
        chief = self._pids.pop("chief", None)
        status = 0
        if chief is not None:
            if signal_number:
                os.kill(chief, signal_number)
            status = os.waitpid(chief, 0)[1]
        for child in self._pids.values():
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        return status

    def _is_alive(self):
        ended, status = os.waitpid(self._pids["chief"], os.WNOHANG)
        if ended:
            raise RuntimeError(f"the chief ended with {status}")
        return True


def supervise(job):
    """Returns the statuses of the lives that a signal ended."""
    import tensorflow  # noqa: F401  (the children inherit it)

    order, statuses = random.Random(job["seed"]), []
    for servers, how in job["lives"]:
        life = Life(job, servers)
        try:
            if how != "end":
                life.run(order.randint(4, 12))
        finally:
            number = {"term": signal.SIGTERM, "kill": signal.SIGKILL, "end": 0}[how]
            statuses.append(life.end(number))
    return statuses


if __name__ == "__main__":
    arguments = json.loads(sys.argv[1])
    pathlib.Path(arguments["out"]).mkdir(exist_ok=True)
    print(json.dumps(supervise(arguments)))
