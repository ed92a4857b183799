"""TensorFlow's warnings of deprecated calls name the user's lines, never ours."""

import os
import sys

import numpy as np
import pytest

import tfgraphtools

OURS = os.path.dirname(tfgraphtools.__file__) + os.sep


class _Nothing(dict):
    """Says that no warning was printed before."""

    def __contains__(self, key):
        return False


@pytest.fixture
def callers(tf, monkeypatch):
    """The files that call what TensorFlow has deprecated, as a list that fills."""
    from tensorflow.python.util import deprecation

    files = []
    monkeypatch.setattr(deprecation, "_PRINTED_WARNING", _Nothing())
    monkeypatch.setattr(
        deprecation,
        "_call_location",
        lambda *_, **__: files.append(sys._getframe(2).f_code.co_filename),
    )
    return files


def _explain(tf, v1, gradients, w):
    gradients.explain_gradient(tf.reduce_sum(tf.floor(w) * w), w)


def _check(tf, v1, gradients, w):
    gradients.check_gradients(tf.reduce_sum(tf.nn.relu(w)), w)


def _conflicts(tf, v1, gradients, w):
    gradients.project_conflicting([[(w * 2.0, w)], [(w - 1.0, w)]])


def _examples(tf, v1, gradients, w):
    x = v1.placeholder(tf.float32, [None, 2])
    gradients.per_example_gradients(tf.reduce_sum(tf.reverse(x * w, [1]) * x, 1), [w])


def _frozen(tf, v1, gradients, w):
    from tfgraphtools import training

    optimizer = v1.train.AdamOptimizer(0.1)
    training.FreezeOptimizer(optimizer, {w: np.array([True, False])}).minimize(tf.reduce_sum(w))


def _ratio(tf, v1, gradients, w):
    from tfgraphtools import training

    training.TrustRatioOptimizer(v1.train.AdamOptimizer(0.1)).minimize(tf.reduce_sum(w))


@pytest.mark.parametrize("use", [_explain, _check, _conflicts, _examples, _frozen, _ratio])
def test_no_line_of_ours_is_named(tf, v1, graph, gradients, callers, use):
    w = v1.get_variable("w", initializer=[0.3, -0.7])
    callers.clear()
    use(tf, v1, gradients, w)
    assert not [file for file in callers if OURS in file]


def test_deprecated_calls_are_seen(tf, v1, graph, callers):
    name = tf.constant(1.0).op.name
    v1.graph_util.extract_sub_graph(graph.as_graph_def(), [name])
    assert callers[-1] == __file__
