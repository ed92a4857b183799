"""What written models are compared by, in processes that cannot import tfgraphtools."""

import importlib.util
import json
import pathlib
import sys

import numpy as np

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


def refuse(*packages):
    """Makes packages as if they were not installed."""
    sys.modules.update(dict.fromkeys(packages))


def module_of(folder):
    """Returns the module of the model in a folder."""
    spec = importlib.util.spec_from_file_location("model_" + folder.name, str(folder / "model.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def inputs(arrays, size):
    """Returns {argument: array} of one of the two sizes."""
    start = size + "/in/"
    return {
        name[len(start) :].replace("/", "_"): arrays[name]
        for name in arrays.files
        if name.startswith(start)
    }


def outputs(result, arrays, size):
    """Yields (output, what TF 1.15 gave)."""
    start = size + "/out/"
    names = [name for name in arrays.files if name.startswith(start)]
    if not isinstance(result, dict):
        result = {names[0][len(start) :]: result}
    assert list(result) == [name[len(start) :] for name in names]
    for name in names:
        yield result[name[len(start) :]], arrays[name]


def difference(actual, expected):
    assert actual.shape == expected.shape and actual.dtype == expected.dtype, (actual, expected)
    largest = np.abs(expected.astype(float)).max()
    return float(np.abs(actual.astype(float) - expected).max() / max(largest, 1e-30))


def gradients(actual, arrays, names):
    """Returns (the largest difference, how many variables were compared).

    Args:
      actual: {key: gradient, or None} of the parameters.
      arrays: of TF 1.15, with "grad/VARIABLE".
      names: names.json.
    """
    expected = {n[5:]: arrays[n] for n in arrays.files if n.startswith("grad/")}
    if not expected:
        return 0.0, 0
    for name in [name for name in expected if name.endswith("/part_0")]:
        whole = name[: -len("/part_0")]
        parts = sorted(name for name in expected if name.startswith(whole + "/part_"))
        expected[whole] = np.concatenate([expected[part] for part in parts])
    largest = max(np.abs(array).max() for array in expected.values())
    worst, compared = 0.0, set()
    for key, gradient in actual.items():
        row = names[key]
        if row.get("variable") not in expected or "part" in row:
            continue
        if any(step[0] in ("ones", "zeros") for step in row["steps"]):
            continue
        array = expected[row["variable"]]
        for name, *arguments in row["steps"]:
            array = STEPS[name](array, *arguments)
        gradient = np.zeros(array.shape) if gradient is None else gradient
        assert gradient.shape == array.shape, key
        worst = max(worst, float(np.abs(gradient - array).max() / largest))
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


def answer(result, graphs, folders, file=None):
    """Prints the result of a function for each line of the standard input.

    Args:
      result: a function of (folder of a model, arrays of TF 1.15).
      graphs, folders: names of folders.
      file: to print to.
    """
    graphs, folders = pathlib.Path(graphs), pathlib.Path(folders)
    for line in sys.stdin:
        name = line.strip()
        try:
            row = result(folders / name, np.load(str(graphs / (name + ".npz"))))
        except Exception as error:
            row = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(row), flush=True, file=file)
