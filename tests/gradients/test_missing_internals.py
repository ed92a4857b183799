"""A TensorFlow without one of its internals: the feature that needs it says so, the others work."""

import pytest

WITHOUT = """
import importlib
import tensorflow as tf
if hasattr(tf.compat.v1, "disable_v2_behavior"):
    tf.compat.v1.disable_v2_behavior()
module = importlib.import_module("tensorflow.python.{module}")
delattr(module, "{name}")
from tfgraphtools import gradients, training
from tfgraphtools.errors import TfgraphtoolsError

v1 = tf.compat.v1
weights = v1.get_variable("weights", initializer=[1.6, 2.4])
loss = tf.reduce_sum(gradients.floor(weights) * [3.0, 5.0])
optimizer = training.FreezeOptimizer(
    v1.train.GradientDescentOptimizer(0.5), {{"weights": [True, False]}}
)
step = optimizer.minimize(loss)
with v1.Session() as session:
    session.run(v1.global_variables_initializer())
    session.run(step)
    print(*session.run(weights).round(4))
try:
    {use}
except TfgraphtoolsError as error:
    print(error)
"""

LOOP = "import tfgraphtools._tf as own; own.for_each(lambda i: [i], 3)"
BODY = "import tfgraphtools._tf as own; own.capturing_graph()"


@pytest.mark.parametrize(
    "module, name, use, feature",
    [
        ("framework.func_graph", "FuncGraph", BODY, "Functions in graphs"),
        ("ops.parallel_for.control_flow_ops", "pfor", LOOP, "Vectorized loops"),
        ("distribute.values", "DistributedVariable", "pass", ""),
        ("grappler.tf_optimizer", "OptimizeGraph", "pass", ""),
    ],
    ids="functions loops strategies inlining".split(),
)
def test_one_feature_is_lost(this_server, tmp_path, module, name, use, feature):
    (tmp_path / "script.py").write_text(WITHOUT.format(module=module, name=name, use=use))
    first, *others = this_server.run(tmp_path, "script.py").checked().splitlines()
    assert first == "1.6 -0.1"  # the first is frozen; 2.4 - 0.5 * 5 through `floor`
    if feature:
        expected = f"{feature}: expected a TensorFlow that has tensorflow.python.{module}.{name}, "
        assert others[0].startswith(expected)
