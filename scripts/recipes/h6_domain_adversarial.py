"""H6: DANN: features that work in another domain, by gradient reversal on a schedule.

The second domain has no labels. A classifier of the domain reads the features through
`reverse_gradient`: it learns to tell the domains apart, and the features learn to be the same in
both. The factor grows from 0 to 1, as in the paper; here it is a tensor of the global step.
"""

import _show
import numpy as np
import tensorflow as tf

from tfgraphtools import gradients

tf1 = tf.compat.v1

STEPS, RATE, NUMBER = 600, 0.1, 200


def points(random):
    """(points of both domains, labels): the second input is cleaner, but shifted in the second."""
    labels = random.randint(2, size=2 * NUMBER)
    inputs = (2 * labels - 1)[:, None] + random.normal(0, [0.7, 0.3], [2 * NUMBER, 2])
    inputs[NUMBER:, 1] += 2
    return inputs.astype(np.float32), labels


def train(largest_factor):
    """(factor of each step, weights before and after, the accuracy on each domain)."""
    inputs, labels = points(np.random.RandomState(0))
    with tf1.Graph().as_default(), tf1.Session() as session:
        tf1.set_random_seed(1)
        step_number = tf1.train.get_or_create_global_step()
        progress = tf1.cast(step_number, tf.float32) / STEPS
        factor = largest_factor * (2 / (1 + tf.exp(-10 * progress)) - 1)
        shapes = {"w": [2, 8], "b": [8], "label": [8, 1], "domain": [8, 1], "offset": [1]}
        weights = {name: tf1.get_variable(name, shape) for name, shape in shapes.items()}
        features = tf.tanh(tf.matmul(inputs, weights["w"]) + weights["b"])
        scores = tf.matmul(features, weights["label"])[:, 0]
        reversed_features = gradients.reverse_gradient(features, factor)
        domains = (tf.matmul(reversed_features, weights["domain"]) + weights["offset"])[:, 0]
        cross_entropy = tf.nn.sigmoid_cross_entropy_with_logits
        is_second = np.repeat(np.float32([0, 1]), NUMBER)
        label_losses = cross_entropy(labels=np.float32(labels[:NUMBER]), logits=scores[:NUMBER])
        domain_losses = cross_entropy(labels=is_second, logits=domains)
        loss = tf.reduce_mean(label_losses) + tf.reduce_mean(domain_losses)
        step = tf1.train.GradientDescentOptimizer(RATE).minimize(loss, step_number)
        session.run(tf1.global_variables_initializer())
        factors, before = [], session.run(weights)
        for _ in range(STEPS):
            factors.append(session.run(factor))
            session.run(step)
        after, right = session.run([weights, tf.equal(scores > 0, labels > 0)])
    return factors, before, after, (right[:NUMBER].mean(), right[NUMBER:].mean())


def main():
    figures = {"no reversal": train(0.0), "reversal": train(1.0)}
    rows = [[name, *(f"{part:.3f}" for part in row[3])] for name, row in figures.items()]
    _show.table("accuracy", ["training", "first domain", "second domain"], rows)
    return figures


if __name__ == "__main__":
    _show.as_in_tf1()
    main()
