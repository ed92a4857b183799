"""``load_from_saved_model``: models that ``export_saved_model`` of 1.15 wrote."""

import os

from tfgraphtools.compat.engine.rows import Fix, Table


def load_from_saved_model(saved_model_path, custom_objects=None):
    """Returns the model that ``tf.keras.experimental.export_saved_model`` of TF 1.15 wrote.

    Args:
      saved_model_path: the folder.
      custom_objects: {name: class or function} of the user's own.
    """
    import tf_keras

    path = os.fsdecode(saved_model_path)
    with open(os.path.join(path, "assets", "saved_model.json"), encoding="utf-8") as file:
        model = tf_keras.models.model_from_json(file.read(), custom_objects=custom_objects)
    model.load_weights(os.path.join(path, "variables", "variables"))
    return model


TABLES = (
    Table(
        "exports of Keras",
        "names",
        [
            Fix(
                name,
                "TF 2.4",
                "reads models that export_saved_model of 1.15 wrote",
                lambda real: load_from_saved_model,
            )
            for name in (
                "tensorflow.keras.experimental.load_from_saved_model",
                "tensorflow.contrib.saved_model.load_keras_model",
                "tensorflow.python.keras.engine.saving.load_from_saved_model",
                "tensorflow.python.keras.saving.load_from_saved_model",
            )
        ],
    ),
)
