"""A worker that is stopped and one that goes on: see `test_stalled_workers.py`."""

import json
import os
import pathlib
import random
import signal
import sys
import time

import numpy as np
from locked_chains import PAIRS, SINGLE

from training_cluster_job import _sees_only, launch

SHAPE = (6, 4)
MASKS = [np.arange(24).reshape(SHAPE) % 4 < 2, np.arange(24).reshape(SHAPE) % 4 >= 2]
LIMIT = 5  # seconds for some steps while the other worker is stopped


def main(job):
    """The process of one role."""
    import tensorflow as tf

    v1 = tf.compat.v1
    v1.disable_eager_execution()
    v1.logging.set_verbosity(v1.logging.ERROR)
    addresses = [f"127.0.0.1:{port}" for port in job["ports"]]
    cluster = {"ps": addresses[:2], "worker": addresses[2:]}
    try:
        server = v1.train.Server(cluster, job["role"], job["index"])
    except tf.errors.UnknownError:
        sys.exit(75)  # the port is taken
    if job["role"] == "ps":
        server.join()
    with v1.device(v1.train.replica_device_setter(cluster=cluster)):
        model = Model(tf, job["chain"])
        ready = v1.report_uninitialized_variables()
    work = [stop_the_other, step_until_told][job["index"]]
    config = _sees_only(v1, "/job:ps", f"/job:worker/task:{job['index']}")
    with v1.Session(server.target, config=config) as run:
        if job["index"] == 0:
            run.run(v1.global_variables_initializer())
        while len(run.run(ready)):
            time.sleep(0.05)
        work(v1, run, model, pathlib.Path(job["out"]), job)


class Model:
    """Two tables on two servers, and a step of -1 for each element that is not frozen."""

    def __init__(self, tf, chain):
        from tfgraphtools import training

        v1 = tf.compat.v1
        v1.train.get_or_create_global_step()
        zeros = v1.zeros_initializer()
        self.mask, self.rows = v1.placeholder(tf.bool, SHAPE), v1.placeholder(tf.int32, [None])
        self.tables = [v1.get_variable(name, SHAPE, initializer=zeros) for name in ("w", "w_too")]
        with v1.name_scope("model"):
            reads = [v1.nn.embedding_lookup(table, self.rows) for table in self.tables]
        sgd = v1.train.GradientDescentOptimizer(1.0, use_locking=True)
        optimizer = {**SINGLE, **PAIRS}[chain](tf, training, sgd, self.mask)
        self.step = optimizer.minimize(tf.add_n([tf.reduce_sum(read) for read in reads]))

    def take_step(self, run, worker, options=None):
        feed = {self.mask: MASKS[worker], self.rows: np.arange(SHAPE[0])}
        run.run(self.step, feed, options=options)


def step_until_told(v1, run, model, folder, job):
    """Steps; writes how many when the other worker has ended."""
    (folder / "pid.new").write_text(str(os.getpid()))
    (folder / "pid.new").rename(folder / "pid")
    steps = 0
    while not (folder / "over").exists():
        model.take_step(run, 1)
        steps += 1
    (folder / "steps.new").write_text(str(steps))
    (folder / "steps.new").rename(folder / "steps")


def stop_the_other(v1, run, model, folder, job):
    """Stops the other worker at random moments, and steps meanwhile."""
    other = int(_text_of(folder / "pid"))
    moments = random.Random(job["seed"])
    options = v1.RunOptions(timeout_in_ms=1000 * LIMIT)
    steps = late = 0
    for _ in range(job["stops"]):
        time.sleep(moments.random() * 0.1)
        os.kill(other, signal.SIGKILL if job["kills"] else signal.SIGSTOP)
        try:
            for _ in range(3):
                model.take_step(run, 0, options)
                steps += 1
        except Exception as error:  # pylint: disable=broad-except  # told to the test
            late += 1
            print(type(error).__name__, flush=True)
        finally:
            if not job["kills"]:
                os.kill(other, signal.SIGCONT)
    (folder / "over").touch()
    others = None if job["kills"] else int(_text_of(folder / "steps"))
    values = [value.tolist() for value in run.run(model.tables)]
    result = {"late": late, "steps": [steps, others], "values": values}
    (folder / "result.json").write_text(json.dumps(result))


def _text_of(path):
    while not path.exists():
        time.sleep(0.01)
    return path.read_text()


if __name__ == "__main__":
    print(json.dumps(launch(json.loads(sys.argv[1]), float(sys.argv[2]), main, 2, mortal=[3])))
