"""The dtype of an array that is given to an op: the op's own default comes first, as in 1.x.

``tf.nn.max_pool(numpy array of float64, ...)`` is a float32 in 1.15, and a float64 since
2.x infers the dtype of what is no tensor first wherever the op would take it.
Source: ``op_def_library._apply_op_helper`` of both.
"""

import functools

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row, Table


def _prefer_the_default():
    from tensorflow.python.framework import op_def_library

    plain = op_def_library._ExtractDefaultTypesAndAllowedTypes

    @functools.wraps(plain)
    def extract(op_def, default_type_attr_map, allowed_list_attr_map):
        plain(op_def, default_type_attr_map, allowed_list_attr_map)
        for name in default_type_attr_map:
            if allowed_list_attr_map.pop(name, None) is not None:
                rows.used(_ROW)

    state.set_attribute(op_def_library, "_ExtractDefaultTypesAndAllowedTypes", extract)


_ROW = Row(
    "dtypes.defaults_of_ops",
    "TF 2.2",
    "an array that is given to an op with a default dtype takes it: max_pool gives a float32",
    _prefer_the_default,
)

TABLE = Table("default dtypes of ops", "patches", [_ROW])
