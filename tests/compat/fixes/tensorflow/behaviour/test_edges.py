"""What is said, once and with the user's line, where numbers for NaN and the like differ."""

import pytest

from tfgraphtools import compat
from tfgraphtools.compat.fixes.tensorflow.behaviour.numbers import edges

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

#: A call of each function that is said, and calls that are not.
SCRIPT = """\
import tensorflow as tf
image, x, half = tf.ones([2, 2, 3]), tf.ones([3]), tf.ones([3], tf.float16)
cube = tf.cast(tf.ones([2, 2, 2]), tf.complex64)
one, ids = dict(x=x), dict(data=x, segment_ids=[0, 0, 1])
two, along = dict(x=x, y=x), dict(input=x, axis=[0])
raw = {
    "Max": along, "Min": along, "EuclideanNorm": along, "Maximum": two, "Minimum": two,
    "TruncateDiv": two, "SegmentMax": ids, "SegmentMin": ids, "Sign": one, "Rsqrt": one,
    "Round": one, "Digamma": one, "Lgamma": one, "Expm1": one, "Polygamma": dict(a=x, x=x),
    "Zeta": dict(x=x, q=x), "IgammaGradA": dict(a=x, x=x),
    "CumulativeLogsumexp": dict(x=x, axis=0),
}
for _ in range(2):
    for name, arguments in raw.items():
        getattr(tf.raw_ops, name)(**arguments)
    for module in (tf, tf.signal, tf.spectral):
        for name in "fft fft2d fft3d ifft ifft2d ifft3d".split():
            getattr(module, name)(cube)
    tf.image.rgb_to_hsv(image), tf.image.hsv_to_rgb(image)
    tf.igamma(x, x), tf.igammac(x, x), tf.math.igamma(x, x), tf.math.igammac(x, x)
    for module in (tf, tf.math):
        for name in "acosh asinh cosh sinh".split():
            getattr(module, name)(half)
    tf.linalg.pinv(image[0])
    operators = [tf.linalg.LinearOperatorToeplitz(x, x), tf.linalg.LinearOperatorCirculant(x)]
    tf.linalg.LinearOperatorCirculant2D(image[0]), tf.linalg.LinearOperatorCirculant3D(image)
print([type(one).__name__ for one in operators])
tf.Session().run(tf.constant([1.0, float("nan")]))
"""

SILENT = """\
import tensorflow as tf
x = tf.ones([64])
tf.cosh(x), tf.sinh(x), tf.signal.stft(x, 16, 8), tf.signal.rfft(x), tf.digamma(x), tf.lgamma(x)
print(tf.Session().run([tf.signal.fft(tf.cast(x, tf.complex64)), tf.linalg.pinv(tf.ones([2, 2]))]))
tf.distributions.Gamma(x, x).cdf(x), tf.image.adjust_saturation(tf.ones([2, 2, 3]), 0.5)
"""


def test_each_is_said_once_with_the_line_of_the_user(tmp_path, tf1_run_in):
    (tmp_path / "script.py").write_text(SCRIPT)
    (tmp_path / "silent.py").write_text(SILENT)
    done = tf1_run_in(tmp_path, "script.py")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "['LinearOperatorToeplitz', 'LinearOperatorCirculant']\n"
    said = [line for line in done.stderr.splitlines() if line.startswith("tfgraphtools: ")]
    for text, names in edges.SAID.items():
        for name in {name.rpartition(".")[2] for name in names.split()}:
            one = [line for line in said if line.endswith(f": {name}: {text}.")]
            assert len(one) == 1, (name, said)
            assert "script.py:" in one[0]
    silent = tf1_run_in(tmp_path, "silent.py")
    assert silent.returncode == 0 and "tfgraphtools: " not in silent.stderr, silent.stderr
