"""A TF1 script: which packages of contrib import, and which names its most used ones have.

Prints JSON: {"packages": {name: None or the error}, "names": {package: [names]}}.
"""

import importlib
import json
import sys

import tensorflow as tf

MOST_USED = "layers rnn learn framework slim training seq2seq legacy_seq2seq data metrics".split()


def tried(name):
    """None, or why a package of contrib does not import."""
    try:
        importlib.import_module("tensorflow.contrib." + name)
    except Exception as error:
        return repr(error)
    return None


def main(packages):
    """Walks these packages, and the most used ones."""
    names = {
        package: [name for name in dir(getattr(tf.contrib, package)) if not name.startswith("_")]
        for package in MOST_USED
    }
    names["estimator"] = [name for name in dir(tf.estimator) if not name.startswith("_")]
    print(json.dumps({"packages": {name: tried(name) for name in packages}, "names": names}))


if __name__ == "__main__":
    main(sys.argv[1:])
