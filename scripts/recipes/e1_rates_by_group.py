"""E1: the first five layers at a rate of 1e-5, the new one at 1e-3.

Two ``minimize`` calls compute much of the backward pass twice, count the global
step twice, and race on ref variables: one optimizer changes a variable while the
other's gradient is still being computed from it. So do two ``apply_gradients`` of
one ``tf.gradients``. `PartitionOptimizer` computes one backward pass, all of it
before the first variable changes.
"""

import argparse

import _show
import numpy as np
import tensorflow as tf

from tfgraphtools import training

tf1 = tf.compat.v1


def two_minimize_calls(loss, make_lower, make_head, global_step):
    """The usual attempt."""
    lower, head = tf1.trainable_variables("layer"), tf1.trainable_variables("head")
    return tf1.group(
        make_lower().minimize(loss, var_list=lower, global_step=global_step),
        make_head().minimize(loss, var_list=head, global_step=global_step),
    )


def two_apply_calls(loss, make_lower, make_head, global_step):
    """The second attempt: one backward pass, and still a race."""
    lower, head = tf1.trainable_variables("layer"), tf1.trainable_variables("head")
    gradients = tf1.gradients(loss, lower + head)
    return tf1.group(
        make_lower().apply_gradients(zip(gradients, lower), global_step=global_step),
        make_head().apply_gradients(zip(gradients[len(lower) :], head)),
    )


def make_partition(make_lower, make_head):
    return training.PartitionOptimizer(
        [
            training.Group("lower", "layer.*", make_lower()),
            training.Group("head", "head/.*", make_head()),
        ]
    )


def partition(loss, make_lower, make_head, global_step):
    """The answer."""
    return make_partition(make_lower, make_head).minimize(loss, global_step=global_step)


WAYS = {
    "two minimize": two_minimize_calls,
    "two apply_gradients": two_apply_calls,
    "PartitionOptimizer": partition,
}


def dense(x, name, size, random):
    with tf1.variable_scope(name):
        inputs = x.shape.as_list()[1]
        start = random.randn(inputs, size) / np.sqrt(inputs)
        w = tf1.get_variable("w", initializer=start.astype(np.float32))
        return tf1.matmul(x, w)


def six_layers(way):
    """One step of Adam at 1e-5 and 1e-3. Returns the figures of the step."""
    random = np.random.RandomState(0)
    with tf1.Graph().as_default() as graph, tf1.Session() as session:
        x = tf1.constant(random.randn(16, 8), tf.float32)
        for i in range(1, 6):
            x = tf1.tanh(dense(x, f"layer{i}", 8, random))
        loss = tf1.reduce_mean((dense(x, "head", 1, random) - 1) ** 2)
        forward = sum(op.type == "MatMul" for op in graph.get_operations())
        global_step = tf1.train.get_or_create_global_step()
        train = WAYS[way](
            loss,
            lambda: tf1.train.AdamOptimizer(1e-5),
            lambda: tf1.train.AdamOptimizer(1e-3),
            global_step,
        )
        backward = sum(op.type == "MatMul" for op in graph.get_operations()) - forward
        variables = tf1.trainable_variables()
        session.run(tf1.global_variables_initializer())
        before = session.run(variables)
        session.run(train)
        steps = [np.abs(new - old).max() for new, old in zip(session.run(variables), before)]
        return {
            "step": {v.op.name: float(size) for v, size in zip(variables, steps)},
            "backward_matmuls": backward,
            "global_step": int(session.run(global_step)),
        }


def wrong_steps(build, grappler, runs, size=64, heads=8, rate=100.0):
    """How many of ``runs`` equal steps of SGD are not the step that the gradients say.

    The gradient of the lower layer reads every head's weights, while each head is
    free to change its own as soon as it has its gradient.
    """
    random = np.random.RandomState(0)
    config = tf1.ConfigProto()
    config.graph_options.rewrite_options.disable_meta_optimizer = not grappler
    with tf1.Graph().as_default(), tf1.Session(config=config) as session:
        x = tf1.constant(random.randn(size, size), tf.float32)
        lower = dense(x, "layer1", size, random)
        outputs = [dense(lower, f"head/{i}", size, random) for i in range(heads)]
        loss = tf1.reduce_mean(tf1.add_n(outputs) ** 2)
        variables = tf1.trainable_variables()
        gradients = tf1.gradients(loss, variables)
        sgd = tf1.train.GradientDescentOptimizer
        global_step = tf1.train.get_or_create_global_step()
        train = build(loss, lambda: sgd(rate), lambda: sgd(rate), global_step)
        start = tf1.global_variables_initializer()
        session.run(start)
        right = [w - rate * g for w, g in zip(*session.run([variables, gradients]))]
        wrong = 0
        for _ in range(runs):
            session.run(start)
            session.run(train)
            close = [np.allclose(r, w, atol=1e-4) for r, w in zip(right, session.run(variables))]
            wrong += not all(close)
        return wrong


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--runs",
        type=int,
        default=200,
        metavar="N",
        help="steps in which to look for a race (default: %(default)s)",
    )
    runs = parser.parse_args(argv).runs
    figures = {way: six_layers(way) for way in WAYS}
    _show.table(
        "One step: five layers at 1e-5, the head at 1e-3",
        ["", *WAYS],
        [
            [f"largest change of {name}"] + [f"{figures[way]['step'][name]:.1e}" for way in WAYS]
            for name in figures["PartitionOptimizer"]["step"]
        ]
        + [
            [what] + [figures[way][key] for way in WAYS]
            for what, key in [
                ("products in the backward pass", "backward_matmuls"),
                ("global step", "global_step"),
            ]
        ],
    )
    for way, build in WAYS.items():
        figures[way]["wrong"] = [wrong_steps(build, grappler, runs) for grappler in (True, False)]
    _show.table(
        f"Wrong steps out of {runs} (eight heads over one layer, SGD)",
        ["", "grappler on", "grappler off"],
        [[way] + figures[way]["wrong"] for way in WAYS],
    )
    return figures


if __name__ == "__main__":
    _show.as_in_tf1()
    main()
