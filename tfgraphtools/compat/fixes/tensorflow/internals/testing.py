"""What the methods of ``tf.test.TestCase`` take, and what ``gradient_checker_v2`` gives.

Jacobians had a row per input element, which later became a column.
"""

import functools

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.numpy import tensor_lists


def _compare_lists_of_tensors():
    """Makes the assertions compare nested lists of symbolic tensors, tensor by tensor."""
    from tensorflow.python.framework import test_util

    plain = test_util.TensorFlowTestCase._GetNdArray

    @functools.wraps(plain)
    def _GetNdArray(self, a):
        try:
            return plain(self, a)
        except NotImplementedError as error:
            array = tensor_lists.objects(a, error)
            rows.used(_LISTS)
            return array

    state.set_attribute(test_util.TensorFlowTestCase, "_GetNdArray", _GetNdArray)


_LISTS = Row(
    "tensorflow.test.TestCase.assertAllEqual",
    "NumPy 1.20",
    "compares nested lists of symbolic tensors: they are equal if they hold the same tensors",
    _compare_lists_of_tensors,
)


def _sessions_on_the_cpu():
    """Makes the sessions of tests place ops on the CPU by default."""
    from tensorflow.python.framework import test_util

    for name in ("session", "cached_session", "test_session"):
        plain = getattr(test_util.TensorFlowTestCase, name)
        state.set_attribute(test_util.TensorFlowTestCase, name, _on_the_cpu(plain))


def _on_the_cpu(plain):
    @functools.wraps(plain)
    def session(self, graph=None, config=None, use_gpu=False, force_gpu=False):
        rows.used(_SESSIONS)
        return plain(self, graph=graph, config=config, use_gpu=use_gpu, force_gpu=force_gpu)

    return session


_SESSIONS = Row(
    "tensorflow.test.TestCase.session",
    "TF 2.5",
    "self.session() and test_session() place ops on the CPU unless use_gpu=True is passed",
    _sessions_on_the_cpu,
)

TABLE = Table("arguments of test methods", "patches", [_LISTS, _SESSIONS])


def _transposed(real, used):
    plain = real.compute_gradient

    @functools.wraps(plain)
    def compute_gradient(f, x, delta=1e-3):
        used()
        return tuple([jacobian.T for jacobian in kind] for kind in plain(f, x, delta=delta))

    return compute_gradient


GRADIENTS = Table(
    "the second checker of gradients",
    "calls",
    [
        Row(
            "tensorflow.python.ops.gradient_checker_v2.compute_gradient",
            "TF 2.2",
            "Jacobians have a row for each element of the input; a column in 2.x",
            _transposed,
        )
    ],
)
