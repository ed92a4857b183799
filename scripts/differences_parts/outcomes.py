"""What came of a call in a graph: shapes, dtypes, op types, names, values, gradients, as JSON."""

import re

import arguments
import numpy as np
import tensorflow as tf

#: How many numbers of a result are kept.
KEPT = 48

RANDOM = ("Random", "Multinomial", "Shuffle", "Sample", "Uniform", "Normal", "Uuid", "Timestamp")


class Build:
    """Turns descriptions into arguments within the default graph."""

    def __init__(self):
        self.feed = {}
        self.inputs = []

    def value(self, described):
        if isinstance(described, list):
            return [self.value(item) for item in described]
        if not isinstance(described, dict):
            return described
        return getattr(self, "_" + described["is"])(described)

    def _dtype(self, described):
        return tf.as_dtype(described["name"])

    def _function(self, described):
        return {"identity": tf.identity, "tanh": tf.tanh, "relu": tf.nn.relu, "square": tf.square}[
            described["name"]
        ]

    def _cell(self, described):
        cells = tf.nn.rnn_cell
        made = {"lstm": cells.LSTMCell, "gru": cells.GRUCell, "rnn": cells.BasicRNNCell}
        return made[described["name"]](3)

    def _tensor(self, described):
        shape, dtype, mode = described["shape"], described["dtype"], described["mode"]
        count = int(np.prod(shape)) if shape else 1
        plain = arguments.numbers(count, described["values"], dtype, described["seed"])
        kind = object if dtype == "string" else dtype
        array = np.array(plain, dtype=kind).reshape(shape)
        if mode == "list":
            return array.tolist()
        if mode == "array":
            return array
        if mode == "constant" or (mode != "variable" and tf.executing_eagerly()):
            made = tf.constant(array, dtype)
        elif mode == "variable":
            made = tf.Variable(tf.constant(array, dtype))
        else:
            static = {"placeholder": shape, "unknown": [None, *shape[1:]] if shape else shape}
            made = tf.placeholder(dtype, static.get(mode))
            self.feed[made] = array
        self.inputs.append(made)
        return made


def of_call(function, call):
    """Makes the call in a new graph, and runs what it gives."""
    with tf.Graph().as_default():
        tf.set_random_seed(1)
        build = Build()
        given = {name: build.value(described) for name, described in call.items()}
        made = function(**given)
        made = used(made, build)
        found = [describe(value) for value in leaves(made)]
        tensors = [tensor for value in leaves(made) for tensor in parts(value)]
        gradients = gradients_of(tensors, build)
        types = {op.type for op in tf.get_default_graph().get_operations()}
        result = {
            "type": type(made).__name__,
            "outputs": found,
            "collections": collections(),
            "random": any(word in kind for kind in types for word in RANDOM),
        }
        run = tensors + gradients
        if run:
            result.update(values(tensors, gradients, build))
        return result


def message(error, length=300):
    """What an error says, without the traceback that TF 2.x prints before it."""
    text = str(getattr(error, "message", error))
    found = re.search(r"\nNode: '[^']*'\n(.*?)(?:\n\t|\Z)", text, re.S)
    return (found.group(1) if found else text)[:length]


def used(made, build):
    """Objects that do something only when they are called are called once."""
    floats = [tensor for tensor in build.inputs if tensor.dtype.is_floating]
    x = floats[0] if floats else tf.constant(np.arange(24.0).reshape(2, 3, 4), tf.float32)
    if isinstance(made, (tf.layers.Layer, tf.keras.layers.Layer)):
        errors = []
        for shape in ([2, 3], [2, 4, 3], [2, 4, 4, 3], [2, 4, 4, 4, 3]):
            data = np.sin(np.arange(np.prod(shape))).reshape(shape)
            try:
                return [made(tf.constant(data, tf.float32)), *made.weights]
            except (ValueError, TypeError) as error:
                errors.append(error)
        raise errors[0]
    if isinstance(made, tf.keras.initializers.Initializer):
        return [made([3, 4], dtype=tf.float32), made([2, 2, 3, 4])]
    if "nitializer" in type(made).__name__ or hasattr(type(made), "_keras_api_names_v1"):
        if callable(made) and hasattr(made, "get_config"):
            return [made([3, 4], dtype=tf.float32), made([2, 2, 3, 4])]
    if isinstance(made, tf.keras.losses.Loss):
        return made(tf.constant([[0.0, 1.0], [1.0, 0.0]]), tf.constant([[0.3, 0.7], [0.4, 0.6]]))
    if isinstance(made, tf.keras.metrics.Metric):
        update = made.update_state(
            tf.constant([[0.0, 1.0], [1.0, 0.0]]), tf.constant([[0.3, 0.7], [0.6, 0.4]])
        )
        with tf.control_dependencies([update]):
            return made.result()
    if isinstance(made, tf.train.Optimizer):
        variable = tf.Variable([1.0, -2.0, 3.0])
        return trained(made, variable)
    if isinstance(made, tf.distributions.Distribution) or hasattr(made, "log_prob"):
        return [_try(made.mean), _try(made.entropy), _try(made.log_prob, x), _try(made.cdf, x)]
    if hasattr(made, "forward_log_det_jacobian"):
        return [_try(made.forward, x), _try(made.inverse, x)]
    if isinstance(made, tf.linalg.LinearOperator):
        return [_try(made.to_dense), _try(made.trace), _try(made.log_abs_determinant)]
    if isinstance(made, tf.data.Dataset):
        iterator = tf.data.make_one_shot_iterator(made)
        return (
            [iterator.get_next(), iterator.get_next()]
            if tf.executing_eagerly()
            else iterator.get_next()
        )
    if isinstance(made, tf.TensorArray):
        return made.stack()
    return made


