"""The ways to run an old script: as it is, ours, and what people try today."""

import os
import pathlib
import re
import shlex
import subprocess
import sys

from corpus_parts import data

ROOT = pathlib.Path(__file__).resolve().parents[2]

#: way -> what the table calls it
WAYS = {
    "tf1": "TF 1.15",
    "older": "TF 1.15 or older, Python 2.7",
    "plain": "TF 2.x as it is",
    "alias": "sed to compat.v1",
    "upgrade": "tf_upgrade_v2",
    "slim": "alias, legacy Keras, tf_slim",
    "run": "tfgraphtools run",
    "upgraded": "tfgraphtools upgrade",
    "upgraded-pure": "tfgraphtools upgrade --no-runtime",
    "upgraded-bare": "tfgraphtools upgrade --no-copies",
}

_IMPORT = re.compile(r"^([ \t]*)import tensorflow as tf[ \t]*$", re.MULTILINE)
_ALIAS = r"\1import tensorflow.compat.v1 as tf; tf.disable_v2_behavior()"

#: What the way "slim" puts in front: the parts of tf.contrib that tf_slim still has.
_SLIM = """
import importlib, sys, types
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "tensorflow.contrib" or name.startswith("tensorflow.contrib."):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
    def create_module(self, spec):
        import tf_slim
        part = spec.name[len("tensorflow.contrib."):]
        if not part:
            module = types.ModuleType(spec.name)
            module.slim, module.layers, module.framework = tf_slim, tf_slim.layers, tf_slim
            return module
        known = {"slim": tf_slim, "layers": tf_slim.layers, "framework": tf_slim}
        if part not in known:
            raise ImportError("No module named " + repr(spec.name), name=spec.name)
        return known[part]
    def exec_module(self, module):
        pass
import importlib.machinery
sys.meta_path.insert(0, Finder())
"""
_SLIM_IMPORT = _ALIAS + "; from tensorflow import contrib as _c; tf.contrib = _c"

#: the ways by an old TensorFlow -> the variable that names the interpreters, and what they are
OLD = {
    "tf1": ("TFGRAPHTOOLS_TF1_PYTHON", "a Python with TF 1.15"),
    "older": ("TFGRAPHTOOLS_OLDER_PYTHONS", "Pythons with old TensorFlows, with colons between"),
}


#: the ways by our own `upgrade` -> its options
UPGRADED = {"upgraded": [], "upgraded-pure": ["--no-runtime"], "upgraded-bare": ["--no-copies"]}


class NoInterpreter(Exception):
    """A way needs an interpreter that nobody named."""


def prepare(way, folder):
    """Changes a copy of the sources as the way demands, and returns its environment."""
    if way == "alias":
        _rewrite(folder, _ALIAS)
    elif way == "slim":
        _rewrite(folder, _SLIM_IMPORT)
        extra = pathlib.Path(str(folder) + ".site")
        extra.mkdir()
        (extra / "sitecustomize.py").write_text(_SLIM)
        return {"PYTHONPATH": str(extra), "TF_USE_LEGACY_KERAS": "1"}
    elif way == "upgrade":
        _upgrade(folder)
    elif way in UPGRADED:
        _upgrade_by_us(folder, UPGRADED[way])
        return {"PYTHONPATH": str(ROOT)}
    return {}


def commands(way, script):
    """The commands that start a script in its folder, each with the environment it needs.

    The first that runs counts: a way with several interpreters has several commands.
    """
    words = shlex.split(script.path) if script.path.startswith("-m ") else [script.path]
    words += shlex.split(script.arguments)
    if way in OLD:
        return [([python] + words, {}) for python in interpreters(way)]
    if way == "run":
        ours = [sys.executable, "-m", "tfgraphtools", "run"]
        for kind, name in data.needs(script.data):
            ours += ["--v1-package", name] if kind == "package" else []
            ours += [name] if kind == "option" else []
        return [(ours + words, {"PYTHONPATH": str(ROOT)})]
    return [([sys.executable] + words, {})]


def interpreters(way):
    """The Pythons of a way; `NoInterpreter` when it needs some that nobody named."""
    if way not in OLD:
        return [sys.executable]
    variable, what = OLD[way]
    pythons = os.environ.get(variable, "").split(os.pathsep)
    if not all(pythons):
        raise NoInterpreter(f"the way {way} needs {variable}, {what}")
    return pythons


def _rewrite(folder, replacement):
    for path in pathlib.Path(folder).rglob("*.py"):
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        changed = _IMPORT.sub(replacement, text.replace("\r\n", "\n"))
        path.write_text(changed, encoding="utf-8", errors="surrogateescape")


def _upgrade(folder):
    """`tf_upgrade_v2` in place over a tree, as its guide says."""
    tool = pathlib.Path(sys.executable).with_name("tf_upgrade_v2")
    report = str(folder) + ".report"
    words = [str(tool), "--intree", str(folder), "--inplace", "--reportfile", report]
    subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _upgrade_by_us(folder, options):
    """`tfgraphtools upgrade --write` over a tree."""
    words = [sys.executable, "-m", "tfgraphtools", "upgrade", str(folder), "--write", "--force"]
    environment = dict(os.environ, PYTHONPATH=str(ROOT))
    done = subprocess.run([*words, *options], env=environment, capture_output=True, text=True)
    pathlib.Path(str(folder) + ".report").write_text(done.stderr)
