"""D1: gradients with respect to embeddings, values only, with the training untouched.

The usual attempt fetches the gradient in a run of its own. Nothing is assigned,
and yet the losses change: dropout and the sampler of candidates draw once more.
`GradientProbe` leaves every loss as it was, bit for bit.
"""

import _show
import numpy as np
import tensorflow as tf

from tfgraphtools import gradients

tf1 = tf.compat.v1

STEPS = 100


def build():
    """A word model: embeddings, dropout, and a softmax over sampled candidates."""
    words = tf1.placeholder(tf.int64, [16], name="words")
    following = tf1.placeholder(tf.int64, [16], name="following")
    table = tf1.get_variable("table", [50, 8])
    embedded = tf1.nn.embedding_lookup(table, words)
    hidden = tf1.nn.dropout(embedded, rate=0.3)
    loss = tf1.reduce_mean(
        tf1.nn.sampled_softmax_loss(
            weights=tf1.get_variable("weights", [50, 8]),
            biases=tf1.get_variable("biases", [50]),
            labels=following[:, None],
            inputs=hidden,
            num_sampled=8,
            num_classes=50,
        )
    )
    return words, following, embedded, loss


def losses(probing=None):
    """The losses of 100 steps, without a probe, with ours, or in the usual way."""
    with tf1.Graph().as_default() as graph, tf1.Session() as session:
        tf1.set_random_seed(3)
        words, following, embedded, loss = build()
        train = tf1.train.AdamOptimizer(0.02).minimize(loss)
        usual = tf1.gradients(loss, embedded)[0]
        session.run(tf1.global_variables_initializer())
        graph.finalize()
        probe = gradients.GradientProbe(session, loss, embedded)
        found, largest = [], 0.0
        for step in range(STEPS):
            random = np.random.RandomState(step)
            batch = {words: random.randint(50, size=16), following: random.randint(50, size=16)}
            if probing == "probe":
                adversarial = np.sign(probe.run(batch))
                largest = max(largest, float(np.abs(adversarial).max()))
            elif probing == "usual":
                session.run(usual, batch)
            found.append(session.run([loss, train], batch)[0])
        probe.close()
        return np.float32(found), largest


def main():
    plain, _ = losses()
    probed, largest = losses("probe")
    usual, _ = losses("usual")
    figures = {
        "identical with the probe": plain.tobytes() == probed.tobytes(),
        "identical in the usual way": plain.tobytes() == usual.tobytes(),
        "steps": STEPS,
        "largest sign": largest,
        "largest difference in the usual way": float(np.abs(plain - usual).max()),
    }
    _show.table(
        f"losses of {STEPS} steps under dropout and candidate sampling",
        ["", "bit-identical", "largest difference"],
        [
            [
                "GradientProbe each step",
                figures["identical with the probe"],
                f"{np.abs(plain - probed).max():.6f}",
            ],
            [
                "a fetch each step",
                figures["identical in the usual way"],
                f"{figures['largest difference in the usual way']:.6f}",
            ],
        ],
    )
    return figures


if __name__ == "__main__":
    _show.as_in_tf1()
    main()
