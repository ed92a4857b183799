"""Runs written models of Keras where tfgraphtools cannot be imported.

python source_keras_runs.py BACKEND GRAPHS FOLDERS: as `source_runs`, on a backend of Keras. On
PyTorch TensorFlow cannot be imported. On TensorFlow "compiled" is the largest difference of the
outputs of a tf.function that knows no size which differs between the two inputs, or None where the
code says that it cannot be compiled. Of a graph with two modes: the largest differences in "eval"
and in "train", where nothing is dropped, and of the "averages" after that step.
"""

import json
import os
import sys

import source_comparisons

BACKEND = os.environ["KERAS_BACKEND"] = sys.argv[1]
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"  # its gradients of convolutions may crash
source_comparisons.refuse("tfgraphtools", *(["tensorflow"] if BACKEND == "torch" else []))
answers, sys.stdout = sys.stdout, sys.stderr  # Keras prints

import keras  # noqa: E402
import numpy as np  # noqa: E402

if BACKEND == "tensorflow":
    import tensorflow as tf
else:
    import torch


def outputs(model, arrays, size):
    """Returns list of (tensor, what TF 1.15 gave)."""
    result = model(**source_comparisons.inputs(arrays, size))
    return list(source_comparisons.outputs(result, arrays, size))


def total(pairs):
    rows = [keras.ops.reshape(t, (-1,)) for t, expected in pairs if expected.dtype == np.float32]
    factors = [np.cos(np.arange(row.shape[0])).astype("f") for row in rows]
    return sum(keras.ops.sum(row * keras.ops.convert_to_tensor(f)) for row, f in zip(rows, factors))


def gradients(model, arrays, variables):
    """Returns {key: gradient or None} of the variables that train."""
    variables = {key: v for key, v in variables.items() if v.trainable}
    if BACKEND == "tensorflow":
        with tf.GradientTape() as tape:
            loss = total(outputs(model, arrays, "0"))
        if not tf.is_tensor(loss):
            return {}
        rows = tape.gradient(loss, [v.value for v in variables.values()])
        rows = [None if g is None else tf.convert_to_tensor(g).numpy() for g in rows]
    else:
        loss = total(outputs(model, arrays, "0"))
        if not getattr(loss, "requires_grad", False):
            return {}
        loss.backward()
        rows = [v.value.grad for v in variables.values()]
        rows = [None if g is None else g.numpy() for g in rows]
    return dict(zip(variables, rows))


def compiled(model, arrays):
    """Returns the largest difference of the outputs of a model that is compiled."""
    rows = [source_comparisons.inputs(arrays, size) for size in "01"]
    dims = {
        name: [n if n == other else None for n, other in zip(array.shape, rows[1][name].shape)]
        for name, array in rows[0].items()
    }
    signature = {
        name: tf.TensorSpec(sizes, rows[0][name].dtype, name) for name, sizes in dims.items()
    }
    function = tf.function(lambda given: model(**given), input_signature=[signature])
    worst = 0.0
    for size, row in zip("01", rows):
        given = {name: tf.constant(array) for name, array in row.items()}
        for tensor, expected in source_comparisons.outputs(function(given), arrays, size):
            worst = max(worst, source_comparisons.difference(tensor.numpy(), expected))
    return worst


def layers(layer):
    """Yields a layer and all below."""
    yield layer
    for value in vars(layer).values():
        for each in value if isinstance(value, (list, tuple)) else [value]:
            if isinstance(each, keras.layers.Layer):
                yield from layers(each)


def result_of_modes(folder, arrays):
    """Returns the differences of a model with two modes."""
    module = source_comparisons.module_of(folder)
    model, names = module.load(), json.loads((folder / "names.json").read_text())
    for layer in layers(model):
        if isinstance(layer, (keras.layers.Dropout, keras.layers.SpatialDropout2D)):
            layer.call = lambda x, training=False, share=1 - layer.rate: (
                x / share if training else x
            )
    row = {}
    for mode in ("eval", "train"):
        y = keras.ops.convert_to_numpy(model(x=arrays["in/x"], training=mode == "train"))
        row[mode] = source_comparisons.difference(y, arrays[mode])
    row["averages"], row["compared"] = 0.0, 0
    for key, place in names.items():
        if "average/" + place["variable"] in arrays.files:
            variable = keras.ops.convert_to_numpy(module.variable_of(model, key))
            expected = arrays["average/" + place["variable"]]
            difference = source_comparisons.difference(variable, expected)
            row["averages"], row["compared"] = max(row["averages"], difference), row["compared"] + 1
    return row


def result(folder, arrays):
    if "train" in arrays.files:
        return result_of_modes(folder, arrays)
    keras.utils.clear_session()
    source_comparisons.run_own_test(folder)
    module = source_comparisons.module_of(folder)
    model = module.load()
    pairs = [pair for size in "01" for pair in outputs(model, arrays, size)]
    worst = max(
        source_comparisons.difference(keras.ops.convert_to_numpy(t), expected)
        for t, expected in pairs
    )
    names = json.loads((folder / "names.json").read_text())
    variables = {key: module.variable_of(model, key) for key in names}
    assert {id(v) for v in variables.values()} == {id(v) for v in model.weights}
    actual = gradients(model, arrays, variables)
    share, count = source_comparisons.gradients(actual, arrays, names)
    row = {"outputs": worst, "gradients": share, "compared": count, "compiled": None}
    text = (folder / "model.py").read_text()
    if BACKEND == "tensorflow" and "one of Python:" not in text and "in Python:" not in text:
        row["compiled"] = compiled(model, arrays)
    return row


if __name__ == "__main__":
    if BACKEND == "torch":
        torch.set_num_threads(1)  # with more, oneDNN's gradients of convolutions may crash
    source_comparisons.answer(result, *sys.argv[2:], answers)
