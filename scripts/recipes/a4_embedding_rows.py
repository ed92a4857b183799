"""A4: fine-tune some rows of an embedding: the new tokens, say.

A mask with one element per row freezes the others, bit for bit. Leaving the frozen tokens out of
the batches is not enough: after one step on a row, Adam moves it in each step that follows, even
if no batch has its token. Here the mask is a constant; a fed mask can release rows during the
training.
"""

import _show
import numpy as np
import tensorflow as tf

from tfgraphtools import training

tf1 = tf.compat.v1

TOKENS, NEW, WIDTH, STEPS = 50, 3, 8, 60


def train(frozen, steps=STEPS):
    """The embedding after each step: some sentences have old tokens, some have new ones."""
    random = np.random.RandomState(0)
    start = random.normal(size=[TOKENS, WIDTH]).astype(np.float32)
    target = random.normal(size=WIDTH).astype(np.float32)
    with tf1.Graph().as_default(), tf1.Session() as session:
        embedding = tf1.get_variable("embedding", initializer=start)
        tokens = tf1.placeholder(tf.int32, [None])
        vectors = tf.nn.embedding_lookup(embedding, tokens)
        optimizer = tf1.train.AdamOptimizer(0.1)
        if frozen is not None:
            optimizer = training.FreezeOptimizer(optimizer, {"embedding": frozen})
        step = optimizer.minimize(tf.reduce_mean(tf.reduce_sum((vectors - target) ** 2, 1)))
        session.run(tf1.global_variables_initializer())
        values = [start]
        for _ in range(steps):
            session.run(step, {tokens: random.randint(TOKENS, size=10)})
            values.append(session.run(embedding))
    return np.array(values)


def main():
    is_old = np.arange(TOKENS)[:, None] < TOKENS - NEW  # shape (tokens, 1): a value for each row
    figures = {"plain Adam": train(None), "frozen rows": train(is_old)}
    changes = {name: np.abs(values[-1] - values[0]).max(1) for name, values in figures.items()}
    rows = [[name, c[:-NEW].max().round(3), c[-NEW:].max().round(3)] for name, c in changes.items()]
    _show.table("largest change", ["training", "old tokens", "new tokens"], rows)
    return figures


if __name__ == "__main__":
    _show.as_in_tf1()
    main()
