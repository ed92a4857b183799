"""Differences of op counts: how many more, or fewer, TF 1.15 made in a `corrections.Call`.

``corrections.tsv`` names them, and the functions of TensorFlow, or the ops with a gradient, whose
calls they count.
"""

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.seeds.builders import is_gated


def is_tensor(value):
    """Tells whether the value is a symbolic tensor (or a variable), and no Python value."""
    from tensorflow.python.framework import tensor_util

    return tensor_util.is_tf_type(value)


def _is_in_loop(op):
    """Tells whether an op is in a ``while_loop``."""
    context = op.graph._get_control_flow_context()
    return context is not None and context.GetWhileContext() is not None


def _constants(tensors):
    """Returns how many of the tensors are constants."""
    from tensorflow.python.framework import tensor_util

    return sum(tensor_util.constant_value(tensor) is not None for tensor in tensors)


def split(call):
    """Counts the constant of a number of splits."""
    return int(isinstance(call.argument(1, "num_or_size_splits"), int))


def one_hot(call):
    """Counts the constants of values that are given as numbers."""
    values = [call.argument(2, "on_value"), call.argument(3, "off_value")]
    return sum(value is not None and not is_tensor(value) for value in values)


def product_of_list(call):
    """Counts the products of a list of sizes: TF 1.15 looked whether it is a small constant."""
    shape = call.argument(0, "shape")
    if not isinstance(shape, (list, tuple)) or not any(map(is_tensor, shape)):
        return 0
    count, product = 0, shape[0]
    for size in shape[1:]:
        if is_tensor(product) or is_tensor(size):
            count += 1 if is_tensor(product) and is_tensor(size) else 2  # and a constant
            product = product if is_tensor(product) else size
        else:
            product = product * size
    return count + 2  # product < 1000


def transpose(call):
    """Counts the op by which TF 1.15 reversed the axes of an unknown rank."""
    value = call.argument(0, "a")
    is_known = not is_tensor(value) or value.shape.rank is not None
    return 0 if is_known or call.argument(1, "perm") is not None else 1


def sparse_placeholder(call):
    """Counts out an op, where TF 1.15 made a placeholder of an unknown shape."""
    shape = call.argument(1, "shape")
    if shape is None:
        return 0
    if rows.is_off("shapes.sparse_placeholder"):
        return -1
    is_known = is_tensor(shape) or all(size not in (None, -1) for size in shape)
    return 0 if is_known else -1  # the fix makes 1.15's ops


def saturate_cast(call):
    """Counts two ops for each bound; TF 2.x clips at both bounds by three."""
    op = getattr(call.result, "op", None)  # a ragged tensor has none
    if op is None or call.result.dtype.is_complex:
        return 0
    source = op.inputs[0] if op.type == "Cast" else call.result
    before, after = source.dtype, call.result.dtype
    bounds = int(before.min < after.min) + int(before.max > after.max)
    return 2 * bounds - 3 * (source.op.type == "ClipByValue")


def confusion_matrix(call):
    """Counts the sparse tensor and the zeros to which TF 1.15 added it."""
    classes = call.argument(2, "num_classes")
    is_long = classes is None or is_tensor(classes) and classes.dtype.name == "int64"
    return 3 if is_long else 2


def crop(call):
    """Counts out two sizes that TF 2.x takes from the image's shape, where TF 1.15 wrote -1."""
    sizes = call.argument(3, "target_height"), call.argument(4, "target_width")
    offsets = call.argument(1, "offset_height"), call.argument(2, "offset_width")
    return -12 if not any(map(is_tensor, sizes + offsets)) else -8


def standardization(call):
    """Returns an identity in the end; integers were converted back to themselves."""
    return 1 if call.argument(0, "image").dtype.is_floating else 9


def jpeg_quality(call):
    """Counts out two bounds and the smaller and the larger of each, unless it was uint8 before."""
    return 0 if call.argument(0, "image").dtype == "uint8" else -4


def convolution(call):
    """Counts the constant of a dilation rate of 1."""
    layer = call.args[0]
    return int(all(rate == 1 for rate in layer.dilation_rate))


