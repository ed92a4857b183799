"""G2: trust ratios: LAMB, so that every layer moves by the same share of its norm.

Under Adam every element moves by about the learning rate, which is much for small
weights and little for large ones. LAMB's step of a layer has the length
rate times the layer's norm. Biases are left out of it, as in BERT.
"""

import _show
import numpy as np
import tensorflow as tf

from tfgraphtools import training

tf1 = tf.compat.v1

RATE = 0.01
SCALES = {"small/kernel": 0.01, "middle/kernel": 0.1, "large/kernel": 10.0}
OPTIMIZERS = {
    "Adam": lambda adam: adam,
    "LAMB": lambda adam: training.TrustRatioOptimizer(adam, exclude=".*/bias"),
}


def shares(wrap):
    """{variable: length of the first step over the norm}."""
    random = np.random.RandomState(0)
    with tf1.Graph().as_default(), tf1.Session() as session:
        variables = {
            name: tf1.get_variable(
                name, initializer=(scale * random.normal(size=(20, 20))).astype(np.float32)
            )
            for name, scale in SCALES.items()
        }
        variables["bias"] = tf1.get_variable("head/bias", initializer=np.ones(20, np.float32))
        loss = tf1.add_n([tf1.reduce_sum(tf1.sin(v)) for v in variables.values()])
        train = wrap(tf1.train.AdamOptimizer(RATE)).minimize(loss)
        session.run(tf1.global_variables_initializer())
        before = session.run(variables)
        session.run(train)
        after = session.run(variables)
    return {
        name: float(np.linalg.norm(after[name] - before[name]) / np.linalg.norm(before[name]))
        for name in variables
    }


def main():
    figures = {name: shares(wrap) for name, wrap in OPTIMIZERS.items()}
    _show.table(
        f"The first step at rate {RATE}, as a share of the variable's norm",
        ["variable", *figures],
        [[name, *(f"{found[name]:.4f}" for found in figures.values())] for name in figures["Adam"]],
    )
    return figures


if __name__ == "__main__":
    _show.as_in_tf1()
    main()
