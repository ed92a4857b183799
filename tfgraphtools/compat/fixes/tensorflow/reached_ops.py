"""``gradients_util._IsBackpropagatable``, which explainers replace to reach integers, too.

SHAP and others set it to ``lambda tensor: True`` while they build gradients of their own. TF 2.x
asks another function, which also says which gradients are needed.

Source: ``_MarkReachedOps`` of TF 1.15's ``gradients_util``.
"""

import collections

from tfgraphtools.compat.engine import replacing, state
from tfgraphtools.compat.engine.rows import Fix, Table

_MODULE = "tensorflow.python.ops.gradients_util"


def _is_backpropagatable(tensor):
    from tensorflow.python.eager import backprop_util
    from tensorflow.python.framework import dtypes

    return backprop_util.IsTrainable(tensor) or tensor.dtype.base_dtype == dtypes.bfloat16


def _is_replaced(*arguments):
    """Tells whether the user has put a function of their own in its place."""
    from tensorflow.python.ops import gradients_util

    return getattr(gradients_util, _NAME, _is_backpropagatable) is not _is_backpropagatable


def _provide():
    from tensorflow.python.ops import gradients_util

    state.set_attribute(gradients_util, _NAME, _is_backpropagatable, True, state.USER_CODE)
    _mark_reached_ops.apply()


_NAME = "_IsBackpropagatable"
_ROW = Fix(
    f"{_MODULE}.{_NAME}",
    "TF 2.0",
    "the function that tells through which tensors gradients go; replacing it counts",
    _provide,
    cannot="patch tensorflow.python.eager.backprop_util.IsTrainable",
)


@replacing.replaces(_MODULE + ":_MarkReachedOps", row=_ROW, when=_is_replaced)
def _mark_reached_ops(original, from_ops, reached_ops, func_graphs):
    from tensorflow.python.ops import gradients_util

    _mark_reached_ops.used()
    queue = collections.deque(from_ops)
    while queue:
        op = queue.popleft()
        if op not in reached_ops:
            reached_ops.add(op)
            for output in filter(gradients_util._IsBackpropagatable, op.outputs):
                queue.extend(gradients_util._Consumers(output, func_graphs))


TABLES = (Table("which ops gradients reach", "patches", [_ROW]),)
