"""How long it takes to start: bare Python, `import tfgraphtools`, `--help`, `ckpt ls`, `revive`.

The best of several runs in fresh processes: seconds, and seconds of processor time. The first two
stay under 0.2 s, the list of 10,000 tensors under 0.15 s; importing TensorFlow is for comparison.
"""

import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts" / "bench")]
from processes import checked  # noqa: E402

CASES = [
    ("python -c pass", ["-c", "pass"], 7),
    ("import tfgraphtools", ["-c", "import tfgraphtools"], 7),
    ("tfgraphtools --help", ["-m", "tfgraphtools", "--help"], 7),
    ("from tfgraphtools import checkpoints", ["-c", "from tfgraphtools import checkpoints"], 7),
    ("import tensorflow", ["-c", "import tensorflow"], 2),
]


LISTED = "tfgraphtools ckpt ls of 10,000"
PLANNED = "tfgraphtools revive of 250 files of TF 2"

#: A file of the 250, which run on TF 2.x: nothing is to do.
_OF_TF2 = (
    """\
import numpy as np
import tensorflow as tf
from layers_{} import Layer as Other


class Layer(tf.keras.layers.Layer):
    def call(self, inputs, training=False):
        if training and np.prod(inputs.shape) > {}:
            return tf.reduce_mean(tf.nn.relu(inputs), axis=-1, keepdims=True)
        return [Other(name=f"layer_{{i}}")(inputs) for i in range({})]


"""
    + "def function_{}(x, y):\n    return tf.matmul(x, tf.transpose(y)) + np.sqrt(2.0)\n\n\n" * 20
)


def seconds(words):
    """(seconds, seconds of processor time) of one process."""
    before, start = _used(), time.perf_counter()
    checked([sys.executable] + words, cwd=str(ROOT), stdout=subprocess.DEVNULL)
    return time.perf_counter() - start, _used() - before


def _used():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def write_checkpoint(prefix):
    """2,500 layers of a kernel with Adam's slots and a bias."""
    import numpy as np

    from tfgraphtools import checkpoints

    arrays = {
        f"model/encoder/layer_{i:04d}/attention/{name}": np.zeros(4, np.float32)
        for i in range(2500)
        for name in ("kernel", "kernel/Adam", "kernel/Adam_1", "bias")
    }
    np.savez(prefix + ".npz", **arrays)
    checkpoints.from_npz(prefix + ".npz", prefix)


def write_repository(folder):
    """250 files, of 80 lines each."""
    for number in range(250):
        numbers = [(number + 1) % 250, number, number, *range(20)]
        with open(f"{folder}/layers_{number}.py", "w", encoding="utf-8") as file:
            file.write(_OF_TF2.format(*numbers))


def main():
    best = {}
    with tempfile.TemporaryDirectory() as folder:
        write_checkpoint(folder + "/m")
        listing = (LISTED, ["-m", "tfgraphtools", "ckpt", "ls", folder + "/m"], 9)
        os.mkdir(folder + "/code")
        write_repository(folder + "/code")
        planning = (PLANNED, ["-m", "tfgraphtools", "revive", folder + "/code"], 3)
        for name, words, runs in CASES[:-1] + [listing, planning, CASES[-1]]:
            taken = [seconds(words) for _ in range(runs)]
            best[name] = min(wall for wall, _ in taken)
            used = min(cpu for _, cpu in taken)
            print(f"{name:38} {best[name]:6.3f} s {used:6.3f} s of CPU", flush=True)
    slowest = max(best["import tfgraphtools"], best["tfgraphtools --help"])
    print(f"{'slowest of the two that must be fast':38} {slowest:6.3f} s (bound: 0.200 s)")
    print(f"{LISTED:38} {best[LISTED]:6.3f} s (bound: 0.150 s)")
    print(f"{PLANNED:38} {best[PLANNED]:6.3f} s (bound: 30 s)")


if __name__ == "__main__":
    main()
