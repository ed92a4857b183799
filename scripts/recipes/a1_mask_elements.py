"""A1: a placeholder says, at each step, which elements of W train, under Adam.

Masking the forward pass makes the gradient of a masked element zero. Adam moves
it anyway, by the momentum it has from before. `FreezeOptimizer` leaves it
bit for bit as it was.
"""

import _show
import numpy as np
import tensorflow as tf

from tfgraphtools import training

tf1 = tf.compat.v1

STEPS = [[False] * 4] * 2 + [[True, False, False, True]] * 5  # which elements are frozen


def by_forward_mask(w, frozen):
    """The usual attempt."""
    keep = tf1.cast(frozen, w.dtype)
    masked = keep * tf1.stop_gradient(w) + (1 - keep) * w
    return tf1.train.AdamOptimizer(0.1).minimize(tf1.reduce_sum(masked**2))


def by_freeze_optimizer(w, frozen):
    """The answer."""
    optimizer = training.FreezeOptimizer(tf1.train.AdamOptimizer(0.1), frozen={"w": frozen})
    return optimizer.minimize(tf1.reduce_sum(w**2))


def values_after_each_step(build):
    with tf1.Graph().as_default() as graph, tf1.Session() as session:
        w = tf1.get_variable("w", initializer=np.ones(4, np.float32))
        frozen = tf1.placeholder(tf.bool, [4])
        train = build(w, frozen)
        session.run(tf1.global_variables_initializer())
        graph.finalize()
        values = []
        for mask in STEPS:
            session.run(train, {frozen: mask})
            values.append(session.run(w))
        return values


def main():
    figures = {}
    for title, build in [
        ("forward mask", by_forward_mask),
        ("FreezeOptimizer", by_freeze_optimizer),
    ]:
        figures[title] = values_after_each_step(build)
        _show.table(
            f"W under Adam by {title} ('=': frozen in this step)",
            ["step", "W[0]", "W[1]", "W[2]", "W[3]"],
            [
                [step + 1] + [f"{x:.5f}{'=' if f else ' '}" for x, f in zip(values, STEPS[step])]
                for step, values in enumerate(figures[title])
            ],
        )
    return figures


if __name__ == "__main__":
    _show.as_in_tf1()
    main()
