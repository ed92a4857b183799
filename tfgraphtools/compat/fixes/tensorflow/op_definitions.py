"""Registries and builders of ops: C++ registers ops and infers their shapes now.

An op's own default dtype comes first, as in 1.x: ``tf.nn.max_pool(numpy array of float64, ...)`` is
a float32 in 1.15, and a float64 since 2.x infers the dtype of what is no tensor first wherever the
op would take it. Source: ``op_def_library._apply_op_helper`` of both.
"""

from tfgraphtools.compat.engine import replacing
from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.fixes.tensorflow import gen_ops
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces


def _nothing(*arguments, **options):
    """Stands for a registration that TF no longer needs."""


def _register_shape(real):
    class RegisterShape:
        """Shape functions live in C++ since 1.0: a Python one is not called."""

        def __init__(self, op_type):
            self.op_type = op_type

        def __call__(self, function):
            return function

    return RegisterShape


def _op_def_library(real):
    class OpDefLibrary:
        """Builds ops by their type; TF 2.x has functions for it."""

        def add_op(self, op_def):
            """Does nothing: a loaded library has registered its ops."""

        add_op_list = add_op

        def apply_op(self, op_type_name, name=None, **keywords):
            return real.apply_op(op_type_name, name, **keywords)

        def _apply_op_helper(self, op_type_name, name=None, **keywords):
            return real._apply_op_helper(op_type_name, name, **keywords)

    return OpDefLibrary


def _ops_of_a_module(real):
    from tensorflow.python.framework import op_def_library

    return _op_def_library(op_def_library)()


def _registered_ops(real):
    def get_registered_ops():
        from tensorflow.core.framework import op_def_pb2
        from tensorflow.python.client import pywrap_tf_session

        listed = op_def_pb2.OpList()
        buffer = pywrap_tf_session.TF_GetAllOpList()
        listed.ParseFromString(pywrap_tf_session.TF_GetBuffer(buffer))
        return {op.name: op for op in listed.op}

    return get_registered_ops


#: Names that TF 2.x needs no more -> (since when, why).
_NO_OPS = {
    "framework.ops.set_shapes_for_outputs": ("TF 1.8", "shapes are inferred: a no-op"),
    "framework.ops.register_dense_tensor_like_type": ("TF 2.3", "a no-op"),
    "framework.ops._set_call_cpp_shape_fn": ("TF 2.1", "a no-op"),
    "framework.common_shapes.call_cpp_shape_fn": ("TF 2.1", "shapes are inferred: a no-op"),
    "framework.op_def_registry.register_op_list": ("TF 2.1", "a no-op"),
}

#: Names that TF 2.1 removed -> (why, what provides it).
_PROVIDED = {
    "framework.ops.RegisterShape": ("shape functions live in C++: a no-op", _register_shape),
    "framework.op_def_registry.get_registered_ops": (
        "the registered ops of the binary",
        _registered_ops,
    ),
    "framework.op_def_library.OpDefLibrary": ("builds ops by their type", _op_def_library),
}

_GENERATED = ("framework.test_ops", *(f"ops.gen_{name}_ops" for name in gen_ops.MODULES))

_ROWS = [
    Fix("tensorflow.python." + name, since, why, provide)
    for name, since, why, provide in (
        *((name, *row, lambda real: _nothing) for name, row in _NO_OPS.items()),
        *((name, "TF 2.1", *row) for name, row in _PROVIDED.items()),
        *(
            (module + "._op_def_lib", "TF 2.1", "builds ops by their type", _ops_of_a_module)
            for module in _GENERATED
        ),
    )
]


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


TABLES = (
    Table("definitions of ops", "names", _ROWS),
    replacing.table("default dtypes of ops", _extract, kind="patches"),
)
