"""Peak memory and time of a step with recomputed activations, beside plain gradients.

    python scripts/bench/recompute.py [--script memory_saving_gradients.py]

For a ResNet of 100 blocks and a transformer of 24 layers: the peak of the process's
memory over that before the first step, and the time of a step. Each peak is measured in
a process of its own, where malloc gives freed blocks back at once; the times in one
process with malloc as it is, all ways in turn. ``--script`` names a copy of the public
script of gradient-checkpointing, which TF 1.15 runs.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import time
from statistics import median

HELPERS = pathlib.Path(__file__).resolve().parent.parent.parent / "tests" / "helpers"
WAYS = ["plain", "memory", "speed"]
MODELS = ["resnet of 100 blocks", "transformer of 24 layers"]
#: Blocks of more than 64 KiB go back to the system when they are freed.
MALLOC = {"MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "65536"}


def build(tf, model):
    import architectures

    if model.startswith("resnet"):
        return architectures.residual(tf, tf.compat.v1, 100, channels=16, side=32, batch=8)
    return architectures.transformer(
        tf, tf.compat.v1, 24, width=128, length=128, batch=4, heads=4, words=500
    )


def gradients_by(tf, way, loss, xs, script):
    from tfgraphtools import gradients

    if way == "plain":
        return tf.compat.v1.gradients(loss, xs)
    if way == "script":
        sys.path.insert(0, str(pathlib.Path(script).resolve().parent))
        public = __import__(pathlib.Path(script).stem)
        return public.gradients_memory(loss, xs)
    return gradients.recompute_gradients(loss, xs, checkpoints=way)


def memory(name):
    """A line of /proc/self/status, in MiB."""
    with open("/proc/self/status", encoding="ascii") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith(name)) / 1024


def step_by(tf, way, model, script):
    """(the training op, seconds to build the gradients)."""
    tf1 = tf.compat.v1
    loss, xs = build(tf, model), tf1.trainable_variables()
    start = time.perf_counter()
    grads = gradients_by(tf, way, loss, xs, script)
    built = time.perf_counter() - start
    return tf1.train.GradientDescentOptimizer(1e-3).apply_gradients(zip(grads, xs)), built


def peak(tf, model, way, script, steps=4):
    """(MiB of a step at the most, seconds to build)."""
    tf1 = tf.compat.v1
    step, built = step_by(tf, way, model, script)
    with tf1.Session() as session:
        session.run(tf1.global_variables_initializer())
        before = memory("VmRSS")
        session.run(step)  # the kernels' own memory stays: it counts in every row
        with open("/proc/self/clear_refs", "w", encoding="ascii") as reset:
            reset.write("5")
        for _ in range(steps):
            session.run(step)
        return memory("VmHWM") - before, built


def times(tf, model, ways, script, rounds=15):
    """Each way's median of seconds, and of the ratios to the plain step of the same round."""
    tf1, sessions = tf.compat.v1, []
    for way in ways:
        with tf1.Graph().as_default() as graph:
            step = step_by(tf, way, model, script)[0]
            sessions.append((tf1.Session(graph=graph), step))
            sessions[-1][0].run(tf1.global_variables_initializer())
    seconds = []
    for _ in range(rounds + 2):
        seconds.append([])
        for session, step in sessions:
            start = time.perf_counter()
            session.run(step)
            seconds[-1].append(time.perf_counter() - start)
    return [
        (median(row[i] for row in seconds[2:]), median(row[i] / row[0] for row in seconds[2:]))
        for i in range(len(ways))
    ]


def started(arguments, script, **environment):
    """The numbers that a process of this file prints."""
    command = [sys.executable, __file__, *arguments, *(["--script", script] if script else [])]
    environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", **environment)
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode:
        raise SystemExit(done.stderr.strip()[-300:])
    return [float(number) for number in done.stdout.splitlines()[-1].split()]


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--script")
    options.add_argument("--peak", nargs=2, help=argparse.SUPPRESS)
    options.add_argument("--times", help=argparse.SUPPRESS)
    given = options.parse_args()
    ways = WAYS + (["script"] if given.script else [])
    if given.peak or given.times:
        sys.path.insert(0, str(HELPERS))
        import tensorflow as tf

        tf.compat.v1.disable_eager_execution()
        if given.peak:
            print(*peak(tf, *given.peak, given.script))
        else:
            print(*[number for row in times(tf, given.times, ways, given.script) for number in row])
        return
    heads = ["way", "peak MiB", "of plain", "step s", "of plain", "built s"]
    print(" " * 26 + "".join(f"{head:>10}" for head in heads))
    for model in MODELS:
        timed = started(["--times", model], given.script)
        plain = None
        for i, way in enumerate(ways):
            most, built = started(["--peak", model, way], given.script, **MALLOC)
            plain = plain or most
            print(
                f"{model:26}{way:>10}{most:10.0f}{most / plain:10.2f}"
                f"{timed[2 * i]:10.3f}{timed[2 * i + 1]:10.2f}{built:10.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
