"""Trains written models where neither TensorFlow nor tfgraphtools can be imported.

python source_training_runs.py GRAPHS FOLDERS: for each folder NAME in FOLDERS, training.py makes as
many steps as GRAPHS/NAME.npz has losses, on its batches in turn. Printed is a JSON object by name:
the largest differences of the "losses" and of the "variables", as shares of the largest of each,
and how many variables were "compared".
"""

import importlib.util
import json
import pathlib
import sys

sys.modules.update(tensorflow=None, tfgraphtools=None, keras=None)

import numpy as np  # noqa: E402
import torch  # noqa: E402

STEPS = {
    "reshape": lambda array, dims: array.reshape(dims),
    "transpose": lambda array, order: array.transpose(order),
}


def module(folder, name):
    path = str(folder / (name + ".py"))
    spec = importlib.util.spec_from_file_location(name + "_" + folder.name, path)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def batches(arrays):
    for number in range(4):
        start = f"{number}/"
        yield {
            name[len(start) :]: torch.tensor(arrays[name])
            for name in arrays.files
            if name.startswith(start)
        }


def result(folder, arrays):
    model = module(folder, "model").load(training=True)
    for layer in model.modules():
        if isinstance(layer, torch.nn.Dropout):
            layer.p = 0.0
    training = module(folder, "training")
    optimizer, losses = training.load_optimizer(model), []
    feeds = list(batches(arrays))
    for number in range(len(arrays["losses"])):
        losses.append(training.train_step(model, optimizer, **feeds[number % 4]).item())
    names, worst, compared = json.loads((folder / "names.json").read_text()), 0.0, 0
    largest = max(np.abs(arrays[n]).max() for n in arrays.files if n.startswith("variable/"))
    for key, tensor in model.state_dict().items():
        if key not in names or any(s[0] in ("ones", "zeros") for s in names[key]["steps"]):
            continue
        expected = arrays["variable/" + names[key]["variable"]]
        for name, *arguments in names[key]["steps"]:
            expected = STEPS[name](expected, *arguments)
        worst = max(worst, float(np.abs(tensor.numpy() - expected).max() / largest))
        compared += 1
    expected = arrays["losses"]
    loss = float(np.abs(np.array(losses) - expected).max() / np.abs(expected).max())
    return {"losses": loss, "variables": worst, "compared": compared}


if __name__ == "__main__":
    torch.set_num_threads(1)
    graphs, folders = map(pathlib.Path, sys.argv[1:])
    results = {}
    for each in sorted(folders.iterdir()):
        try:
            results[each.name] = result(each, np.load(str(graphs / (each.name + ".npz"))))
        except Exception as error:
            results[each.name] = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(results))
