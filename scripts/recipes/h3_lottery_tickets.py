"""H3: pruning and lottery tickets: train a tenth of the weights from their first values.

After training, the smallest weights of each layer are pruned (0 from then on), and the others go
back to their first values: the ticket. `FreezeOptimizer` keeps the pruned weights at 0, with any
optimizer, momentum included. A random mask of the same size trains worse.
"""

import pathlib

import _show
import numpy as np
import tensorflow as tf

from tfgraphtools import training

tf1 = tf.compat.v1

DIGITS = pathlib.Path(__file__).parent / "data" / "digits.npz"
SHAPES, STEPS, KEPT = {"w1": [64, 64], "w2": [64, 10]}, 300, [0.5, 0.2, 0.1, 0.05]


def train(images, labels, start=None, pruned=None):
    """(the weights before, the weights after, the accuracy on the second half of the images)."""
    with tf1.Graph().as_default(), tf1.Session() as session:
        tf1.set_random_seed(1)
        variables = {name: tf1.get_variable(name, shape) for name, shape in SHAPES.items()}
        logits = tf.matmul(tf.nn.relu(tf.matmul(images, variables["w1"])), variables["w2"])
        loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
        optimizer = tf1.train.AdamOptimizer(0.01)
        if pruned is not None:
            optimizer = training.FreezeOptimizer(optimizer, pruned)
        half = len(labels) // 2
        step = optimizer.minimize(tf.reduce_mean(loss[:half]))
        session.run(tf1.global_variables_initializer())
        for name in start or ():
            variables[name].load(start[name], session)
        before = session.run(variables)
        for _ in range(STEPS):
            session.run(step)
        after, guesses = session.run([variables, tf.argmax(logits, 1)])
    return before, after, float((guesses == labels)[half:].mean())


def main(kept=KEPT):
    with np.load(str(DIGITS)) as file:
        images, labels = file["images"].reshape(-1, 64) / np.float32(16), file["labels"].astype(int)
    first, trained, accuracy = train(images, labels)
    random = np.random.RandomState(0)
    figures = {"accuracy": [(1.0, accuracy, accuracy)], "first": first, "trained": trained}
    for part in kept:
        pruned = {n: np.abs(w) < np.quantile(np.abs(w), 1 - part) for n, w in trained.items()}
        shuffled = {n: random.permutation(p.ravel()).reshape(p.shape) for n, p in pruned.items()}
        results = [
            train(images, labels, {n: np.where(mask[n], 0, w) for n, w in first.items()}, mask)
            for mask in (pruned, shuffled)
        ]
        figures["accuracy"].append((part, *(result[2] for result in results)))
        figures["ticket"] = (pruned, *results[0][:2])
    rows = [[f"{part:.0%}", f"{a:.3f}", f"{b:.3f}"] for part, a, b in figures["accuracy"]]
    _show.table("accuracy on other images", ["weights", "ticket", "random mask"], rows)
    return figures


if __name__ == "__main__":
    _show.as_in_tf1()
    main()
