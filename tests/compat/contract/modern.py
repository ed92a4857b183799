"""An installed library that was written for TF 2: what it computes and sees.

The tests copy it into a folder of installed packages. `run` calls every probe, and returns what
can be compared: values with their dtypes, reprs, the types and names of the ops of its graphs,
and exceptions. Each probe is called eagerly, in a graph of the library and in a `tf.function`,
where it makes sense.
"""

import contextlib
import inspect
import io
import os
import tempfile

import numpy as np
import tensorflow as tf
import tf_keras as keras

v1 = tf.compat.v1
NAN, INF = float("nan"), float("inf")


def shown(value):
    """A value as text that two runs can compare."""
    if isinstance(value, (list, tuple)):
        return [shown(item) for item in value]
    if isinstance(value, dict):
        return {str(key): shown(item) for key, item in value.items()}
    if isinstance(value, (tf.RaggedTensor, tf.sparse.SparseTensor)):
        return [type(value).__name__, str(value.shape)]
    if isinstance(value, tf.Tensor):
        if hasattr(value, "numpy"):
            return [value.dtype.name, str(value.shape), repr(value.numpy().tolist())]
        return [value.dtype.name, str(value.shape), value.op.type]
    if isinstance(value, (np.ndarray, np.generic)):
        return [type(value).__name__, str(value.dtype), repr(value.tolist())]
    return repr(value)


def tried(probe):
    """The result of a probe, or its exception."""
    try:
        return shown(probe())
    except Exception as error:  # pylint: disable=broad-except
        return f"{type(error).__name__}: {str(error).splitlines()[:1]}"


def example():
    features = {"a": tf.train.Feature(float_list=tf.train.FloatList(value=[1.0]))}
    context = tf.train.Features(feature=features)
    return tf.train.Example(features=context).SerializeToString()


def sequence():
    lists = {"s": tf.train.FeatureList(feature=[
        tf.train.Feature(float_list=tf.train.FloatList(value=[1.0, 2.0]))
    ])}  # fmt: skip
    return tf.train.SequenceExample(
        feature_lists=tf.train.FeatureLists(feature_list=lists)
    ).SerializeToString()


def slope(function, *values):
    """The gradients of a function."""
    values = [tf.constant(value) for value in values]
    if tf.executing_eagerly() or not isinstance(values[0], tf.Tensor):
        with tf.GradientTape() as tape:
            tape.watch(values)
            result = function(*values)
        return tape.gradient(result, values)
    return tf.gradients(function(*values), values)


FIXED = {"a": tf.io.FixedLenFeature([], tf.float32)}
SEQUENCES = {"s": tf.io.VarLenFeature(tf.float32)}
DENSE_SEQUENCES = {"s": tf.io.FixedLenSequenceFeature([2], tf.float32)}

