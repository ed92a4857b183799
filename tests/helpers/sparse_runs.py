"""An embedding trained by every optimizer: in TF 1, and going on in Keras.

    python sparse_runs.py train FOLDER      20 steps, a checkpoint with its .meta, 20 more
    python sparse_runs.py go-on FOLDER      from each checkpoint 20 steps in Keras; prints JSON

Each step looks up a few rows, some of them twice, so that the gradient is sparse and
has repeated indices. A case "clipped" clips by the global norm; "dense" looks up by a product.
"""

import itertools
import json
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..")))

import numpy as np  # noqa: E402

from optimizer_runs import CASES, STEPS  # noqa: E402

ROWS, WIDTH, NORM = 12, 3, 0.05
VARIANTS = ["sparse", "clipped", "dense", "dense clipped"]
FLAVOURS = ["keras", "legacy"]


def ids(step):
    """The rows that a step looks up: six of eight, so that some are never and some twice."""
    return np.random.RandomState(step).randint(0, 8, size=6).astype(np.int32)


def initial_values():
    random = np.random.RandomState(5)
    return {
        "embed/embeddings": random.uniform(-0.5, 0.5, (ROWS, WIDTH)).astype(np.float32),
        "out/kernel": random.uniform(-0.5, 0.5, (WIDTH, 2)).astype(np.float32),
    }


def loss_of(tf, table, kernel, rows, is_dense):
    """The loss of a batch; TensorFlow's own ops, the same in both."""
    if is_dense:
        found = tf.matmul(tf.one_hot(rows, ROWS), table)
    else:
        found = tf.gather(table, rows)
    target = tf.cast(tf.stack([rows % 3, rows % 2], 1), tf.float32)
    return tf.reduce_sum((tf.matmul(tf.tanh(found), kernel) - target) ** 2)


def continued():
    """The (case, variant) that go on in Keras."""
    return list(itertools.product(CASES, VARIANTS))


def train(folder):
    import tensorflow

    v1 = tensorflow.compat.v1
    v1.disable_eager_execution()
    for case, variant in itertools.product(CASES, VARIANTS):
        kind, arguments, _ = CASES[case]
        path = os.path.join(folder, variant, case)
        os.makedirs(path)
        with v1.Graph().as_default(), v1.Session() as session:
            variables = [
                v1.get_variable(
                    name, initializer=value, use_resource=True
                )  # a ref may be read late
                for name, value in initial_values().items()
            ]
            rows = v1.placeholder(v1.int32, [6], name="rows")
            step = v1.train.get_or_create_global_step()
            if kind == "CenteredRMSProp":
                optimizer = v1.train.RMSPropOptimizer(centered=True, **arguments)
            else:
                optimizer = getattr(v1.train, kind + "Optimizer")(**arguments)
            loss = loss_of(v1, *variables, rows, "dense" in variant)
            gradients = v1.gradients(loss, variables)
            if "clipped" in variant:
                gradients, _ = v1.clip_by_global_norm(gradients, NORM)
            minimize = optimizer.apply_gradients(zip(gradients, variables), step)
            saver = v1.train.Saver()
            session.run(v1.global_variables_initializer())
            for i in range(2 * STEPS):
                if i == STEPS:
                    saver.save(session, os.path.join(path, "model.ckpt"))
                session.run(minimize, {rows: ids(i)})
            np.savez(os.path.join(path, "after.npz"), *session.run(variables))
    save_others(folder)


def save_others(folder):
    """FOLDER/NAME/model.ckpt of optimizers of tf.contrib that save the names of Adam."""
    import tensorflow

    v1 = tensorflow.compat.v1
    for name in ("NadamOptimizer", "LazyAdamOptimizer"):
        for variant in ("sparse", "dense"):
            path = os.path.join(folder, name, variant)
            os.makedirs(path)
            with v1.Graph().as_default(), v1.Session() as session:
                variables = [
                    v1.get_variable(name, initializer=value, use_resource=variant == "sparse")
                    for name, value in initial_values().items()
                ]
                optimizer = getattr(tensorflow.contrib.opt, name)(0.01)
                optimizer.minimize(loss_of(v1, *variables, ids(0), variant == "dense"))
                session.run(v1.global_variables_initializer())
                v1.train.Saver().save(session, os.path.join(path, "model.ckpt"))


def live(tf, kind, arguments, flavour, variant):
    """(tf.train.Checkpoint, the variables, function that applies gradients)"""
    import keras
    import tf_keras

    from tfgraphtools.checkpoints import optimizers

    name, config = optimizers.keras_config(kind, arguments, flavour)
    library = keras if flavour == "keras" else tf_keras
    if "clipped" in variant:
        config = dict(config, global_clipnorm=NORM)
    model = library.Sequential(
        [
            library.layers.Input((6,), dtype="int32"),
            library.layers.Embedding(ROWS, WIDTH, name="embed"),
            library.layers.Dense(2, use_bias=False, name="out"),
        ]
    )
    if flavour == "keras":
        optimizer = getattr(keras.optimizers, name)(**config)
        optimizer.build(model.trainable_variables)
    else:
        optimizer = getattr(tf_keras.optimizers.legacy, name)(**config)
        optimizer._create_all_weights(model.trainable_variables)
    return tf.train.Checkpoint(model=model, optimizer=optimizer), model, optimizer


def go_on(folder):
    import tensorflow as tf

    from tfgraphtools import checkpoints
    from tfgraphtools.errors import TfgraphtoolsError

    found = {}
    for case, variant in continued():
        kind, arguments, _ = CASES[case]
        path = os.path.join(folder, variant, case)
        with np.load(os.path.join(path, "after.npz")) as saved:
            wanted = [saved[key] for key in saved.files]
        for flavour in FLAVOURS:
            root, model, optimizer = live(tf, kind, arguments, flavour, variant)
            written = os.path.join(path, flavour)
            row = found.setdefault(variant, {}).setdefault(case, {}).setdefault(flavour, {})
            how = {"live": root, "hyper": arguments, "kind": kind, "overwrite": True}
            try:
                checkpoints.to_object_based(os.path.join(path, "model.ckpt"), written, **how)
                row["refused"] = None
            except TfgraphtoolsError as error:
                row["refused"] = str(error)
                how["sparse_gradients"] = ()
                checkpoints.to_object_based(os.path.join(path, "model.ckpt"), written, **how)
            root.restore(written).assert_consumed()
            variables = [getattr(v, "_value", v) for v in model.trainable_variables]
            for i in range(STEPS, 2 * STEPS):
                with tf.GradientTape() as tape:
                    loss = loss_of(tf, *variables, tf.constant(ids(i)), "dense" in variant)
                gradients = tape.gradient(loss, variables)
                try:
                    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
                except Exception as error:  # Keras 3 cannot divide some sparse gradients
                    row["fails"] = str(error)
                    break
            row["difference"] = max(
                float(np.abs(a.numpy() - b).max()) for a, b in zip(variables, wanted)
            )
    print(json.dumps(found))


if __name__ == "__main__":
    {"train": train, "go-on": go_on}[sys.argv[1]](sys.argv[2])
