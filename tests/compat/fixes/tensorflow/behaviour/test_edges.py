"""What is said, once and with the user's line, where numbers for NaN and the like differ."""

import pytest

from tfgraphtools import compat
from tfgraphtools.compat.fixes.tensorflow.behaviour.numbers import edges, zero_products

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

#: A call of each function that is said, and calls that are not.
SCRIPT = """\
import tensorflow as tf
image, x, half = tf.ones([2, 2, 3]), tf.ones([3]), tf.ones([3], tf.float16)
cube = tf.cast(tf.ones([2, 2, 2]), tf.complex64)
square, volume = tf.eye(3), tf.ones([1, 2, 2, 4])
one, ids = dict(x=x), dict(data=x, segment_ids=[0, 0, 1])
two, along = dict(x=x, y=x), dict(input=x, axis=[0])
raw = {
    "Max": along, "Min": along, "EuclideanNorm": along, "Maximum": two, "Minimum": two,
    "TruncateDiv": two, "SegmentMax": ids, "SegmentMin": ids, "Sign": one, "Rsqrt": one,
    "Round": one, "Digamma": one, "Lgamma": one, "Expm1": one, "Polygamma": dict(a=x, x=x),
    "Zeta": dict(x=x, q=x), "IgammaGradA": dict(a=x, x=x),
    "CumulativeLogsumexp": dict(x=x, axis=0), "Softmax": dict(logits=square),
    "Lu": dict(input=square), "LogMatrixDeterminant": dict(input=square), "Svd": dict(input=square),
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
    tf.linalg.LinearOperatorFullMatrix(square), tf.linalg.slogdet(square), tf.linalg.lu(square)
    tf.linalg.det(square), tf.matrix_determinant(square), tf.linalg.expm(square)
    tf.layers.dense(square, 2, activation=tf.nn.softmax), tf.math.softmax(x)
    tf.nn.top_k(x), tf.math.top_k(x), tf.expm1(x), tf.math.expm1(x), tf.truncatediv(x, x)
    tf.nn.lrn(volume), tf.nn.local_response_normalization(volume), tf.nn.weighted_moments(x, [0], x)
    tf.betainc(x, x, x), tf.math.betainc(x, x, x), tf.svd(square), tf.linalg.svd(square)
    tf.losses.softmax_cross_entropy(square, square), tf.train.cosine_decay(0.1, x, 9)
    tf.train.cosine_decay_restarts(0.1, x, 9), tf.train.natural_exp_decay(0.1, x, 9, 0.9)
print([type(one).__name__ for one in operators])
tf.Session().run(tf.constant([1.0, float("nan")]))
"""

CONTRIB = """\
import tensorflow as tf
from tensorflow.contrib.layers.python.layers.layers import poincare_normalize
from tensorflow.contrib import distributions, image, nn, opt
x, variable = tf.ones([3]), tf.Variable(tf.eye(2))
for _ in range(2):
    image.dense_image_warp(tf.ones([1, 2, 2, 1]), tf.zeros([1, 2, 2, 2]))
    image.bipartite_match(tf.eye(2), 2.0, 1)
    nn.scaled_softplus(x, 0.5), poincare_normalize(tf.eye(2)), distributions.Chi2(x)
    distributions.Chi2WithAbsDf(x)
    distributions.quadrature_scheme_lognormal_quantiles(x, x, 3)
    distributions.moving_mean_variance(variable, decay=0.9)
    distributions.assign_moving_mean_variance(
        tf.Variable([0.0]), tf.Variable([0.0]), tf.ones([1]), decay=0.9
    )
    opt.ShampooOptimizer()
print(tf.Session().run(tf.constant([1.0])))
fed = tf.placeholder(tf.float32, [1])
tf.Session().run(tf.shape(fed), {fed: [float("nan")]})
"""

SILENT = """\
import tensorflow as tf
x = tf.ones([64])
tf.cosh(x), tf.sinh(x), tf.signal.stft(x, 16, 8), tf.signal.rfft(x), tf.digamma(x), tf.lgamma(x)
print(tf.Session().run([tf.signal.fft(tf.cast(x, tf.complex64)), tf.linalg.pinv(tf.ones([2, 2]))]))
large = tf.Session().run(tf.nn.softmax(x) * 0 + 3e38)
assert not float(large.sum()) < 1e39
tf.distributions.Gamma(x, x).cdf(x), tf.image.adjust_saturation(tf.ones([2, 2, 3]), 0.5)
"""


def test_each_is_said_once_with_the_line_of_the_user(tmp_path, tf1_run_in):
    done = run(tf1_run_in, tmp_path, SCRIPT)
    assert done.stdout == "['LinearOperatorToeplitz', 'LinearOperatorCirculant']\n"
    for text, names in edges.SAID.items():
        check(done, text, {name.rpartition(".")[2] for name in names.split()})
    check(done, edges.SPECIAL, ["truncatediv"])


def test_each_of_contrib_is_said_once(tmp_path, tf1_run_in):
    done = run(tf1_run_in, tmp_path, CONTRIB)
    assert done.stdout == "[1.]\n"
    for text, modules in edges.SAID_OF_CONTRIB.items():
        check(done, text, {name for names in modules.values() for name in names.split()})


def test_finite_numbers_are_silent(tmp_path, tf1_run_in):
    silent = run(tf1_run_in, tmp_path, SILENT)
    assert "tfgraphtools: " not in silent.stderr, silent.stderr


#: Products with zeros, of which the constants may be fed, still.
ZEROS = """\
import tensorflow as tf
penalty, zero = tf.placeholder(tf.float32), tf.constant(0.0)
with tf.Session() as session:
    loss = 1.0 + zero * penalty
    print(session.run(loss, {penalty: 2.0}), session.run(loss, {penalty: 2.0, zero: 3.0}))
    print(%s)
"""


@pytest.mark.parametrize("is_nan", [True, False], ids=["NaN", "finite"])
def test_a_constant_zero_times_nan_is_said(tmp_path, tf1_run_in, is_nan):
    last = "session.run(loss, {penalty: float('nan')})" if is_nan else "1"
    done = run(tf1_run_in, tmp_path, ZEROS % last)
    assert done.stdout.startswith("1.0 7.0\n")
    said = [line for line in done.stderr.splitlines() if zero_products.TEXT in line]
    assert [line.rsplit("script.py:", 1)[1][:2] for line in said] == (["4:"] if is_nan else [])


def run(tf1_run_in, folder, text):
    (folder / "script.py").write_text(text)
    done = tf1_run_in(folder, "script.py")
    assert done.returncode == 0, done.stderr
    return done


def check(done, text, names):
    """Each of the functions is said once, with a line of the script."""
    said = [line for line in done.stderr.splitlines() if line.startswith("tfgraphtools: ")]
    for name in names:
        one = [line for line in said if line.endswith(f": {name}: {text}.")]
        assert len(one) == 1, (name, said)
        assert "script.py:" in one[0]
