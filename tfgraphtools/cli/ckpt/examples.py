"""Examples in the help of every command of `ckpt`; the tests run each of them.

They name files as a training leaves them: ``model.ckpt-1000`` with its ``.meta``, and a folder
``train`` of several checkpoints. ``net.py`` has a function ``build`` that returns a model of Keras,
``own.py`` a class ``Net`` of PyTorch; ``object-0`` is an object-based checkpoint of the new model.
"""

import argparse

from tfgraphtools.cli import _examples

EXAMPLES = {
    "ls": ["model.ckpt-1000", "train --tree --depth 2", "model.ckpt-1000 --match '.*kernel'"],
    "show": ["model.ckpt-1000 dense/kernel", "model.ckpt-1000 dense/kernel --slice 0:2,1"],
    "families": ["model.ckpt-1000", "model.ckpt-1000 --json"],
    "verify": ["model.ckpt-1000", "model.ckpt-1000 --salvage intact"],
    "diff": ["model.ckpt-1000 train", "model.ckpt-1000 train --deep"],
    "doctor": [
        "model.ckpt-1000 --graph model.ckpt-1000.meta",
        "model.ckpt-1000 --graph model.ckpt-1000.meta --map renames.json",
    ],
    "rename": [
        r"model.ckpt-1000 renamed --rule 'dense/(.*)' 'fc/\1'",
        r"model.ckpt-1000 renamed --rule 'dense/(.*)' 'fc/\1' --dry-run",
    ],
    "strip": ["model.ckpt-1000 weights", "model.ckpt-1000 weights --match 'dense/.*' --dry-run"],
    "cast": ["model.ckpt-1000 half --to float16", "model.ckpt-1000 half --to bfloat16 --dry-run"],
    "partition": [
        "model.ckpt-1000 sliced --into 'dense/kernel' 2",
        "model.ckpt-1000 sliced --into 'dense/kernel' 2 --axis 1 --dry-run",
    ],
    "merge": ["both model.ckpt-1000 other.ckpt", "both model.ckpt-1000 other.ckpt --dry-run"],
    "average": ["mean train --last 2", "mean train/m-1 train/m-2 --weights 1 3 --dry-run"],
    "split": [
        "model.ckpt-1000 dense --match 'dense/.*' --rest others",
        "model.ckpt-1000 dense --match 'dense/.*' --dry-run",
    ],
    "recover": [". --json", "train"],
    "convert": [
        "model.ckpt-1000 weights.npz --to npz",
        "model.ckpt-1000 net.safetensors --to torch --model own.py:Net",
        "--to keras --help",
    ],
}
#: {FORMAT: examples}, for `convert --to FORMAT --help`.
FORMATS = {
    "object": [
        r"model.ckpt-1000 object-1 --to object --rule '(.*)' 'net/\1' --drop-optimizer",
        "model.ckpt-1000 --to object --like object-0 --drop-optimizer --dry-run",
    ],
    "tf1": [
        "arrays.npz again --to tf1",
        "net.safetensors back --to tf1 --like model.ckpt-1000",
    ],
    "npz": ["model.ckpt-1000 weights.npz --to npz", "model.ckpt-1000 --to npz --dry-run"],
    "safetensors": [
        "model.ckpt-1000 arrays.safetensors --to safetensors",
        "model.ckpt-1000 half.safetensors --to safetensors --cast 'dense/.*' float16",
    ],
    "saved_model": ["model.ckpt-1000 served --to saved_model --outputs output"],
    "frozen": ["model.ckpt-1000 frozen.pb --to frozen --outputs output"],
    "keras": [
        "model.ckpt-1000 net.keras --to keras --model net.py:build --drop-optimizer",
        "model.ckpt-1000 --to keras --model net.py:build --write-draft map.json",
    ],
    "hf": ["bert/bert_model.ckpt bert-hf --to hf", "bert/bert_model.ckpt --to hf --dry-run"],
    "timm": ["vgg_16.ckpt vgg --to timm", "vgg_16.ckpt --to timm --dry-run"],
    "torch": [
        "model.ckpt-1000 net.safetensors --to torch --model own.py:Net",
        "model.ckpt-1000 --to torch --model own.py:Net --write-draft map.json",
    ],
}


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Adds the examples to the help of every command that a parser has by now."""
    for name, parser in subparsers.choices.items():
        if name in EXAMPLES:
            _examples.add(parser, "ckpt " + name, EXAMPLES[name])
