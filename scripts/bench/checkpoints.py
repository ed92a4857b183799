"""Checkpoint commands as whole processes, beside TensorFlow's way and `cp`, in one run.

    python scripts/bench/checkpoints.py [--gib 1] [--repeat 3] [--folder DIR] [--without-tensorflow]

It makes a checkpoint of 64 variables and one of 10,000 in a temporary folder, and
removes them. A line is the best of the repeats: seconds, seconds of processor time, largest
resident memory, and the ratio of the seconds to those of the group's first line.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, ROOT)

from made_checkpoints import make, make_like  # noqa: E402
from processes import Group, run  # noqa: E402

VARIABLES = 64
ARCHIVES = ("safetensors", "npz")
RENAME = ["--rule", "model/(.*)", r"renamed/\1"]
CKPT = [sys.executable, "-m", "tfgraphtools", "ckpt"]
#: The same, as if google-crc32c were not installed.
PLAIN = [
    sys.executable,
    "-c",
    "import sys; sys.modules['google_crc32c'] = None; "
    "from tfgraphtools.cli import console_main; console_main()",
    "ckpt",
]

TF_LIST = "import sys, tensorflow as tf; print(len(tf.train.list_variables(sys.argv[1])))"
TF_RENAME = """
import sys, tensorflow as tf
v1 = tf.compat.v1
reader = v1.train.NewCheckpointReader(sys.argv[1])
names = sorted(reader.get_variable_to_shape_map())
with v1.Graph().as_default(), v1.Session() as session:
    tensors = [v1.placeholder(tf.float32) for _ in names]
    save = tf.raw_ops.SaveV2(prefix=sys.argv[2], tensor_names=["renamed/" + n for n in names],
                             shape_and_slices=[""] * len(names), tensors=tensors)
    session.run(save, {t: reader.get_tensor(n) for t, n in zip(tensors, names)})
"""

#: One file of arrays, as one writes it with everything in memory.
TF_EXPORT = """
import sys, numpy as np, tensorflow as tf
reader = tf.compat.v1.train.NewCheckpointReader(sys.argv[1])
arrays = {name: reader.get_tensor(name) for name in reader.get_variable_to_shape_map()}
"""
TF_NPZ = TF_EXPORT + "np.savez(sys.argv[2], **arrays)"
TF_SAFETENSORS = (
    TF_EXPORT + "from safetensors.numpy import save_file; save_file(arrays, sys.argv[2])"
)


TF_OBJECT = """
import sys, tensorflow as tf
reader = tf.train.load_checkpoint(sys.argv[1])
names = sorted(reader.get_variable_to_shape_map())
root = tf.train.Checkpoint()
for name in names:
    node = root
    for part in name.split("/")[:-1]:
        if not hasattr(node, part):
            setattr(node, part, tf.train.Checkpoint())
        node = getattr(node, part)
    setattr(node, name.split("/")[-1], tf.Variable(reader.get_tensor(name)))
root.write(sys.argv[2])
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--gib", type=float, default=1.0)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--folder", help="where to write (default: the system's temporary folder)")
    parser.add_argument("--without-tensorflow", action="store_true")
    parser.add_argument(
        "--make", nargs=3, metavar=("PREFIX", "COUNT", "FLOATS"), help=argparse.SUPPRESS
    )
    options = parser.parse_args()
    if options.make:
        make(options.make[0], int(options.make[1]), int(options.make[2]))
        return
    folder = tempfile.mkdtemp(prefix="bench-checkpoints-", dir=options.folder)
    try:
        Bench(folder, options).all()
    finally:
        shutil.rmtree(folder)


def make_apart(prefix, count, floats):
    """`make` in a process of its own: ours must stay small, since a child's peak begins with it."""
    words = [os.path.abspath(__file__), "--make", prefix, str(count), str(floats)]
    subprocess.run([sys.executable] + words, check=True)


