"""Programs of TF 2 that use ``tf.estimator``, told from those of TF 1."""

import pytest

from tfgraphtools.upgrade.clues import estimator_programs

TF = "import tensorflow as tf\n"
USE = "tf.estimator.DNNRegressor\n"

#: id -> (source of main.py, source of beside.py, whether the program is TF 2's)
PROGRAMS = {
    "neither": (TF + USE, "", False),
    "no-estimator": (TF + "tf.function\n# estimator\n", "", False),
    "of-tf2": (TF + "tf.function\n" + USE, "", True),
    "names-of-both": (TF + "tf.function\ntf.placeholder\n" + USE, "", False),
    "keyword-of-tf1": (TF + "tf.function\ntf.nn.dropout(x, keep_prob=1.0)\n" + USE, "", False),
    "asks-for-graphs": (
        TF + "tf.function\ntf.compat.v1.disable_eager_execution()\n" + USE,
        "",
        False,
    ),
    "guarded": (
        TF + "if tf.__version__ >= '2':\n    tf.random.set_seed(1)\n" + USE,
        "",
        False,
    ),
    "compat-v1-without-graphs": (TF + "tf.compat.v1.train.get_global_step()\n" + USE, "", True),
    "compat-v1-with-graphs": (TF + "tf.compat.v1.layers.dense\n" + USE, "", False),
    "estimator-beside": (TF + "import beside\ntf.function\n", TF + USE, True),
    "tf2-beside": (TF + "from beside import step\n" + USE, TF + "step = tf.function\n", True),
    "tf1-beside": (TF + "import beside\ntf.function\n" + USE, TF + "tf.Session()\n", False),
    "python2": (TF + "tf.function\nprint 1\n" + USE, "", False),
}


@pytest.mark.parametrize("case", PROGRAMS)
def test_is_for_tf2(case, tmp_path):
    main, beside, expected = PROGRAMS[case]
    (tmp_path / "main.py").write_text(main)
    (tmp_path / "beside.py").write_text(beside)
    assert estimator_programs.is_for_tf2(str(tmp_path / "main.py")) is expected
