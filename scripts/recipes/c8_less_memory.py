"""C8: a deep network in the memory of a shallow one, by recomputed activations.

Plain gradients keep every activation until the backward pass reaches it, so the memory
grows with the depth. `recompute_gradients` keeps a few and computes the others again: the
memory grows with the square root of the depth. The gradients are the same.
"""

import json
import os
import subprocess
import sys

import _show
import numpy as np
import tensorflow as tf

from tfgraphtools import gradients

tf1 = tf.compat.v1

DEPTHS = (16, 32, 64, 128)
WAYS = {"plain": tf1.gradients, "recomputed": gradients.recompute_gradients}
#: Freed memory returns to the system at once, so that it can be measured; oneDNN has a pool.
MEASURED = {"MALLOC_MMAP_THRESHOLD_": "65536", "TF_ENABLE_ONEDNN_OPTS": "0"}


def network(depth):
    """(loss, variables) of a residual network of this depth; each activation has 1 MB."""
    h, variables = tf.ones([1024, 256]), []
    for i in range(depth):
        w = tf1.get_variable(f"w{i}", [256], initializer=tf1.zeros_initializer())
        variables.append(w)
        h = h + tf.tanh(h * w) * 0.1
    return tf.reduce_mean(tf.square(h)), variables


def memory(name):
    """A line of /proc/self/status in MB."""
    with open("/proc/self/status", encoding="ascii") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith(name)) / 1000


def peak(way, depth):
    """(peak MB of a backward pass, the gradients)."""
    with tf1.Graph().as_default(), tf1.Session() as session:
        loss, variables = network(depth)
        grads = WAYS[way](loss, variables)
        session.run(tf1.global_variables_initializer())
        found = session.run(grads)
        with open("/proc/self/clear_refs", "w", encoding="ascii") as reset:
            reset.write("5")
        before = memory("VmRSS")
        session.run([grad.op for grad in grads])
        return memory("VmHWM") - before, np.stack(found)


def measure(depths):
    """Prints the peaks of all ways at these depths as JSON."""
    found = {way: [] for way in WAYS}
    same = True
    for depth in depths:
        grads = []
        for way in WAYS:
            most, value = peak(way, depth)
            found[way].append(most)
            grads.append(value)
        same = same and np.allclose(*grads, rtol=0, atol=2e-6 * np.abs(grads[0]).max())
    print(json.dumps({"peaks": found, "same gradients": bool(same)}))


def main(depths=DEPTHS):
    environment = dict(os.environ, **MEASURED)
    command = [sys.executable, os.path.abspath(__file__), "measure", *map(str, depths)]
    printed = subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    figures = json.loads(printed.splitlines()[-1])
    peaks = figures["peaks"]
    _show.table(
        "peak memory of a backward pass, MB",
        ["layers", "plain", "recomputed"],
        [
            [depth, f"{plain:.0f}", f"{ours:.0f}"]
            for depth, plain, ours in zip(depths, peaks["plain"], peaks["recomputed"])
        ],
    )
    return figures


if __name__ == "__main__":
    _show.as_in_tf1()
    measure(map(int, sys.argv[2:])) if sys.argv[1:2] == ["measure"] else main()
