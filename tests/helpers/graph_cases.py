"""The graphs of `tests/graphs/tf1_graphs.py`, which only TF 1.15 imports; comparing outputs."""

import pathlib
import re

import numpy as np

_SCRIPT = pathlib.Path(__file__).parent.parent / "graphs" / "tf1_graphs.py"
CASES = sorted(re.findall(r"^@case\ndef (\w+)", _SCRIPT.read_text(encoding="utf-8"), re.MULTILINE))

#: Of control flow v2, whose bodies TF 1.15 cannot freeze.
OF_V2 = ["branches_of_v2", "loop_of_v2"]
#: It trains in its Session, too.
TRAINS = "normalisation_in_training"


def close(actual, expected, tolerance=1e-5):
    """Asserts that arrays are equal to a share of the largest element."""
    actual, expected = np.asarray(actual), np.asarray(expected)
    atol = max(tolerance * np.abs(expected).max(), 1e-6)
    np.testing.assert_allclose(actual, expected, rtol=0, atol=atol)