#: Functions of TensorFlow: each is called in eager execution, in a graph and in a `tf.function`.
OPS = {
    "gradient of abs": lambda: slope(tf.abs, [NAN, 0.0, -2.0]),
    "gradient of cumprod": lambda: slope(tf.math.cumprod, [0.0, 2.0]),
    "gradient of digamma": lambda: slope(tf.math.digamma, [0.0, 2.0]),
    "gradient of a constant and a sum": lambda: slope(lambda p: tf.math.log(1 - p + 1e-8), 1.0),
    "gradient of bessel": lambda: slope(tf.math.bessel_i1e, [0.0]),
    "dropout": lambda: tf.nn.dropout(tf.constant([NAN, 1.0, 2.0, 3.0]), 0.5, seed=3),
    "dropout of v1": lambda: v1.nn.dropout(tf.ones([8]), rate=0.5, seed=3),
    "stateless dropout": lambda: tf.nn.experimental.stateless_dropout(tf.ones([8]), 0.5, [1, 2]),
    "parse_example": lambda: tf.io.parse_example([example()], FIXED),
    "parse_single_example": lambda: tf.io.parse_single_example(example(), FIXED),
    "parse_single_example of v1": lambda: v1.parse_single_example(example(), FIXED),
    "parse_single_sequence_example": lambda: tf.io.parse_single_sequence_example(
        sequence(), sequence_features=DENSE_SEQUENCES
    ),
    "triangular_solve": lambda: tf.linalg.triangular_solve([[0.0]], [[1.0]]),
    "triangular_solve by name": lambda: v1.matrix_triangular_solve([[2.0]], [[1.0]], name="x"),
    "cholesky": lambda: tf.linalg.cholesky([[-1.0]]),
    "cholesky of v1": lambda: v1.cholesky([[4.0]]),
    "digamma": lambda: tf.math.digamma([0.0, -1.0, 2.0]),
    "zeta": lambda: tf.math.zeta([2.0], [0.0]),
    "polygamma": lambda: tf.math.polygamma([1.0], [0.0]),
    "erf": lambda: tf.math.erf(np.array([INF, 0.5])),
    "max_pool of an array": lambda: tf.nn.max_pool(
        np.ones([1, 2, 2, 1]), [1, 1, 1, 1], [1, 1, 1, 1], "SAME"
    ),
    "embedding_lookup_sparse": lambda: tf.nn.embedding_lookup_sparse(
        tf.ones([2, 2]), tf.sparse.from_dense([[1, 0]]), None, combiner="mean"
    ),
    "embedding_lookup_sparse of halves": lambda: tf.nn.embedding_lookup_sparse(
        tf.ones([2, 2], tf.float16) / 3, tf.sparse.from_dense([[1, 1]]), None, combiner="sum"
    ),
    "weighted_moments": lambda: tf.nn.weighted_moments([1.0], [0], [0.0]),
    "average loss": lambda: tf.nn.compute_average_loss(tf.zeros([0, 3])),
    "transposed convolution": lambda: tf.nn.conv2d_transpose(
        tf.ones([1, 2, 2, 1]), tf.ones([1, 1, 1, 1]), [1, 2, 2, 1], 1
    ),
    "random gamma": lambda: str(tf.random.gamma([2], [1.0, 2.0], seed=3).shape),
    "random gammas of v1": lambda: [
        gamma([2], [1.0, 2.0], seed=3) for gamma in (v1.random_gamma, v1.random.gamma)
    ],
    "sparse tensor": lambda: tf.sparse.SparseTensor([[0]], [1.0], shape=[1]),
    "sparse value": lambda: v1.SparseTensorValue([[0]], [1.0], shape=[1]),
    "shapes": lambda: [
        tf.TensorShape([None, 3]) == tf.TensorShape([None, 3]),
        tf.TensorShape([None, 3]) != tf.TensorShape([None, 3]),
        tf.TensorShape(None) != tf.TensorShape([1]),
        tf.TensorShape([None, 3])[:1],
        tf.TensorShape([None, 3]).concatenate([2]),
    ],
    "dimensions": lambda: v1.Dimension(784 / 2),
    "map_fn with random numbers": lambda: tf.map_fn(
        lambda x: x + tf.random.stateless_uniform([], [1, 2]), tf.ones([3])
    ),
    "while loop": lambda: tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)]),
    "cond": lambda: tf.cond(tf.constant(True), lambda: tf.ones([]), lambda: tf.zeros([])),
    "a mean, for fusions": lambda: tf.reduce_mean(tf.ones([2, 3]), axis=1, keepdims=True),
    "an empty product": lambda: tf.matmul(tf.ones([2, 3]), tf.ones([3, 0])) + tf.ones([0]),
}


def dataset():
    """A dataset that is shuffled with a seed, twice; and one that calls Python."""
    shuffled = tf.data.Dataset.range(8).shuffle(8, seed=1)
    called = tf.data.Dataset.range(2).map(lambda x: tf.py_function(lambda y: y, [x], tf.int64))
    return [list(map(int, shuffled)), list(map(int, shuffled)), list(map(int, called))]


