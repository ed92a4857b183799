"""State of a table in slices restores into another number of slices, or is refused by name."""

import numpy as np
import pytest

ROWS, WIDTH = 12, 3
DEFAULT = [(1, 2), (4, 1)]
SLICES = [(before, after) for before in (1, 2, 4) for after in (1, 2, 4)]
SLOW = [pytest.param(*pair, marks=pytest.mark.slow) for pair in SLICES if pair not in DEFAULT]


class Accumulated:
    """A sparse accumulation over two runs, in slices of rows."""

    def __init__(self, tf, training, parts, **freeze):
        self.v1 = v1 = tf.compat.v1
        self.graph = tf.Graph()
        with self.graph.as_default():
            self.table = v1.get_variable(
                "w",
                [ROWS, WIDTH],
                initializer=v1.zeros_initializer(),
                partitioner=v1.fixed_size_partitioner(parts) if parts > 1 else None,
            )
            self.rows = v1.placeholder(tf.int32, [None])
            read = v1.nn.embedding_lookup(self.table, self.rows, partition_strategy="div")
            optimizer = v1.train.MomentumOptimizer(1.0, 0.5)
            loss = tf.reduce_sum(read if not freeze else tf.convert_to_tensor(self.table))
            if freeze:
                optimizer = training.FreezeOptimizer(optimizer, **freeze)
            else:
                optimizer = training.GradientAccumulationOptimizer(optimizer, 2)
            self.step = optimizer.minimize(loss)
            self.value = tf.convert_to_tensor(self.table)
            self.saver = v1.train.Saver()
            self.session = v1.Session()
            self.session.run(v1.global_variables_initializer())

    def run(self, rows):
        self.session.run(self.step, {self.rows: rows})
        return self.session.run(self.value)


@pytest.mark.parametrize("before, after", [*DEFAULT, *SLOW])
def test_an_accumulation_goes_on(before, after, variables, tf, training, tmp_path):
    """In the middle of it: the rows of the first run are in the step of the second."""
    first = Accumulated(tf, training, before)
    assert not first.run([1, 7, 7]).any()
    path = first.saver.save(first.session, str(tmp_path / "model"))
    second = Accumulated(tf, training, after)
    second.saver.restore(second.session, path)
    expected = np.zeros([ROWS, WIDTH])
    expected[1], expected[7], expected[10] = -0.5, -1.0, -0.5
    assert np.array_equal(second.run([10]), expected)


@pytest.mark.parametrize("after", [1, 4])
def test_compact_slots_of_other_slices_are_refused(after, variables, tf, training, tmp_path):
    """By the name of the state: slices of other rows may have slots of the same shape."""
    options = {"frozen": {"w.*": np.arange(ROWS)[:, None] % 3 > [[0] * WIDTH]}, "slots": "compact"}
    first = Accumulated(tf, training, 2, **options)
    path = first.saver.save(first.session, str(tmp_path / "model"))
    again = Accumulated(tf, training, 2, **options)
    again.saver.restore(again.session, path)
    second = Accumulated(tf, training, after, **options)
    with pytest.raises(tf.errors.NotFoundError, match="Trainable"):
        second.saver.restore(second.session, path)
