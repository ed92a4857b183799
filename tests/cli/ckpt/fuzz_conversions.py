"""Conversions that need TensorFlow, Keras or PyTorch, on damaged files.

    python fuzz_conversions.py FOLDER INPUTS SEED [KEEP]

A child for every input, of a process that has imported all of them. Prints a line of JSON for each
culprit, and then how often each exit code came. What a command may allocate is what it takes for
the intact files, and some times the size of the damaged ones. KEEP is a folder for the culprits.
"""

import collections
import functools
import json
import os
import pathlib
import random
import resource
import select
import shutil
import signal
import sys

import numpy as np

TESTS = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(TESTS.parent), str(TESTS / "helpers")]

from checkpoint_damage import (  # noqa: E402
    hostile_npz,
    hostile_safetensors,
    mutations,
    with_valid_checksums,
)
from command_limits import Limits, filled  # noqa: E402
from language_models import tiny_bert  # noqa: E402

from tfgraphtools import checkpoints  # noqa: E402

_BASE, _FACTOR = 32 << 20, 4
_SECONDS = 60  # of the clock, on a busy machine; `Limits` counts the processor's

OUTPUTS = ["--outputs", "y"]
TO_GRAPHS = [
    ["--to", "saved_model", *OUTPUTS],
    ["--to", "frozen", *OUTPUTS],
    ["--to", "frozen", "--outputs", "y", "h", "--inputs", "x"],
    ["--to", "saved_model", *OUTPUTS, "--keep-training"],
]
OF_META = [["convert", "GOOD", "OUT", "--meta", "IN", *words] for words in TO_GRAPHS]
TO_KERAS = ["--to", "keras", "--model", "MODEL.py:build", "--drop-optimizer"]
OF_META.append(["convert", "GOOD", "OUT.keras", *TO_KERAS, "--meta", "IN"])
OF_CHECKPOINTS = [["convert", "IN", "OUT", "--meta", "GOOD.meta", *words] for words in TO_GRAPHS]
OF_CHECKPOINTS += [
    ["convert", "IN", "OUT.keras", *TO_KERAS],
    ["convert", "IN", "OUT.weights.h5", *TO_KERAS],
    ["convert", "IN", "OUT.safetensors", "--to", "torch", "--model", "MODEL.py:net"],
    ["convert", "IN", "OUT.pt", "--to", "torch", "--model", "MODEL.py:net"],
    ["convert", "LIKE.safetensors", "OUT", "--to", "tf1", "--like", "IN"],
    ["convert", "IN", "OUT", "--to", "hf"],
    ["convert", "IN", "OUT", "--to", "timm"],
    ["convert", "IN", "OUT.keras", "--to", "keras"],
]
OF_BERT = [
    ["convert", "IN", "OUT", "--to", "hf"],
    ["convert", "IN", "OUT", "--to", "hf", "--max-shard-size", "200B"],
    ["convert", "HF", "OUT", "--to", "tf1", "--like", "IN"],
    ["families", "IN"],
]
OF_SETTINGS = [["convert", "BERT", "OUT", "--to", "hf", "--config", "IN"]]
OF_MODELS = [
    ["convert", "GOOD", "OUT.keras", "--to", "keras", "--model", "IN", "--drop-optimizer"],
    [
        "convert",
        "GOOD",
        "OUT.weights.h5",
        "--to",
        "keras",
        "--model",
        "IN",
        "--dry-run",
        "--drop-optimizer",
    ],
]
OF_STATES = [
    ["convert", "GOOD", "OUT.safetensors", "--to", "torch", "--like", "IN"],
    ["convert", "GOOD", "OUT.pt", "--to", "torch", "--like", "IN", "--dry-run"],
    ["convert", "IN", "OUT", "--to", "tf1", "--like", "GOOD"],
]
BACK = [["convert", "IN", "OUT", "--to", "tf1", "--like", "GOOD"]]
OF_FOLDERS = [["convert", "IN", "OUT", "--to", "tf1", "--like", "BERT"]]


def hostile_meta(data, rng):
    """A MetaGraphDef that parses, with nodes that are not as they were."""
    from tensorflow.core.protobuf import meta_graph_pb2

    meta = meta_graph_pb2.MetaGraphDef.FromString(data)
    nodes = meta.graph_def.node
    for _ in range(rng.choice([1, 1, 3])):
        at = rng.randrange(len(nodes))
        kind, node = rng.randrange(5), nodes[at]
        if kind == 0:
            del nodes[at]
        elif kind == 1 and node.input:
            node.input[rng.randrange(len(node.input))] = rng.choice([nodes[0].name, "none", "x:9"])
        elif kind == 2:
            node.op = rng.choice([rng.choice(nodes).op, "Merge", "AssignSub", "NoSuchOp"])
        elif kind == 3:
            del node.input[:]
        elif node.attr:
            del node.attr[rng.choice(sorted(node.attr))]
    return meta.SerializeToString()


