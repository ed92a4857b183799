"""Sums of results of a Session, which NumPy 2 takes in float32: `upgrade` says where."""

import numpy as np
import pytest

_HEAD = (
    "import tensorflow as tf\nx = tf.constant(0.1)\nsession = tf.Session()\n"
    "total, steps = 0.0, 3\ncost = 0.0\nfor step in range(steps):\n"
)

#: name: (the body of the loop, whether it is said)
CASES = {
    "a result": ("    c = session.run(x)\n    cost += c\n", True),
    "one of two": ("    _, c = session.run([x, x])\n    cost += c / steps\n", True),
    "the call": ("    cost += session.run(x) / steps\n", True),
    "eval": ("    cost -= x.eval(session=session)\n", True),
    "a quotient of Python 2": ("    cost += divide(session.run(x), steps)\n", True),
    "a print": ("    c = session.run(x)\n    print('error', (1 - c))\n", True),
    "a print of a call": ("    print(100 * session.run(x))\n", True),
    "a print of digits": ("    c = session.run(x)\n    print('%.3f' % (1 - c), c)\n", False),
    "a print of a float64": ("    c = session.run(x)\n    print(1 - np.float64(c))\n", False),
    "a float64": ("    c = session.run(x)\n    cost += np.float64(c) / steps\n", False),
    "a number": ("    c = session.run(x)\n    cost += step\n", False),
    "a list": ("    costs = []\n    c = session.run(x)\n    costs += [c]\n", False),
}


@pytest.mark.parametrize("case", CASES)
def test_said(case, upgraded):
    body, is_said = CASES[case]
    upgraded(_HEAD + body)
    line = _HEAD.count("\n") + body.count("\n")  # the last
    left = [(finding.line, finding.fix) for _, finding in upgraded.report.unresolved()]
    assert left == [(line, "numpy.promotion")] * is_said


def test_what_is_said_is_so():
    is_single = np.lib.NumpyVersion(np.__version__) >= "2.0.0"
    assert ((0.0 + np.float32(0.1)).dtype == np.float32) == is_single
    assert (0.0 + np.float64(np.float32(0.1))).dtype == np.float64
