"""A small model trained by every optimizer: in TF 1, and going on in Keras.

    python optimizer_runs.py train FOLDER       20 steps, a checkpoint, 20 more, in graph mode
    python optimizer_runs.py go-on FOLDER       from each checkpoint 20 steps in Keras; prints JSON

The model is two dense layers; the whole data is one batch, so that nothing is random.
"""

import json
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

import numpy as np  # noqa: E402

STEPS = 20

#: {case: (kind, TF 1's arguments, the largest difference that the facts measured)}.
CASES = {
    "SGD": ("GradientDescent", {"learning_rate": 0.1}, 4.5e-8),
    "Momentum": ("Momentum", {"learning_rate": 0.05, "momentum": 0.9}, 4.5e-8),
    "Nesterov": (
        "Momentum",
        {"learning_rate": 0.05, "momentum": 0.9, "use_nesterov": True},
        3.0e-8,
    ),
    "Adam": ("Adam", {"learning_rate": 0.01}, 9.5e-7),
    "RMSProp": ("RMSProp", {"learning_rate": 0.01}, 1.5e-8),
    "RMSProp+momentum": ("RMSProp", {"learning_rate": 0.003, "momentum": 0.5}, 1.5e-8),
    "centered RMSProp": (
        "CenteredRMSProp",
        {"learning_rate": 0.003, "momentum": 0.5},
        1.5e-8,
    ),
    "Adagrad": ("Adagrad", {"learning_rate": 0.1}, 1.5e-8),
    "Adadelta": ("Adadelta", {"learning_rate": 1.0}, 1.5e-8),
    "Ftrl": ("Ftrl", {"learning_rate": 0.1, "l1_regularization_strength": 0.001}, 1.5e-7),
}
NAMES = ["hidden/kernel", "hidden/bias", "out/kernel", "out/bias"]


def initial_values():
    """{name: array}"""
    random = np.random.RandomState(0)
    shapes = [(4, 5), (5,), (5, 2), (2,)]
    return {
        name: random.uniform(-0.5, 0.5, shape).astype(np.float32)
        for name, shape in zip(NAMES, shapes)
    }


def data():
    """(inputs, targets)"""
    random = np.random.RandomState(1)
    x = random.normal(size=(16, 4)).astype(np.float32)
    return x, np.stack([np.sin(x[:, 0]), x[:, 1] * x[:, 2]], 1).astype(np.float32)


def loss_of(tf, values):
    """The loss, from the variables in the order of `NAMES`."""
    x, y = data()
    kernel, bias, out_kernel, out_bias = values
    hidden = tf.tanh(tf.matmul(tf.constant(x), kernel) + bias)
    return tf.reduce_mean((tf.matmul(hidden, out_kernel) + out_bias - y) ** 2)


def train(folder):
    """FOLDER/CASE/model.ckpt after 20 steps, FOLDER/CASE/after.npz after 20 more."""
    import tensorflow

    v1 = tensorflow.compat.v1
    v1.disable_eager_execution()
    for case, (kind, arguments, _) in CASES.items():
        path = os.path.join(folder, case)
        os.makedirs(path)
        with v1.Graph().as_default(), v1.Session() as session:
            variables = [
                v1.get_variable(name, initializer=value, use_resource=False)
                for name, value in initial_values().items()
            ]
            step = v1.train.get_or_create_global_step()
            if kind == "CenteredRMSProp":
                optimizer = v1.train.RMSPropOptimizer(centered=True, **arguments)
            else:
                optimizer = getattr(v1.train, kind + "Optimizer")(**arguments)
            minimize = optimizer.minimize(loss_of(v1, variables), global_step=step)
            saver = v1.train.Saver()
            session.run(v1.global_variables_initializer())
            for _ in range(STEPS):
                session.run(minimize)
            saver.save(session, os.path.join(path, "model.ckpt"), write_meta_graph=False)
            for _ in range(STEPS):
                session.run(minimize)
            np.savez(os.path.join(path, "after.npz"), *session.run(variables))


def live_model(tf, kind, arguments, flavour):
    """(tf.train.Checkpoint, its variables, function of gradients), with Keras's own start."""
    import keras
    import tf_keras

    from tfgraphtools.checkpoints import optimizers

    name, config = optimizers.keras_config(kind, arguments, flavour)
    library = keras if flavour == "keras" else tf_keras
    model = library.Sequential(
        [
            library.layers.Input((4,)),
            library.layers.Dense(5, "tanh", name="hidden"),
            library.layers.Dense(2, name="out"),
        ]
    )
    if flavour == "keras":
        optimizer = getattr(keras.optimizers, name)(**config)
        optimizer.build(model.trainable_variables)
    else:
        optimizer = getattr(tf_keras.optimizers.legacy, name)(**config)
        optimizer._create_all_weights(model.trainable_variables)  # as its first step does

    def apply(gradients):
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))

    return tf.train.Checkpoint(model=model, optimizer=optimizer), model, apply


