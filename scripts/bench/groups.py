"""What groups with optimizers of their own cost, side by side with one optimizer for all."""

import numpy as np
import tensorflow as tf
from side_by_side import measure
from steps import Step, adam

from tfgraphtools import training

v1 = tf.compat.v1
LAYERS = 8


def mlp():
    x = tf.constant(np.random.RandomState(0).normal(size=(256, 512)).astype(np.float32))
    for i in range(LAYERS):
        w = v1.get_variable(f"layer{i}/w", [512, 512])
        x = tf.nn.relu(tf.matmul(x, w))
    return tf.reduce_mean(tf.square(x))


def loop():
    """Eight weights used in one while loop: its backward pass is never shared."""
    x = tf.constant(np.random.RandomState(0).normal(size=(64, 128)).astype(np.float32))
    weights = [v1.get_variable(f"layer{i}/w", [128, 128]) for i in range(LAYERS)]

    def body(i, h):
        for w in weights:
            h = tf.tanh(tf.matmul(h, w))
        return i + 1, h

    return tf.reduce_mean(tf.square(tf.while_loop(lambda i, h: i < 5, body, [0, x])[1]))


def grouped(model, count):
    def build():
        loss = model()
        groups = [
            training.Group(
                f"group{g}", "|".join(f"layer{i}/w" for i in range(g, LAYERS, count)), adam()
            )
            for g in range(count)
        ]
        return training.PartitionOptimizer(groups).minimize(loss), None

    return build


def minimize(model, count):
    """The old way: a `minimize` for each group (which races on ref variables)."""

    def build():
        loss = model()
        variables = v1.trainable_variables()
        return [adam().minimize(loss, var_list=variables[g::count]) for g in range(count)], None

    return build


def bench_groups(rounds, resource):
    for name, model in (("an 8-layer MLP", mlp), ("a while_loop of 8 layers", loop)):
        ways = {
            "one Adam": minimize(model, 1),
            "two minimize calls": minimize(model, 2),
            "eight minimize calls": minimize(model, 8),
            "PartitionOptimizer, 2 groups": grouped(model, 2),
            "PartitionOptimizer, 8 groups": grouped(model, 8),
        }
        kind = "resource" if resource else "ref"
        steps = {way: Step(build, resource) for way, build in ways.items()}
        measure(f"One step of {name}, {kind} variables", steps, rounds)
