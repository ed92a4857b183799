"""The graph that a session runs: what a step reads and writes is behind its lock.

The graph optimizer removes ops, and the order with them: so the tests look at its result.
"""

import threading

import numpy as np
import pytest
from locked_chains import PAIRS, SINGLE, WRAPPERS, chain
from step_order import Order, partitions

ROWS, WIDTH, RUNS = 6, 4, 40
MASKS = [np.arange(ROWS * WIDTH).reshape(ROWS, WIDTH) % WIDTH < half for half in (0, 2)]
MASKS = [MASKS[1], ~MASKS[1]]

#: (chain, gradient, parts of the table)
LOOKUPS = [(chain, "lookup", 1) for chain in SINGLE]
OTHERS = [(chain, *how) for chain in SINGLE for how in (("dense", 1), ("lookup", 2), ("dense", 2))]
OTHERS += [(chain, "lookup", 2) for chain in PAIRS]
IN_THREADS = [(chain, "lookup", 1) for chain in ("freeze", "trust-freeze", "freeze-average")]


def cases(*default):
    slow = [case for case in LOOKUPS + OTHERS if case not in default]
    marked = [pytest.param(*case, marks=pytest.mark.slow) for case in slow]
    return pytest.mark.parametrize("chain, gradient, parts", [*default, *marked])


class Model:
    """A table under a chain of optimizers that freezes what is fed, and its step."""

    def __init__(self, tf, training, chain, gradient, parts):
        v1 = tf.compat.v1
        self.mask = v1.placeholder(tf.bool, [ROWS, WIDTH])
        self.rows = v1.placeholder(tf.int32, [None])
        with v1.name_scope("model"):
            table = v1.get_variable(
                "w",
                [ROWS, WIDTH],
                initializer=v1.zeros_initializer(),
                partitioner=v1.fixed_size_partitioner(parts) if parts > 1 else None,
            )
            read = v1.nn.embedding_lookup(table, self.rows, partition_strategy="div")
            loss = tf.reduce_sum(read if gradient == "lookup" else tf.convert_to_tensor(table))
        sgd = v1.train.GradientDescentOptimizer(1.0, use_locking=True)
        build = {**SINGLE, **PAIRS}[chain]
        self.step = build(tf, training, sgd, self.mask).minimize(loss)
        self.value = tf.convert_to_tensor(table)

    def feed(self, mask):
        return {self.mask: mask, self.rows: np.arange(ROWS)}


@cases(*LOOKUPS)
def test_all_reads_and_writes_are_behind_the_lock(
    chain, gradient, parts, variables, graph, v1, tf, training, session
):
    model = Model(tf, training, chain, gradient, parts)
    run = session()
    for _ in range(2):
        run.run(model.step, model.feed(MASKS[0]))
    order = Order(partitions(v1, run, model.step, model.feed(MASKS[0])))
    assert len(order.locks) == len(order.unlocks) == 1
    touching = [name for name in order.nodes if order.touches_memory(name)]
    own = [name for name in touching if not name.startswith(("model/", "gradients/"))]
    assert len(own) > 2
    assert [name for name in own if name not in order.inside] == []


@cases(*IN_THREADS)
def test_two_threads_lose_no_step(
    chain, gradient, parts, variables, graph, v1, tf, training, session
):
    model = Model(tf, training, chain, gradient, parts)
    run = session()
    errors = []

    def work(mask):
        try:
            for _ in range(RUNS):
                run.run(model.step, model.feed(mask))
        except Exception as error:  # pylint: disable=broad-except  # told to the test
            errors.append(error)

    threads = [threading.Thread(target=work, args=(mask,)) for mask in MASKS]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not errors
    assert np.array_equal(run.run(model.value), np.full([ROWS, WIDTH], -float(RUNS)))


@pytest.mark.parametrize("name", [*WRAPPERS, "skip"])
def test_who_takes_a_lock(name, graph, v1, tf, training):
    """What adds to the optimizer's own update alone takes none, as a plain optimizer."""
    w = v1.get_variable("w", [ROWS, WIDTH])
    sgd = v1.train.GradientDescentOptimizer(1.0)
    optimizer = chain([name])(tf, training, sgd, None)
    if name == "trust":  # that of the chains scales nothing
        optimizer = training.TrustRatioOptimizer(sgd)
    optimizer.apply_gradients([(tf.ones([ROWS, WIDTH]), w)])
    locks = [op for op in graph.get_operations() if op.type == "MutexLock"]
    assert len(locks) == (name not in UNLOCKED)


UNLOCKED = ("rates", "transform", "partition", "decay", "skip")


@pytest.mark.parametrize("name", UNLOCKED)
def test_without_a_lock_each_write_locks_its_ref_variable(name, graph, v1, tf, training):
    """Else a write of ours, beside one that the optimizer locks, loses it."""
    v1.disable_resource_variables()
    dense, sparse = (v1.get_variable(n, [ROWS, WIDTH], use_resource=False) for n in ("w", "w_too"))
    sgd = v1.train.GradientDescentOptimizer(1.0, use_locking=True)
    optimizer = chain([name])(tf, training, sgd, None)
    loss = tf.reduce_sum(dense) + tf.reduce_sum(tf.gather(sparse, [1, 3]))
    optimizer.minimize(loss)
    kinds = ("AssignAdd", "AssignSub", "ScatterAdd", "ScatterSub")
    writes = [op for op in graph.get_operations() if op.type in kinds]
    assert [op.name for op in writes if not op.get_attr("use_locking")] == []
    assert len(writes) >= (2 if name == "decay" else 0)
