"""The text of ``test_model.py``: what the original gave, as a first test for the owner."""

from typing import NamedTuple


class Lines(NamedTuple):
    """The lines of the test that differ between libraries.

    Attributes:
      imports: those of packages.
      run: those that compute ``result`` of ``inputs``, a dictionary of arrays.
      array: the expression of the array of ``result[name]``.
    """

    imports: str
    run: str
    array: str


_TEXT = '''"""Compares the model with what the TF1 graph computed: test_model.npz has its runs."""

import pathlib

{imports}
from model import load

#: The largest difference, as a share of the largest value of an output.
TOLERANCE = {tolerance!r}


def test_outputs():
    arrays = np.load(pathlib.Path(__file__).with_name("test_model.npz"))
    model = load()
    for run in sorted({{name.split("/")[0] for name in arrays.files}}):
        inputs = {{
            name.split("/", 2)[2]: arrays[name]
            for name in arrays.files
            if name.startswith(run + "/inputs/")
        }}
        expected = {{
            name.split("/", 2)[2]: arrays[name]
            for name in arrays.files
            if name.startswith(run + "/outputs/")
        }}
{run}
        if not isinstance(result, dict):
            result = {{name: result for name in expected}}
        for name, array in expected.items():
            actual = {array}
            assert actual.shape == array.shape, (name, actual.shape, array.shape)
            largest = np.abs(array.astype(np.float64)).max() if array.size else 0
            atol = max(TOLERANCE * largest, 1e-30)
            np.testing.assert_allclose(actual, array, rtol=0, atol=atol, err_msg=name)


if __name__ == "__main__":
    test_outputs()
'''


def text(lines, tolerance):
    """Returns the text of the test.

    Args:
      lines: `Lines`.
      tolerance: the largest difference, as a share of the largest value of an output.
    """
    return _TEXT.format(tolerance=tolerance, **lines._asdict())


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