class Bench:
    """The measurements, of a checkpoint of few large variables and one of many small."""

    def __init__(self, folder, options):
        self.folder, self.gib, self.repeat = folder, options.gib, options.repeat
        self.has_tf = not options.without_tensorflow
        self.big, self.many, self.out = (os.path.join(folder, n) for n in ("big", "many", "out"))
        self.data = self.big + ".data-00000-of-00001"
        self.floats = int(options.gib * (1 << 30)) // 4 // VARIABLES // 4 * 4
        make_apart(self.big, VARIABLES, self.floats)
        make_apart(self.many, 10000, 12)

    def all(self):
        self.listings()
        self.renames()
        self.object_based()
        self.against_cp("google-crc32c if installed", CKPT)
        self.against_cp("NumPy alone", PLAIN)
        self.exports()
        self.torch()
        self.memory()

    def listings(self):
        group = Group("list 10,000 variables", self.repeat)
        group.add("ckpt ls", CKPT + ["ls", self.many])
        group.add("ckpt ls --tree", CKPT + ["ls", self.many, "--tree"])
        if self.has_tf:
            group.add("tf.train.list_variables", [sys.executable, "-c", TF_LIST, self.many])
        group.show()

    def renames(self):
        group = Group(f"rename {self.gib} GiB", self.repeat)
        self.add(group, "ckpt rename", CKPT + ["rename", self.big, self.out] + RENAME)
        self.add_cp(group)
        if self.has_tf:
            self.add(group, "load all, SaveV2", self.python(TF_RENAME))
        group.show()
        group = Group("rename 10,000 variables", self.repeat)
        self.add(group, "ckpt rename", CKPT + ["rename", self.many, self.out] + RENAME)
        group.show()

    def object_based(self):
        rule = ["--to", "object", "--rule", "(.*)", r"net/\1"]
        group = Group(f"object-based, {self.gib} GiB", self.repeat)
        convert = CKPT + ["convert", self.big, self.out] + rule
        self.add(group, "ckpt convert --to object", convert)
        self.add_cp(group)
        if self.has_tf:
            self.add(group, "load all, tf.train.Checkpoint", self.python(TF_OBJECT))
        group.show()
        made = os.path.join(self.folder, "object")
        run(CKPT + ["convert", self.big, made] + rule)
        group = Group(f"and back, {self.gib} GiB", self.repeat)
        back = CKPT + ["convert", made, self.out, "--to", "tf1"]
        self.add(group, "ckpt convert --to tf1", back)
        self.add_cp(group)
        group.show()

    def against_cp(self, label, ckpt):
        group = Group(f"against cp, {self.gib} GiB, {label}", self.repeat)
        self.add_cp(group)
        flushed = f"cp {self.data} {self.out}.copy && sync {self.out}.copy"
        self.add(group, "cp, flushed to the disk", ["sh", "-c", flushed])
        group.add("ckpt verify", ckpt + ["verify", self.big])
        two = [self.big, self.out]
        self.add(group, "ckpt cast --to float16", ckpt + ["cast", *two, "--to", "float16"])
        half = ["--match", "model/layer_[0-9]*[02468]/kernel", "--compact"]
        self.add(group, "ckpt strip --compact (half of it)", ckpt + ["strip", *two, *half])
        rename = ckpt + ["rename", *two, "--compact"] + RENAME
        self.add(group, "ckpt rename --compact (all of it)", rename)
        group.show()

    def exports(self):
        group = Group(f"export {self.gib} GiB, against cp", self.repeat)
        self.add_cp(group)
        self.add_exports(group)
        if self.has_tf:
            self.add(group, "load all, np.savez", self.python(TF_NPZ, ".npz"))
            saved = self.python(TF_SAFETENSORS, ".safetensors")
            self.add(group, "load all, safetensors.save_file", saved)
        group.show()
        for kind in ARCHIVES:  # from them, back to a checkpoint
            archive = os.path.join(self.folder, "archive." + kind)
            run(CKPT + ["convert", self.big, archive, "--to", kind])
            group = Group(f"{kind} back to a checkpoint, {self.gib} GiB", self.repeat)
            self.add_cp(group)
            back = CKPT + ["convert", archive, self.out, "--to", "tf1"]
            self.add(group, "ckpt convert --to tf1", back)
            group.show()
            os.remove(archive)

    def torch(self):
        """To PyTorch's layout, every matrix transposed, without PyTorch."""
        like = os.path.join(self.folder, "like.safetensors")
        make_like(like, VARIABLES, self.floats)
        group = Group(f"to a state dict, {self.gib} GiB, against cp", self.repeat)
        flushed = f"cp {self.data} {self.out}.copy && sync {self.out}.copy"
        self.add(group, "cp, flushed to the disk", ["sh", "-c", flushed])
        to = [f"{self.out}.safetensors", "--to", "torch", "--like", like]
        self.add(group, "ckpt convert --to torch", CKPT + ["convert", self.big, *to])
        group.show()
        os.remove(like)

    def memory(self):
        """Of a quarter of the size: the last, because it writes the large checkpoint again."""
        make_apart(self.big, VARIABLES, self.floats // 16 * 4)
        group = Group(f"memory at {self.gib / 4} GiB: as above if flat", 1)
        group.add("ckpt verify", CKPT + ["verify", self.big])
        two = [self.big, self.out]
        self.add(group, "ckpt cast --to float16", CKPT + ["cast", *two, "--to", "float16"])
        rename = CKPT + ["rename", *two, "--compact"] + RENAME
        self.add(group, "ckpt rename --compact", rename)
        self.add_exports(group)
        group.show()

    def add(self, group, label, command):
        """Adds what writes `out`, which is then removed."""
        group.add(label, command, [self.out])

    def add_cp(self, group):
        self.add(group, "cp", ["cp", self.data, self.out + ".copy"])

    def add_exports(self, group):
        for kind in ARCHIVES:
            command = CKPT + ["convert", self.big, f"{self.out}.{kind}", "--to", kind]
            self.add(group, f"ckpt convert --to {kind}", command)

    def python(self, program, ending=""):
        """The words that run one of the programs above on the large checkpoint."""
        return [sys.executable, "-c", program, self.big, self.out + ending]


if __name__ == "__main__":
    main()
