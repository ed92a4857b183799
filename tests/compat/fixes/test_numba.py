"""Functions that Numba compiles run as without `run`; the numbers are those of Numba on TF 1.15."""

import pytest

pytest.importorskip("numba")

SCRIPT = """
import numba, numpy as np
import tensorflow as tf
from numba import njit
@numba.jit(nopython=True)
def first(data):
    found = np.full(len(data), -1, dtype=np.int32)
    for row in range(len(data)):
        for day in range(data.shape[1]):
            if not np.isnan(data[row, day]) and data[row, day] > 0:
                found[row] = day
                break
    return found
@njit
def mean_of_squares(x):
    return np.sum(x * x) / len(x)
print(first(np.array([[0., 1], [0, 0]])).tolist(), mean_of_squares(np.arange(3.0)))
"""


def test_numba_compiles_functions_of_user_code(tf1_run_in, tmp_path):
    (tmp_path / "compiled.py").write_text(SCRIPT)
    done = tf1_run_in(tmp_path, "compiled.py")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "[1, -1] 1.6666666666666667\n"