def _try(method, *arguments_):
    try:
        return method(*arguments_)
    except (NotImplementedError, ValueError, TypeError, AttributeError) as error:
        return type(error).__name__


def trained(optimizer, variable):
    """The variable and the slots after one step of a quadratic loss."""
    loss = lambda: tf.reduce_sum(tf.square(variable))  # noqa: E731
    step = optimizer.minimize(loss if tf.executing_eagerly() else loss())
    with tf.control_dependencies([] if tf.executing_eagerly() else [step]):
        read = [variable.read_value() if hasattr(variable, "read_value") else variable]
        names = optimizer.get_slot_names()
        return read + [tf.identity(optimizer.get_slot(variable, name)) for name in names]


def leaves(made):
    """The leaves of lists, tuples, named tuples and mappings, in order."""
    if isinstance(made, dict):
        return [leaf for key in sorted(made, key=str) for leaf in leaves(made[key])]
    composite = (tf.SparseTensor, tf.IndexedSlices, tf.RaggedTensor)
    if isinstance(made, (list, tuple)) and not isinstance(made, composite):
        return [leaf for item in made for leaf in leaves(item)]
    return [made]


def parts(value):
    """The tensors that a leaf consists of."""
    if isinstance(value, tf.SparseTensor):
        return [value.indices, value.values, value.dense_shape]
    if isinstance(value, tf.IndexedSlices):
        return [value.values, value.indices]
    if isinstance(value, tf.RaggedTensor):
        return [value.flat_values, *value.nested_row_splits]
    if tf.is_tensor(value):
        return [] if value.dtype in (tf.resource, tf.variant) else [tf.convert_to_tensor(value)]
    if isinstance(value, tf.Operation) and not tf.executing_eagerly():
        with tf.control_dependencies([value]):
            return [tf.constant("ran")]
    return []


def describe(value):
    """What is known of a leaf before anything runs."""
    composite = isinstance(value, (tf.SparseTensor, tf.IndexedSlices, tf.RaggedTensor))
    if composite or tf.is_tensor(value):
        shape = getattr(value, "shape", None)
        ranked = shape is not None and shape.ndims is not None
        kind = [name for name in ("SparseTensor", "IndexedSlices", "RaggedTensor")
                if isinstance(value, getattr(tf, name))]  # fmt: skip
        op = None if kind or tf.executing_eagerly() else getattr(value, "op", None)
        return {
            "kind": kind[0] if kind else "Variable" if isinstance(value, tf.Variable) else "Tensor",
            "dtype": value.dtype.name,
            "shape": shape.as_list() if ranked else None,
            "op": getattr(op, "type", None),
            "name": None if kind or op is None else value.name,
        }
    if isinstance(value, (bool, int, float, str, type(None))):
        return {"kind": "plain", "value": value}
    if isinstance(value, (np.ndarray, np.generic)):
        return {"kind": "array", "dtype": str(value.dtype), "value": flat(value)}
    return {"kind": "object", "type": type(value).__name__}


def collections():
    """What stands in the collections of the graph: key -> names, in order."""
    graph, found = tf.get_default_graph(), {}
    for key in sorted(graph.get_all_collection_keys(), key=str):
        if isinstance(key, str) and not key.startswith(("__", "(")):
            items = graph.get_collection(key)
            found[key] = [str(getattr(item, "name", type(item).__name__)) for item in items]
    return found


def gradients_of(tensors, build):
    """Gradients of the sum of the first differentiable output."""
    sources = [tensor for tensor in build.inputs if tensor.dtype.is_floating]
    targets = [tensor for tensor in tensors if tensor.dtype.is_floating]
    if not sources or not targets:
        return []
    try:
        found = tf.gradients(targets[0], sources)
    except Exception as error:  # no gradient is registered, or it does not fit
        return [tf.constant(type(error).__name__)]
    return [tf.convert_to_tensor(gradient) for gradient in found if gradient is not None]


def values(tensors, gradients, build):
    """The numbers of the outputs and of the gradients, or the error of the run."""
    config = tf.ConfigProto(inter_op_parallelism_threads=1, intra_op_parallelism_threads=1)
    options = tf.RunOptions(timeout_in_ms=3000)
    with tf.Session(config=config) as session:
        session.run(
            [tf.global_variables_initializer(), tf.local_variables_initializer(),
             tf.tables_initializer()], build.feed, options=options)  # fmt: skip
        try:
            if tf.local_variables():  # a metric's value and its update, in this order
                found = [session.run(one, build.feed, options=options) for one in tensors]
            else:
                found = session.run(tensors, build.feed, options=options)
        except tf.errors.OpError as error:
            return {"run error": type(error).__name__, "message": message(error, 200)}
        result = {"values": [flat(value) for value in found]}
        try:
            found = session.run(gradients, build.feed, options=options)
            result["gradients"] = [flat(value) for value in found]
        except tf.errors.OpError as error:
            result["gradients"] = [type(error).__name__]
    return result


def flat(value):
    """[shape, dtype, the first numbers] of an array."""
    array = np.asarray(value)
    listed = array.ravel()[:KEPT]
    if array.dtype.kind in "OSU":
        return [list(array.shape), "object", [str(item) for item in listed]]
    if array.dtype.kind == "c":
        pairs = [[float(item.real), float(item.imag)] for item in listed]
        return [list(array.shape), str(array.dtype), [part for pair in pairs for part in pair]]
    if array.dtype.kind not in "biuf":
        return [list(array.shape), str(array.dtype), [float(item) for item in listed]]
    return [list(array.shape), str(array.dtype), listed.astype(float).tolist()]
