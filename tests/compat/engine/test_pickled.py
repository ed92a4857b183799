"""Functions of the API in pickles: under `run` each is found again that TF 1.15 finds."""

import json

import pytest

from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

#: Pickles every function that a module of the API shows; prints those that come back.
WALK = """
import json, pickle, sys, types
import tensorflow as tf

MODULES = "bitwise debugging image initializers io keras.activations keras.backend keras.losses \
linalg losses manip math metrics nn raw_ops signal sparse spectral strings train"

def shown(module, path):
    for name in sorted(dir(module)):
        try:
            value = getattr(module, name)
        except Exception:
            continue
        if isinstance(value, types.FunctionType) and not name.startswith("_"):
            yield path + name, value

found = []
functions = dict(shown(tf, ""))
for path in MODULES.split():
    module = tf
    for part in path.split("."):
        module = getattr(module, part)
    functions.update(shown(module, path + "."))
for name in sorted(functions):
    try:
        if pickle.loads(pickle.dumps(functions[name])) is functions[name]:
            found.append(name)
    except Exception:
        pass
with open("found.json", "w") as file:
    json.dump([found, sorted(functions)], file)
"""


def test_what_comes_back(tf1_run_in, interpreters, tmp_path):
    if interpreters["1.15"] is None:
        pytest.skip("TF 1.15 is not here")
    before = _walked(tmp_path, interpreters["1.15"])
    result = tf1_run_in(tmp_path, "walk.py")
    assert result.returncode == 0, result.stderr
    now, there = json.loads((tmp_path / "found.json").read_text())
    lost = {name for name in before if name in there} - set(now)
    assert len(before) > 2000 and not lost


def _walked(folder, server):
    (folder / "walk.py").write_text(WALK)
    result = server.start(str(folder), ["walk.py"], {}, 120)()
    assert result.code == 0, result.err
    return set(json.loads((folder / "found.json").read_text())[0])


def test_another_process(tf1_run_in, tmp_path):
    write = (
        "import pickle, tensorflow as tf\npickle.dump([tf.nn.tanh, tf.reduce_max], open('p', 'wb'))"
    )
    read = """
import pickle
functions = pickle.load(open("p", "rb"))
import tensorflow as tf
assert functions == [tf.nn.tanh, tf.reduce_max]
with tf.Session() as session:
    print(session.run(functions[1]([1.0, 2.0])))
"""
    (tmp_path / "write.py").write_text(write)
    (tmp_path / "read.py").write_text(read)
    assert tf1_run_in(tmp_path, "write.py").returncode == 0
    result = tf1_run_in(tmp_path, "read.py")
    assert result.returncode == 0 and result.stdout == "2.0\n", result.stderr


def test_names_are_taken_back():
    with compat.activate():
        import tensorflow as tf

        tanh = tf.nn.tanh
        assert tanh.__module__ == "tensorflow._api.v1.nn"
    assert tanh.__module__ == "tensorflow.python.ops.gen_math_ops"
