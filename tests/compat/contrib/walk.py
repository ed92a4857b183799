"""A TF1 script: which packages of contrib import. Prints JSON: {name: None or the error}."""

import importlib
import json
import sys

import tensorflow as tf  # noqa: F401


def tried(name):
    """None, or why a package of contrib does not import."""
    try:
        importlib.import_module("tensorflow.contrib." + name)
    except Exception as error:
        return repr(error)
    return None


if __name__ == "__main__":
    print(json.dumps({name: tried(name) for name in sys.argv[1:]}))
