"""A3: another subset of the variables trains at each iteration.

One train op and one set of statistics; the subset is data. A scalar mask
freezes a whole variable: here one boolean per variable is fed.
"""

import _show
import numpy as np
import tensorflow as tf

from tfgraphtools import training

tf1 = tf.compat.v1

NAMES = ["a", "b", "c"]
SUBSETS = ["a", "bc", "", "ab", "c", "abc"]  # what trains at each step


def names_where(flags):
    return "".join(name for name, flag in zip(NAMES, flags) if flag)


def main():
    with tf1.Graph().as_default() as graph, tf1.Session() as session:
        variables = [tf1.get_variable(n, initializer=np.ones(3, np.float32)) for n in NAMES]
        frozen = {name: tf1.placeholder(tf.bool, [], "freeze_" + name) for name in NAMES}
        optimizer = training.FreezeOptimizer(tf1.train.AdamOptimizer(0.1), frozen=frozen)
        train = optimizer.minimize(tf1.add_n([tf1.reduce_sum(v**2) for v in variables]))
        slots = [optimizer.get_slot(v, slot) for slot in ("m", "v") for v in variables]
        session.run(tf1.global_variables_initializer())
        graph.finalize()
        state = [session.run(variables + slots)]
        for subset in SUBSETS:
            session.run(train, {frozen[name]: name not in subset for name in NAMES})
            state.append(session.run(variables + slots))
        statistics = sorted(v.op.name for v in optimizer.variables())

    moved = [
        [old.tobytes() != new.tobytes() for old, new in zip(*pair)]
        for pair in zip(state, state[1:])
    ]  # a row per step: of the variables, of their m, of their v
    figures = {
        "moved": [names_where(row[:3]) for row in moved],
        "slots_moved": [names_where(np.logical_or(row[3:6], row[6:])) for row in moved],
        "statistics": statistics,
    }
    _show.table(
        "Which variables train at each step",
        ["step", "asked for", "variables moved", "slots moved"],
        zip(range(1, len(SUBSETS) + 1), SUBSETS, figures["moved"], figures["slots_moved"]),
    )
    print("One set of statistics:", ", ".join(statistics))
    return figures


if __name__ == "__main__":
    _show.as_in_tf1()
    main()
