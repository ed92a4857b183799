"""H5: SAM: sharpness-aware minimisation, which learns fewer wrong labels.

SAM takes the gradient not at the weights but where a step of length RHO uphill leads.
`graph_replace` gives the loss there. `stop_gradient` is part of the method: the gradient does not
go through the step uphill. A third of the labels is wrong; plain training learns them, too.
"""

import pathlib

import _show
import numpy as np
import tensorflow as tf

from tfgraphtools import gradients

tf1 = tf.compat.v1

DIGITS = pathlib.Path(__file__).parent / "data" / "digits.npz"
EXAMPLES, STEPS, RATE, RHO = 400, 200, 0.2, 0.5


def sharpness_aware(loss, variables, rho):
    """The loss after a step of length rho uphill: what `minimize` takes instead of the loss."""
    grads = tf1.gradients(loss, variables)
    scale = tf.stop_gradient(rho / tf.linalg.global_norm(grads))
    uphill = {v: v + scale * tf.stop_gradient(grad) for v, grad in zip(variables, grads)}
    return gradients.graph_replace(loss, uphill)


def train(rho):
    """The accuracy on other images after each step."""
    with np.load(str(DIGITS)) as file:
        images, labels = file["images"].reshape(-1, 64) / np.float32(16), file["labels"].astype(int)
    random = np.random.RandomState(0)
    order = random.permutation(len(labels))
    images, labels = images[order], labels[order]
    is_wrong = random.uniform(size=EXAMPLES) < 1 / 3
    given = np.where(is_wrong, random.randint(10, size=EXAMPLES), labels[:EXAMPLES])
    with tf1.Graph().as_default(), tf1.Session() as session:
        tf1.set_random_seed(1)
        w1, w2 = tf1.get_variable("w1", [64, 64]), tf1.get_variable("w2", [64, 10])
        logits = tf.matmul(tf.nn.relu(tf.matmul(images, w1)), w2)
        cross_entropy = tf.nn.sparse_softmax_cross_entropy_with_logits
        loss = tf.reduce_mean(cross_entropy(labels=given, logits=logits[:EXAMPLES]))
        if rho:
            loss = sharpness_aware(loss, [w1, w2], rho)
        step = tf1.train.MomentumOptimizer(RATE, 0.9).minimize(loss)
        is_right = tf.equal(tf.argmax(logits[EXAMPLES:], 1), labels[EXAMPLES:])
        accuracy = tf.reduce_mean(tf1.cast(is_right, tf.float32))
        session.run(tf1.global_variables_initializer())
        return [session.run([accuracy, step])[0] for _ in range(STEPS)]


def main():
    figures = {"plain": train(0.0), "SAM": train(RHO)}
    rows = [[name, *(f"{a:.3f}" for a in (max(row), row[-1]))] for name, row in figures.items()]
    _show.table("accuracy on other images", ["training", "best", "at the end"], rows)
    return figures


if __name__ == "__main__":
    _show.as_in_tf1()
    main()