def column():
    """An identity column, and its configuration."""
    identity = tf.feature_column.categorical_column_with_identity("a", 2)
    layer = keras.layers.DenseFeatures([tf.feature_column.indicator_column(identity)])
    old_indicator = v1.feature_column.indicator_column(identity)
    features = {"a": tf.constant([[5]])}
    from tensorflow.python.feature_column import feature_column

    old = feature_column._IdentityCategoricalColumn("a", 2, None)
    sparse = {"a": tf.sparse.from_dense([[5]])}
    cache = feature_column._LazyBuilder(sparse)
    return [
        tried(lambda: old._transform_feature(cache)),
        tried(lambda: layer(features)), tried(identity.get_config), tried(identity._get_config),
        tried(lambda: type(identity)._from_config({})),
        tried(lambda: v1.feature_column.input_layer(features, [old_indicator])),
    ]  # fmt: skip


def hashed():
    return {tf.constant(1.0): 1}


def indexed():
    return list(range(tf.constant(2.0)))


def counted():
    return isinstance(tf.Variable(1.0), v1.Variable), issubclass(
        type(tf.Variable(1.0)), v1.Variable
    )


def initialized():
    return tf.Variable(1.0).initialized_value()


def files():
    with tempfile.TemporaryDirectory() as folder:
        missing = os.path.join(folder, "none", "*")
        return tf.io.gfile.glob(missing), tf.train.latest_checkpoint(os.path.join(folder, "none"))


def listed():
    return list(tf.data.Dataset.list_files("missing/*"))


def distribution():
    return v1.distributions.Normal(0.0, 1.0)._name


def execution():
    from tensorflow.python.eager import context

    return hasattr(context.context(), "_execution_mode")


#: Probes of eager execution alone.
def scattered():
    """Every op that scatters, from each module that has it, with a name and without."""
    from tensorflow.python.ops import array_ops, gen_array_ops, gen_state_ops, state_ops

    places, updates, table = [[1], [2]], [1.0, 2.0], tf.zeros([4])
    results = []
    for module in (v1, v1.manip, array_ops, gen_array_ops, gen_state_ops, state_ops):
        names = (n for n in dir(module) if "scatter_nd" in n or n.startswith("tensor_scatter"))
        for name in sorted(n for n in names if n.islower()):
            function = getattr(module, name)
            first = {"scatter_nd": (places, updates, [4])}.get(name, (table, places, updates))
            if name.startswith("resource_scatter_nd"):
                first = (tf.Variable(table).handle, places, updates)
            if inspect.isfunction(function) and "fallback" not in name:
                results.append([name, tried(lambda f=function, a=first: f(*a, name="n"))])
    return results


def options_of_data():
    """Options of data sets that 1.15 had."""
    from tensorflow.python.data.ops import options

    names = (
        "autotune autotune_algorithm autotune_buffers autotune_cpu_budget hoist_random_uniform "
        "filter_with_random_uniform_fusion map_vectorization prefetch_to_device"
    ).split()
    made = options.OptimizationOptions()
    return [
        [[hasattr(made, name), tried(lambda n=name: getattr(made, n))] for name in names],
        tried(lambda: options.Options().experimental_stateful_whitelist),
        tried(lambda: options.DistributeOptions().auto_shard),
    ]  # fmt: skip


def private_names():
    """Names of TensorFlow's own that libraries ask for."""
    eager = tried(lambda: tf.ones([2])._shape is None)
    with tf.Graph().as_default():
        return [eager, tried(lambda: tf.constant(1.0)._shape is None)]


EAGER = {
    "datasets": dataset,
    "feature columns": column,
    "a tensor as a key": hashed,
    "a float as an index": indexed,
    "isinstance": counted,
    "initialized_value": initialized,
    "files": files,
    "list_files": listed,
    "distributions": distribution,
    "the execution mode": execution,
    "ops that scatter": scattered,
    "options of data sets": options_of_data,
    "private names": private_names,
}


def placeholders():
    sparse = v1.sparse_placeholder(tf.float32, [2, 3])
    return [sparse, sparse.dense_shape.op.type]