def steps_in_keras(tf, model, apply):
    """The weights after 20 more steps."""
    variables = [getattr(v, "_value", v) for v in model.trainable_variables]
    for _ in range(STEPS):
        with tf.GradientTape() as tape:
            loss = loss_of(tf, variables)
        apply(tape.gradient(loss, variables))
    return [variable.numpy() for variable in variables]


def go_on(folder):
    """{case: {flavour: {variant: largest difference from TF 1 going on}}}"""
    import tensorflow as tf

    found = {}
    for case in CASES:
        found[case] = {}
        for flavour in ("keras", "legacy"):
            found[case][flavour] = continued(tf, folder, case, flavour)
    print(json.dumps({"differences": found, "refused": dict(refused(tf, folder))}))


#: (id, case, the Keras 3 optimizer to go on with, its arguments, is it built)
REFUSED = [
    ("epsilon", "Adam", "Adam", {"learning_rate": 0.01}, True),
    ("class", "Adam", "AdamW", {"learning_rate": 0.01, "epsilon": 1e-8}, True),
    ("slots", "Adam", "SGD", {"learning_rate": 0.01, "momentum": 0.9}, True),
    ("no slots", "Momentum", "SGD", {"learning_rate": 0.01}, True),
    ("not built", "Adam", "Adam", {"learning_rate": 0.01, "epsilon": 1e-8}, False),
    ("rho", "RMSProp", "RMSprop", {"learning_rate": 0.01, "epsilon": 1e-10, "rho": 0.5}, True),
]


def refused(tf, folder):
    """Yields (id, message) of live optimizers that would not go on as TF 1's."""
    import keras

    from tfgraphtools import checkpoints
    from tfgraphtools.errors import TfgraphtoolsError

    for name, case, optimizer, arguments, is_built in REFUSED:
        root, model, _ = live_model(tf, "GradientDescent", {"learning_rate": 1.0}, "keras")
        root.optimizer = getattr(keras.optimizers, optimizer)(**arguments)
        if is_built:
            root.optimizer.build(model.trainable_variables)
        source = os.path.join(folder, case, "model.ckpt")
        try:
            checkpoints.to_object_based(source, os.path.join(folder, "refused"), live=root)
            yield name, "not refused"
        except TfgraphtoolsError as error:
            yield name, f"{type(error).__name__}: {error}"


def variants(kind):
    """The right ways, and the wrong ones that must be seen to be wrong."""
    wrong = {"Momentum": ["plain copy"], "Adam": ["iterations=0"]}
    fresh = [] if kind == "GradientDescent" else ["fresh"]
    return ["converted", "without global_step"] + fresh + wrong.get(kind, [])


def continued(tf, folder, case, flavour):
    """{variant: largest difference}"""
    from tfgraphtools import checkpoints

    kind, arguments, _ = CASES[case]
    source = os.path.join(folder, case, "model.ckpt")
    with np.load(os.path.join(folder, case, "after.npz")) as saved:
        wanted = [saved[key] for key in saved.files]
    differences = {}
    for variant in variants(kind):
        root, model, apply = live_model(tf, kind, arguments, flavour)
        how = {"live": root, "hyper": arguments, "kind": kind}
        if variant == "without global_step":
            how["drop"] = "global_step"
            if kind != "Adam":
                how["steps"] = 0
        if variant == "plain copy":
            how["hyper"] = dict(arguments, learning_rate=-1.0)  # velocity = accumulator
        if variant == "iterations=0":
            how["steps"] = 0
        if variant == "fresh":
            how = {"live": root, "drop_optimizer": True}
        written = os.path.join(folder, case, f"{flavour}-{variant}".replace(" ", "-"))
        checkpoints.to_object_based(source, written, **how)
        root.restore(written).assert_consumed()
        if variant == "plain copy":
            root.optimizer.learning_rate = arguments["learning_rate"]
        after = steps_in_keras(tf, model, apply)
        differences[variant] = max(float(np.abs(a - b).max()) for a, b in zip(after, wanted))
    return differences


if __name__ == "__main__":
    {"train": train, "go-on": go_on}[sys.argv[1]](sys.argv[2])
