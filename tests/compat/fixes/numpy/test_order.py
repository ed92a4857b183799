"""Equal elements are sorted as by NumPy 1.18, whatever the processor can."""

import pytest

from tfgraphtools import compat

SCRIPT = """
import hashlib
import numpy as np
from numpy import argsort

def digest(found):
    return hashlib.md5(np.asarray(found).astype("int64").tobytes()).hexdigest()[:8]

random = np.random.RandomState(0)
for size in (8, 17, 50, 1000):
    for dtype in ("int64", "int32", "uint32", "float32", "float64", "int16", "float16"):
        x = random.randint(0, 7, size).astype(dtype)
        lists, rows = x.tolist(), x[:8].reshape(4, 2)
        print(size, dtype, *map(digest, [
            np.argsort(x), np.argsort(-x), x.argsort(), x.argsort()[::-1], np.argsort(lists),
            np.argsort(rows, 0), np.argsort(rows, axis=None), np.argsort(x, kind="mergesort"),
            np.argpartition(x, 3), x.argpartition(size // 2), np.partition(x, 3),
            np.matrix(x).argsort(), np.argpartition(x, (3, 7))[:4], argsort(-x, 0, "quicksort"),
            np.ma.masked_equal(x, 3).argsort(), np.argsort(np.where(x > 4, np.nan, x)),
        ]), np.partition(x, 3).dtype, np.argsort(x).dtype)
        x.partition(size // 2)
        print(digest(x), x.dtype)
x = np.array([1.5, np.nan, -np.inf, 0.0, -0.0, np.nan, 2**53, np.inf])
big = np.array([2**63 - 1, 2**63 - 2, -(2**63)])
print(np.argsort(x), np.argsort(big), np.argsort(3), np.argsort([]))
"""


@pytest.mark.skipif(compat.is_tf1(), reason="compat acts on TF 2.x")
def test_equal_elements(interpreters, tmp_path):
    if not interpreters["1.15"]:
        pytest.skip("needs TF 1.15")
    waiting = []
    for kind in ("1.15", "compat"):
        folder = tmp_path / kind
        folder.mkdir()
        (folder / "sorts.py").write_text(SCRIPT)
        waiting.append(interpreters[kind].start(folder, ["sorts.py"], outputs=folder))
    old, ours = (result() for result in waiting)
    assert old.code == ours.code == 0, old.err + ours.err
    assert ours.out == old.out
