"""How sessions run: small steps in the caller's thread, and products by empty matrices."""

import json

import pytest

from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

SCRIPT = """\
import json, threading
import numpy as np
import tensorflow as tf
from tensorflow.python.ops import data_flow_ops
from tensorflow.python.client import session as client
from tfgraphtools.compat.fixes.tensorflow import session as small_steps

small_steps.SMALL = 10.0  # seconds: any step is small, whatever else the machine does
inline, results = [], {}
plain = client.BaseSession._call_tf_sessionrun
def noting(self, options, *rest):
    inline.append(options is not None)
    return plain(self, options, *rest)
client.BaseSession._call_tf_sessionrun = noting

def count(name, step, times=8):
    del inline[:]
    values = [step() for _ in range(times)]
    results[name] = inline.index(True) if True in inline else None, sum(inline)
    return values

x = tf.placeholder(tf.float32, [None, 2])
v = tf.get_variable("v", [2], initializer=tf.zeros_initializer())
step = tf.assign_add(v, tf.reduce_sum(x, 0))
kept = tf.random_uniform([2]) + tf.cumsum(x)
queue = tf.FIFOQueue(1, tf.float32)
put, get = queue.enqueue(1.0), queue.dequeue()
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    values = count("a step", lambda: session.run(step, {x: [[1, 2], [3, 4.0]]}))
    results["values"] = np.stack(values).tolist()
    count("others", lambda: session.run([step.op, kept], {x: np.ones([1, 2])}))
    count("own options", lambda: session.run(v, options=tf.RunOptions(timeout_in_ms=9000)))
    count("a queue", lambda: (session.run(put), session.run(get)))
    blocked = threading.Thread(target=lambda: count("blocks", lambda: session.run(get), 1))
    blocked.start()
    session.run(put)
    blocked.join(20)
    results["released"] = not blocked.is_alive()
    small_steps.SMALL = 0.0
    count("slow again", lambda: session.run(step, {x: [[1.0, 1]]}))
    small_steps.SMALL = 10.0
    with tf.Graph().as_default() as staged, tf.Session() as staging:
        area = tf.contrib.staging.StagingArea([tf.float32], capacity=1)
        put, get = area.put([tf.constant(1.0)]), area.get()[0]
        staging.run(put)
        count("a full stage", lambda: staging.run([put, get]))
        barrier, keys = data_flow_ops.Barrier([tf.float32], shapes=[[]]), iter("abcdefghijkl")
        key = tf.placeholder(tf.string, [1])
        insert = barrier.insert_many(0, key, [1.0])
        count("a barrier", lambda: staging.run(insert, {key: [next(keys)]}))
    with tf.Graph().as_default() as meeting, tf.Session() as session:
        gates = [threading.Event(), threading.Event()]
        def met(mine, other):  # each of two functions waits for the other one
            gates[mine].set()
            return np.float32(gates[other].wait(20))
        both = [tf.py_func(met, [i, 1 - i], tf.float32) for i in range(2)]
        def meet():
            gates[:] = [threading.Event(), threading.Event()]
            return session.run(both)
        results["met"] = np.array(count("functions that meet", meet)).tolist()
    session = tf.Session()
    fed = {"list": [[1, 2]], "int64": np.ones([1, 2], int), "big": [[1e300, 0]]}
    for name, value in fed.items():
        results[name] = session.run(x, {x: value}).tolist()
    flag, text = tf.placeholder(tf.bool), tf.placeholder(tf.string)
    results["bool"] = session.run(flag, {flag: 1}).tolist()
    results["text"] = session.run(text, {text: ["a"]}).tolist()[0].decode()
print(json.dumps(results))
"""


#: The first run in the caller's thread (or with options of the user's), and how many were.
INLINE = {
    "a step": [5, 3],
    "others": [5, 3],
    "own options": [0, 8],
    "a queue": [10, 6],
    "blocks": [0, 2],
    "slow again": [0, 2],
    "a full stage": [None, 0],
    "a barrier": [None, 0],
    "functions that meet": [None, 0],
}


def test_small_steps(tf1_run, tmp_path):
    """Steps 5 and later of a small graph are inline; a slow one goes back to the pool."""
    (tmp_path / "steps.py").write_text(SCRIPT)
    without = ["--without", "sessions.small_steps", "--without", "sessions.feeds"]
    found = []
    for words in ([], without):
        done = tf1_run(*words, "steps.py")
        assert done.returncode == 0, done.stderr
        found.append(json.loads(done.stdout.splitlines()[-1]))
    ours, plain = found
    assert {name: ours.pop(name) for name in INLINE} == INLINE
    assert {name for name in INLINE if plain.pop(name)[1]} == {"own options"}
    assert ours == plain
    assert ours["values"] == [[4.0 * n, 6.0 * n] for n in range(1, 9)]
    assert ours["released"] and all(all(pair) for pair in ours["met"])


EMPTY = """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 4])
empty = tf.layers.dense(x, 0, tf.nn.relu)
y = tf.layers.dense(empty, 3, tf.nn.relu, bias_initializer=tf.ones_initializer())
for config in [None, tf.ConfigProto(intra_op_parallelism_threads=1)]:
    with tf.Session(config=config) as session:
        session.run(tf.global_variables_initializer())
        values = session.run([empty, y, tf.gradients(y, x)[0]], {x: [[1.0, 2.0, 3.0, 4.0]]})
        print([value.tolist() for value in values])

older = tf.InteractiveSession(graph=tf.Graph())
x = tf.placeholder(tf.float32, [None, 4])
empty = tf.layers.dense(x, 0, tf.nn.relu)
bias = tf.get_variable("bias", [3], use_resource=True, initializer=tf.ones_initializer())
y = tf.matmul(empty, tf.get_variable("kernel", [0, 3])) + bias
tf.global_variables_initializer().run()
values = older.run([empty, y, tf.gradients(y, x)[0]], {x: [[1.0, 2.0, 3.0, 4.0]]})
print([value.tolist() for value in values])
"""


def test_products_by_empty_matrices(tf1_run, tmp_path):
    """oneDNN, which the environment chooses at import, ends plain TF 2.x with them."""
    (tmp_path / "empty.py").write_text(EMPTY)
    done = tf1_run("empty.py", environment={"TF_ENABLE_ONEDNN_OPTS": "1"})
    assert done.stdout == "[[[]], [[1.0, 1.0, 1.0]], [[0.0, 0.0, 0.0, 0.0]]]\n" * 3, done.stderr