def slots():
    with v1.variable_scope("scope"):
        v1.get_variable("w", [2], use_resource=False, regularizer=lambda w: tf.reduce_sum(w))
    with v1.variable_scope("scope", reuse=True):
        w = v1.get_variable("w")
        train = v1.train.MomentumOptimizer(0.1, 0.9).minimize(tf.reduce_sum(w * w))
    losses = v1.get_collection(v1.GraphKeys.REGULARIZATION_LOSSES)
    return [train.type, [loss.name for loss in losses]]


def old_loop():
    was_enabled = v1.control_flow_v2_enabled()
    v1.disable_control_flow_v2()
    try:
        _, y = tf.while_loop(
            lambda i, y: i < 3,
            lambda i, y: (
                i + 1,
                tf.cond(i > 0, lambda: y + tf.random.normal([], seed=3), lambda: y),
            ),
            [tf.constant(0), tf.constant(0.0)],
        )
    finally:
        if was_enabled:
            v1.enable_control_flow_v2()
    graph = v1.get_default_graph()
    enters = [op for op in graph.get_operations() if op.type == "Enter"]
    return [op.get_attr("parallel_iterations") for op in enters], y


def old_iterator():
    dataset = tf.data.Dataset.range(2).map(lambda x: x + 1)
    iterator = v1.data.make_initializable_iterator(dataset)
    other = v1.data.Iterator.from_structure(tf.int64, ())
    return [iterator.initializer.type, iterator.get_next(), other.make_initializer(dataset).type]


def stepped():
    x = v1.placeholder(tf.float32, [None])
    y = 2 * x
    with v1.Session() as session:
        return [session.run(y, {x: [1.0, 2.0]}) for _ in range(8)], sorted(vars(session))


def cells():
    cell = v1.nn.rnn_cell.BasicLSTMCell(2)
    several = v1.nn.rnn_cell.MultiRNNCell([v1.nn.rnn_cell.LSTMCell(2) for _ in range(2)])
    return [
        tried(lambda: cell(tf.ones([1, 2]), tf.zeros([1, 4]))),
        tried(lambda: several(tf.ones([1, 2]), several.zero_state(1, tf.float32))),
    ]


def unrolled():
    cell = v1.nn.rnn_cell.LSTMCell(2)
    return v1.nn.dynamic_rnn(cell, tf.ones([1, 2, 2]), [1], dtype=tf.float32)[0]


def imported():
    definition = v1.get_default_graph().as_graph_def()
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(definition, name="")
        return [op.type for op in graph.get_operations()]


def queued():
    return v1.train.match_filenames_once("missing/*").op.type


#: Probes of a graph alone.
GRAPH = {
    "placeholders": placeholders,
    "slots": slots,
    "loops of v1": old_loop,
    "iterators of v1": old_iterator,
    "steps": stepped,
    "cells": cells,
    "dynamic_rnn": unrolled,
    "an imported graph": imported,
    "match_filenames_once": queued,
}


class Scaled(keras.layers.Layer):
    """A layer whose ``training`` has a default."""

    def call(self, inputs, training=True, **others):
        return inputs * (2.0 if training else 1.0) + len(others)


def model():
    keras.backend.clear_session()
    x = keras.Input([3])
    y = keras.layers.Dense(2, kernel_initializer="ones")(Scaled()(x))
    return keras.Model(x, keras.layers.LayerNormalization()(y))


def fitted():
    class Log(keras.callbacks.Callback):
        """Keeps what it is told."""

        def __init__(self):
            super().__init__()
            self.told = []

        def on_train_batch_end(self, batch, logs=None):
            self.told.append(sorted(logs))

        def on_epoch_end(self, epoch, logs=None):
            self.told.append([sorted(logs), sorted(self.params)])

    made, log = model(), Log()
    made.compile("adagrad", "mse", metrics=["accuracy", "mae"], run_eagerly=False)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        history = made.fit(np.ones([5, 3]), np.ones([5, 2]), 2, callbacks=[log], verbose=2)
        losses = made.evaluate(tf.data.Dataset.from_tensors((np.ones([5, 3]), np.ones([5, 2]))))
        made.predict(np.ones([1, 3]))
        with tempfile.TemporaryDirectory() as folder:
            saver = keras.callbacks.ModelCheckpoint(os.path.join(folder, "{batch}"), save_freq=2)
            made.fit(np.ones([5, 3]), np.ones([5, 2]), 2, callbacks=[saver], verbose=0)
            saved = sorted(name for name in os.listdir(folder) if name.isdigit())
    steps = [saved, made.train_on_batch(np.ones([2, 3]), np.ones([2, 2]))]
    steps += [made.test_on_batch(np.ones([2, 3]), np.ones([2, 2]))]
    rows = printed.getvalue().count("\n")
    return [log.told, sorted(history.history), losses, steps, rows, made.optimizer.get_config()]


