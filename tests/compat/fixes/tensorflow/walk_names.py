"""Run by both Pythons: lists the public names of TF 1.15, or what is missing of a list.

With a part and one file: writes the names of that part into it; those of modules that are imported
as "module:name". With two files: reads the first, and writes those that are missing, and why, into
the second. The parts:

tensorflow  all of ``tf``, outside contrib
contrib     each package of ``tf.contrib``, and the modules that it shows
compat      all of ``tf.compat``, its v1 and v2 too
classes     the public attributes of each class of ``tf`` and ``tf.compat`` but those of messages
keras       each module of ``tensorflow.keras`` and ``tensorflow.python.keras``: what they define
            and what they hold of one another
"""

import importlib
import json
import pkgutil
import sys
import types

import tensorflow as tf

_BESIDE = ("contrib", "compat", "python", "core", "examples", "tools", "pywrap_tensorflow")
_FUTURE = ("absolute_import", "division", "print_function")
_PUBLIC = (
    "tensorflow._api",
    "tensorflow_core._api",
    "tensorflow_core.keras",
    "tensorflow_core.estimator",
    "tensorflow_estimator.python.estimator.api",
)

#: What the wrappers of ops hold beside the functions: nobody's API.
_OF_WRAPPERS = ("tf_export", "deprecated_endpoints")


def walk(module, name, names, seen):
    """Adds the names of a public module, and of the public modules in it."""
    if id(module) in seen:
        return
    seen.add(id(module))
    for attribute in sorted(dir(module)):
        if attribute.startswith("_") or attribute in _FUTURE:
            continue
        if name == "tensorflow" and attribute in _BESIDE:
            continue
        value = getattr(module, attribute, None)
        full = name + "." + attribute
        names.append(full)
        if isinstance(value, types.ModuleType):
            if name == "tensorflow" or value.__name__.startswith(_PUBLIC):
                walk(value, full, names, seen)


def names_of_tensorflow():
    """Returns the names of ``tf``."""
    names = []
    walk(tf, "tensorflow", names, set())
    return names


def names_of_compat():
    """Returns the names of ``tf.compat``."""
    names = []
    walk(tf.compat, "tensorflow.compat", names, {id(tf)})
    return names


def names_of_classes():
    """Returns the names of the attributes of public classes, each class once."""
    names, seen = [], set()
    for name in names_of_tensorflow() + names_of_compat():
        value = tf
        for part in name.split(".")[1:]:
            value = getattr(value, part)
        if isinstance(value, type) and not hasattr(value, "DESCRIPTOR") and id(value) not in seen:
            seen.add(id(value))
            names += [name + "." + attribute for attribute in dir(value) if attribute[0] != "_"]
    return names


def _shown(module):
    for attribute in sorted(dir(module)):
        if not attribute.startswith("_") and attribute not in _FUTURE:
            value = getattr(module, attribute, None)
            if value is not None:
                yield attribute, value


def names_of_contrib():
    """Returns the names of the packages of contrib, and of the modules that those show."""
    names = []
    for part, package in _shown(tf.contrib):
        if isinstance(package, types.ModuleType):
            name = "tensorflow.contrib." + part
            names += _names_in_contrib(name, package)
            for attribute, value in _shown(package):
                inner = package.__name__ + "."
                if isinstance(value, types.ModuleType) and value.__name__.startswith(inner):
                    names += _names_in_contrib(name + "." + attribute, value)
    return names


def _names_in_contrib(name, module):
    return [
        name + "." + attribute
        for attribute, _ in _shown(module)
        if not attribute.endswith("_eager_fallback") and attribute not in _OF_WRAPPERS
    ]


def names_of_keras():
    """Returns "module:" of the modules of Keras, and "module:name" of what is Keras's in them."""
    names = []
    for root in ("tensorflow.keras", "tensorflow.python.keras"):
        package = importlib.import_module(root)
        modules = [info.name for info in pkgutil.walk_packages(package.__path__, root + ".")]
        for name in [root] + modules:
            if not (name.startswith("tensorflow.python.keras.api") or name.endswith("_test")):
                names.append(name + ":")
                module = importlib.import_module(name)
                names += [name + ":" + each for each, value in _shown(module) if _is_keras(value)]
    return names


def _is_keras(value):
    if isinstance(value, types.ModuleType):
        return False
    return ".keras" in (getattr(value, "__module__", None) or "")


def error_of(name):
    """Returns None where the name is there, else the error that it raises."""
    module, is_imported, attribute = name.partition(":")
    try:
        value = importlib.import_module(module) if is_imported else tf
        path = attribute if is_imported else module.partition(".")[2]
        for part in filter(None, path.split(".")):
            value = getattr(value, part)
    except (AttributeError, ImportError) as error:  # such as the estimator without its package
        return f"{type(error).__name__}: {error}"
    return None


def main(part, *files):
    """Writes the names of a part, or what is missing of those in a file."""
    if len(files) == 1:
        found = globals()["names_of_" + part]()
    else:
        with open(files[0]) as file:
            errors = {name: error_of(name) for name in json.load(file)}
        found = {name: error for name, error in errors.items() if error}
    with open(files[-1], "w") as file:
        json.dump(found, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
