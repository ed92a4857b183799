"""Ranks that kernels of today refuse, whatever oneDNN is asked for here."""

import pytest

from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

pytestmark = pytest.mark.quick

#: What it prints is TF 1.15's, but for the last line.
SOFTMAX = """
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 2, 1, 1, 1, 1, 3])
y = tf.nn.softmax(x, name="last")
z = tf.nn.softmax(x, axis=1)
gradient, = tf.gradients(tf.reduce_sum(y * y), x)
values = np.arange(6.).reshape(1, 2, 1, 1, 1, 1, 3)
with tf.Session() as session:
    found = session.run([y[0, 0], z[..., 0], gradient[0, 0]], {x: values})
print(y.op.name, y.shape.as_list(), z.shape.as_list())
for value in found:
    print(*("%.4f" % number for number in value.ravel()))
ops = tf.get_default_graph().get_operations()
print({op.inputs[0].shape.ndims for op in ops if op.type == "Softmax"})
"""

#: Of TF 1.15.5.
PRINTED = [
    "last [None, 2, 1, 1, 1, 1, 3] [None, 2, 1, 1, 1, 1, 3]",
    "0.0900 0.2447 0.6652",
    "0.0474 0.9526",
    "-0.0757 -0.1301 0.2058",
]


@pytest.mark.parametrize("options, ranks", [([], "{2}"), (["--without", "shapes.softmax"], "{7}")])
def test_softmax(options, ranks, compat_server, tmp_path):
    (tmp_path / "softmax.py").write_text(SOFTMAX)
    printed = compat_server.run(tmp_path, *options, "softmax.py").checked().splitlines()
    assert printed == [*PRINTED, ranks]