def configured():
    layers = keras.layers
    made = [
        layers.Conv2D(1, 1), layers.AlphaDropout(0.5), layers.GaussianDropout(0.5),
        layers.GaussianNoise(0.5), layers.GlobalAveragePooling1D(),
        layers.GlobalAveragePooling2D(), layers.GlobalAveragePooling3D(), layers.Attention(),
        layers.AdditiveAttention(), layers.InputLayer([2]),
        keras.losses.BinaryCrossentropy(), keras.losses.CategoricalCrossentropy(),
        keras.losses.SparseCategoricalCrossentropy(), keras.losses.MeanSquaredError(),
        keras.metrics.AUC(), keras.metrics.MeanIoU(2), keras.metrics.CategoricalCrossentropy(),
        keras.metrics.SparseCategoricalCrossentropy(), keras.optimizers.legacy.Ftrl(),
        keras.Sequential([layers.Dense(1, input_shape=(2,))]),
    ]  # fmt: skip
    return [sorted(one.get_config()) for one in made], [
        layer["class_name"] for layer in made[-1].get_config()["layers"]
    ]


def named():
    keras.backend.clear_session()
    recurrent = [keras.layers.LSTM(2), keras.layers.RNN([keras.layers.LSTMCell(2)] * 2)]
    weights = [w.name for layer in recurrent if layer(tf.ones([1, 2, 2])) is not None
               for w in layer.weights]  # fmt: skip
    return weights, keras.layers.ConvLSTM2D(1, 1).name


def attributes():
    made, layer = model(), keras.layers.Dense(1)
    names = ("apply", "get_updates_for", "get_losses_for", "_layers", "predict_classes",
             "predict_proba", "to_yaml")  # fmt: skip
    return [
        [[hasattr(one, name) for name in names] for one in (made, layer, keras.Sequential())],
        [getattr(keras.Sequential(), name) for name in ("inputs", "outputs", "input_names")],
        hasattr(keras.Model, "history"), made.input_spec[0].shape if made.input_spec else None,
        len(made._inbound_nodes), tried(lambda: made.get_output_at(0)),
        tried(lambda: made(tf.ones([1, 4]))), tried(lambda: made(tf.ones([1, 3]))),
        tried(made.to_yaml), tried(lambda: keras.models.model_from_yaml("")),
    ]  # fmt: skip


