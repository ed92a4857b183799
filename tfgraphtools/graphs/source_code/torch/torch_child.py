"""The process in which PyTorch runs written models: TensorFlow and PyTorch in one may crash.

python torch_child.py reads a JSON object a line: ``folder`` of the model, ``runs``, a .npz with
"NUMBER/ARGUMENT", and ``result``, the .npz to write: "NUMBER/outputs/NAME", and "gradients/KEY" of
the first run. Where ``training`` is true the model trains without dropout, and
"NUMBER/buffers/KEY" has the moving averages after a run, each of which starts from the checkpoint.
Where ``steps`` is a number, so many steps of training.py are made, and the result has "losses" and
the state of the model; ``rate`` is the argument that is a number. It answers by a JSON object a
line: {number: what it raised}, "" for the model. It imports nothing of the package.
"""

import json
import os
import sys
import types


def _module(folder, name):
    path = os.path.join(folder, name + ".py")
    module = types.ModuleType(name)
    module.__file__ = path
    with open(path, encoding="utf-8") as file:
        text = file.read()
    exec(compile(text, path, "exec"), module.__dict__)
    return module


def _loaded(folder):
    return _module(folder, "model").load()


def _inputs(arrays, number):
    import numpy
    import torch

    start = number + "/"
    return {
        name[len(start) :]: torch.from_numpy(numpy.array(arrays[name]))
        for name in arrays.files
        if name.startswith(start)
    }


def _outputs(model, arrays, number):
    """Returns {name: tensor}; "" is the name of an only output."""
    result = model(**_inputs(arrays, number))
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


def _train(model):
    import torch

    model.train()
    for module in model.modules():
        if isinstance(module, (torch.nn.Dropout, torch.nn.Dropout2d)):
            module.p = 0.0


def _stepped(request, model, arrays):
    """Makes steps; returns the answer."""
    import numpy

    try:
        training, losses = _module(request["folder"], "training"), []
        _train(model)
        optimizer = training.load_optimizer(model)
        for number in range(request["steps"]):
            inputs = _inputs(arrays, str(number))
            inputs = {k: t.item() if k == request.get("rate") else t for k, t in inputs.items()}
            losses.append(training.train_step(model, optimizer, **inputs).item())
    except Exception as error:
        return {"": _words(error)}
    state = {key: tensor.numpy() for key, tensor in model.state_dict().items()}
    numpy.savez(request["result"], losses=numpy.array(losses), **state)
    return {}


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
    if "steps" in request:
        return _stepped(request, model, arrays)
    is_training = request.get("training", False)
    if is_training:
        _train(model)
    start = {key: tensor.clone() for key, tensor in model.state_dict().items()}
    for number in request["numbers"]:
        try:
            model.load_state_dict(start)
            with torch.no_grad():
                outputs = _outputs(model, arrays, number)
            for name, tensor in outputs.items():
                results[f"{number}/outputs/{name}"] = tensor.numpy()
            for key, tensor in model.named_buffers() if is_training else ():
                results[f"{number}/buffers/{key}"] = tensor.numpy().copy()
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
