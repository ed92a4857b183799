"""Horovod's wrapper, by a stand-in with its interface: two processes as two threads."""

import concurrent.futures
import threading

import numpy as np
import pytest
from horovod_job import MASK, START, batch, distributed_optimizer, groups, model

from tfgraphtools.errors import OptimizerKindError
from training_cases import same_bits

pytestmark = pytest.mark.quick

PROCESSES = 2
STEPS = 5


class AllReduce:
    """The mean over all processes, which wait for one another."""

    def __init__(self):
        self._barrier = threading.Barrier(PROCESSES)
        self._given = [None] * PROCESSES

    def mean(self, rank, *arrays):
        self._given[rank] = arrays
        self._barrier.wait(60)
        means = [sum(of_processes) / np.float32(PROCESSES) for of_processes in zip(*self._given)]
        self._barrier.wait(60)
        return means


def mean_of_threads(v1, reduce, rank):
    """The mean over threads that stand for processes."""
    return lambda grads: v1.py_func(
        lambda *arrays: reduce.mean(rank, *arrays), grads, [grad.dtype for grad in grads]
    )


#: id: build(training, v1, hvd) where hvd stands for hvd.DistributedOptimizer.
ORDERS = {
    "around-a-mask": lambda t, v1, hvd: hvd(
        t.FreezeOptimizer(v1.train.AdamOptimizer(0.1), {"w": MASK})
    ),
    "around-all": lambda t, v1, hvd: hvd(
        t.FreezeOptimizer(t.LRMultiplierOptimizer(groups(t, v1), {"w": 0.5}), {"w": MASK})
    ),
    "inside-a-mask": lambda t, v1, hvd: t.FreezeOptimizer(
        hvd(v1.train.AdamOptimizer(0.1)), {"w": MASK}
    ),
    "inside-a-rate": lambda t, v1, hvd: t.FreezeOptimizer(
        t.LRMultiplierOptimizer(hvd(v1.train.AdamOptimizer(0.1)), {"w": 0.5}), {"w": MASK}
    ),
}


def trained(v1, graph, step, feeds):
    """{name: value} of all variables after the steps."""
    config = v1.ConfigProto(use_per_session_threads=True)
    with v1.Session(graph=graph, config=config) as run:
        run.run(v1.global_variables_initializer())
        graph.finalize()
        for feed in feeds:
            run.run(step, feed)
        return {v.op.name: run.run(v) for v in v1.global_variables()}


def process(tf, v1, training, build, reduce, rank):
    """One of the processes: its own graph, its own batches, the same masks."""
    with v1.Graph().as_default() as graph:
        _, x, loss = model(tf, v1)
        optimizer = build(
            training,
            v1,
            lambda inner: distributed_optimizer(v1, inner, mean_of_threads(v1, reduce, rank)),
        )
        step = optimizer.minimize(loss)
        slot = optimizer.get_slot(graph.get_collection("trainable_variables")[0], "m")
        assert slot.op.name == "w/Adam"
        return trained(v1, graph, step, [{x: batch(i, rank)} for i in range(STEPS)])


def single(tf, v1, training, build):
    with v1.Graph().as_default() as graph:
        variables, x, loss = model(tf, v1)
        grads = [v1.placeholder(tf.float32, v.shape) for v in variables]
        gradients = tf.gradients(loss, variables)
        step = build(training, v1, lambda inner: inner).apply_gradients(list(zip(grads, variables)))
        with v1.Session(graph=graph) as run:
            run.run(v1.global_variables_initializer())
            for i in range(STEPS):
                of_each = [run.run(gradients, {x: batch(i, rank)}) for rank in range(PROCESSES)]
                means = [
                    sum(of_processes) / np.float32(PROCESSES) for of_processes in zip(*of_each)
                ]
                run.run(step, dict(zip(grads, means)))
            return {v.op.name: run.run(v) for v in v1.global_variables()}


@pytest.mark.parametrize("order", ORDERS)
def test_both_orders_are_as_one_process(order, variables, tf, v1, training):
    reduce = AllReduce()
    with concurrent.futures.ThreadPoolExecutor(PROCESSES) as pool:
        running = [
            pool.submit(process, tf, v1, training, ORDERS[order], reduce, rank)
            for rank in range(PROCESSES)
        ]
        results = [future.result(120) for future in running]
    wanted = single(tf, v1, training, ORDERS[order])
    for values in results:
        assert sorted(values) == sorted(wanted)
        for name in wanted:
            assert same_bits(values[name], wanted[name]), name
        assert np.array_equal(values["w"] == START, MASK)


def test_inside_a_group_it_is_refused(tf, v1, graph, training):
    inner = distributed_optimizer(v1, v1.train.AdamOptimizer(), mean_of_threads(v1, AllReduce(), 0))
    with pytest.raises(OptimizerKindError, match=r"_DistributedOptimizer\(PartitionOptimizer"):
        training.PartitionOptimizer([training.Group("all", ".*", inner)])
