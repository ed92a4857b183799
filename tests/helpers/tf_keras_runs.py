"""A model of tf.keras under TF 1.15, trained by every optimizer, and going on in Keras.

python tf_keras_runs.py train FOLDER       20 steps, a checkpoint, 20 more, in graph mode
python tf_keras_runs.py go-on FOLDER       from each checkpoint 20 steps in Keras; prints JSON
"""

import json
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..")))

import numpy as np  # noqa: E402

from optimizer_runs import STEPS, data, initial_values  # noqa: E402

#: {case: (class, arguments)}
CASES = {
    "SGD": ("SGD", {"learning_rate": 0.1}),
    "momentum": ("SGD", {"learning_rate": 0.05, "momentum": 0.9}),
    "nesterov": ("SGD", {"learning_rate": 0.05, "momentum": 0.9, "nesterov": True}),
    "Adam": ("Adam", {"learning_rate": 0.01, "beta_1": 0.8}),
    "RMSprop": ("RMSprop", {"learning_rate": 0.01}),
    "RMSprop+momentum": ("RMSprop", {"learning_rate": 0.003, "momentum": 0.5}),
    "RMSprop+centered": ("RMSprop", {"learning_rate": 0.003, "centered": True, "momentum": 0.5}),
    "Adagrad": ("Adagrad", {"learning_rate": 0.1}),
    "Adadelta": ("Adadelta", {"learning_rate": 1.0}),
    "Ftrl": ("Ftrl", {"learning_rate": 0.1, "l1_regularization_strength": 0.001}),
}


def model_of(keras):
    model = keras.Sequential(
        [
            keras.layers.Dense(5, "tanh", input_shape=(4,), name="hidden"),
            keras.layers.Dense(2, name="out"),
        ]
    )
    model.set_weights(list(initial_values().values()))
    return model


def train(folder):
    import tensorflow as tf
    from tensorflow.python.keras.optimizer_v2 import (
        adadelta,
        adagrad,
        adam,
        ftrl,
        gradient_descent,
        rmsprop,
    )

    modules = [adadelta, adagrad, adam, ftrl, gradient_descent, rmsprop]
    for case, (name, arguments) in CASES.items():
        tf.keras.backend.clear_session()
        make = next(getattr(module, name) for module in modules if hasattr(module, name))
        model = model_of(tf.keras)
        model.compile(make(**arguments), "mse")
        x, y = data()
        path = os.path.join(folder, case)
        os.makedirs(path)
        for _ in range(STEPS):
            model.train_on_batch(x, y)
        session = tf.keras.backend.get_session()
        tf.compat.v1.train.Saver().save(
            session, os.path.join(path, "model.ckpt"), write_meta_graph=False
        )
        for _ in range(STEPS):
            model.train_on_batch(x, y)
        np.savez(os.path.join(path, "after.npz"), *model.get_weights())


def go_on(folder):
    """{case: {way: the largest difference from TF 1 going on, or what was refused}}"""
    import keras
    import tensorflow as tf
    import tf_keras

    from tfgraphtools import checkpoints
    from tfgraphtools.errors import TfgraphtoolsError

    found = {}
    for case, (name, arguments) in CASES.items():
        source = os.path.join(folder, case, "model.ckpt")
        with np.load(os.path.join(folder, case, "after.npz")) as saved:
            wanted = [saved[key] for key in saved.files]
        more = {} if name == "SGD" or name == "Ftrl" else {"epsilon": 1e-7}
        if name == "Adagrad":
            more = {"epsilon": 0.0}
        for way in ("keras", "legacy", "object"):
            library = keras if way == "keras" else tf_keras
            home = keras.optimizers if way == "keras" else tf_keras.optimizers.legacy
            model = model_of(library)
            extra = more if way == "keras" else {}
            model.compile(getattr(home, name)(**dict(extra, **arguments)), "mse")
            try:
                if way == "object":
                    model.optimizer._create_all_weights(model.trainable_variables)
                    root = tf.train.Checkpoint(model=model, optimizer=model.optimizer)
                    written = source + "-object"
                    checkpoints.to_object_based(source, written, live=root, overwrite=True)
                    root.restore(written).assert_consumed()
                else:
                    checkpoints.to_keras(source, model)
            except TfgraphtoolsError as error:
                found.setdefault(case, {})[way] = f"{type(error).__name__}: {error}"
                continue
            for _ in range(STEPS):
                model.train_on_batch(*data())
            found.setdefault(case, {})[way] = max(
                float(np.abs(a - b).max()) for a, b in zip(model.get_weights(), wanted)
            )
    print(json.dumps(found))


if __name__ == "__main__":
    {"train": train, "go-on": go_on}[sys.argv[1]](sys.argv[2])
