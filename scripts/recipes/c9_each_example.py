"""C9: which labels are wrong? The gradient of each example shows it.

Of 400 handwritten digits 40 get a wrong label. After some training most of them have the
largest gradients. `per_example_gradient_norms` computes all norms in one vectorised pass.
`private_gradients` clips the gradient of each example and adds noise (DP-SGD), so that no
example changes the weights much more than the others.
"""

import pathlib

import _show
import numpy as np
import tensorflow as tf

from tfgraphtools import gradients

tf1 = tf.compat.v1

DIGITS = pathlib.Path(__file__).parent / "data" / "digits.npz"
EXAMPLES, WRONG, STEPS = 400, 40, 60


def data():
    """(images, labels, True where the label is wrong, test images, test labels)."""
    with np.load(str(DIGITS)) as file:
        images, labels = file["images"].reshape(-1, 64) / 16.0, file["labels"].astype(np.int32)
    random = np.random.RandomState(0)
    order = random.permutation(len(images))
    images, labels = images[order].astype(np.float32), labels[order]
    wrong = np.zeros(EXAMPLES, bool)
    wrong[random.choice(EXAMPLES, WRONG, replace=False)] = True
    given = labels[:EXAMPLES].copy()
    given[wrong] = (given[wrong] + random.randint(1, 10, WRONG)) % 10
    return images[:EXAMPLES], given, wrong, images[EXAMPLES:], labels[EXAMPLES:]


def train(noise=None):
    """(the norm of each example's gradient, accuracy on the test images)."""
    images, labels, _, test_images, test_labels = data()
    with tf1.Graph().as_default(), tf1.Session() as session:
        tf1.set_random_seed(1)
        x, y = tf1.placeholder(tf.float32, [None, 64]), tf1.placeholder(tf.int32, [None])
        variables = [
            tf1.get_variable("w1", [64, 32]),
            tf1.get_variable("b1", [32], initializer=tf1.zeros_initializer()),
            tf1.get_variable("w2", [32, 10]),
        ]
        w1, b1, w2 = variables
        logits = tf.matmul(tf.tanh(tf.matmul(x, w1) + b1), w2)
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
        norms = gradients.per_example_gradient_norms(losses, variables)
        if noise is None:
            grads = tf1.gradients(tf.reduce_mean(losses), variables)
        else:
            grads = gradients.private_gradients(
                losses, variables, clip_norm=1.0, noise_multiplier=noise, seed=2
            )
        optimizer = tf1.train.MomentumOptimizer(0.3, 0.8)
        step = optimizer.apply_gradients(zip(grads, variables))
        session.run(tf1.global_variables_initializer())
        for _ in range(STEPS):
            session.run(step, {x: images, y: labels})
        found = session.run(norms, {x: images, y: labels})
        guessed = session.run(logits, {x: test_images}).argmax(1)
        return found, float((guessed == test_labels).mean())


def main():
    wrong = data()[2]
    norms, accuracy = train()
    largest = np.argsort(-norms)[:WRONG]
    figures = {
        "norms": norms,
        "wrong": wrong,
        "found": int(wrong[largest].sum()),
        "accuracy": {"plain": accuracy},
    }
    for noise in (0.0, 4.0, 32.0):
        figures["accuracy"][f"noise {noise:g}"] = train(noise)[1]
    print(f"of the {WRONG} largest gradients {figures['found']} are of wrong labels")
    _show.table(
        "accuracy on other images",
        ["gradients", "accuracy"],
        [[name, f"{value:.3f}"] for name, value in figures["accuracy"].items()],
    )
    return figures


if __name__ == "__main__":
    _show.as_in_tf1()
    main()
