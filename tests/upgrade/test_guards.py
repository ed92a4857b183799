"""What asks for a name or a version stays as it is; every other ``try`` and ``if`` is rewritten."""

import pytest

START = "import sys\nimport numpy as np\nimport tensorflow as tf\ntf.Session()\n"

#: Code in which `tf.mul` and `np.bool` have to become today's.
REWRITTEN = {
    "queue-loop": (
        "coord = tf.train.Coordinator()\ntry:\n    while not coord.should_stop():\n"
        "        y = tf.mul(x, np.bool(1))\nexcept Exception as error:\n"
        "    coord.request_stop(error)\n"
    ),
    "bare-except": "try:\n    y = f(tf.mul(x, np.bool(1)))\nexcept:\n    print('failed')\n",
    "attribute-error-of-data": (
        "try:\n    y = tf.mul(x.value, np.bool(1))\nexcept AttributeError:\n    print(x)\n"
    ),
    "a-tuple": (
        "try:\n    y = tf.mul(x, np.bool(1))\nexcept (ValueError, Exception):\n    stop()\n"
    ),
    "a-loop-with-an-alternative": (
        "try:\n    for i in range(3):\n        y = tf.mul(x, np.bool(1))\n"
        "except Exception:\n    y = tf.constant(1)\n"
    ),
    "data": "try:\n    y = tf.mul(x, np.bool(1))\nexcept:\n    y = 0\n",
    "data-of-numpy": "try:\n    y = tf.mul(x, np.bool(1))\nexcept Exception:\n    y = np.nan\n",
    "data-of-an-object": (
        "try:\n    y = tf.mul(x.value, np.bool(1))\nexcept AttributeError:\n    y = tf.zeros(1)\n"
    ),
    "an-import-that-is-no-version": (
        "from utils import conversion\nif conversion(x):\n    y = tf.mul(x, np.bool(1))\n"
    ),
    "interrupt": (
        "try:\n    y = tf.mul(x, np.bool(1))\nexcept KeyboardInterrupt:\n    y = tf.zeros(1)\n"
    ),
    "a-flag-named-version": "if FLAGS.model_version == 1:\n    y = tf.mul(x, np.bool(1))\n",
    "an-argument-named-version": (
        "def f(version):\n    if version == 2:\n        return tf.mul(x, np.bool(1))\n"
    ),
    "hasattr-of-an-object": "if hasattr(self, 'mul'):\n    y = tf.mul(x, np.bool(1))\n",
    "beside-a-guard": "y = f if hasattr(tf, 'f') else g; z = tf.mul(x, np.bool(1))\n",
}

#: Code that works on both, of which the old branch is kept.
KEPT = {
    "import": "try:\n    from tensorflow.contrib import crf\nexcept ImportError:\n    crf = 0\n",
    "name": "try:\n    f = tf.mul\nexcept AttributeError:\n    f = tf.multiply\n",
    "any-error": "try:\n    y = tf.mul(x, x)\nexcept:\n    y = tf.multiply(x, x)\n",
    "assigned": "try:\n    y = tf.mul(x, x)\nexcept Exception:\n    y = tf.multiply(x, x)\n",
    "call": "try:\n    use(tf.mul(x, x))\nexcept Exception:\n    use(tf.multiply(x, x))\n",
    "version": "if tf.__version__ < '2':\n    y = tf.mul(x, x)\nelse:\n    y = tf.multiply(x, x)\n",
    "answer": "new = tf.__version__ >= '2'\nif not new:\n    y = tf.mul(x, x)\n",
    "hasattr": "y = tf.mul(x, x) if hasattr(tf, 'mul') else tf.multiply(x, x)\n",
    "of-another-module": "from six import PY2\nif PY2:\n    y = tf.mul(x, x)\n",
    "version-attribute": "if tf.version.VERSION < '2':\n    y = tf.mul(x, x)\n",
}


@pytest.mark.parametrize("case", REWRITTEN)
def test_what_is_no_guard_is_rewritten(case, upgraded):
    new = upgraded(START + REWRITTEN[case])
    assert "tf.multiply(" in new and "tf.mul(" not in new and "np.bool(" not in new, new


@pytest.mark.parametrize("case", KEPT)
def test_a_guard_keeps_its_branches(case, upgraded):
    new = upgraded(START + KEPT[case])
    assert KEPT[case] in new


@pytest.mark.parametrize("handler", ["tf = None", "print('no TensorFlow')", "HAS = False"])
def test_a_tensorflow_that_may_be_missing_is_tf_1s(handler, upgraded):
    """Its dropout of 0.9 keeps nine of ten, and TF 2's one."""
    source = "try:\n    import tensorflow as tf\nexcept ImportError:\n    {}\n{}\n"
    use = "tf.nn.dropout(tf.mul(1.0, 2.0), 0.9)"
    new = upgraded(source.format(handler, use))
    assert "    import tensorflow.compat.v1 as tf\n" in new
    assert use.replace("mul", "multiply") in new


def test_an_alternative_to_tensorflow_is_a_guard(upgraded):
    guard = (
        "try:\n    import tensorflow as tf\nexcept ImportError:\n    from tensorflow import v1\n"
    )
    assert guard in upgraded(guard + "tf.mul(1, 2)\n")
