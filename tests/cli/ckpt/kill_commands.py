"""Kills writing commands at random moments, in children of a process that has loaded everything.

    python kill_commands.py FOLDER KILLS SEED GROUP

GROUP is "plain", or "tensorflow" for the commands that need it. Prints a line of JSON for each
command: its name, how many kills left the old state and how many the new one, and in ``wrong`` what
was found by a reader, or after `recover`, that is neither, or litter.
"""

import contextlib
import hashlib
import importlib.util
import json
import os
import random
import shutil
import signal
import sys
import time
import zipfile

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "helpers"))
from language_models import tiny_bert  # noqa: E402

from tfgraphtools import checkpoints, cli  # noqa: E402
from tfgraphtools.checkpoints.format import bundle  # noqa: E402

RULE = ["--rule", "(.*)", r"new/\1"]

#: {name: (the words, what they write)}; every destination exists before, with other contents.
PLAIN = {
    "rename": (["rename", "src/m", "dst/m", "--force"] + RULE, ["dst/m"]),
    "rename-first": (["rename", "src/m", "first/m"] + RULE, ["first/m"]),
    "rename-in-place": (["rename", "src/m", "--in-place"] + RULE, ["src/m"]),
    "rename-copy": (["rename", "src/m", "dst/m", "--force", "--copy"] + RULE, ["dst/m"]),
    "strip": (["strip", "src/m", "--in-place", "--compact"], ["src/m"]),
    "cast": (["cast", "src/m", "dst/m", "--force", "--to", "float64"], ["dst/m"]),
    "cast-in-place": (["cast", "src/m", "--in-place", "--to", "bfloat16"], ["src/m"]),
    "partition": (["partition", "src/m", "--in-place", "--into", "w.*", "2"], ["src/m"]),
    "merge": (["merge", "dst/m", "src/m", "other/m", "--force"], ["dst/m"]),
    "average": (["average", "dst/m", "src/m", "src/m", "--force"], ["dst/m"]),
    "split": (
        ["split", "src/m", "dst/m", "--match", "w0.*", "--rest", "dst/n", "--force"],
        ["dst/m", "dst/n"],
    ),
    "salvage": (["verify", "bad/m", "--salvage", "dst/m", "--force"], ["dst/m"]),
    "npz": (["convert", "src/m", "dst/a.npz", "--to", "npz", "--force"], ["dst/a.npz"]),
    "npz-compressed": (
        ["convert", "src/m", "dst/a.npz", "--to", "npz", "--compress", "--force"],
        ["dst/a.npz"],
    ),
    "safetensors": (
        ["convert", "src/m", "dst/a.safetensors", "--to", "safetensors", "--force"],
        ["dst/a.safetensors"],
    ),
    "tf1": (["convert", "other/a.npz", "dst/m", "--to", "tf1", "--force"], ["dst/m"]),
    "object": (["convert", "other/m", "dst/m", "--to", "object", "--force"] + RULE, ["dst/m"]),
    "torch": (
        ["convert", "graph", "dst/t.safetensors", "--to", "torch", "--like", "like.safetensors"]
        + ["--force"],
        ["dst/t.safetensors"],
    ),
    "tf1-back": (
        ["convert", "like.safetensors", "dst/m", "--to", "tf1", "--like", "graph", "--force"],
        ["dst/m"],
    ),
    "hf": (["convert", "bert/m", "dst/hf", "--to", "hf", "--force"], ["dst/hf"]),
    "hf-first": (["convert", "bert/m", "first/hf", "--to", "hf"], ["first/hf"]),
    "hf-shards": (
        ["convert", "bert/m", "dst/hf", "--to", "hf", "--force", "--max-shard-size", "100KB"],
        ["dst/hf"],
    ),
}
GRAPH = ["--meta", "graph.meta", "--outputs", "y", "--force"]
WITH_TENSORFLOW = {
    "saved_model": (
        ["convert", "graph", "dst/saved", "--to", "saved_model"] + GRAPH,
        ["dst/saved"],
    ),
    "frozen": (["convert", "graph", "dst/f.pb", "--to", "frozen"] + GRAPH, ["dst/f.pb"]),
    "keras": (
        ["convert", "graph", "dst/m.keras", "--to", "keras", "--model", "model.py:build"]
        + ["--rule", "(.*)", r"\1", "--force"],
        ["dst/m.keras"],
    ),
    "saved_model-first": (
        ["convert", "graph", "first/saved", "--to", "saved_model"] + GRAPH[:-1],
        ["first/saved"],
    ),
    "keras-weights": (
        ["convert", "graph", "dst/m.weights.h5", "--to", "keras", "--model", "model.py:build"]
        + ["--rule", "(.*)", r"\1", "--force"],
        ["dst/m.weights.h5"],
    ),
    "torch-pt": (
        ["convert", "graph", "dst/t.pt", "--to", "torch", "--like", "like.safetensors", "--force"],
        ["dst/t.pt"],
    ),
}


