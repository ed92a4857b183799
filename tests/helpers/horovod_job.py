"""One of two processes that train with the contract of ``hvd.DistributedOptimizer``, or with it.

The processes are real, the allreduce goes through `tf.train.Server`: each sends its
gradients to the other's queue. With ``--horovod FOLDER`` it is Horovod's own. See
`test_horovod_processes.py`, which starts them.
"""

import contextlib
import json
import pathlib
import socket
import sys
import time

import numpy as np

from training_cluster_job import launch

PROCESSES, STEPS = 2, 4
MASK = np.array([[True, False, False], [False, True, False]])
START = np.arange(6, dtype=np.float32).reshape(2, 3) - 2


def groups(t, v1, wrap=lambda optimizer: optimizer):
    return t.PartitionOptimizer(
        [
            t.Group("w", "w", wrap(v1.train.AdamOptimizer(0.1))),
            t.Group("b", "b", v1.train.MomentumOptimizer(0.1, 0.9)),
        ]
    )


#: id: build(training, v1, hvd) where hvd stands for hvd.DistributedOptimizer.
ORDERS = {
    "around-all": lambda t, v1, hvd: hvd(
        t.FreezeOptimizer(t.LRMultiplierOptimizer(groups(t, v1), {"w": 0.5}), {"w": MASK})
    ),
    "inside-all": lambda t, v1, hvd: t.FreezeOptimizer(
        t.LRMultiplierOptimizer(
            t.DecoupledWeightDecayOptimizer(hvd(v1.train.AdamOptimizer(0.1)), {"w": 0.01}),
            {"w": 0.5},
        ),
        {"w": MASK},
    ),
    "between": lambda t, v1, hvd: t.FreezeOptimizer(
        hvd(t.LRMultiplierOptimizer(groups(t, v1), {"w": 0.5})), {"w": MASK}
    ),
    "accumulation-inside": lambda t, v1, hvd: hvd(
        t.GradientAccumulationOptimizer(t.FreezeOptimizer(groups(t, v1), {"w": MASK}), 2)
    ),
    "averages": lambda t, v1, hvd: t.ExponentialAverageOptimizer(
        hvd(
            t.LookaheadOptimizer(
                t.TrustRatioOptimizer(t.FreezeOptimizer(groups_of_adam(t, v1), {"w": MASK})), 2
            )
        ),
        0.9,
    ),
    "clipped": lambda t, v1, hvd: t.GradientTransformOptimizer(
        t.FreezeOptimizer(hvd(v1.train.AdamOptimizer(0.1)), {"w": MASK}),
        t.transforms.clip_by_global_norm(0.5),
    ),
}


def groups_of_adam(t, v1):
    return t.LRMultiplierOptimizer(v1.train.AdamOptimizer(0.1), {"b": 0.5})


def batch(step, rank):
    return np.random.RandomState([step, rank]).normal(size=START.shape).astype(np.float32)


def model(tf, v1):
    w = v1.get_variable("w", initializer=START)
    b = v1.get_variable("b", initializer=np.ones(3, np.float32))
    x = v1.placeholder(tf.float32, START.shape)
    return [w, b], x, tf.reduce_sum(tf.sin(w) * x * b)


def distributed_optimizer(v1, optimizer, mean):
    """As ``hvd.DistributedOptimizer(optimizer)``: it averages what compute_gradients gives.

    ``mean(gradients)`` gives the means over all processes.
    """

    class _DistributedOptimizer(v1.train.Optimizer):
        def __init__(self):
            super().__init__(use_locking=False, name="Distributed" + type(optimizer).__name__)
            self._optimizer = optimizer

        def compute_gradients(self, *args, **kwargs):
            grads, variables = zip(*self._optimizer.compute_gradients(*args, **kwargs))
            means = mean(grads)
            for one, grad in zip(means, grads):
                one.set_shape(grad.shape)
            return list(zip(means, variables))

        def apply_gradients(self, *args, **kwargs):
            return self._optimizer.apply_gradients(*args, **kwargs)

        def get_slot(self, *args, **kwargs):
            return self._optimizer.get_slot(*args, **kwargs)

        def get_slot_names(self, *args, **kwargs):
            return self._optimizer.get_slot_names(*args, **kwargs)

        def variables(self, *args, **kwargs):
            return self._optimizer.variables(*args, **kwargs)

    return _DistributedOptimizer()


def mean_of_queues(tf, rank, tag):
    """The mean of two processes, which send each other their gradients through queues."""

    def queue(of, dtypes):
        with tf.compat.v1.device(f"/job:worker/task:{of}"):
            return tf.queue.FIFOQueue(10, dtypes, shared_name=f"{tag}/{of}")

    def mean(grads):
        dtypes = [grad.dtype for grad in grads]
        with tf.compat.v1.control_dependencies([queue(1 - rank, dtypes).enqueue(grads)]):
            others = queue(rank, dtypes).dequeue()
        for own, other in zip(grads, others):
            other.set_shape(own.shape)
        order = 1 if rank == 0 else -1
        return [sum(both[::order]) / 2 for both in zip(grads, others)]

    return mean


