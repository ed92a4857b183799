"""What one line of a file says of the TensorFlow that it was written for."""

import pytest

TF1 = "import tensorflow.compat.v1 as tf"

IMPORT = "import tensorflow as tf\n"

#: Lines after ``import tensorflow as tf``, and whether they are TF 1's.
CASES = {
    "initializable": ("it = tf.data.Dataset.range(3).make_initializable_iterator()\n", True),
    "one-shot": ("it = tf.data.TFRecordDataset([]).make_one_shot_iterator()\n", True),
    "output-types": ("def f(ds=tf.data.Dataset.range(3)): return ds.output_types\n", True),
    "output-shapes": ("def f(ds=tf.data.Dataset.range(3)): return ds.output_shapes\n", True),
    "from-structure": ("it = tf.data.Iterator.from_structure(tf.int32)\n", True),
    "string-handle": ("it = tf.data.Iterator.from_string_handle('', tf.int32)\n", True),
    "gradients-of-keras": ("g = tf.keras.backend.gradients(1, 2)\n", True),
    "cudnn-lstm": ("m = tf.keras.layers.CuDNNLSTM(3)\n", True),
    "set-session": ("tf.keras.backend.set_session(None)\n", True),
    "own-attribute": ("class A:\n    def f(self): return self.output_types, tf.add(1, 2)\n", False),
    "function": ("@tf.function\ndef f(x): return tf.data.Dataset.range(x).output_types\n", False),
    "iterator": ("def f(x): return isinstance(x, tf.data.Iterator)\n", False),
}


@pytest.mark.parametrize("case", CASES)
def test_era(case, upgraded):
    line, is_tf1 = CASES[case]
    assert (TF1 in upgraded(IMPORT + line)) == is_tf1


def test_a_continued_line_is_no_comment(upgraded):
    new = upgraded(IMPORT + "x = tf.placeholder(tf.float32)\ny = tf\\\n    .log(x)\n")
    assert TF1 in new and not any(
        finding.status == "cannot" for file in upgraded.report.files for finding in file.findings
    )


@pytest.mark.parametrize(
    "array, is_ragged",
    [
        ("[[1, 2], [3]]", True),
        ("([1], [2, 3])", True),
        ("[1, [2, 3]]", True),
        ("[[[1], [2]], [[1, 2], [3, 4]]]", True),
        ("[[x, 1], [2]]", True),
        ("[[1, 2], [3, 4]]", False),
        ("[[1, 2], [*x]]", False),
        ("[[1, 2], x]", False),
        ("[]", False),
    ],
)
def test_lists_of_unequal_length(array, is_ragged, upgraded):
    source = IMPORT + f"import numpy as np\nx = tf.placeholder(tf.float32)\na = np.array({array})\n"
    assert ("libraries.numpy.array" in upgraded(source)) == is_ragged