def write(prefix, tensors):
    """Writes {name: values} as a checkpoint."""
    os.makedirs(os.path.dirname(prefix), exist_ok=True)
    np.savez(prefix + ".npz", **tensors)
    checkpoints.from_npz(prefix + ".npz", prefix)
    os.unlink(prefix + ".npz")


def make(folder, group):
    """What every command begins with."""
    numbers = np.random.RandomState(0)
    values = {f"w{i}": numbers.randn(300, 400).astype(np.float32) for i in range(6)}
    values.update({f"w{i}/Adam": values[f"w{i}"] * 0.5 for i in range(6)})
    values.update({f"w{i}/Adam_1": values[f"w{i}"] ** 2 for i in range(6)})
    write(f"{folder}/src/m", dict(values, global_step=np.int64(3)))
    write(f"{folder}/other/m", {"o/w": numbers.randn(50, 60).astype(np.float32)})
    checkpoints.to_npz(f"{folder}/other/m", f"{folder}/other/a.npz")
    write(f"{folder}/bad/m", values)
    with open(f"{folder}/bad/m.data-00000-of-00001", "r+b") as file:
        file.write(b"\xff\xff")
    old = {"old/w": numbers.randn(200, 200).astype(np.float32)}
    write(f"{folder}/dst/m", old)
    write(f"{folder}/dst/n", old)
    checkpoints.to_npz(f"{folder}/dst/n", f"{folder}/dst/a.npz")
    checkpoints.to_safetensors(f"{folder}/dst/n", f"{folder}/dst/a.safetensors")
    os.makedirs(f"{folder}/first")
    dense = {"dense/kernel": numbers.randn(400, 300), "dense/bias": numbers.randn(300)}
    dense = {name: array.astype(np.float32) for name, array in dense.items()}
    write(f"{folder}/graph", dense)
    like = {"dense.weight": -dense["dense/kernel"].T, "dense.bias": -dense["dense/bias"]}
    np.savez(f"{folder}/like.npz", **like)
    with checkpoints.open_archive(f"{folder}/like.npz") as arrays:
        checkpoints.to_safetensors(arrays, f"{folder}/like.safetensors")
    os.unlink(f"{folder}/like.npz")
    checkpoints.to_safetensors(f"{folder}/dst/n", f"{folder}/dst/t.safetensors")
    make_bert(folder)
    if group == "tensorflow":
        make_graph(folder)


def make_bert(folder):
    """A BERT of one layer, and a folder that was made of an older one."""
    for prefix, sign in ((f"{folder}/old-bert/m", -1), (f"{folder}/bert/m", 1)):
        write(prefix, {name: sign * array for name, array in tiny_bert(width=100).items()})
        with open(os.path.dirname(prefix) + "/bert_config.json", "w") as file:
            json.dump({"num_attention_heads": 2, "hidden_act": "relu"}, file)
    checkpoints.to_hugging_face(f"{folder}/old-bert/m", f"{folder}/dst/hf")


def make_graph(folder):
    """A graph with a checkpoint, and old things in the place of what is made of it; in a child."""
    code = """
import sys, tensorflow.compat.v1 as v1
v1.disable_eager_execution()
x = v1.placeholder(v1.float32, [None, 400], name="x")
w = v1.get_variable("dense/kernel", [400, 300], use_resource=False)
b = v1.get_variable("dense/bias", [300], use_resource=False)
y = v1.identity(v1.matmul(x, w) + b, name="y")
with v1.Session() as session:
    session.run(v1.global_variables_initializer())
    v1.train.Saver().save(session, sys.argv[1] + "/graph", write_state=False)
"""
    import subprocess

    subprocess.run([sys.executable, "-c", code, folder], check=True)
    with open(f"{folder}/model.py", "w") as file:
        file.write(
            "import keras\ndef build():\n    return keras.Sequential([keras.Input((400,)), "
            "keras.layers.Dense(300, name='dense')])\n"
        )
    os.makedirs(f"{folder}/dst/saved/variables")
    for name in ("dst/saved/saved_model.pb", "dst/f.pb", "dst/t.pt"):
        with open(f"{folder}/{name}", "wb") as file:
            file.write(b"old")
    import h5py

    with h5py.File(f"{folder}/old.h5", "w") as file:
        file["layers/dense/vars/0"] = np.zeros((30, 40), np.float32)
    with zipfile.ZipFile(f"{folder}/dst/m.keras", "w") as archive:
        archive.write(f"{folder}/old.h5", "model.weights.h5")
    os.rename(f"{folder}/old.h5", f"{folder}/dst/m.weights.h5")


