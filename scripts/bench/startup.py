"""How long it takes to start: bare Python, `import tfgraphtools`, `--help`, and what reads much.

The best of several runs in fresh processes: seconds, and seconds of processor time. The first two
stay under 0.2 s, the list of 10,000 tensors under 0.15 s, a graph of 100,000 nodes under 2 s;
importing TensorFlow is for comparison.
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
SHOWN = "tfgraphtools graph show of 100,000"
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


def write_graph(path):
    """100,000 nodes, each with two inputs, a dtype and a shape."""
    from tfgraphtools.checkpoints.format.wire import bytes_field, number_field

    shape = bytes_field(7, bytes_field(2, number_field(1, 128)) * 2)
    entries = ((b"T", number_field(6, 1)), (b"_output_shapes", bytes_field(1, shape)))
    attrs = b"".join(
        bytes_field(5, bytes_field(1, key) + bytes_field(2, value)) for key, value in entries
    )
    names = [f"scope_{i % 100}/layer_{i % 10}/op_{i}".encode() for i in range(100000)]
    with open(path, "wb") as file:
        for before, name in zip(names[-1:] + names, names):
            op = bytes_field(1, name) + bytes_field(2, b"MatMul") + bytes_field(3, before) * 2
            file.write(bytes_field(1, op + attrs))


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
        write_graph(folder + "/g.pb")
        showing = (SHOWN, ["-m", "tfgraphtools", "graph", "show", folder + "/g.pb"], 5)
        os.mkdir(folder + "/code")
        write_repository(folder + "/code")
        planning = (PLANNED, ["-m", "tfgraphtools", "revive", folder + "/code"], 3)
        for name, words, runs in CASES[:-1] + [listing, showing, planning, CASES[-1]]:
            taken = [seconds(words) for _ in range(runs)]
            best[name] = min(wall for wall, _ in taken)
            used = min(cpu for _, cpu in taken)
            print(f"{name:38} {best[name]:6.3f} s {used:6.3f} s of CPU", flush=True)
    slowest = max(best["import tfgraphtools"], best["tfgraphtools --help"])
    print(f"{'slowest of the two that must be fast':38} {slowest:6.3f} s (bound: 0.200 s)")
    print(f"{LISTED:38} {best[LISTED]:6.3f} s (bound: 0.150 s)")
    print(f"{SHOWN:38} {best[SHOWN]:6.3f} s (bound: 2 s)")
    print(f"{PLANNED:38} {best[PLANNED]:6.3f} s (bound: 30 s)")


if __name__ == "__main__":
    main()