def others():
    import copy

    half = keras.layers.BatchNormalization()(tf.ones([2, 2], tf.float64))
    lambdas = keras.layers.Lambda(lambda x: x * tf.Variable(2.0))
    twice = copy.copy(keras.Sequential([keras.layers.Dense(1, input_shape=(2,))]))

    class Net(keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = keras.layers.Dense(1)

        def call(self, x):
            return self.dense(x)

    net = Net()
    net._set_inputs(tf.ones([1, 2]))
    from tf_keras.src import losses
    from tf_keras.src.engine import base_layer_v1
    from tf_keras.src.preprocessing.image import apply_affine_transform
    from tf_keras.src.saving.legacy import model_config

    image = apply_affine_transform(np.arange(9.0).reshape(3, 3, 1), 30)
    return [
        half.dtype.name, tried(lambda: lambdas(tf.ones([1]))), twice.weights[0].shape, image,
        len(net.weights), net.built,
        losses.cosine_similarity([[1.0, 0.0]], [[1.0, 0.0]]),
        tried(lambda: model_config.model_from_yaml("")),
        tried(lambda: base_layer_v1.Layer.add_update(keras.layers.Dense(1), [])),
        tried(lambda: keras.losses.get("cosine_proximity")),
        tried(lambda: keras.metrics.get("cosine_proximity").__name__),
        tried(lambda: keras.layers.Dense(1).add_update(None, inputs=True)),
        keras.optimizers.legacy.Adagrad.from_config({}).get_config(),
        str(inspect.signature(v1.keras.layers.BatchNormalization.__init__)),
        tried(lambda: keras.losses.deserialize("cosine_similarity")([[1.0]], [[1.0]])),
    ]  # fmt: skip


KERAS = {
    "fit": fitted,
    "configurations": configured,
    "names": named,
    "attributes of models": attributes,
    "other layers": others,
}


def flags():
    """absl's flags, as an application of the library has them."""
    from absl import flags as absl_flags

    values = absl_flags.FlagValues()
    absl_flags.DEFINE_boolean("plot", True, "", flag_values=values)
    absl_flags.DEFINE_float("rate", 20, "", flag_values=values)
    return [
        tried(lambda: absl_flags.DEFINE_integer("n", 1.5, "", flag_values=values)),
        tried(lambda: v1.flags.FLAGS.unknown),
        tried(lambda: values(["x", "--plot", "False"])), values.plot, type(values.rate),
        tried(lambda: setattr(values, "missing", 1)),
        hasattr(values, "_parse_flags"), type(getattr(values, "__flags")),
        tried(lambda: absl_flags.DEFINE_integer("rate", 1, "", flag_values=values)),
    ]  # fmt: skip


def cases():
    from tensorflow.python.util import tf_decorator
    from tensorflow.python.util.protobuf import compare

    class Case(tf.test.TestCase):
        """A test case of the library."""

    case = Case()
    message = v1.GraphDef()

    def in_session():
        with case.session(), case.cached_session(), case.test_session() as session:
            return type(session).__name__

    return [
        tried(lambda: case.assertAllEqual([tf.ones([])], [1.0])), tried(in_session),
        tried(lambda: tf_decorator.fullargspec_to_signature(inspect.getfullargspec(flags))),
        str(compare.NormalizeNumberFields(message)),
    ]  # fmt: skip


PLAIN = {"flags": flags, "test cases": cases}


def in_graph(probe):
    """A probe in a graph of the library: its result, its ops, and what a session computes."""
    with tf.Graph().as_default() as graph:
        tf.random.set_seed(1)
        try:
            result = probe()
        except Exception as error:  # pylint: disable=broad-except
            return f"{type(error).__name__}: {str(error).splitlines()[:1]}"
        ops = [[op.name, op.type] for op in graph.get_operations()]
        tensors = [one for one in tf.nest.flatten(result) if isinstance(one, tf.Tensor)]
        with v1.Session() as session:
            values = tried(lambda: session.run(tensors)) if tensors else None
        return [values, shown(result), ops]


def in_function(probe):
    """A probe in a `tf.function`."""
    made = []

    @tf.function(autograph=False)
    def function():
        tensors = [one for one in tf.nest.flatten(probe()) if isinstance(one, tf.Tensor)]
        made.extend(op.type for op in v1.get_default_graph().get_operations())
        return tensors

    return tried(lambda: [function(), made])


def run(eager):
    """The results of all probes.

    Args:
      eager: whether the process executes eagerly.
    """
    results = {}
    for name, probe in OPS.items():
        results["graph: " + name] = in_graph(probe)
        for way, call in (("eager", tried), ("function", in_function)) if eager else ():
            tf.random.set_seed(1)
            results[f"{way}: {name}"] = call(probe)
    for name, probe in GRAPH.items():
        results["graph: " + name] = in_graph(probe)
    for name, probe in {**EAGER, **KERAS}.items() if eager else ():
        tf.random.set_seed(1)
        results["eager: " + name] = tried(probe)
    results.update(("graph: " + name, in_graph(probe)) for name, probe in PLAIN.items())
    return results
