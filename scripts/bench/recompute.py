"""Peak memory and time of a step with recomputed activations, beside plain gradients.

    python scripts/bench/recompute.py [--script memory_saving_gradients.py]

For a ResNet of 100 blocks and a transformer of 24 layers: the peak of the process's
memory over that before the first step, and the time of a step. Each peak is measured in
a process of its own, where malloc gives freed blocks back at once; the times in one
process with unchanged malloc, one way after another. ``--script`` names a copy of the public
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
WAYS = ["plain", "memory", "speed", "collection"]
MODELS = ["resnet of 100 blocks", "transformer of 24 layers"]
#: Blocks of more than 64 KiB go back to the system when they are freed.
MALLOC = {"MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "65536"}


def build(tf, model):
    """The loss; the collection has the outputs of sqrt(n) blocks."""
    import architectures

    if model.startswith("resnet"):
        loss = architectures.residual(tf, tf.compat.v1, 100, channels=16, side=32, batch=8)
    else:
        loss = architectures.transformer(
            tf, tf.compat.v1, 24, width=128, length=128, batch=4, heads=4, words=500
        )
    blocks = loss.graph.get_collection("blocks")
    step = int(len(blocks) ** 0.5)
    for block in blocks[step - 1 : -1 : step]:
        loss.graph.add_to_collection("checkpoints", block)
    return loss


def gradients_by(tf, way, loss, xs, script):
    from tfgraphtools import gradients

    if way == "plain":
        return tf.compat.v1.gradients(loss, xs)
    if way.startswith("script"):
        sys.path.insert(0, str(pathlib.Path(script).resolve().parent))
        public = __import__(pathlib.Path(script).stem)
        return public.gradients(loss, xs, checkpoints=way.split()[1])
    return gradients.recompute_gradients(loss, xs, checkpoints=way)


def memory(name):
    """A line of /proc/self/status, in MiB."""
    with open("/proc/self/status", encoding="ascii") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith(name)) / 1024


def step_by(tf, way, model, script):
    """(the training op, the gradients, seconds to build them)."""
    tf1 = tf.compat.v1
    loss, xs = build(tf, model), tf1.trainable_variables()
    start = time.perf_counter()
    grads = gradients_by(tf, way, loss, xs, script)
    built = time.perf_counter() - start
    step = tf1.train.GradientDescentOptimizer(1e-3).apply_gradients(zip(grads, xs))
    return step, [tf.convert_to_tensor(grad) for grad in grads], built


def peak(tf, model, way, script, steps=4):
    """(MiB of a step at the most, seconds to build)."""
    tf1 = tf.compat.v1
    step, _, built = step_by(tf, way, model, script)
    with tf1.Session() as session:
        session.run(tf1.global_variables_initializer())
        before = memory("VmRSS")
        session.run(step)  # the kernels' own memory stays: it counts in every row
        with open("/proc/self/clear_refs", "w", encoding="ascii") as reset:
            reset.write("5")
        for _ in range(steps):
            session.run(step)
        return memory("VmHWM") - before, built


def times(tf, model, ways, script, rounds):
    """Of each way: median seconds, median ratio to the plain step, difference of the gradients."""
    tf1, sessions, gradients = tf.compat.v1, [], []
    for way in ways:
        with tf1.Graph().as_default() as graph:
            step, grads, _ = step_by(tf, way, model, script)
            session = tf1.Session(graph=graph)
            session.run(tf1.global_variables_initializer())
            gradients.append(session.run(grads))
            sessions.append((session, step))
    seconds = []
    for _ in range(rounds + 2):
        seconds.append([])
        for session, step in sessions:
            start = time.perf_counter()
            session.run(step)
            seconds[-1].append(time.perf_counter() - start)
    return [
        (
            median(row[i] for row in seconds[2:]),
            median(row[i] / row[0] for row in seconds[2:]),
            difference(gradients[0], gradients[i]),
        )
        for i in range(len(ways))
    ]


def difference(plain, others):
    scale = max(abs(grad).max() for grad in plain)
    return max(abs(a - b).max() for a, b in zip(plain, others)) / scale


def started(arguments, script, **environment):
    """The numbers that a process of this file prints, or the last line of its error."""
    command = [sys.executable, __file__, *arguments, *(["--script", script] if script else [])]
    environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", **environment)
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode:
        return done.stderr.strip().splitlines()[-1][:90]
    return [float(number) for number in done.stdout.splitlines()[-1].split()]


def show(model, ways, script, rounds):
    """A line for each way; one that fails says why, and is not timed."""
    peaks = {way: started(["--peak", model, way], script, **MALLOC) for way in ways}
    running = [way for way in ways if not isinstance(peaks[way], str)]
    timed = started(["--times", model, ",".join(running), "--rounds", str(rounds)], script)
    if isinstance(timed, str):
        raise SystemExit(timed)
    for way in ways:
        if way not in running:
            print(f"{model:26}{way:>18}  {peaks[way]}", flush=True)
            continue
        (most, built), at = peaks[way], 3 * running.index(way)
        print(
            f"{model:26}{way:>18}{most:10.0f}{most / peaks['plain'][0]:10.2f}{timed[at]:10.3f}"
            f"{timed[at + 1]:10.2f}{built:10.2f}{timed[at + 2]:12.1e}",
            flush=True,
        )


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--script")
    options.add_argument("--rounds", type=int, default=15, help="timed steps of each way")
    options.add_argument("--peak", nargs=2, help=argparse.SUPPRESS)
    options.add_argument("--times", nargs=2, help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.peak or given.times:
        sys.path.insert(0, str(HELPERS))
        import tensorflow as tf

        tf.compat.v1.disable_eager_execution()
        if given.peak:
            print(*peak(tf, *given.peak, given.script))
            return
        model, ways = given.times
        measured = times(tf, model, ways.split(","), given.script, given.rounds)
        print(*[number for row in measured for number in row])
        return
    ways = WAYS + ([f"script {way}" for way in WAYS[1:]] if given.script else [])
    heads = ["peak MiB", "of plain", "step s", "of plain", "built s"]
    heads = "".join(f"{head:>10}" for head in heads)
    print(f"{'':26}{'way':>18}{heads}{'difference':>12}")
    for model in MODELS:
        show(model, ways, given.script, given.rounds)


if __name__ == "__main__":
    main()
