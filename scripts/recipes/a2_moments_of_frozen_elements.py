"""A2: what happens to Adam's moments while an element is frozen, and after?

One argument of `FreezeOptimizer`: ``slots="keep"`` (the default) leaves them as
they are, and training goes on from them; ``"reset"`` starts them again from 0;
``"advance"`` lets them follow the gradient. No host-side ``assign``, no new op
per step.
"""

import _show
import numpy as np
import tensorflow as tf

from tfgraphtools import training

tf1 = tf.compat.v1

TRAINED, FROZEN, RELEASED = 3, 4, 1  # steps; the gradient is 1 throughout


def run(slots):
    """Returns (w, m, v) of the element: before, at the end of, and after the frozen steps."""
    with tf1.Graph().as_default() as graph, tf1.Session() as session:
        w = tf1.get_variable("w", initializer=np.zeros(2, np.float32))
        frozen = tf1.placeholder(tf.bool, [2])
        optimizer = training.FreezeOptimizer(
            tf1.train.AdamOptimizer(0.1), frozen={"w": frozen}, slots=slots
        )
        train = optimizer.minimize(tf1.reduce_sum(w))
        state = [w, optimizer.get_slot(w, "m"), optimizer.get_slot(w, "v")]
        session.run(tf1.global_variables_initializer())
        graph.finalize()
        seen = []
        for steps, freeze in [(TRAINED, False), (FROZEN, True), (RELEASED, False)]:
            for _ in range(steps):
                session.run(train, {frozen: [freeze, False]})
            seen.append([float(values[0]) for values in session.run(state)])
        return seen


def main():
    figures = {slots: run(slots) for slots in ("keep", "reset", "advance")}
    times = [
        f"after {TRAINED} trained steps",
        f"after {FROZEN} frozen steps",
        f"after {RELEASED} more step",
    ]
    for slots, seen in figures.items():
        rows = [[time] + [f"{x:.6f}" for x in values] for time, values in zip(times, seen)]
        _show.table(f'slots="{slots}"', ["", "w", "m", "v"], rows)
    return figures


if __name__ == "__main__":
    _show.as_in_tf1()
    main()
