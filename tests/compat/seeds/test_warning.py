"""The first thing whose op count is not known to be TF 1.15's is named, and nothing else."""

import json
import sys

import pytest

if sys.version_info < (3, 8):
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

pytestmark = pytest.mark.slow

_SEED = "tf.set_random_seed(1)\n"
_IMAGE = "x = tf.placeholder(tf.float32, [1, 8, 8, 1])\n"

#: id -> (the case, what the line on stderr says; nothing where it is empty).
CASES = {
    "known": (_SEED + "tf.gradients(tf.reduce_sum(tf.layers.dense(tf.ones([2, 3]), 2)), []) ", []),
    "no default seed after it": (_SEED + "tf.signal.stft(tf.ones([64]), 16, 8)", []),
    "an op seed after it": (
        _SEED + "tf.signal.stft(tf.ones([64]), 16, 8)\ntf.random_normal([2], seed=3)",
        [],
    ),
    "no graph seed": ("tf.signal.stft(tf.ones([64]), 16, 8)\ntf.random_normal([2])", []),
    "a function that differs": (
        _SEED + "tf.signal.stft(tf.ones([64]), 16, 8)\ntf.random_normal([2])",
        ["tensorflow.python.ops.signal.spectral_ops.stft (called at case:2)", "builds a different"],
    ),
    "a function not measured": (
        _SEED + "tf.sets.set_size(tf.sparse_placeholder(tf.int32))\ntf.random_normal([2])",
        ["tensorflow.python.ops.sets_impl.set_size (called at case:2) builds was not compared"],
    ),
    "the first of two": (
        _SEED
        + "tf.signal.stft(tf.ones([64]), 16, 8)\n"
        + "tf.image.decode_image(tf.constant(''))\ntf.random_normal([2])\ntf.random_normal([2])",
        ["spectral_ops.stft"],
    ),
    "a gradient that differs": (
        _SEED
        + _IMAGE
        + "y = tf.extract_image_patches(x, [1, 3, 3, 1], [1] * 4, [1] * 4, 'SAME', name='p')\n"
        + "tf.gradients(y, x)\ntf.random_normal([2])",
        ["the gradient of ExtractImagePatches ('p', taken at case:4) builds a different number"],
    ),
    "a gradient not measured": (
        _SEED
        + _IMAGE
        + "one = tf.ones([1])\n"
        + "y = tf.raw_ops.FusedBatchNorm(x=x, scale=one, offset=one, mean=[], variance=[])\n"
        + "tf.gradients(y[0], x)\ntf.random_normal([2])",
        ["ops that the gradient of FusedBatchNorm (", "case:5) builds was not compared"],
    ),
    "a gradient of the user": (
        _SEED
        + "@tf.RegisterGradient('Mine')\ndef gradient(op, grad):\n    return 2.0 * grad\n"
        + "x = tf.placeholder(tf.float32, [2])\n"
        + "with tf.get_default_graph().gradient_override_map({'Betainc': 'Mine'}):\n"
        + "    y = tf.identity(x)\n"
        + "f = tf.custom_gradient(lambda x: (2.0 * x, lambda grad: 2.0 * grad))\n"
        + "tf.gradients(y + f(x), x)\ntf.random_normal([2])",
        [],
    ),
    "a dataset that is not dense": (
        "rows = tf.SparseTensor([[0, 0]], [1.0], [2, 2])\n"
        "tf.data.Dataset.from_tensor_slices(rows).shuffle(2, seed=1).repeat(2)",
        ["Dataset.shuffle().repeat() of elements that are not dense"],
    ),
}

_CHECK = """
import contextlib, io, json, os, sys
os.environ.update(TF_USE_LEGACY_KERAS="1", TF_CPP_MIN_LOG_LEVEL="3")
from tfgraphtools import compat
from tfgraphtools.compat.engine.options import Options

def said(case):
    with contextlib.redirect_stderr(io.StringIO()) as stderr, compat.activate(Options(seeds="tf1")):
        import tensorflow as tf
        with tf.Graph().as_default():
            exec(compile(case, "case", "exec"), {"tf": tf})
    return [line for line in stderr.getvalue().splitlines() if line.startswith("tfgraphtools run")]

print(json.dumps({name: said(case) for name, case in json.load(sys.stdin).items()}))
"""


def test_what_is_said(plain_python, tmp_path):
    """All cases in one process, seeds on and off again for each."""
    (tmp_path / "check.py").write_text(_CHECK)
    texts = {name: case for name, (case, _) in CASES.items()}
    done = plain_python("check.py", input=json.dumps(texts))
    assert done.returncode == 0, done.stderr[-2000:]
    said = json.loads(done.stdout)
    wrong = {name: said[name] for name, (_, parts) in CASES.items() if not _fits(said[name], parts)}
    assert not wrong


def _fits(lines, parts):
    if not parts:
        return not lines
    return len(lines) == 1 and all(part in lines[0] for part in parts)
