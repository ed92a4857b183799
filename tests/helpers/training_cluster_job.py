"""What each process of the cluster does: see `training_cluster.py` and `test_parameter_servers.py`.

The model has ref and resource variables, one for each way to freeze, and every
worker builds the same graph. In "async" mode the gradients are fed; in "sync"
mode they are those of a loss, so that each depends on all steps before it.
"""

import json
import os
import signal
import sys
import time
import traceback

import numpy as np

SHAPE = (40, 16)
TOUCHED = [3, 8, 9]
START = (np.random.RandomState(0).randint(-64, 64, SHAPE) / 16).astype(np.float32)
RATE = 0.5  # a power of two: sums of updates are exact, in any order
STEPS = {"sync": 6, "async": 50}

#: variable: its frozen elements in the steps of each worker.
_SPLIT = np.arange(640).reshape(SHAPE) % 4
MASKS = {
    "elements": [_SPLIT < 2, _SPLIT % 2 == 0],
    "rows": [np.arange(40)[:, None] % 4 < 2, np.arange(40)[:, None] % 2 == 0],
    "few_trainable": [np.arange(640).reshape(SHAPE) != 7] * 2,
    "whole": [np.full(SHAPE, True), np.full(SHAPE, False)],
    "constrained": [_SPLIT < 2, _SPLIT % 2 == 0],
    "touched_rows": [_SPLIT < 2, _SPLIT % 2 == 0],
    "free": [np.full(SHAPE, False)] * 2,
}
WAYS = {
    "elements": "updated beside",
    "rows": "updated beside",
    "few_trainable": "few trainable elements",
    "whole": "whole variable",
    "constrained": "copy and restore",
    "touched_rows": "touched rows",
}
#: The ways in which no one ever sees a frozen element moved, not even during a step.
NEVER_MOVED = ("elements", "rows", "few_trainable")
KINDS = ("ref", "resource")


def batch(step, worker):
    """The numbers that one worker trains on in one step."""
    return np.random.RandomState([step, worker]).normal(size=SHAPE).astype(np.float32)


class Model:
    """Variables of both kinds, their masks, and the optimizer over all of them."""

    def __init__(self, tf, training, mode):
        v1 = tf.compat.v1
        self.global_step = v1.train.get_or_create_global_step()
        self.variables = {}
        for kind in KINDS:
            for way in MASKS:
                name = f"{kind}/{way}"
                self.variables[name] = v1.get_variable(
                    name,
                    initializer=START,
                    use_resource=kind == "resource",
                    constraint=tf.identity if way == "constrained" else None,
                )
        self.masks = {way: self._mask(tf, v1, way, mode) for way in WAYS}
        frozen = {f".*/{way}": mask for way, mask in self.masks.items()}
        self.freezer = training.FreezeOptimizer(self._groups(training, v1, mode), frozen)
        self.optimizer = self.freezer
        if mode == "sync":
            slow = training.LookaheadOptimizer(self.freezer, 2)
            average = training.WeightAverageOptimizer(slow, every=2)
            self.optimizer = training.ExponentialAverageOptimizer(average, 0.9)

    def _mask(self, tf, v1, way, mode):
        """Each worker feeds its own in async mode; a synchronous update is run without a feed."""
        mask = MASKS[way][0]
        if way == "few_trainable":
            return mask
        if way == "whole":
            return self.global_step < 3 if mode == "sync" else v1.placeholder(tf.bool, [])
        if mode == "async":
            return v1.placeholder(tf.bool, mask.shape)
        return v1.get_variable("mask/" + way, initializer=mask, trainable=False)

    def _groups(self, training, v1, mode):
        """Momentum for the variables with sparse gradients, SGD or Adam for the others."""
        momentum = v1.train.MomentumOptimizer(RATE, 0.5, use_locking=True)
        if mode == "sync":
            rest = v1.train.AdamOptimizer(0.1)
        else:
            rest = v1.train.GradientDescentOptimizer(RATE, use_locking=True)
        groups = training.PartitionOptimizer(
            [
                training.Group("tables", ".*/touched_rows", momentum),
                training.Group("rest", lambda v: "touched_rows" not in v.op.name, rest),
            ]
        )
        return training.LRMultiplierOptimizer(groups, {".*/rows": 0.5})

    def gradients_of_loss(self, tf, x):
        """The gradients, of which each depends on all steps before it."""
        total = 0.0
        for name, variable in self.variables.items():
            if name.endswith("touched_rows"):
                rows = tf.compat.v1.nn.embedding_lookup(variable, TOUCHED)
                total += tf.reduce_sum(tf.sin(rows) * x[: len(TOUCHED)])
            else:
                total += tf.reduce_sum(tf.sin(variable) * x)
        return tf.gradients(total, list(self.variables.values()))

    def gradients_of_one(self, tf):
        """1 for every element that trains, and NaN for every frozen one."""
        grads = []
        for name in self.variables:
            grad = tf.ones(SHAPE)
            way = name.split("/")[1]
            if way in self.masks:
                grad = tf.compat.v2.where(self.masks[way], tf.fill(SHAPE, np.nan), grad)
            if way == "touched_rows":
                grad = tf.IndexedSlices(tf.gather(grad, TOUCHED), tf.constant(TOUCHED), SHAPE)
            grads.append(grad)
        return grads

    def feed(self, worker):
        """The masks of the steps of one worker, where they are fed."""
        return {
            holder: np.all(MASKS[way][worker]) if way == "whole" else MASKS[way][worker]
            for way, holder in self.masks.items()
            if getattr(getattr(holder, "op", None), "type", None) == "Placeholder"
        }

    def always_frozen(self, tf):
        """{name: what nobody may ever see changed}."""
        values = {}
        for name, variable in self.variables.items():
            way = name.split("/")[1]
            if way in NEVER_MOVED:
                both = np.broadcast_to(MASKS[way][0] & MASKS[way][1], SHAPE)
                values[name] = tf.boolean_mask(variable.read_value() - START, both)
        return values

    def state(self):
        """{name: variable} of all that is saved in a checkpoint."""
        from tensorflow.compat import v1

        return {variable.op.name: variable for variable in v1.global_variables()}


