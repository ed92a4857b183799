"""Writes ``held.tsv`` of `compat/fixes/tensorflow`: what inner modules of 1.15 held.

    cd scripts/generate
    TF1PYTHON held.py names NAMES.json
    tfgraphtools run --without tensorflow.held_names held.py write NAMES.json [FILE]

The first walks TF 1.15.5 and says of each name of each module below ``tensorflow.python`` whose it
is. The second keeps the names that `run` does not give and whose owner has them today.
"""

import collections
import importlib
import json
import pathlib
import pkgutil
import re
import sys
import types
import warnings

INSIDE = "tensorflow.python."

#: What a name of an inner module is where its owner says nothing of use.
DECORATORS = ("estimator_export", "keras_export", "tf_export")
BUILTINS = {"Text": "str", "xrange": "range"}

#: Modules of 1.15 that were written in C++, and where their functions are today.
OF_CPP = ("pywrap_tensorflow", "pywrap_tensorflow_internal")
NOW_IN = ("pywrap_tfe", "util._pywrap_utils")
#: Functions that take other arguments today.
CHANGED = re.compile(r"^TFE_(Monitoring|Py_FastPathExecute)")


def main(task, names, file=None):
    warnings.simplefilter("ignore")
    path = pathlib.Path(names)
    if task == "names":
        path.write_text(json.dumps(walked(), indent=0))
    else:
        held = missing(json.loads(path.read_text()))
        folder = pathlib.Path(__file__).resolve().parents[2] / "tfgraphtools" / "compat" / "fixes"
        there = folder / "tensorflow" / "held.tsv"
        pathlib.Path(file or there).write_text(written(held), encoding="utf-8")


def walked():
    """{module: {name: [whether it is a module, its owner]}} of the TensorFlow that runs."""
    import tensorflow_core.python as package

    found = {}
    for module in pkgutil.walk_packages(package.__path__, INSIDE):
        try:
            importlib.import_module(module.name)
        except Exception:
            continue
        found[module.name] = None
    for name in found:
        module = sys.modules[name]
        public = [each for each in dir(module) if not each.startswith("_")]
        found[name] = {each: owner(each, getattr(module, each)) for each in public}
    return found


def owner(name, value):
    """[whether it is a module, the name of the module that it is or is of]."""
    if isinstance(value, types.ModuleType):
        return [True, value.__name__]
    if type(value).__name__ == "partial" and name in DECORATORS:
        return [False, INSIDE + "util.tf_export"]
    kind = type(value).__name__
    return [False, "" if kind == "_Feature" else str(getattr(value, "__module__", None))]


def missing(names):
    """{module: {name: target}} of what `run` does not give, and could."""
    found, known = {}, {}
    for module, its_names in names.items():
        real = imported(module)
        if real is None or ".keras.api" in module:
            continue
        if module in [INSIDE + each for each in OF_CPP]:
            found[module] = functions_of_cpp(its_names)
            continue
        targets = {}
        for name, (is_module, place) in its_names.items():
            place = place.replace("tensorflow_core.", "tensorflow.")
            if place in ("", "None", module) or hasattr(real, name):
                continue
            key = (place, "" if is_module else BUILTINS.get(name, name))
            if key not in known:
                holder = imported(place)
                known[key] = holder is not None and (is_module or hasattr(holder, key[1]))
            if known[key]:
                targets[name] = short(place) + (":" + key[1] if key[1] else "")
        if targets:
            found[module] = targets
    return found


def functions_of_cpp(names):
    today = {place: imported(INSIDE + place) for place in NOW_IN}
    return {
        name: place + ":" + name
        for name in names
        for place, module in today.items()
        if hasattr(module, name) and not CHANGED.search(name)
    }


def imported(name):
    try:
        return importlib.import_module(name)
    except BaseException:  # some end the process
        return None


def short(place):
    return place[len(INSIDE) :] if place.startswith(INSIDE) else "/" + place


def written(held):
    """The text of the file; a target that several modules have for a name is its usual one."""
    counts = collections.defaultdict(collections.Counter)
    for names in held.values():
        for name, target in names.items():
            counts[name][target] += 1
    most = {name: targets.most_common(1)[0] for name, targets in counts.items()}
    usual = {name: target for name, (target, count) in most.items() if count > 1}
    lines = [
        short(module)
        + "\t"
        + " ".join(n if usual.get(n) == t else n + "=" + t for n, t in sorted(names.items()))
        for module, names in held.items()
    ]
    first = "*\t" + " ".join(f"{name}={target}" for name, target in sorted(usual.items()))
    return "\n".join([first, *sorted(lines)]) + "\n"


if __name__ == "__main__":
    main(*sys.argv[1:])
