"""Steps of one unit, taken by two at once and counted: see `test_counts.py`.

Each of the two freezes other elements and looks other rows up, some of them more than once.
"""

import itertools
import random
import threading

import numpy as np
from locked_chains import FIXED, MORE, STARTS, WRAPPERS, chain

SHAPE = (900, 8)
RUNS = 20  # of each thread
_PLACES = np.arange(7200).reshape(SHAPE)
_SPLIT = _PLACES % 4
MASKS = [_SPLIT < 2, _SPLIT % 2 == 0]  # frozen by both, by the one, by the other, by none
ROWS = [list(range(600)) + [5, 500], list(range(899, 299, -1)) + [500, 500]]
#: {table: its parts}
TABLES = {"w_dense": 1, "w_lookup": 1, "w_dense_parts": 3, "w_lookup_parts": 3}

_NAMES = [*WRAPPERS, *MORE]
SINGLE = [(name,) for name in [*_NAMES, *STARTS, *FIXED]]
PAIRS = list(itertools.permutations([*_NAMES, "freeze"], 2))
_TRIPLES = list(itertools.permutations([*_NAMES, "freeze"], 3))
TRIPLES = random.Random(0).sample(_TRIPLES, 60)


class Counted:
    """Four tables of zeros under a chain of optimizers, and its step of -1.

    Args:
      names: of the chain: see `locked_chains.chain`.
      around: what is to wrap the chain.
      mask: of all steps; None has each step feed its own.
      replicas: each of which has its share of the gradient, in the scope of a strategy whose
        ``in_replicas(build)`` is the op of what each builds. No table has parts there.
    """

    def __init__(
        self,
        tf,
        training,
        names,
        around=lambda optimizer: optimizer,
        mask=None,
        replicas=1,
        in_replicas=lambda build: build(),
    ):
        v1 = tf.compat.v1
        self.names = names
        self.rows = v1.placeholder(tf.int32, [None])
        if mask is None:
            self.mask = v1.placeholder(tf.bool, SHAPE)
        else:
            self.mask = v1.get_variable("mask", initializer=mask, trainable=False)
        self.global_step = v1.train.get_or_create_global_step()
        tables = {
            name: self._table(v1, name, parts)
            for name, parts in TABLES.items()
            if parts == 1 or replicas == 1
        }
        sgd = v1.train.GradientDescentOptimizer(1.0, use_locking=True)
        optimizer = around(chain(names)(tf, training, sgd, self.mask))

        def minimize():
            with v1.name_scope("model"):
                reads = [
                    v1.nn.embedding_lookup(table, self.rows, partition_strategy="div")
                    if "lookup" in name
                    else tf.convert_to_tensor(table)
                    for name, table in tables.items()
                ]
                loss = tf.add_n([tf.reduce_sum(read) for read in reads]) / replicas
            return optimizer.minimize(loss, global_step=self.global_step)

        self.step = in_replicas(minimize)
        self.values = {name: tf.convert_to_tensor(table) for name, table in tables.items()}
        if replicas > 1:
            copies_of = tf.distribute.get_strategy().experimental_local_results
            self.values = {
                f"{name} {number}": tf.convert_to_tensor(copy)
                for name, table in tables.items()
                for number, copy in enumerate(copies_of(table))
            }
        self.sums = {name: self._sums_of(v1, tf, name) for name in tables}
        first = v1.variables_initializer(v1.trainable_variables())
        graph = v1.get_default_graph()
        locks = [op for op in graph.get_operations() if op.type == "MutexLock"]
        #: Sparse updates of resource variables hold no lock of TensorFlow's own, `use_locking=True`
        #: or not: a plain optimizer loses about one of a million, and so do chains without a lock.
        is_resource = v1.resource_variables_enabled() or replicas > 1
        self.plain_may_lose = not locks and is_resource
        self.initializers = [first, v1.global_variables_initializer()]

    def _table(self, v1, name, parts):
        partitioner = v1.fixed_size_partitioner(parts) if parts > 1 else None
        zeros = v1.zeros_initializer()
        return v1.get_variable(name, SHAPE, initializer=zeros, partitioner=partitioner)

    def _sums_of(self, v1, tf, name):
        """The gradients that wait for a step: one tensor of the table's shape, or None."""
        slots = [v for v in v1.global_variables() if "/gradient_sum" in v.op.name]
        slots = [v.read_value() for v in slots if v.op.name.split("/")[0] == name]
        parts = TABLES[name]
        layers = [tf.concat(slots[i : i + parts], 0) for i in range(0, len(slots), parts)]
        return tf.add_n(layers) if layers else tf.zeros(SHAPE)

    def initialize(self, run):
        for op in self.initializers:
            run.run(op)

    def take_steps(self, run, worker):
        feed = {self.mask: masks_of(self.names)[worker], self.rows: ROWS[worker]}
        for _ in range(RUNS):
            run.run(self.step, feed)

    def wrong(self, run, steps, taken):
        """{table: the steps that were lost}, and the global step where it is wrong.

        Args:
          steps: {"dense" or "lookup": the steps that each element was to get}.
          taken: the number of runs.
        """
        per_step = 2 if "accumulation-of-2" in self.names else 1
        values, sums, count = run.run([self.values, self.sums, self.global_step])
        wrong = {}
        for name, value in values.items():
            wanted = steps["lookup" if "lookup" in name else "dense"]
            wanted = np.where(_frozen_by_arrays(self.names, name.split()[0]), 0, wanted)
            lost = wanted - (sums[name.split()[0]] - per_step * value)
            if lost.any() and not ("lookup" in name and self.plain_may_lose):
                wrong[name] = f"{np.abs(lost).sum():g} of {wanted.sum():g} lost"
        if count != taken // per_step:
            wrong["global_step"] = int(count)
        return wrong


def _frozen_by_arrays(names, table):
    """The elements that never move."""
    arrays = {
        "array": _PLACES % 3 == 0,
        "array-of-rows": np.broadcast_to(_PLACES[:, :1] % 3 == 0, SHAPE),
        "few-trainable": _PLACES != 5,
        "whole": np.full(SHAPE, table == "w_dense"),
    }
    return np.any([arrays[name] for name in names if name in arrays] or [np.zeros(SHAPE)], 0)


def masks_of(names):
    """The mask that each worker feeds: one for both, where what a sum is divided by depends on it.

    A sum that waits for its frozen element is divided by more runs, by their order.
    """
    return [MASKS[0]] * 2 if "accumulation-of-2" in names else MASKS


def expected_steps(names, runs, masks=None, rows=ROWS):
    """The steps that each element gets in this many runs of each of the workers, by arithmetic."""
    masks = masks_of(names) if masks is None else masks
    if not freezes_what_is_fed(names):
        masks = [np.zeros(SHAPE, bool) for _ in masks]
    looked_up = [np.bincount(own, minlength=SHAPE[0])[:, None] for own in rows]
    return {
        "dense": sum(runs * ~mask for mask in masks),
        "lookup": sum(runs * ~mask * count for mask, count in zip(masks, looked_up)),
    }


def freezes_what_is_fed(names):
    """Tells whether a chain has a freeze by the mask of each step."""
    return any(name in STARTS for name in names)


def at_once(*works):
    """Calls each function in a thread of its own; raises what one of them raised."""
    errors = []

    def guarded(work):
        try:
            work()
        except BaseException as error:  # pylint: disable=broad-except
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    if errors:
        raise errors[0]
    assert not any(thread.is_alive() for thread in threads)
