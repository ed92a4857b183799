"""Run by both Pythons: lists the public names of TF 1.15, or what is missing of a list.

With one word: writes all names outside contrib into that file. With two: reads
the first, and writes those that are missing, and those that are gone, into the second.
"""

import json
import sys
import types

import tensorflow as tf

_BESIDE = ("contrib", "compat", "python", "core", "examples", "tools", "pywrap_tensorflow")
_PUBLIC = (
    "tensorflow._api",
    "tensorflow_core._api",
    "tensorflow_core.keras",
    "tensorflow_core.estimator",
    "tensorflow_estimator.python.estimator.api",
)


def walk(module, name, names, seen):
    """Adds the names of a public module, and of the public modules in it."""
    if id(module) in seen:
        return
    seen.add(id(module))
    for attribute in sorted(dir(module)):
        if attribute.startswith("_") or attribute in ("absolute_import", "division"):
            continue
        if attribute == "print_function" or (name == "tensorflow" and attribute in _BESIDE):
            continue
        value = getattr(module, attribute, None)
        full = name + "." + attribute
        names.append(full)
        if isinstance(value, types.ModuleType):
            if name == "tensorflow" or value.__name__.startswith(_PUBLIC):
                walk(value, full, names, seen)


def error_of(name):
    """None where the name is there, else the error that it raises."""
    value = tf
    try:
        for part in name.split(".")[1:]:
            value = getattr(value, part)
    except (AttributeError, ImportError) as error:  # such as the estimator without its package
        return type(error).__name__
    return None


if __name__ == "__main__":
    if len(sys.argv) == 2:
        found = []
        walk(tf, "tensorflow", found, set())
        with open(sys.argv[1], "w") as file:
            json.dump(found, file)
    else:
        with open(sys.argv[1]) as file:
            errors = {name: error_of(name) for name in json.load(file)}
        with open(sys.argv[2], "w") as file:
            json.dump({name: kind for name, kind in errors.items() if kind}, file)
