"""Values that NumPy and TensorFlow refuse: what runs is not left, what stops is."""

import numpy as np
import pytest

HEAD = (
    "import numpy as np\nimport tensorflow.compat.v1 as tf\n\ntf.disable_v2_behavior()\n"
    "x, table, n = np.ones((6, 4)), {}, 4\nhalf, rest = n / 2, n // 2\n"
    "index = [slice(None)] * 2\nsingle, pairs = [0, 1], [[0, 1], [2, 3]]\n"
    "rows = np.where(x > 0)[0]\ncount = 1.0\n"
    "count = count + 1\nfloat_size = n / 2\nsecond = float_size\n"
)

#: An expression -> the row of what is left of it, which plain Python refuses; None where it runs.
CASES = {
    "np.zeros(rest), np.zeros((n, 2)), np.zeros(int(n / 2)), np.ones(n) / 2": None,
    "np.zeros(n / 2)": "numpy.float_size",
    "np.zeros(second)": "numpy.float_size",
    "a, b = n, n / 2; np.zeros(a), np.zeros(b)": "numpy.float_size",
    "a, *c = n / 2, 2, 3; *a, b = n / 2, 2, 3; np.zeros(b)": None,
    "np.random.rand(1e1, 2)": "numpy.float_size",
    "np.random.normal(0.5, 1.5, n), np.full(2, n / 2), np.repeat(x, n / 2)": None,
    "np.random.normal(0, 1, size=(n / 2, 2))": "numpy.float_size",
    "x.reshape(n / 2, -1)": "numpy.float_size",
    "x.reshape(rest, -1), x.reshape((n, -1))": None,
    "tf.placeholder(tf.float32, [None, 785 / 2])": "tensorflow.Dimension",
    "tf.get_variable('v', shape=[n / 3])": "tensorflow.Dimension",
    "tf.placeholder(tf.float32, [None, 784 // 2])": None,
    "rows == rows[0], rows.size == 0, single == [], table == []": None,
    "rows == []": "numpy.compared",
    "bool(np.argwhere(x) != [])": "numpy.compared",
    "x[index]": "numpy.list_of_indices",
    "x[[slice(2), slice(1)]]": "numpy.list_of_indices",
    "x[pairs[0]], x[index.copy()[0]]": None,
    "x.T[[row for row in np.nonzero(x.T)]]": "numpy.list_of_indices",
    "x[[slice(end) for end in (3, 2)]]": "numpy.list_of_indices",
    "x[[i for i in range(2)]], x[[i for i in single]], x[[i - 1 for i in np.nonzero(x)[0]]]": None,
    "x[tuple(index)], x[single], x[[0, n]], x[[i for i in single]], x[:, None]": None,
}


@pytest.mark.parametrize("case", CASES)
def test_left(case, upgraded, graph):
    new = upgraded(HEAD + case + "\n")
    rows = [finding.fix for _, finding in upgraded.report.unresolved()]
    assert rows == ([CASES[case]] if CASES[case] else [])
    names = {}
    try:
        exec(new.replace("tf.disable_v2_behavior()", ""), names)  # it is for the whole process
    except (TypeError, ValueError, IndexError):
        assert CASES[case]
    else:
        assert CASES[case] is None


def test_the_same_index_is_another_silently(upgraded):
    x, rows, columns = np.arange(9).reshape(3, 3), [0, 1], [1, 2]
    assert x[[rows, columns]].shape != x[rows, columns].shape
    upgraded(HEAD + "x[[[0, 1], [1, 2]]]\n")
    ((_, finding),) = upgraded.report.unresolved()
    assert finding.fix == "numpy.list_of_indices"