def convolution_transpose(call):
    """Counts the ops of an output's height and width, made in TF 1.15 also if they are known."""
    layer, inputs = call.args[0], call.argument(1, "inputs")
    height, width = (2, 3) if layer.data_format == "channels_first" else (1, 2)
    sizes = inputs.shape.as_list()
    if None in (sizes[height], sizes[width]):
        return 0
    return 10 if layer.padding == "same" else 14


def fused_batch_norm(call):
    """Counts the constants of empty statistics and of the momentum."""
    from tensorflow.python.ops import resource_variable_ops

    layer, training = call.args[0], call.argument(2, "training")
    if not is_tensor(training) and not training:
        return 1
    constants = 0 if is_tensor(training) else 2
    return constants - 2 * resource_variable_ops.is_resource_variable(layer.moving_mean)


def flatten(call):
    """Counts shape, slice and pack: TF 1.15 took an unknown batch size from the tensor."""
    inputs = call.argument(1, "inputs")
    batch, *others = inputs.shape.as_list()
    return 6 if batch is None and None not in others else 0


def regularizer(call):
    """Squares (or sizes), sum, factor, and a sum with zero; the variable is read first."""
    from tensorflow.python.ops import resource_variable_ops

    return 7 + resource_variable_ops.is_resource_variable(call.argument(1, "x"))


def identity_column(call):
    """Counts the assertion that ids are in range, where nothing stands in for others."""
    if not rows.is_off("tensorflow.feature_column.categorical_column_with_identity"):
        return 0  # the fix asserts so
    return 38 if call.args[0].default_value is None else 0


def polynomial_decay(call):
    """Counts a constant, and four ops more to cycle."""
    return 5 if call.argument(5, "cycle") else 1


def sliced_descent(call):
    """Counts a constant of the learning rate for each gradient in slices, as TF 1.15 made it."""
    return int(not is_tensor(call.args[0]._learning_rate))


def slots_of_ftrl(call):
    """Counts out two ops for each variable, whose slots TF 1.15 started from a constant."""
    return -2 * len(call.argument(1, "var_list"))


def gradient_in_loop(call):
    """Counts the op that TF 1.15 added to a gradient within a loop."""
    return int(_is_in_loop(call.args[0]))


def gradient_of_mean(call):
    """Counts the op that divided sizes which are not all known."""
    op = call.args[0]
    known = op.inputs[0].shape.is_fully_defined() and op.outputs[0].shape.is_fully_defined()
    return 0 if known else 1


def gradient_of_gather(call):
    """Counts the cast of the shape; along other axes than the first TF 1.15 computed less."""
    from tensorflow.python.framework import tensor_util

    op = call.args[0]
    if op.type == "Gather" or tensor_util.constant_value(op.inputs[2]) == 0:
        return 1
    return -17 if op.get_attr("batch_dims") else -7


def gradient_of_slice(call):
    """Counts out bounds that are constants; in a loop both versions take them from outside."""
    op = call.args[0]
    constants = 0 if _is_in_loop(op) else _constants(op.inputs[1:4])
    return -constants - op.inputs[0].shape.is_fully_defined()


def gradient_of_matmul(call):
    """Counts where TF 2.x returns early, as both batches are known and equal; 1.15 if all are."""
    shapes = [x.shape for x in call.args[0].inputs]
    batches = [shape[:-2] for shape in shapes]
    if not all(batch.is_fully_defined() for batch in batches):
        return 0
    if batches[0].as_list() != batches[1].as_list():
        return 0
    is_same = shapes[0].is_fully_defined() and shapes[0].as_list() == shapes[1].as_list()
    return 0 if is_same else 15


def gradient_of_batch_norm(call):
    """Counts two identities of empty gradients where an optimizer gates its gradients."""
    return 2 if is_gated() and call.args[0].get_attr("is_training") else 0


def gradient_of_extreme(call):
    """Counts the reduced shape, which TF 1.15 computed even if the axes were kept."""
    return 11 if call.args[0].get_attr("keep_dims") else 0


def gradient_of_write(call):
    """Counts out the two identities by which TF 2.x waits; in a loop one is a stack of values."""
    return -8 if _is_in_loop(call.args[0]) else -2
