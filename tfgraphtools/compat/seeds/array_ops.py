"""Functions of arrays that made other numbers of ops in TF 1.15."""

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.seeds.corrections import instead, more

_ARRAYS = "tensorflow.python.ops.array_ops:"


def is_tensor(value):
    """Whether the value is a symbolic tensor (or a variable), and no Python value."""
    from tensorflow.python.framework import tensor_util

    return tensor_util.is_tf_type(value)


def _split(call):
    return int(isinstance(call.argument(1, "num_or_size_splits"), int))


def _one_hot(call):
    given = [call.argument(2, "on_value"), call.argument(3, "off_value")]
    return sum(value is not None and not is_tensor(value) for value in given)


def _product_of_list(call):
    """TF 1.15 multiplied the tensors of a list of sizes, to see whether it is a small constant."""
    shape = call.argument(0, "shape")
    if not isinstance(shape, (list, tuple)) or not any(map(is_tensor, shape)):
        return 0
    made, product = 0, shape[0]
    for size in shape[1:]:
        if is_tensor(product) or is_tensor(size):
            made += 1 if is_tensor(product) and is_tensor(size) else 2  # and a constant
            product = product if is_tensor(product) else size
        else:
            product = product * size
    return made + 2  # product < 1000


def _linspace(call):
    given = [call.argument(i, name) for i, name in enumerate(["start", "stop", "num"])]
    return 1 + sum(not is_tensor(value) for value in given)


def _transpose(call):
    """TF 1.15 reversed the axes of an unknown rank with one additional op."""
    value = call.argument(0, "a")
    is_known = not is_tensor(value) or value.shape.rank is not None
    return 0 if is_known or call.argument(1, "perm") is not None else 1


def _sparse_placeholder(call):
    shape = call.argument(1, "shape")
    if shape is None:
        return 0
    if rows.is_off("shapes.sparse_placeholder"):
        return -1
    is_known = is_tensor(shape) or all(size not in (None, -1) for size in shape)
    return 0 if is_known else -1  # the fix makes 1.15's ops


def _sparse_read(original):
    def sparse_read(self, *args, **kwargs):
        from tensorflow.python.ops import array_ops

        return array_ops.identity(original(self, *args, **kwargs))

    return sparse_read


TABLE = Table(
    "functions of arrays",
    "listed",
    [
        Row(
            "seeds.split",
            "TF 2.0",
            "split(value, number) made a constant for the number",
            more(_ARRAYS + "split", _split),
        ),
        Row(
            "seeds.one_hot",
            "TF 2.0",
            "one_hot made two constants of each value that it got",
            more(_ARRAYS + "one_hot", _one_hot),
        ),
        Row(
            "seeds.zeros",
            "NumPy 2",
            "zeros of a list of sizes with tensors among them multiplied the sizes",
            more(_ARRAYS + "zeros", _product_of_list),
        ),
        Row(
            "seeds.ones",
            "NumPy 2",
            "ones of a list of sizes with tensors among them multiplied the sizes",
            more(_ARRAYS + "ones", _product_of_list),
        ),
        Row(
            "seeds.matrix_diag",
            "TF 2.0",
            "matrix_diag (and eye) had no offset, sizes and padding: four constants fewer",
            more(_ARRAYS + "matrix_diag", -4),
        ),
        Row(
            "seeds.matrix_diag_part",
            "TF 2.0",
            "matrix_diag_part had no offset and padding: two constants fewer",
            more(_ARRAYS + "matrix_diag_part", -2),
        ),
        Row(
            "seeds.matrix_set_diag",
            "TF 2.0",
            "matrix_set_diag had no offset: one constant fewer",
            more(_ARRAYS + "matrix_set_diag", -1),
        ),
        Row(
            "seeds.transpose",
            "TF 2.0",
            "transpose of a tensor of unknown rank had one additional op",
            more(_ARRAYS + "transpose", _transpose),
        ),
        Row(
            "seeds.sparse_placeholder",
            "TF 2.0",
            "sparse_placeholder with an unknown shape made a placeholder: one op fewer",
            more(_ARRAYS + "sparse_placeholder", _sparse_placeholder),
        ),
        Row(
            "seeds.sparse_read",
            "TF 2.0",
            "gather and embedding_lookup of a resource variable ended in an identity",
            instead(
                "tensorflow.python.ops.resource_variable_ops:BaseResourceVariable.sparse_read",
                _sparse_read,
            ),
        ),
    ],
)