def trained(tf, training, server, order, rank, resource):
    """{name: value} of all variables of this process after the steps."""
    v1 = tf.compat.v1
    (v1.enable_resource_variables if resource else v1.disable_resource_variables)()
    with v1.Graph().as_default(), v1.device(f"/job:worker/task:{rank}"):
        mean = mean_of_queues(tf, rank, f"{order}{resource}")
        return steps_of(
            tf, training, order, rank, lambda o: distributed_optimizer(v1, o, mean), server.target
        )


def steps_of(tf, training, order, rank, hvd, target=""):
    """{name: value} of all variables after the steps of one process, in the open graph."""
    v1 = tf.compat.v1
    _, x, loss = model(tf, v1)
    step = ORDERS[order](training, v1, hvd).minimize(loss)
    initialize = v1.global_variables_initializer()
    with v1.Session(target) as run:
        run.run(initialize)
        for number in range(STEPS):
            run.run(step, {x: batch(number, rank)})
        return {v.op.name: run.run(v) for v in v1.global_variables()}


def single(tf, training, order, resource):
    """The same in one process, with the mean gradients."""
    v1 = tf.compat.v1
    (v1.enable_resource_variables if resource else v1.disable_resource_variables)()
    with v1.Graph().as_default():
        variables, x, loss = model(tf, v1)
        grads = [v1.placeholder(tf.float32, v.shape) for v in variables]
        gradients = tf.gradients(loss, variables)
        optimizer = ORDERS[order](training, v1, lambda inner: inner)
        step = optimizer.apply_gradients(list(zip(grads, variables)))
        with v1.Session() as run:
            run.run(v1.global_variables_initializer())
            for number in range(STEPS):
                both = [run.run(gradients, {x: batch(number, r)}) for r in range(PROCESSES)]
                means = [sum(pair) / np.float32(PROCESSES) for pair in zip(*both)]
                run.run(step, dict(zip(grads, means)))
            return {v.op.name: run.run(v) for v in v1.global_variables()}


def by_horovod(folder):
    """Saves what Horovod's processes have after the steps, and one process with the means."""
    import horovod.tensorflow as hvd
    import tensorflow as tf

    from tfgraphtools import training

    hvd.init()
    assert hvd.size() == PROCESSES
    v1 = tf.compat.v1
    v1.disable_eager_execution()
    v1.logging.set_verbosity(v1.logging.ERROR)
    results = {}
    for resource in (True, False):
        (v1.enable_resource_variables if resource else v1.disable_resource_variables)()
        for order in ORDERS:
            with v1.Graph().as_default():
                found = steps_of(tf, training, order, hvd.rank(), hvd.DistributedOptimizer)
            results.update({f"{order}|{resource}|{name}": v for name, v in found.items()})
            expected = single(tf, training, order, resource)
            results.update({f"expected|{order}|{resource}|{n}": v for n, v in expected.items()})
    np.savez(f"{folder}/{hvd.rank()}.npz", **results)


def wait_for(ports):
    """Until all servers listen: one that is called too early counts as away for some seconds."""
    for port in ports:
        while True:
            with contextlib.suppress(ConnectionRefusedError):
                socket.create_connection(("127.0.0.1", port)).close()
                break
            time.sleep(0.05)


def main(job):
    import tensorflow as tf

    from tfgraphtools import training

    v1 = tf.compat.v1
    v1.disable_eager_execution()
    v1.logging.set_verbosity(v1.logging.ERROR)
    addresses = [f"127.0.0.1:{port}" for port in job["ports"]]
    try:
        server = v1.train.Server({"worker": addresses}, "worker", job["rank"])
    except tf.errors.UnknownError:  # "Could not start gRPC server"
        sys.exit(75)  # the port was taken meanwhile
    wait_for(job["ports"])
    results = {}
    for resource in (True, False):
        for order in ORDERS:
            found = trained(tf, training, server, order, job["rank"], resource)
            results.update({f"{order}|{resource}|{name}": v for name, v in found.items()})
    np.savez(f"{job['out']}/{job['rank']}.npz", **results)
    # A server must be there as long as the other process uses it.
    with v1.Graph().as_default(), v1.Session(server.target) as run:
        for of in (1 - job["rank"], job["rank"]):
            with v1.device(f"/job:worker/task:{of}"):
                queue = tf.queue.FIFOQueue(10, [tf.int32], shapes=[()], shared_name=f"end/{of}")
            run.run(queue.enqueue(1) if of != job["rank"] else queue.dequeue())
    # And a session that is closed after the other server has gone waits for it.
    folder = pathlib.Path(job["out"])
    (folder / f"{job['rank']}.closed").write_text("")
    while len(list(folder.glob("*.closed"))) < PROCESSES:
        time.sleep(0.02)


if __name__ == "__main__":
    if sys.argv[1] == "--horovod":
        by_horovod(sys.argv[2])
    else:
        print(json.dumps(launch(json.loads(sys.argv[1]), float(sys.argv[2]), main, servers=0)))
