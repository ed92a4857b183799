"""The dtypes of arrays that ops are given: an op's own default comes first, as in 1.x.

``tf.nn.max_pool(numpy array of float64, ...)`` is a float32 in 1.15, and a float64 since
2.x infers the dtype of what is no tensor first wherever the op would take it. Source:
``op_def_library._apply_op_helper`` of both.
"""

from tfgraphtools.compat.engine import replacing
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces


@replaces(
    "tensorflow.python.framework.op_def_library:_ExtractDefaultTypesAndAllowedTypes",
    name="dtypes.defaults_of_ops",
    since="TF 2.2",
    why="an array that is passed to an op with a default dtype is converted to it: max_pool "
    "returns float32",
    cannot="convert the array: np.float32(x)",
)
def _extract(original, op_def, default_type_attr_map, allowed_list_attr_map):
    original(op_def, default_type_attr_map, allowed_list_attr_map)
    for name in default_type_attr_map:
        if allowed_list_attr_map.pop(name, None) is not None:
            _extract.used()


TABLES = (replacing.table("default dtypes of ops", _extract, kind="patches"),)