#: (folder, the name to pass, the file to damage, how else to damage it, commands)
CASES = [
    ("graph", "m.meta", "m.meta", hostile_meta, OF_META),
    ("graph", "m.meta", "m.meta", hostile_meta, OF_META),
    ("graph", "m", "m.index", with_valid_checksums, OF_CHECKPOINTS),
    ("graph", "m", "m.data-00000-of-00001", None, OF_CHECKPOINTS),
    ("graph", "m", "m.index", with_valid_checksums, OF_CHECKPOINTS),
    ("bert", "m", "m.index", with_valid_checksums, OF_BERT),
    ("bert", "m", "bert_config.json", None, OF_BERT[:2]),
    ("settings", "config.json", "config.json", None, OF_SETTINGS),
    ("model", "config.json", "config.json", None, OF_MODELS),
    ("keras", "m.keras", "m.keras", hostile_npz, OF_MODELS + BACK),
    ("h5", "m.weights.h5", "m.weights.h5", None, BACK),
    ("states", "m.safetensors", "m.safetensors", hostile_safetensors, OF_STATES),
    ("pt", "m.pt", "m.pt", hostile_npz, OF_STATES),
    ("hf", "", "model.safetensors", hostile_safetensors, OF_FOLDERS),
    ("shards", "", "model.safetensors.index.json", None, OF_FOLDERS),
]


# The intact files -------------------------------------------------------------

MODEL = """
def build():
    import keras
    layers = [keras.Input((5,)), keras.layers.Dense(4, name="dense"),
              keras.layers.BatchNormalization(name="norm"), keras.layers.Dense(3, name="out")]
    return keras.Sequential(layers)

def net():
    import torch
    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.dense = torch.nn.Linear(5, 4)
            self.norm = torch.nn.BatchNorm1d(4, eps=1e-3)
            self.out = torch.nn.Linear(4, 3)
    return Net()
"""


def make(folder):
    """Writes the intact files; needs TensorFlow, and runs in a child for that."""
    import tensorflow

    for name in {case[0] for case in CASES}:
        (folder / name).mkdir(parents=True)
    (folder / "model.py").write_text(MODEL)
    _make_graph(tensorflow.compat.v1, str(folder / "graph" / "m"))
    _make_bert(folder)
    spec = {}
    exec(MODEL, spec)
    tensorflow.random.set_seed(0)
    model = spec["build"]()
    (folder / "model" / "config.json").write_text(model.to_json())
    model.save(str(folder / "keras" / "m.keras"))
    model.save_weights(str(folder / "h5" / "m.weights.h5"))
    import torch

    net = spec["net"]()
    torch.save(net.state_dict(), str(folder / "pt" / "m.pt"))
    good = str(folder / "graph" / "m")
    checkpoints.to_torch(good, net, folder / "states" / "m.safetensors")
    shutil.copy(str(folder / "states" / "m.safetensors"), str(folder / "like.safetensors"))


def _make_graph(v1, prefix):
    with v1.Graph().as_default():
        training = v1.placeholder_with_default(True, [], name="training")
        x = v1.placeholder(v1.float32, [None, 5], name="x")

        def variable(name, *shape, trainable=True):
            return v1.get_variable(name, shape, trainable=trainable)

        h = v1.matmul(x, variable("dense/kernel", 5, 4)) + variable("dense/bias", 4)
        mean = variable("norm/moving_mean", 4, trainable=False)
        variance = variable("norm/moving_variance", 4, trainable=False)
        batch = v1.nn.moments(h, [0])
        means = v1.cond(training, lambda: batch, lambda: (v1.identity(mean), v1.identity(variance)))
        beta, gamma = variable("norm/beta", 4), variable("norm/gamma", 4)
        h = v1.identity(v1.nn.batch_normalization(h, *means, beta, gamma, 1e-3), name="h")
        h = v1.nn.dropout(h, rate=0.5)
        y = v1.add(v1.matmul(h, variable("out/kernel", 4, 3)), variable("out/bias", 3), name="y")
        v1.train.AdamOptimizer().minimize(v1.reduce_sum(y), v1.train.get_or_create_global_step())
        with v1.Session() as session:
            session.run(v1.global_variables_initializer())
            v1.train.Saver().save(session, prefix, write_state=False)


