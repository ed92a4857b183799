"""Peak memory and time of a step with recomputed activations, beside plain gradients.

    python scripts/bench/recompute.py [--script memory_saving_gradients.py]

For a ResNet of 100 blocks and a transformer of 24 layers: the peak of the process's
memory over that before the first step, and the median time of a step. Each row is a
process of its own, and malloc gives freed blocks back at once. ``--script`` names a
copy of the public script of gradient-checkpointing, which TF 1.15 runs.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import time

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


def one(model, way, script, steps=5):
    """(peak MiB of a step, median seconds of a step, seconds to build)."""
    import tensorflow as tf

    tf1 = tf.compat.v1
    tf1.disable_eager_execution()
    loss, xs = build(tf, model), tf1.trainable_variables()
    start = time.perf_counter()
    grads = gradients_by(tf, way, loss, xs, script)
    built = time.perf_counter() - start
    step = tf1.train.GradientDescentOptimizer(1e-3).apply_gradients(zip(grads, xs))
    with tf1.Session() as session:
        session.run(tf1.global_variables_initializer())
        before, times = memory("VmRSS"), []
        session.run(step)  # the kernels' own memory stays: it counts in every row
        with open("/proc/self/clear_refs", "w", encoding="ascii") as peak:
            peak.write("5")
        for _ in range(steps):
            start = time.perf_counter()
            session.run(step)
            times.append(time.perf_counter() - start)
        return memory("VmHWM") - before, sorted(times)[steps // 2], built


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--script")
    options.add_argument("--one", nargs=2)
    given = options.parse_args()
    sys.path.insert(0, str(HELPERS))
    if given.one:
        print("{:.0f} {:.3f} {:.2f}".format(*one(*given.one, given.script)))
        return
    ways = WAYS + (["script"] if given.script else [])
    heads = [("", 28), ("way", -8), ("peak MiB", -10), ("of plain", -10), ("step s", -8)]
    heads += [("of plain", -10), ("built", -8)]
    print("".join(f"{text:{width}}" if width > 0 else f"{text:>{-width}}" for text, width in heads))
    for model in MODELS:
        plain = None
        for way in ways:
            command = [sys.executable, __file__, "--one", model, way]
            command += ["--script", given.script] if given.script else []
            environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", **MALLOC)
            done = subprocess.run(command, capture_output=True, text=True, env=environment)
            if done.returncode:
                print(f"{model:28}{way:>8}  failed: {done.stderr.strip().splitlines()[-1][:90]}")
                continue
            peak, seconds, built = map(float, done.stdout.split()[-3:])
            plain = plain or (peak, seconds)
            print(
                f"{model:28}{way:>8}{peak:10.0f}{peak / plain[0]:10.2f}"
                f"{seconds:8.3f}{seconds / plain[1]:10.2f}{built:8.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
