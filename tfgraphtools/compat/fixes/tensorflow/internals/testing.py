"""What the assertions of ``tf.test.TestCase`` take."""

import functools

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.numpy import tensor_lists


def _compare_lists_of_tensors():
    """Has the assertions compare nested lists of symbolic tensors, tensor by tensor."""
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
    "compares nested lists of symbolic tensors: equal where they hold the same tensors",
    _compare_lists_of_tensors,
)

TABLE = Table("what the assertions of tests take", "patches", [_LISTS])
