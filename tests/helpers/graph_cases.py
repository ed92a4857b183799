"""The graphs of `tests/graphs/tf1_graphs.py`, which only TF 1.15 imports; comparing outputs."""

import pathlib
import re

import numpy as np

_FOLDER = pathlib.Path(__file__).parent.parent / "graphs"


def _cases(script):
    text = (_FOLDER / script).read_text(encoding="utf-8")
    return sorted(re.findall(r"^@case\ndef (\w+)", text, re.MULTILINE))


CASES = _cases("tf1_graphs.py")
#: Those of `tests/graphs/tf1_conversions.py`.
CONVERSIONS = _cases("tf1_conversions.py")
#: Those of `tests/graphs/tf1_sources.py`.
SOURCES = [
    case
    for script in ("tf1_sources.py", "tf1_source_loops.py", "tf1_source_kinds.py")
    for case in _cases(script)
]

#: Of control flow v2, whose bodies TF 1.15 cannot freeze.
OF_V2 = ["branches_of_v2", "loop_of_v2"]
#: It trains in its Session, too.
TRAINS = "normalisation_in_training"


def close(actual, expected, tolerance=1e-5):
    """Asserts that arrays are equal to a share of the largest element."""
    actual, expected = np.asarray(actual), np.asarray(expected)
    atol = max(tolerance * np.abs(expected).max(), 1e-6)
    np.testing.assert_allclose(actual, expected, rtol=0, atol=atol)
