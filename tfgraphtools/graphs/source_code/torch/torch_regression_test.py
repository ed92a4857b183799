"""The text of ``test_model.py``: what the original gave, as a first test for the owner."""

TEXT = '''"""Compares the model with what the TF1 graph computed: test_model.npz has its runs."""

import pathlib

import numpy as np
import torch
from model import load

#: The largest difference, as a share of the largest value of an output.
TOLERANCE = {tolerance!r}


def test_outputs():
    arrays = np.load(pathlib.Path(__file__).with_name("test_model.npz"))
    model = load()
    for run in sorted({{name.split("/")[0] for name in arrays.files}}):
        given = {{
            name.split("/", 2)[2]: arrays[name]
            for name in arrays.files
            if name.startswith(run + "/inputs/")
        }}
        expected = {{
            name.split("/", 2)[2]: arrays[name]
            for name in arrays.files
            if name.startswith(run + "/outputs/")
        }}
        with torch.no_grad():
            result = model(**{{name: torch.from_numpy(x) for name, x in given.items()}})
        if not isinstance(result, dict):
            result = {{name: result for name in expected}}
        for name, array in expected.items():
            actual = result[name].numpy()
            assert actual.shape == array.shape, (name, actual.shape, array.shape)
            largest = np.abs(array.astype(np.float64)).max() if array.size else 0
            atol = max(TOLERANCE * largest, 1e-30)
            np.testing.assert_allclose(actual, array, rtol=0, atol=atol, err_msg=name)


if __name__ == "__main__":
    test_outputs()
'''


def arrays_of(comparisons, arguments):
    """Returns {name: array} of one run of each of the ordinary comparisons.

    Args:
      comparisons: list of `Comparison`.
      arguments: {name of an input: argument of the model}.
    """
    arrays = {}
    ordinary = [comparison for comparison in comparisons if not comparison.at_corners]
    for number, comparison in enumerate(ordinary):
        for name, array in comparison.runs[0].items():
            arrays[f"{number}/inputs/{arguments[name]}"] = array
        for name, array in comparison.expected[0].items():
            arrays[f"{number}/outputs/{name}"] = array
    return arrays
