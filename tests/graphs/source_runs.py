"""Runs written models where neither TensorFlow nor tfgraphtools can be imported.

python source_runs.py GRAPHS FOLDERS: for each line NAME of the standard input, ``model.py`` in
FOLDERS/NAME runs on the inputs in GRAPHS/NAME.npz; what TF 1.15 computed is compared. The answer is
a line of JSON: the largest differences of "outputs" (of two sizes) and of "gradients", as shares of
the largest values, and how many gradients were compared.
"""

import importlib.util
import json
import pathlib
import sys


class _Refusing:
    """Refuses imports."""

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("tensorflow", "tfgraphtools", "keras"):
            raise ImportError(name + " is not there")


sys.meta_path.insert(0, _Refusing())

import numpy as np  # noqa: E402
import torch  # noqa: E402

STEPS = {
    "reshape": lambda array, dims: array.reshape(dims),
    "transpose": lambda array, order: array.transpose(order),
    "part": lambda array, axis, start, stop: np.moveaxis(
        np.moveaxis(array, axis, 0)[start:stop], 0, axis
    ),
    "gates": lambda array, order: np.concatenate(
        [np.split(array, len(order), -1)[i] for i in order], -1
    ),
    "add": lambda array, number, start, stop: array,  # of a gradient
}


def loaded(folder):
    spec = importlib.util.spec_from_file_location("model_" + folder.name, str(folder / "model.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.load()


def inputs(arrays, size):
    start = size + "/in/"
    return {
        name[len(start) :].replace("/", "_"): torch.tensor(arrays[name])
        for name in arrays.files
        if name.startswith(start)
    }


def outputs(model, arrays, size):
    """Yields (tensor, what TF 1.15 gave)."""
    start = size + "/out/"
    names = [name for name in arrays.files if name.startswith(start)]
    result = model(**inputs(arrays, size))
    if not isinstance(result, dict):
        result = {names[0][len(start) :]: result}
    assert list(result) == [name[len(start) :] for name in names]
    for name in names:
        yield result[name[len(start) :]], arrays[name]


def difference(actual, expected):
    assert actual.shape == expected.shape and actual.dtype == expected.dtype, (actual, expected)
    largest = np.abs(expected.astype(float)).max()
    return float(np.abs(actual.astype(float) - expected).max() / max(largest, 1e-30))


def gradients(model, arrays, names):
    """Returns (the largest difference, how many variables were compared)."""
    rows = [t for t, _ in outputs(model, arrays, "0") if t.dtype == torch.float32]
    rows = [t for t in rows if t.requires_grad]
    if not rows or not any(name.startswith("grad/") for name in arrays.files):
        return 0.0, 0
    total = sum((t.reshape(-1) * torch.cos(torch.arange(t.numel()).float())).sum() for t in rows)
    total.backward()
    expected = {n[5:]: arrays[n] for n in arrays.files if n.startswith("grad/")}
    for name in [name for name in expected if name.endswith("/part_0")]:
        whole = name[: -len("/part_0")]
        parts = sorted(name for name in expected if name.startswith(whole + "/part_"))
        expected[whole] = np.concatenate([expected[part] for part in parts])
    largest = max(np.abs(array).max() for array in expected.values())
    worst, compared = 0.0, set()
    for key, parameter in model.named_parameters():
        row = names[key]
        if row.get("variable") not in expected or "part" in row:
            continue
        if any(step[0] in ("ones", "zeros") for step in row["steps"]):
            continue
        array = expected[row["variable"]]
        for name, *arguments in row["steps"]:
            array = STEPS[name](array, *arguments)
        actual = np.zeros(array.shape) if parameter.grad is None else parameter.grad.numpy()
        assert actual.shape == array.shape, key
        worst = max(worst, float(np.abs(actual - array).max() / largest))
        compared.add(row["variable"])
    return worst, len(compared)


def run_own_test(folder):
    """Runs the test that was written beside a model."""
    sys.modules.pop("model", None)
    sys.path.insert(0, str(folder))
    path = folder / "test_model.py"
    module = {"__name__": "test_model", "__file__": str(path)}
    exec(compile(path.read_text(), str(path), "exec"), module)
    module["test_outputs"]()
    sys.path.remove(str(folder))


def result(folder, arrays):
    run_own_test(folder)
    model = loaded(folder)
    with torch.no_grad():
        pairs = [pair for size in "01" for pair in outputs(model, arrays, size)]
    worst = max(difference(actual.numpy(), expected) for actual, expected in pairs)
    names = json.loads((folder / "names.json").read_text())
    counters = {key for key in model.state_dict() if key.endswith("num_batches_tracked")}
    assert set(names) == set(model.state_dict()) - counters
    share, count = gradients(model, arrays, names)
    return {"outputs": worst, "gradients": share, "compared": count}


if __name__ == "__main__":
    torch.set_num_threads(1)  # with more, oneDNN's gradients of convolutions may crash
    graphs, folders = map(pathlib.Path, sys.argv[1:])
    for line in sys.stdin:
        name = line.strip()
        try:
            answer = result(folders / name, np.load(str(graphs / (name + ".npz"))))
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)
