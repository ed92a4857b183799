"""Two servers, a chief and a worker, of which one is stopped or killed again and again.

See `test_kills.py`. The first process supervises: it forks the others, sends them signals at
random moments, starts again what it killed, and measures when the others go on.
"""

import json
import os
import pathlib
import random
import signal
import sys
import time
import traceback

import numpy as np
from stalled_job import MASKS, Model

ROLES = {"ps0": ("ps", 0), "ps1": ("ps", 1), "chief": ("worker", 0), "worker": ("worker", 1)}
WORKERS = ("chief", "worker")
SAVED_EVERY = 10  # steps
PATIENCE = 60  # seconds for what is started to take its first step
BATCH = (6, 4)


def batch(number):
    """The gradient of the step of this number."""
    return np.random.RandomState(number).normal(size=BATCH).astype(np.float32)


class Trained:
    """A variable under six wrappers, whose every bit depends on all the steps before."""

    def __init__(self, tf):
        from tfgraphtools import training

        v1 = tf.compat.v1
        self.global_step = v1.train.get_or_create_global_step()
        start = v1.constant_initializer(batch(10**6))
        self.x, self.mask = v1.placeholder(tf.float32, BATCH), v1.placeholder(tf.bool, BATCH)
        tables = [v1.get_variable(name, BATCH, initializer=start) for name in ("w", "w_too")]
        optimizer = v1.train.AdamOptimizer(0.1)
        optimizer = training.FreezeOptimizer(optimizer, {"w.*": self.mask})
        optimizer = training.LRMultiplierOptimizer(optimizer, {"w": 0.3})
        optimizer = training.DecoupledWeightDecayOptimizer(optimizer, {"w.*": 0.01})
        optimizer = training.GradientAccumulationOptimizer(optimizer, 3)
        optimizer = training.LookaheadOptimizer(optimizer, 2)
        optimizer = training.ExponentialAverageOptimizer(optimizer, 0.9)
        self.runs = v1.get_variable("runs", [], tf.int64, v1.zeros_initializer(), trainable=False)
        loss = tf.add_n([tf.reduce_sum(tf.sin(table) * self.x) for table in tables])
        step = optimizer.minimize(loss, global_step=self.global_step)
        with tf.control_dependencies([step]):
            self.step = v1.assign_add(self.runs, 1)
        self.initialize = [v1.variables_initializer(tables), v1.global_variables_initializer()]
        self.state = {variable.op.name: variable for variable in v1.global_variables()}

    def take_step(self, run, number, options=None):
        feed = {self.x: batch(number), self.mask: MASKS[number // 7 % 2]}
        run.run(self.step, feed, options=options)


# The processes of the roles.


def main(job):
    """The process of one role."""
    import tensorflow as tf

    v1 = tf.compat.v1
    v1.disable_eager_execution()
    v1.logging.set_verbosity(v1.logging.ERROR)
    addresses = [f"127.0.0.1:{port}" for port in job["ports"]]
    cluster = {"ps": addresses[:2], "worker": addresses[2:]}
    name, index = ROLES[job["role"]]
    try:
        server = v1.train.Server(cluster, name, index)
    except tf.errors.UnknownError:
        sys.exit(75)  # the port is taken
    Progress(job["out"], job["role"]).advance()
    if name == "ps":
        server.join()
    with v1.device(v1.train.replica_device_setter(cluster=cluster)):
        work = Counting(tf, index) if job["counts"] else Restarted(tf, job["out"])
        ready = v1.report_uninitialized_variables()
    seen = ["/job:ps", f"/job:worker/task:{index}"]
    config = v1.ConfigProto(device_filters=seen)
    progress = Progress(job["out"], job["role"])
    over = pathlib.Path(job["out"], "over")
    while True:
        try:
            run = v1.Session(server.target, config=config)
            if index == 0:
                work.begin(run, len(run.run(ready)) > 0)
            while len(run.run(ready)):
                time.sleep(0.02)
            while not over.exists():
                work.take_step(run)
                progress.advance()
            work.end(run, job["role"])
            return
        except tf.errors.OpError as error:  # a server has gone; a closed session would wait for it
            print(type(error).__name__, str(error)[:300], flush=True)


class Counting:
    """Steps of -1 of what this worker does not freeze."""

    def __init__(self, tf, index):
        self._v1, self._index = tf.compat.v1, index
        self._model = Model(tf, "freeze-average")
        self._initialize = self._v1.global_variables_initializer()

    def begin(self, run, is_new):
        if is_new:
            run.run(self._initialize)

    def take_step(self, run):
        self._model.take_step(run, self._index)

    def end(self, run, role):
        if role == "chief":
            _write("values.json", [value.tolist() for value in run.run(self._model.tables)])


class Restarted:
    """Steps that go on from the last checkpoint, whatever the servers have."""

    def __init__(self, tf, folder):
        self._v1, self._folder = tf.compat.v1, folder
        self._model = Trained(tf)
        self._saver = self._v1.train.Saver(max_to_keep=2)

    def begin(self, run, is_new):
        path = self._v1.train.latest_checkpoint(self._folder)
        if path:
            self._saver.restore(run, path)
        else:
            for op in self._model.initialize:
                run.run(op)
        self._number = int(run.run(self._model.runs))

    def take_step(self, run):
        self._model.take_step(run, self._number)
        self._number += 1
        if self._number % SAVED_EVERY == 0:
            self._saver.save(run, self._folder + "/model", self._number, write_meta_graph=False)

    def end(self, run, role):
        np.savez("values.npz", **run.run(self._model.state))


class Progress:
    """A number in a file, which one process increases and another one reads."""

    def __init__(self, folder, role):
        self._path = os.path.join(folder, role + ".progress")
        self._file = os.open(self._path, os.O_RDWR | os.O_CREAT)

    def advance(self):
        os.pwrite(self._file, b"%12d" % (self.now() + 1), 0)

    def now(self):
        return int(os.pread(self._file, 12, 0) or 0)


def _write(name, value):
    pathlib.Path(name).write_text(json.dumps(value))


# The supervisor.


class Supervisor:
    """Starts and ends the processes; it never runs TensorFlow itself."""

    def __init__(self, job):
        self._job, self._pids = job, {}
        self._random = random.Random(job["seed"])
        self.progress = {role: Progress(job["out"], role) for role in ROLES}
        self.late, self.slowest = [], 0.0
        self.kills = dict.fromkeys(ROLES, 0)

    def start(self, role):
        child = os.fork()
        if child == 0:
            run_role(dict(self._job, role=role), main)
        self._pids[role] = child

    def pause(self):
        time.sleep(self._random.random() * self._job["pause"])

    def signal(self, role, number):
        os.kill(self._pids[role], number)
        if number == signal.SIGKILL:
            os.waitpid(self._pids.pop(role), 0)
            self.kills[role] += 1

    def expect_steps(self, roles, event, limit=5):
        """Waits until each of the workers has taken three steps; notes where it takes too long."""
        begin = time.monotonic()
        before = {role: self.progress[role].now() for role in roles}
        while any(self.progress[role].now() < before[role] + 3 for role in roles):
            self._check_alive()
            if time.monotonic() - begin > max(limit, PATIENCE):
                raise RuntimeError(f"nothing went on after {event}")
            time.sleep(0.005)
        seconds = time.monotonic() - begin
        if limit != PATIENCE:
            self.slowest = max(self.slowest, seconds)
            if seconds > limit:
                self.late.append([event, round(seconds, 1)])

    def _check_alive(self):
        for role, child in self._pids.items():
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                raise RuntimeError(f"{role} ended with {status}")

    def stop(self, role, workers):
        """Stops a process for a moment: the other workers go on meanwhile, or after it."""
        others = [other for other in workers if other != role]
        self.signal(role, signal.SIGSTOP)
        try:
            if role in WORKERS:
                self.expect_steps(others, f"stop of {role}")
            else:
                self.pause()
        finally:
            self.signal(role, signal.SIGCONT)
        self.expect_steps(workers, f"end of the stop of {role}")

    def kill(self, role, workers):
        """Kills a process and starts it again: the others go on before, or as it is back."""
        others = [other for other in workers if other != role]
        self.signal(role, signal.SIGKILL)
        if role in WORKERS:
            self.expect_steps(others, f"kill of {role}")
            self.start(role)
            self.expect_steps([role], f"start of {role}", PATIENCE)
            return
        before = self.progress[role].now()
        self.start(role)
        while self.progress[role].now() == before:
            self._check_alive()
            time.sleep(0.005)
        self.expect_steps(others, f"new start of {role}")

    def finish(self, workers):
        """Lets the workers end, and ends the servers."""
        pathlib.Path(self._job["out"], "over").touch()
        for role in workers:
            os.waitpid(self._pids.pop(role), 0)

    def end(self):
        for child in self._pids.values():
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def supervise(job):
    """The events of a job; the result is what was late, and what the workers took."""
    import tensorflow  # noqa: F401  (the children inherit it)

    supervisor = Supervisor(job)
    workers = WORKERS if job["counts"] else WORKERS[:1]
    roles = [role for role in ROLES if role in workers or role.startswith("ps")]
    try:
        for role in roles:
            supervisor.start(role)
        supervisor.expect_steps(workers, "start", PATIENCE)
        events = [(how, role) for how, role in job["events"] if role in roles]
        for how, role in events:
            supervisor.pause()
            getattr(supervisor, how)(role, workers)
        supervisor.finish(workers)
    finally:
        supervisor.end()
    taken = {role: supervisor.progress[role].now() for role in workers}
    return {
        "late": supervisor.late,
        "slowest": supervisor.slowest,
        "taken": taken,
        "kills": supervisor.kills,
    }


def run_role(job, main):
    """Runs ``main(job)`` in a child process, which ends with it."""
    log = os.open(f"{job['out']}/{job['role']}.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(log, 1)
    os.dup2(log, 2)
    try:
        main(job)
        status = 0
    except SystemExit as end:
        status = end.code or 0
    except BaseException:
        traceback.print_exc()
        status = 1
    sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    print(json.dumps(supervise(json.loads(sys.argv[1]))))