def work(tf, server, cluster, job):
    """A worker: its steps, and for the first one what has become of the variables."""
    from tfgraphtools import training

    v1 = tf.compat.v1
    worker, mode = job["index"], job["mode"]
    with v1.device(v1.train.replica_device_setter(cluster=cluster)):
        model = Model(tf, training, mode)
        x = v1.placeholder(tf.float32, SHAPE)
        sync = mode == "sync"
        grads = model.gradients_of_loss(tf, x) if sync else model.gradients_of_one(tf)
        pairs = list(zip(grads, model.variables.values()))
        optimizer, hooks = model.optimizer, []
        if sync:
            optimizer = v1.train.SyncReplicasOptimizer(optimizer, replicas_to_aggregate=2)
        step = optimizer.apply_gradients(pairs, global_step=model.global_step)
        if sync:
            hooks.append(optimizer.make_session_run_hook(worker == 0, num_tokens=0))
        meet = _barrier(tf, worker)
        looks = model.always_frozen(tf)
    seen = {name: [] for name in looks}
    ways = model.freezer.ways()
    assert ways == {f"{kind}/{way}": WAYS[way] for kind in KINDS for way in WAYS}, ways
    config = _sees_only(v1, "/job:ps", f"/job:worker/task:{worker}")
    if worker != 0:
        with v1.Session(server.target, config=config) as run:
            run.run(meet)  # the first worker has initialised the variables
    with v1.train.MonitoredTrainingSession(
        server.target, worker == 0, hooks=hooks, config=config, stop_grace_period_secs=1
    ) as run:
        if worker == 0:
            _without_hooks(run, meet)
        for number in range(STEPS[mode]):
            run.run(step, {x: batch(number, worker), **model.feed(worker)})
            for name, moved in _without_hooks(run, looks).items():
                seen[name].append(np.abs(moved).max())
            if sync:  # else a fast worker could do both parts of a step
                _without_hooks(run, meet)
        np.savez(job["out"] + f"/seen{worker}.npz", **seen)
        _without_hooks(run, meet)
        if worker == 0:
            values = _without_hooks(run, model.state())
            np.savez(job["out"] + "/values.npz", **values)


def _barrier(tf, worker):
    """An op that ends in each of the two workers when the other runs it too."""
    mine, other = _queue(tf, f"met{worker}"), _queue(tf, f"met{1 - worker}")
    with tf.control_dependencies([other.enqueue(1)]):
        return mine.dequeue()


def _without_hooks(run, fetches):
    return run.run_step_fn(lambda step_context: step_context.session.run(fetches))


def _queue(tf, name):
    with tf.compat.v1.device("/job:ps/task:0"):
        return tf.queue.FIFOQueue(100, [tf.int32], shapes=[()], shared_name=name)


def _sees_only(v1, *devices):
    return v1.ConfigProto(device_filters=devices)


def main(job):
    """The process of one role."""
    import tensorflow as tf

    v1 = tf.compat.v1
    v1.logging.set_verbosity(v1.logging.ERROR)
    v1.disable_eager_execution()
    v1.disable_resource_variables()
    addresses = [f"127.0.0.1:{port}" for port in job["ports"]]
    cluster = tf.train.ClusterSpec({"ps": addresses[:1], "worker": addresses[1:]})
    try:
        server = v1.train.Server(cluster, job["role"], job["index"])
    except tf.errors.UnknownError:  # "Could not start gRPC server"
        sys.exit(75)  # PORT_TAKEN
    if job["role"] == "ps":
        server.join()
    else:
        work(tf, server, cluster, job)


def launch(jobs, limit, work=None, servers=1, mortal=()):
    """One process for each job: forks of this one, which has imported TensorFlow.

    Until all workers have ended well, or a process has not, or the time is up. The server serves
    until it is ended: a worker that closes its session after the server has gone waits for it.

    Args:
      jobs: for `main`, the server's first; each with the "log" that takes what it prints.
      limit: seconds.
      work: the function of a job; `main` by default.
      servers: the number of jobs that never end by themselves.
      mortal: the numbers of jobs that another one may kill.

    Returns:
      The exit status of each process; None for one that was ended.
    """
    import tensorflow  # noqa: F401

    running = {}
    for number, job in enumerate(jobs):
        child = os.fork()
        if child == 0:
            _run(work or main, job)
        running[child] = number
    statuses = [None] * len(jobs)
    deadline = time.monotonic() + limit
    while time.monotonic() < deadline and None in statuses[servers:]:
        if any(status for number, status in enumerate(statuses) if number not in mortal):
            break
        child, status = os.waitpid(-1, os.WNOHANG)
        if child:
            statuses[running.pop(child)] = status >> 8 or -(status & 127)
        else:
            time.sleep(0.02)
    for child in running:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    return statuses


def _run(work, job):
    log = os.open(job["log"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(log, 1)
    os.dup2(log, 2)
    status = 0
    try:
        work(job)
    except SystemExit as end:
        status = end.code or 0
    except BaseException:
        traceback.print_exc()
        status = 1
    sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    print(json.dumps(launch(json.loads(sys.argv[1]), float(sys.argv[2]))))
