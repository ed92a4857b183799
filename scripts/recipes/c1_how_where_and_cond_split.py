"""C1: how does a gradient flow through `where` and `cond`?

Each element, or each branch, that was chosen gets the gradient; the other gets
zeros, not None; and the condition gets none at all. `explain_gradient` shows it
for a graph of your own.
"""

import _show
import tensorflow as tf

from tfgraphtools import gradients

tf1 = tf.compat.v1


def by_where(a, b):
    return tf1.reduce_sum(tf1.where(a > 0.0, 2.0 * a, 3.0 * b))


def by_cond(a, b):
    return tf1.cond(
        tf1.reduce_sum(a) > 0.0, lambda: tf1.reduce_sum(2.0 * a), lambda: tf1.reduce_sum(3.0 * b)
    )


def main():
    figures, explained = {}, {}
    for title, build in [("where", by_where), ("cond", by_cond)]:
        with tf1.Graph().as_default(), tf1.Session() as session:
            a = tf1.placeholder_with_default([1.0, -0.5], [2], name="a")
            b = tf1.placeholder_with_default([1.0, 1.0], [2], name="b")
            y = build(a, b)
            explained[title] = gradients.explain_gradient(y, [a, b])
            in_a, in_b = session.run(tf1.gradients(y, [a, b]))
            figures[title] = in_a.tolist(), in_b.tolist()
    _show.table(
        "where(a > 0, 2 a, 3 b) and cond(sum(a) > 0, 2 a, 3 b) at a = [1, -0.5]",
        ["", "gradient in a", "gradient in b"],
        [[title, str(in_a), str(in_b)] for title, (in_a, in_b) in figures.items()],
    )
    for explanation in explained.values():
        print(f"\n{explanation}")
    figures["explained"] = {title: str(one) for title, one in explained.items()}
    return figures


if __name__ == "__main__":
    _show.as_in_tf1()
    main()
