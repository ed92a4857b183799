"""The examples of the docstrings run, each in a graph of its own and in this small world."""

import doctest
import inspect

import numpy as np
import pytest

pytestmark = pytest.mark.quick

PARSER = doctest.DocTestParser()


def _names():
    """The public names, without importing TensorFlow while tests are collected."""
    import ast
    import pathlib

    import tfgraphtools

    path = pathlib.Path(tfgraphtools.__file__).parent / "gradients" / "__init__.py"
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and node.targets[0].id == "__all__":
            return ast.literal_eval(node.value)


def _world(tf, v1, gradients):
    """What the examples talk about: a network of one layer over images, trained by SGD."""
    x = v1.placeholder_with_default(np.float32([[1.6, -0.5], [0.3, 2.0]]), [2, 2], name="x")
    with v1.variable_scope("dense"):
        w = v1.get_variable("kernel", [2, 2])
        b = v1.get_variable("bias", [2])
    embedded = tf.identity(x)
    h = tf.nn.relu(tf.matmul(embedded, w) + b)
    loss = tf.reduce_sum(h**2, name="loss")
    train_op = v1.train.GradientDescentOptimizer(0.1).minimize(loss)
    session = v1.Session()
    session.run(v1.global_variables_initializer())
    v1.train.export_meta_graph("model.meta")
    world = {name: getattr(gradients, name) for name in gradients.__all__}
    world.update(
        {
            "tf": tf, "np": np, "gradients": gradients, "x": x, "w": w, "b": b, "h": h,
            "loss": loss, "train_op": train_op, "session": session, "embedded": embedded,
            "batch": np.ones([2, 2]), "batches": [np.ones([2, 2])] * 2, "logits": h, "images": x,
            "noise": np.ones([2, 2]), "v": np.ones([2, 2]), "threshold": 0.5, "samples": x,
            "features": h, "lower_layers": tf.sin, "classify": tf.nn.softmax,
            "network": tf.nn.relu,
        }
    )  # fmt: skip
    return world


@pytest.mark.parametrize("name", _names())
def test_examples_run(tf, v1, graph, gradients, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    documentation = inspect.getdoc(getattr(gradients, name)) or ""
    world = _world(tf, v1, gradients)
    world.pop("round"), world.pop("floor"), world.pop("sign")  # Python's own names
    examples = PARSER.get_examples(documentation)
    if not examples:
        documented_elsewhere = ("Effects", "Explanation", "Hits", "Nonfinite", "Report")
        short = len(documentation.splitlines()) == 1 or name.endswith("_relu")
        assert short or name in documented_elsewhere or name == "of_type", documentation
    for example in examples:
        mode = "single" if example.want else "exec"
        exec(compile(example.source, name, mode), world)  # noqa: S102
    session = world["session"]
    session.close()


@pytest.mark.parametrize("name", _names())
def test_every_public_name_says_what_it_does(gradients, name):
    documentation = inspect.getdoc(getattr(gradients, name))
    first = documentation.splitlines()[0]
    assert first.endswith((".", ":", "`.")) and len(first) <= 100
