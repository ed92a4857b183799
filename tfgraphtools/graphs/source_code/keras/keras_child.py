"""The process in which Keras runs written models: as `torch_child`, on the backend of Keras.

python keras_child.py reads a JSON object a line: ``folder`` of the model, ``runs``, a .npz with
"NUMBER/ARGUMENT", and ``result``, the .npz to write: "NUMBER/outputs/NAME", and "gradients/KEY" of
the first run. Where ``training`` is true the model trains without dropout, and
"NUMBER/buffers/KEY" has the moving averages after a run, each of which starts from the checkpoint.
It answers by a JSON object a line: {number: what it raised}, "" for the model. It imports nothing
of the package.
"""

import json
import os
import sys
import types


def _loaded(folder):
    """Returns (the module, its model)."""
    path = os.path.join(folder, "model.py")
    module = types.ModuleType("model")
    module.__file__ = path
    with open(path, encoding="utf-8") as file:
        text = file.read()
    exec(compile(text, path, "exec"), module.__dict__)
    return module, module.load()


def _variables(folder, module, model):
    """Returns {key: variable} of all weights."""
    with open(os.path.join(folder, "names.json"), encoding="utf-8") as file:
        return {key: module.variable_of(model, key) for key in json.load(file)}


def _outputs(model, arrays, number, is_training):
    """Returns {name: tensor}; "" is the name of an only output."""
    start, mode = number + "/", {"training": True} if is_training else {}
    names = [name for name in arrays.files if name.startswith(start)]
    result = model(**{name[len(start) :]: arrays[name] for name in names}, **mode)
    return result if isinstance(result, dict) else {"": result}


def _total(outputs):
    """Returns the sum of all outputs, times cos(0), cos(1), ..., or None."""
    import keras
    import numpy

    rows = [keras.ops.reshape(tensor, (-1,)) for tensor in outputs.values()]
    rows = [row for row in rows if keras.backend.standardize_dtype(row.dtype) == "float32"]
    factors = [numpy.cos(numpy.arange(row.shape[0])).astype("f") for row in rows]
    sums = [keras.ops.sum(row * keras.ops.convert_to_tensor(f)) for row, f in zip(rows, factors)]
    return sum(sums) if sums else None


def _gradients(outputs, variables):
    """Returns {key: array} of the variables that train, 0 where there is no gradient.

    Args:
      outputs: a function that returns the outputs.
      variables: {key: variable}.
    """
    import keras
    import numpy

    variables = {key: v for key, v in variables.items() if v.trainable}
    by_backend = {"tensorflow": _of_tensorflow, "torch": _of_torch, "jax": _of_jax}
    gradients = by_backend[keras.backend.backend()](outputs, list(variables.values()))
    if gradients is None:
        return {}
    return {
        key: numpy.zeros(tuple(variable.shape), "f") if gradient is None else gradient
        for (key, variable), gradient in zip(variables.items(), gradients)
    }


def _of_tensorflow(outputs, variables):
    import tensorflow

    with tensorflow.GradientTape() as tape:
        total = _total(outputs())
    if total is None or not variables:
        return None
    gradients = tape.gradient(total, [variable.value for variable in variables])
    return [g if g is None else tensorflow.convert_to_tensor(g).numpy() for g in gradients]


def _of_torch(outputs, variables):
    total = _total(outputs())
    if total is None or not total.requires_grad:
        return None
    total.backward()
    gradients = [variable.value.grad for variable in variables]
    return [g if g is None else g.detach().cpu().numpy() for g in gradients]


def _of_jax(outputs, variables):
    import jax
    import keras
    import numpy

    def total(values):
        with keras.StatelessScope(state_mapping=list(zip(variables, values))):
            return _total(outputs())

    if not variables or _total(outputs()) is None:
        return None
    return [numpy.asarray(g) for g in jax.grad(total)([v.value for v in variables])]


def _layers(layer):
    """Yields a layer and all below."""
    import keras

    yield layer
    for value in vars(layer).values():
        for each in value if isinstance(value, (list, tuple)) else [value]:
            if isinstance(each, keras.layers.Layer):
                yield from _layers(each)


def _without_dropout(model):
    import keras

    for layer in _layers(model):
        if isinstance(layer, (keras.layers.Dropout, keras.layers.SpatialDropout2D)):
            layer.rate = 0.0


def _words(error):
    return "{}: {}".format(type(error).__name__, " ".join(str(error).split())[:300])


def _answer(request):
    import keras
    import numpy

    arrays, results, errors = numpy.load(request["runs"]), {}, {}
    is_training = request.get("training", False)
    try:
        module, model = _loaded(request["folder"])
        variables = _variables(request["folder"], module, model) if model.weights else {}
        if is_training:
            _without_dropout(model)
    except Exception as error:
        return {"": _words(error)}
    start = {key: keras.ops.convert_to_numpy(v) for key, v in variables.items()}

    def reset():
        for key, array in start.items():
            variables[key].assign(array)

    def outputs(number="0"):
        return _outputs(model, arrays, number, is_training)

    for number in request["numbers"]:
        try:
            reset()
            for name, tensor in outputs(number).items():
                results[f"{number}/outputs/{name}"] = keras.ops.convert_to_numpy(tensor)
            for key, v in variables.items() if is_training else ():
                if not v.trainable:
                    results[f"{number}/buffers/{key}"] = keras.ops.convert_to_numpy(v)
        except Exception as error:
            errors[number] = _words(error)
    if "0" in request["numbers"] and "0" not in errors:
        try:
            reset()
            for key, array in _gradients(outputs, variables).items():
                results["gradients/" + key] = array
        except Exception as error:
            errors["0"] = _words(error)
    numpy.savez(request["result"], **results)
    return errors


def _avoid_crashes():
    """Keeps oneDNN from gradients of convolutions, which may end the process."""
    os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
    import keras

    if keras.backend.backend() == "torch":
        import torch

        torch.set_num_threads(1)


if __name__ == "__main__":
    answers, sys.stdout = sys.stdout, sys.stderr  # Keras prints
    _avoid_crashes()
    for line in sys.stdin:
        print(json.dumps(_answer(json.loads(line))), flush=True, file=answers)