def _make_bert(folder):
    """A BERT of one layer, and what it becomes."""
    np.savez(str(folder / "bert.npz"), **tiny_bert())
    prefix = str(folder / "bert" / "m")
    checkpoints.from_npz(str(folder / "bert.npz"), prefix)
    settings = json.dumps({"num_attention_heads": 2, "hidden_act": "relu"})
    (folder / "bert" / "bert_config.json").write_text(settings)
    (folder / "settings" / "config.json").write_text(settings)
    for name, options in (("hf", {}), ("shards", {"max_shard_size": 200})):
        shutil.rmtree(str(folder / name))
        checkpoints.to_hugging_face(prefix, folder / name, **options)


# One input -----------------------------------------------------------------------


def paths(source, intact, folder):
    """What the words of a command stand for."""
    return {
        "IN": str(source),
        "OUT": str(folder / "out" / "m"),
        "GOOD": str(intact / "graph" / "m"),
        "BERT": str(intact / "bert" / "m"),
        "MODEL": str(intact / "model"),
        "LIKE": str(intact / "like"),
        "HF": str(intact / "hf"),
    }


def prepare(case, intact, folder, damage):
    """(the path to pass, bytes of the files beside it) of a copy that ``damage`` has changed."""
    source, name, file = case[:3]
    there = folder / "in"
    for place in (there, folder / "out"):
        shutil.rmtree(str(place), ignore_errors=True)
    shutil.copytree(str(intact / source), str(there))
    (folder / "out").mkdir()
    (there / file).write_bytes(damage((there / file).read_bytes()))
    return there / name, sum(path.stat().st_size for path in there.iterdir())


def in_child(words):
    """What a command does in a child: {"code", "said", "right", "peak"}."""
    receiver, sender = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(receiver)
        try:
            os.write(sender, json.dumps(_measured(words)).encode())
        finally:
            os._exit(0)
    os.close(sender)
    with os.fdopen(receiver, "rb") as answers:
        if not select.select([answers], [], [], _SECONDS)[0]:
            os.kill(child, signal.SIGKILL)
        answer = answers.read()
    status = os.waitpid(child, 0)[1]
    if not answer:
        return {"code": f"ended by signal {status & 127}", "said": [], "right": False, "peak": 0}
    return json.loads(answer.decode())


def _measured(words):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    before = _memory("VmRSS")
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")  # the highest that it has been: from here
    with Limits() as limits:
        code, lines, right = limits.run(words)
    peak = _memory("VmHWM") - before
    return {"code": str(code)[:300], "said": lines[-3:], "right": right, "peak": peak}


def _memory(key):
    with open("/proc/self/status") as file:
        for line in file:
            if line.startswith(key):
                return int(line.split()[1]) << 10


def main(folder, inputs, seed, keep=None):
    folder, rng = pathlib.Path(folder), random.Random(int(seed))
    intact = folder / "intact"
    child = os.fork()
    if child == 0:
        try:
            make(intact)
        except BaseException:
            import traceback

            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    import keras  # noqa: F401
    import safetensors  # noqa: F401
    import tensorflow  # noqa: F401
    import torch  # noqa: F401

    codes, usual = collections.Counter(), {}
    for number in range(int(inputs)):
        case = CASES[number % len(CASES)]
        words = rng.choice(case[4])
        key = case[0], case[2], *words
        if key not in usual:
            source, _ = prepare(case, intact, folder, bytes)
            outcome = in_child(filled(words, paths(source, intact, folder)))
            print(json.dumps({"intact": words, **outcome}), flush=True)
            usual[key] = outcome["peak"]
        special = case[3] if rng.random() < 0.6 else None
        damage = functools.partial(special or mutations, rng=rng)
        source, size = prepare(case, intact, folder, damage)
        outcome = in_child(filled(words, paths(source, intact, folder)))
        most = usual[key] + _BASE + _FACTOR * size
        codes[outcome["code"] if outcome["right"] else "wrong"] += 1
        if outcome["right"] and outcome["peak"] > most:
            outcome.update(right=False, code="{} bytes for {}".format(outcome["peak"], size))
        if not outcome["right"]:
            print(json.dumps({"culprit": number, "words": words, **outcome}), flush=True)
            if keep:
                kept = pathlib.Path(keep) / f"{seed}-{number}"
                shutil.copytree(str(folder / "in"), str(kept))
    print(json.dumps({"codes": codes}))


if __name__ == "__main__":
    main(*sys.argv[1:])
