"""What the gradient tools cost: against the size of the graph, and on an op that is trained.

    python scripts/bench/gradients.py

First: seconds to explain a gradient, to replace a variable, and to build and run a
probe, on graphs of growing size, and the same per op: it should not grow. Then one
training step with shaped, straight-through and overridden layers against the plain one.
"""

import os
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np  # noqa: E402
import side_by_side  # noqa: E402
import tensorflow as tf  # noqa: E402

from tfgraphtools import gradients  # noqa: E402

tf1 = tf.compat.v1


def network(size):
    """(w, loss): a deep residual chain of about this many ops."""
    w = tf1.get_variable("w", [16], use_resource=True)
    h = w * 1.0
    while len(tf1.get_default_graph().get_operations()) < size:
        h = tf.tanh(h * 1.01) + h
    return w, tf.reduce_sum(h)


def seconds(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def against_size(sizes=(1000, 4000, 16000)):
    """Seconds, and microseconds per op, of each tool on graphs of these sizes."""
    print(f"{'ops':>8} {'explain':>18} {'replace':>18} {'probe, built':>18} {'probe, run':>12}")
    for size in sizes:
        with tf1.Graph().as_default() as graph, tf1.Session() as session:
            w, loss = network(size)
            session.run(tf1.global_variables_initializer())
            print(one_size(session, w, loss, len(graph.get_operations())), flush=True)


def one_size(session, w, loss, ops):
    explain = seconds(lambda: gradients.explain_gradient(loss, w))
    start = time.perf_counter()
    probe = gradients.GradientProbe(session, loss, w)
    built = time.perf_counter() - start
    replace = seconds(lambda: gradients.graph_replace(loss, {w: w + 1.0}))
    probe.run()
    run = min(seconds(probe.run) for _ in range(5))
    cells = [f"{t:7.2f} s {t / ops * 1e6:5.0f} us" for t in (explain, replace, built)]
    return f"{ops:8} " + " ".join(f"{cell:>18}" for cell in cells) + f" {run * 1e3:9.1f} ms"


LAYERS = {
    "plain": lambda x: x,
    "scale_gradient": lambda x: gradients.scale_gradient(x, 0.1),
    "reverse_gradient": lambda x: gradients.reverse_gradient(x, 0.1),
    "clip_gradient by value": lambda x: gradients.clip_gradient(x, -1.0, 1.0),
    "clip_gradient by norm": lambda x: gradients.clip_gradient(x, norm=1.0),
    "mask_gradient": lambda x: gradients.mask_gradient(x, np.arange(512) % 2 == 0),
}


def overridden(x):
    with gradients.override_gradient({"Relu": gradients.guided_relu}):
        return tf.nn.relu(x)


def floor_overridden(x):
    with gradients.override_gradient({"Floor": "Identity"}):
        return tf.floor(x)


def native_floor(x):
    with x.graph.gradient_override_map({"Floor": "Identity"}):
        return tf.floor(x)


def step(layer):
    """A function that runs one training step of two matmuls with the layer between them."""
    graph = tf1.Graph()
    with graph.as_default():
        x = tf.constant(np.random.RandomState(0).randn(256, 512).astype(np.float32))
        first = tf1.get_variable("first", [512, 512], use_resource=True)
        second = tf1.get_variable("second", [512, 512], use_resource=True)
        hidden = layer(tf.matmul(x, first))
        loss = tf.reduce_mean(tf.matmul(hidden, second) ** 2)
        train = tf1.train.GradientDescentOptimizer(1e-4).minimize(loss)
        initialize = tf1.global_variables_initializer()
    session = tf1.Session(graph=graph)
    session.run(initialize)
    return lambda: session.run(train)


def main():
    tf1.disable_eager_execution()
    tf1.logging.set_verbosity(tf1.logging.ERROR)
    against_size()
    side_by_side.measure(
        "a training step with a shaped layer", {name: step(f) for name, f in LAYERS.items()}, 40
    )
    side_by_side.measure(
        "guided ReLU", {"relu": step(tf.nn.relu), "relu, overridden": step(overridden)}, 40
    )
    side_by_side.measure(
        "floor with the gradient of the identity",
        {
            "TF's own override map": step(native_floor),
            "override_gradient": step(floor_overridden),
            "gradients.floor": step(gradients.floor),
        },
        40,
    )


if __name__ == "__main__":
    main()
