"""What TF 1.15 gets of a folder whose code it cannot run as it is."""

import pytest

from tfgraphtools.upgrade.trees import tf1_side

TF = "import tensorflow as tf\n"

#: id -> source of what is left as it is
SAME = {
    "of-tf1.15": TF + "tf.placeholder\ntf.layers.dense\ntf.contrib.layers\ntf.concat([x], 0)\n",
    "of-numpy1": TF + "import numpy as np\nnp.float, tf.Session\n",
    "no-python": TF + "def (\n",
}

#: id -> (old source, new source)
REWRITTEN = {
    "python2": (TF + "print 7 / 2, tf.Session\n", TF + "print(7 // 2, tf.Session)\n"),
    "names-before-1.0": (
        TF + "tf.Session(), tf.mul(x, y), tf.contrib.layers\n",
        TF + "tf.Session(), tf.compat.v1.multiply(x, y), tf.contrib.layers\n",
    ),
    "arguments-before-1.0": (
        TF + "tf.Session(), tf.concat(1, [x, y])\n",
        TF + "tf.Session(), tf.compat.v1.concat([x, y], 1)\n",
    ),
}


@pytest.mark.parametrize("case", SAME)
def test_left_as_it_is(case, tmp_path):
    (tmp_path / "main.py").write_text(SAME[case])
    assert tf1_side.rewriter(str(tmp_path)) is None


@pytest.mark.parametrize("case", REWRITTEN)
def test_rewritten_in_the_copy(case, tmp_path):
    old, new = REWRITTEN[case]
    for folder in ("original", "copy"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "main.py").write_text(old)
    tf1_side.rewriter(str(tmp_path / "original"))(str(tmp_path / "copy"))
    assert (tmp_path / "copy" / "main.py").read_text() == new
    assert (tmp_path / "original" / "main.py").read_text() == old