def contents(path):
    """What stands for the bytes of a file."""
    with open(path, "rb") as file:
        return hashlib.sha1(file.read()).hexdigest()


def state(path):
    """What is at a prefix, in a file or in a folder: it must be readable."""
    if os.path.isfile(path + "/saved_model.pb"):
        is_old = contents(path + "/saved_model.pb") == hashlib.sha1(b"old").hexdigest()
        return "old" if is_old else state(path + "/variables/variables")
    if os.path.isdir(path):
        return [(name, contents(path + "/" + name)) for name in sorted(os.listdir(path))]
    if path.endswith((".pb", ".pt")):
        return contents(path)
    if not os.path.exists(path) and not os.path.exists(path + ".index"):
        return None
    report = checkpoints.verify(path)
    assert report.ok, str(report)
    digest = hashlib.sha1()
    with checkpoints.open_checkpoint(path) as ckpt:
        for name in sorted(ckpt):
            digest.update(repr((name, ckpt.info(name).shape, len(ckpt.info(name).slices))).encode())
            digest.update(np.ascontiguousarray(ckpt.raw(name)).tobytes())
    return digest.hexdigest()


#: What is written as a folder: `state` looks at all of it.
WHOLE_FOLDERS = ("dst/saved", "dst/hf", "first/saved", "first/hf")


def litter(folder, before):
    """The names that are neither of before nor of a checkpoint, a file or a folder in place."""
    left = []
    whole = tuple(f"{folder}/{name}" for name in WHOLE_FOLDERS)
    for place, folders, names in os.walk(folder):
        if place.startswith(whole) or "__pycache__" in place:
            continue
        indexes = {}
        for name in names:
            if name.endswith(".index"):
                with checkpoints.open_checkpoint(os.path.join(place, name)) as ckpt:
                    indexes[name[:-6]] = ckpt.num_shards
        for name in names + folders:
            path = os.path.relpath(os.path.join(place, name), folder)
            shard = bundle.split_shard_path(name)
            if shard and indexes.get(shard[0]) == shard[2]:
                continue
            if shard or name.startswith(".tfgraphtools") or path not in before:
                left.append(path)
    known = ("first/checkpoint", "first/m.index", "__pycache__", *WHOLE_FOLDERS)
    return [path for path in left if path not in known]


def run_in_child(folder, words):
    """The process id of a child that runs a command."""
    child = os.fork()
    if child:
        return child
    os.chdir(folder)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    os._exit(cli.main(["ckpt"] + words))


def check(root, name, words, written, kills, rng):
    """Kills one command again and again."""
    pristine, folder = root + "/pristine", root + "/" + name
    before = set()
    for place, folders, names in os.walk(pristine):
        before |= {os.path.relpath(os.path.join(place, n), pristine) for n in names + folders}

    def fresh():
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(pristine, folder)

    def states():
        return [state(f"{folder}/{path}") for path in written]

    fresh()
    old = states()
    begun = time.time()
    _, status = os.waitpid(run_in_child(folder, words), 0)
    longest = time.time() - begun
    assert status in (0, 1 << 8), (name, status)
    new = states()
    assert all(a != b for a, b in zip(old, new)), name
    outcomes = {"old": 0, "new": 0, "wrong": []}
    for _ in range(kills):
        fresh()
        child = run_in_child(folder, words)
        time.sleep(rng.random() * longest * 1.05)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        seen = states()  # before any recovery: this is what a reader sees
        for place in sorted({os.path.dirname(path) for path in written}):
            checkpoints.recover(f"{folder}/{place}")
        after = states()
        for early, late, a, b in zip(seen, after, old, new):
            if early not in (a, b) or late != early:
                outcomes["wrong"].append(f"{early}, then {late}; {a} before, {b} after")
        if name == "rename-first":  # a first checkpoint comes with its state file
            if os.path.exists(f"{folder}/first/checkpoint") != (after != [None]):
                outcomes["wrong"].append("the checkpoint, or its state file, without the other")
        left = litter(folder, before)
        if left:
            outcomes["wrong"].append(f"litter: {left}")
        outcomes["new" if after == new else "old"] += 1
    shutil.rmtree(folder)
    return dict(outcomes, command=name, seconds=round(longest, 3))


def main(root, kills, seed, group):
    rng = random.Random(int(seed))
    make(root + "/pristine", group)
    if group == "tensorflow":
        import keras  # noqa: F401
        import tensorflow  # noqa: F401

        with contextlib.suppress(ImportError):
            import torch  # noqa: F401
    commands = dict(PLAIN if group == "plain" else WITH_TENSORFLOW)
    if not importlib.util.find_spec("torch"):
        commands.pop("torch-pt", None)
    for name, (words, written) in commands.items():
        print(json.dumps(check(root, name, words, written, int(kills), rng)), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
