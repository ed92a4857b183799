"""The process in which PyTorch runs written models: TensorFlow and PyTorch in one may crash.

python torch_child.py reads a JSON object a line: ``folder`` of the model, ``runs``, a .npz with
"NUMBER/ARGUMENT", and ``result``, the .npz to write: "NUMBER/outputs/NAME", and "gradients/KEY" of
the first run. It answers by a JSON object a line: {number: what it raised}, "" for the model. It
imports nothing of the package.
"""

import json
import os
import sys
import types


def _loaded(folder):
    path = os.path.join(folder, "model.py")
    module = types.ModuleType("model")
    module.__file__ = path
    with open(path, encoding="utf-8") as file:
        text = file.read()
    exec(compile(text, path, "exec"), module.__dict__)
    return module.load()


def _outputs(model, arrays, number):
    """Returns {name: tensor}; "" is the name of an only output."""
    import numpy
    import torch

    start = number + "/"
    inputs = {
        name[len(start) :]: torch.from_numpy(numpy.array(arrays[name]))
        for name in arrays.files
        if name.startswith(start)
    }
    result = model(**inputs)
    return result if isinstance(result, dict) else {"": result}


def _gradients(model, arrays, number):
    """Returns {key: array}: of the sum of all outputs, times cos(0), cos(1), ..."""
    import numpy
    import torch

    outputs = _outputs(model, arrays, number).values()
    flat = [tensor.reshape(-1) for tensor in outputs if tensor.dtype == torch.float32]
    flat = [tensor for tensor in flat if tensor.requires_grad]
    if not flat:
        return {}
    factors = [numpy.cos(numpy.arange(tensor.numel())).astype("f") for tensor in flat]
    sum((t * torch.from_numpy(factor)).sum() for t, factor in zip(flat, factors)).backward()
    return {
        key: numpy.zeros(tuple(p.shape), "f") if p.grad is None else p.grad.numpy()
        for key, p in model.named_parameters()
    }


def _words(error):
    return "{}: {}".format(type(error).__name__, " ".join(str(error).split())[:300])


def _answer(request):
    import numpy
    import torch

    torch.set_num_threads(1)  # with more, oneDNN's gradients of convolutions may crash
    arrays, results, errors = numpy.load(request["runs"]), {}, {}
    try:
        model = _loaded(request["folder"])
    except Exception as error:
        return {"": _words(error)}
    for number in request["numbers"]:
        try:
            with torch.no_grad():
                outputs = _outputs(model, arrays, number)
            for name, tensor in outputs.items():
                results[f"{number}/outputs/{name}"] = tensor.numpy()
        except Exception as error:
            errors[number] = _words(error)
    if "0" in request["numbers"] and "0" not in errors:
        try:
            for key, array in _gradients(model, arrays, "0").items():
                results["gradients/" + key] = array
        except Exception as error:
            errors["0"] = _words(error)
    numpy.savez(request["result"], **results)
    return errors


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(_answer(json.loads(line))), flush=True)
