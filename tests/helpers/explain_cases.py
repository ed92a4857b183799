"""Held-out cases for explain_gradient, single ops: what tf.gradients itself gives is the oracle.

``CASES[name](tf, v1, x)`` builds y from x, a placeholder of shape [4].
"""

import numpy as np

CASES = {}


def case(name):
    def register(function):
        CASES[name] = function
        return function

    return register


def simple(name, function):
    CASES[name] = function


# sign / zero gradients
simple("sign", lambda tf, v1, x: tf.sign(x) * 3.0)
simple("sign+x", lambda tf, v1, x: tf.sign(x) * x)
simple("sign-dyn", lambda tf, v1, x: tf.sign(v1.placeholder_with_default(x, [None])))
simple("mul0", lambda tf, v1, x: 0.0 * x)
simple("mulzeroslike", lambda tf, v1, x: x * tf.zeros_like(x))
simple("zeros_like", lambda tf, v1, x: tf.zeros_like(x) + 1.0)
simple("abs", lambda tf, v1, x: tf.abs(x))
simple("floormod", lambda tf, v1, x: tf.math.floormod(x, 3.0))
simple("floormod2", lambda tf, v1, x: tf.math.floormod(7.0, x))
simple("mod-trunc", lambda tf, v1, x: v1.truncatemod(x, 3.0))
simple(
    "truncdiv", lambda tf, v1, x: tf.cast(v1.truncatediv(tf.cast(x * 10, tf.int32), 3), tf.float32)
)
simple("floordiv", lambda tf, v1, x: x // 0.3)
simple("rint", lambda tf, v1, x: tf.math.rint(x))
simple("ceil", lambda tf, v1, x: tf.math.ceil(x))
# complex
simple("complex", lambda tf, v1, x: tf.math.real(tf.complex(x, x) * tf.complex(2.0, 1.0)))
simple("fft", lambda tf, v1, x: tf.abs(tf.signal.fft(tf.cast(x, tf.complex64))))
simple("ifft", lambda tf, v1, x: tf.math.imag(tf.signal.ifft(tf.complex(x, 2 * x))))
simple("rfft", lambda tf, v1, x: tf.math.real(tf.signal.rfft(x)))
simple("irfft", lambda tf, v1, x: tf.signal.irfft(tf.complex(x, x)))
simple("angle", lambda tf, v1, x: tf.math.angle(tf.complex(x, x * x)))
simple("conj", lambda tf, v1, x: tf.math.real(tf.math.conj(tf.complex(x, x))))
simple("polar", lambda tf, v1, x: tf.math.real(tf.exp(tf.complex(tf.zeros_like(x), x))))
simple("complex-stop", lambda tf, v1, x: tf.math.real(tf.stop_gradient(tf.complex(x, x))))
simple("stft", lambda tf, v1, x: tf.abs(tf.signal.stft(tf.tile(x, [4]), 4, 2)))
simple(
    "complex-matmul",
    lambda tf, v1, x: tf.math.real(
        tf.matmul(
            tf.reshape(tf.complex(x, x), [2, 2]),
            tf.reshape(tf.complex(x, x), [2, 2]),
            adjoint_b=True,
        )
    ),
)
simple(
    "fft2d", lambda tf, v1, x: tf.math.real(tf.signal.fft2d(tf.reshape(tf.complex(x, x), [2, 2])))
)
# integer hops
simple("intcast", lambda tf, v1, x: tf.cast(tf.cast(x, tf.int32), tf.float32))
simple("int64", lambda tf, v1, x: tf.cast(tf.cast(x, tf.int64) * 2, tf.float32) + 1.0)
simple("bool", lambda tf, v1, x: tf.cast(x > 0.0, tf.float32))
simple("argmax", lambda tf, v1, x: tf.cast(tf.argmax(x), tf.float32))
simple("argmin", lambda tf, v1, x: tf.cast(tf.argmin(x), tf.float32) * 2.0)
simple("topk-idx", lambda tf, v1, x: tf.cast(tf.nn.top_k(x, 2)[1], tf.float32))
simple("topk-val", lambda tf, v1, x: tf.nn.top_k(x, 2)[0])
simple("argsort", lambda tf, v1, x: tf.cast(tf.argsort(x), tf.float32))
simple("sort", lambda tf, v1, x: tf.sort(x))
simple("where-idx", lambda tf, v1, x: tf.cast(tf.where(x > 0.0), tf.float32))
simple("bitcast", lambda tf, v1, x: tf.cast(tf.bitcast(x, tf.int32), tf.float32))
simple("bitcast2", lambda tf, v1, x: tf.bitcast(tf.bitcast(x, tf.int32), tf.float32))
simple("onehot", lambda tf, v1, x: tf.one_hot(tf.argmax(x), 4))
simple("gather-argmax", lambda tf, v1, x: tf.gather(x, tf.argmax(x)))
simple("gather-idx", lambda tf, v1, x: tf.gather(tf.constant([1.0, 2.0, 3.0, 4.0]), tf.argmax(x)))
simple(
    "bucketize",
    lambda tf, v1, x: tf.cast(tf.raw_ops.Bucketize(input=x, boundaries=[0.0, 1.0]), tf.float32),
)
simple("searchsorted", lambda tf, v1, x: tf.cast(tf.searchsorted(tf.sort(x), [0.1]), tf.float32))
simple("histogram", lambda tf, v1, x: tf.cast(tf.histogram_fixed_width(x, [0.0, 1.0]), tf.float32))
simple("equal", lambda tf, v1, x: tf.cast(tf.equal(x, 0.3), tf.float32))
simple("count_nonzero", lambda tf, v1, x: tf.cast(tf.math.count_nonzero(x), tf.float32))
simple("logical", lambda tf, v1, x: tf.cast(tf.logical_and(x > 0.0, x < 1.0), tf.float32))
simple(
    "size",
    lambda tf, v1, x: tf.cast(tf.size(v1.placeholder_with_default(x, [None])), tf.float32) * 1.0,
)
simple(
    "multinomial", lambda tf, v1, x: tf.cast(v1.multinomial(tf.reshape(x, [1, 4]), 2), tf.float32)
)
simple(
    "in_top_k",
    lambda tf, v1, x: tf.cast(tf.math.in_top_k([1], tf.reshape(x, [1, 4]), 2), tf.float32),
)
simple(
    "nms",
    lambda tf, v1, x: tf.cast(
        tf.image.non_max_suppression([[0.0, 0.0, 1.0, 1.0]] * 4, x, 2), tf.float32
    ),
)


# sparse
def sp(tf, x):
    return tf.SparseTensor([[0, 0], [0, 1], [1, 0], [1, 1]], x, [2, 2])


simple("sparse-dense", lambda tf, v1, x: tf.sparse.to_dense(sp(tf, x)))
simple("sparse-sum", lambda tf, v1, x: v1.sparse_reduce_sum(sp(tf, x)))
simple("sparse-matmul", lambda tf, v1, x: tf.sparse.sparse_dense_matmul(sp(tf, x), tf.eye(2)))
simple("sparse-softmax", lambda tf, v1, x: tf.sparse.softmax(sp(tf, x)).values)
simple("sparse-reorder", lambda tf, v1, x: tf.sparse.reorder(sp(tf, x)).values)
simple("sparse-add", lambda tf, v1, x: tf.sparse.add(sp(tf, x), sp(tf, x)).values)
simple("sparse-concat", lambda tf, v1, x: tf.sparse.concat(0, [sp(tf, x), sp(tf, x)]).values)
simple("sparse-max", lambda tf, v1, x: v1.sparse_reduce_max(sp(tf, x)))
simple("sparse-slice", lambda tf, v1, x: tf.sparse.slice(sp(tf, x), [0, 0], [1, 2]).values)
simple("sparse-dense-shape", lambda tf, v1, x: tf.cast(sp(tf, x).dense_shape, tf.float32))
simple("sparse-fill", lambda tf, v1, x: tf.sparse.fill_empty_rows(sp(tf, x), 1.0)[0].values)
simple("scatter_nd", lambda tf, v1, x: tf.scatter_nd([[0], [2], [1], [3]], x, [5]))
simple(
    "tensor_scatter",
    lambda tf, v1, x: tf.tensor_scatter_nd_update(tf.zeros([5]), [[0], [2], [1], [3]], x),
)
simple(
    "emb-sparse",
    lambda tf, v1, x: tf.nn.embedding_lookup_sparse(
        tf.reshape(x, [4, 1]),
        tf.SparseTensor([[0, 0]], tf.constant([1], tf.int64), [1, 1]),
        None,
        combiner="sum",
    ),
)
simple("sparse-from-dense", lambda tf, v1, x: tf.sparse.from_dense(x).values)
simple("sparse-reset", lambda tf, v1, x: tf.sparse.reset_shape(sp(tf, x)).values * 2.0)
simple("sparse_mask", lambda tf, v1, x: tf.boolean_mask(x, x > 0.0))
simple(
    "ragged", lambda tf, v1, x: tf.reduce_sum(tf.RaggedTensor.from_row_lengths(x, [1, 3]), axis=1)
)
simple("ragged-toT", lambda tf, v1, x: tf.RaggedTensor.from_row_lengths(x, [1, 3]).to_tensor())
# sets & strings
simple(
    "set",
    lambda tf, v1, x: tf.cast(
        tf.sets.size(
            tf.sets.intersection(tf.cast(tf.reshape(x, [1, 4]), tf.int32), [[0, 1, 2, 3]])
        ),
        tf.float32,
    ),
)
simple("setdiff", lambda tf, v1, x: v1.setdiff1d(x, [0.0])[0])
simple("unique", lambda tf, v1, x: tf.unique(x)[0])
simple("unique-count", lambda tf, v1, x: tf.cast(tf.unique_with_counts(x)[2], tf.float32))
simple("as_string", lambda tf, v1, x: tf.strings.to_number(tf.strings.as_string(x)))
simple(
    "hash",
    lambda tf, v1, x: tf.cast(
        tf.strings.to_hash_bucket_fast(tf.strings.as_string(x), 10), tf.float32
    ),
)
simple("serialize", lambda tf, v1, x: tf.io.parse_tensor(tf.io.serialize_tensor(x), tf.float32))
# segment
seg = [0, 0, 1, 1]
simple("segsum", lambda tf, v1, x: tf.math.segment_sum(x, seg))
simple("segmean", lambda tf, v1, x: tf.math.segment_mean(x, seg))
simple("segmax", lambda tf, v1, x: tf.math.segment_max(x, seg))
simple("segmin", lambda tf, v1, x: tf.math.segment_min(x, seg))
simple("segprod", lambda tf, v1, x: tf.math.segment_prod(x, seg))
simple("unsorted", lambda tf, v1, x: tf.math.unsorted_segment_sum(x, seg, 2))
simple("unsortedprod", lambda tf, v1, x: tf.math.unsorted_segment_prod(x, seg, 2))
simple("unsortedmax", lambda tf, v1, x: tf.math.unsorted_segment_max(x, seg, 2))
simple("sparsesegsum", lambda tf, v1, x: v1.sparse_segment_sum(x, [0, 2], [0, 1]))
simple(
    "sparsesegmean", lambda tf, v1, x: v1.sparse_segment_mean(tf.reshape(x, [4, 1]), [0, 2], [0, 1])
)


# image
def im(tf, x):
    return tf.reshape(x, [1, 2, 2, 1])


simple("resize_bi", lambda tf, v1, x: v1.image.resize_bilinear(im(tf, x), [4, 4]))
simple("resize_nn", lambda tf, v1, x: v1.image.resize_nearest_neighbor(im(tf, x), [4, 4]))
simple("resize_cubic", lambda tf, v1, x: v1.image.resize_bicubic(im(tf, x), [4, 4]))
simple("resize_area", lambda tf, v1, x: v1.image.resize_area(im(tf, x), [4, 4]))
simple(
    "crop_resize",
    lambda tf, v1, x: v1.image.crop_and_resize(im(tf, x), [[0.0, 0.0, 1.0, 1.0]], [0], [3, 3]),
)
simple(
    "crop_resize_boxes",
    lambda tf, v1, x: v1.image.crop_and_resize(
        tf.constant(np.random.RandomState(0).rand(1, 4, 4, 1).astype("f")),
        tf.reshape(x, [1, 4]),
        [0],
        [3, 3],
    ),
)
simple(
    "adjust_hue",
    lambda tf, v1, x: tf.image.adjust_hue(tf.reshape(tf.tile(x, [3]), [1, 2, 2, 3]), 0.1),
)
simple("adjust_contrast", lambda tf, v1, x: tf.image.adjust_contrast(im(tf, x), 2.0))
simple("rgb2hsv", lambda tf, v1, x: tf.image.rgb_to_hsv(tf.reshape(tf.tile(x, [3]), [4, 3])))
simple("hsv2rgb", lambda tf, v1, x: tf.image.hsv_to_rgb(tf.reshape(tf.tile(x, [3]), [4, 3])))
simple(
    "extract_patches",
    lambda tf, v1, x: v1.image.extract_image_patches(
        im(tf, x), [1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1], "VALID"
    ),
)
simple("flip", lambda tf, v1, x: tf.image.flip_left_right(im(tf, x)[0]))
simple(
    "draw",
    lambda tf, v1, x: v1.image.draw_bounding_boxes(tf.ones([1, 4, 4, 3]), tf.reshape(x, [1, 1, 4])),
)
simple(
    "extract_glimpse", lambda tf, v1, x: v1.image.extract_glimpse(im(tf, x), [2, 2], [[0.0, 0.0]])
)
simple(
    "conv", lambda tf, v1, x: v1.nn.conv2d(im(tf, x), tf.ones([1, 1, 1, 1]), [1, 1, 1, 1], "SAME")
)
simple(
    "conv-filter",
    lambda tf, v1, x: v1.nn.conv2d(
        tf.ones([1, 4, 4, 1]), tf.reshape(x, [2, 2, 1, 1]), [1, 1, 1, 1], "SAME"
    ),
)
simple("maxpool", lambda tf, v1, x: v1.nn.max_pool(im(tf, x), [1, 2, 2, 1], [1, 1, 1, 1], "SAME"))
simple(
    "maxpool_idx",
    lambda tf, v1, x: tf.cast(
        v1.nn.max_pool_with_argmax(im(tf, x), [1, 2, 2, 1], [1, 1, 1, 1], "SAME")[1], tf.float32
    ),
)
simple("avgpool", lambda tf, v1, x: v1.nn.avg_pool(im(tf, x), [1, 2, 2, 1], [1, 1, 1, 1], "SAME"))
simple(
    "fracpool",
    lambda tf, v1, x: v1.nn.fractional_max_pool(
        tf.tile(im(tf, x), [1, 2, 2, 1]), [1.0, 1.5, 1.5, 1.0], seed=1
    )[0],
)
simple(
    "dilation",
    lambda tf, v1, x: v1.nn.dilation2d(
        im(tf, x), tf.zeros([1, 1, 1]), [1, 1, 1, 1], [1, 1, 1, 1], "SAME"
    ),
)
simple("lrn", lambda tf, v1, x: tf.nn.local_response_normalization(im(tf, x)))
simple(
    "depthwise",
    lambda tf, v1, x: v1.nn.depthwise_conv2d(
        im(tf, x), tf.ones([1, 1, 1, 2]), [1, 1, 1, 1], "SAME"
    ),
)
simple("bn", lambda tf, v1, x: v1.nn.fused_batch_norm(im(tf, x), [1.0], [0.0])[0])
simple("bn-mean", lambda tf, v1, x: v1.nn.fused_batch_norm(im(tf, x), [1.0], [0.0])[1])
simple(
    "bn-scale",
    lambda tf, v1, x: v1.nn.fused_batch_norm(
        tf.constant(np.random.RandomState(0).rand(1, 2, 2, 4).astype("f")), x, [0.0] * 4
    )[0],
)
simple("moments", lambda tf, v1, x: tf.nn.moments(x, [0])[1])


# linalg
def M(tf, x):
    return tf.reshape(x, [2, 2]) + 2 * tf.eye(2)


simple("inv", lambda tf, v1, x: tf.linalg.inv(M(tf, x)))
simple("det", lambda tf, v1, x: tf.linalg.det(M(tf, x)))
simple("slogdet", lambda tf, v1, x: tf.linalg.slogdet(M(tf, x))[1])
simple("slogdet-sign", lambda tf, v1, x: tf.linalg.slogdet(M(tf, x))[0])
simple(
    "chol", lambda tf, v1, x: tf.linalg.cholesky(tf.matmul(M(tf, x), M(tf, x), transpose_b=True))
)
simple("qr", lambda tf, v1, x: tf.linalg.qr(M(tf, x))[0])
simple("svd", lambda tf, v1, x: tf.linalg.svd(M(tf, x))[0])
simple("svd-s", lambda tf, v1, x: tf.linalg.svd(M(tf, x), compute_uv=False))
simple("eigh", lambda tf, v1, x: tf.linalg.eigh(tf.matmul(M(tf, x), M(tf, x), transpose_b=True))[0])
simple(
    "eig",
    lambda tf, v1, x: tf.math.real(
        tf.raw_ops.Eig(input=M(tf, x), Tout=tf.complex64, compute_v=False)[0]
    ),
)
simple("lu", lambda tf, v1, x: tf.linalg.lu(M(tf, x))[0])
simple("expm", lambda tf, v1, x: tf.linalg.expm(M(tf, x)))
simple("logm", lambda tf, v1, x: tf.math.real(tf.linalg.logm(tf.cast(M(tf, x), tf.complex64))))
simple("sqrtm", lambda tf, v1, x: tf.linalg.sqrtm(M(tf, x)))
simple("solve", lambda tf, v1, x: tf.linalg.solve(M(tf, x), tf.ones([2, 1])))
simple("trisolve", lambda tf, v1, x: tf.linalg.triangular_solve(M(tf, x), tf.ones([2, 1])))
simple("lstsq", lambda tf, v1, x: tf.linalg.lstsq(M(tf, x), tf.ones([2, 1])))
simple(
    "tridiag",
    lambda tf, v1, x: tf.linalg.tridiagonal_solve(
        tf.reshape(tf.tile(x, [3]), [3, 4]) + tf.constant([[0.0] * 4, [5.0] * 4, [0.0] * 4]),
        tf.ones([4]),
    ),
)
simple("einsum", lambda tf, v1, x: tf.einsum("i,j->ij", x, x))
simple("band", lambda tf, v1, x: tf.linalg.band_part(M(tf, x), 0, 1))
simple("cross", lambda tf, v1, x: tf.linalg.cross(x[:3], x[1:]))
simple("norm", lambda tf, v1, x: tf.norm(x))
simple(
    "matrix_rank",
    lambda tf, v1, x: (
        tf.cast(tf.linalg.matrix_rank(M(tf, x)), tf.float32)
        if hasattr(tf.linalg, "matrix_rank")
        else tf.zeros([])
    ),
)


# special functions
def _special(name):
    return lambda tf, v1, x: getattr(tf.math, name)(tf.sigmoid(x))


for one in "lgamma erfc sinh atanh log1p expm1 rsqrt softplus softsign bessel_i0e".split():
    CASES["m-" + one] = _special(one)
simple(
    "betainc",
    lambda tf, v1, x: tf.math.betainc(tf.sigmoid(x), 0.5 * tf.ones_like(x), 0.3 * tf.ones_like(x)),
)
simple(
    "betainc-x",
    lambda tf, v1, x: tf.math.betainc(0.5 * tf.ones_like(x), 0.5 * tf.ones_like(x), tf.sigmoid(x)),
)
simple("igamma-a", lambda tf, v1, x: tf.math.igamma(tf.sigmoid(x), 0.5 * tf.ones_like(x)))
simple("igammac", lambda tf, v1, x: tf.math.igammac(0.5 * tf.ones_like(x), tf.sigmoid(x)))
simple("zeta-x", lambda tf, v1, x: tf.math.zeta(1.5 + tf.sigmoid(x), 0.5 * tf.ones_like(x)))
simple("zeta-q", lambda tf, v1, x: tf.math.zeta(2 * tf.ones_like(x), tf.sigmoid(x)))
simple("polygamma-n", lambda tf, v1, x: tf.math.polygamma(tf.sigmoid(x), 0.5 * tf.ones_like(x)))
simple("atan2", lambda tf, v1, x: tf.atan2(x, 1.0 + x * x))
simple(
    "nextafter",
    lambda tf, v1, x: tf.cast(tf.math.nextafter(tf.cast(x, tf.float64), 1.0), tf.float32),
)
simple("xdivy", lambda tf, v1, x: tf.math.xdivy(x, 3.0))
simple("cumprod", lambda tf, v1, x: tf.math.cumprod(x))
simple(
    "cumlogsum",
    lambda tf, v1, x: (
        tf.raw_ops.CumulativeLogsumexp(x=x, axis=0)
        if hasattr(tf.raw_ops, "CumulativeLogsumexp")
        else x
    ),
)
simple("fakequant", lambda tf, v1, x: tf.quantization.fake_quant_with_min_max_args(x, -6.0, 6.0))
simple(
    "fakequant-min",
    lambda tf, v1, x: tf.quantization.fake_quant_with_min_max_vars(
        tf.constant([-5.0, 2.0]), -tf.abs(x[0]), 3.0
    ),
)
simple(
    "quantdequant",
    lambda tf, v1, x: (
        tf.quantization.quantize_and_dequantize(x, -1.0, 1.0)
        if hasattr(tf.quantization, "quantize_and_dequantize")
        else x
    ),
)
simple(
    "dequantize",
    lambda tf, v1, x: tf.quantization.dequantize(
        tf.quantization.quantize(x, -1.0, 1.0, tf.quint8)[0], -1.0, 1.0
    ),
)
simple("clip", lambda tf, v1, x: tf.clip_by_value(x, -10.0, 10.0))
simple("clipnorm", lambda tf, v1, x: tf.clip_by_norm(x, 1.0))
simple("clip-bound", lambda tf, v1, x: tf.clip_by_value(tf.constant([5.0] * 4), -10.0, x))
simple("max", lambda tf, v1, x: tf.maximum(x, 0.1) + tf.reduce_max(x))
simple("reduce_any", lambda tf, v1, x: tf.cast(tf.reduce_any(x > 0), tf.float32))
simple("reduce_prod", lambda tf, v1, x: tf.reduce_prod(x))
simple(
    "ctc",
    lambda tf, v1, x: v1.nn.ctc_loss(
        tf.SparseTensor([[0, 0]], [0], [1, 1]), tf.reshape(x, [2, 1, 2]), [2]
    ),
)
simple("ctc_decode", lambda tf, v1, x: tf.nn.ctc_greedy_decoder(tf.reshape(x, [2, 1, 2]), [2])[1])
simple(
    "xent",
    lambda tf, v1, x: v1.nn.softmax_cross_entropy_with_logits_v2(labels=[0.25] * 4, logits=x),
)
simple(
    "xent-labels",
    lambda tf, v1, x: v1.nn.softmax_cross_entropy_with_logits_v2(
        labels=tf.nn.softmax(x), logits=tf.constant([1.0, 2.0, 3.0, 4.0])
    ),
)
simple(
    "xent-v1-labels",
    lambda tf, v1, x: v1.nn.softmax_cross_entropy_with_logits(
        labels=tf.nn.softmax(x), logits=tf.constant([1.0, 2.0, 3.0, 4.0])
    ),
)
simple(
    "sparse-xent",
    lambda tf, v1, x: tf.nn.sparse_softmax_cross_entropy_with_logits(
        labels=tf.argmax(x), logits=tf.ones([4])
    ),
)
simple(
    "sampled",
    lambda tf, v1, x: tf.nn.sampled_softmax_loss(
        tf.ones([10, 4]), tf.zeros([10]), tf.constant([[1]], tf.int64), tf.reshape(x, [1, 4]), 2, 10
    ),
)
simple("dropout", lambda tf, v1, x: v1.nn.dropout(x, rate=0.5))
simple("dropout-rate", lambda tf, v1, x: v1.nn.dropout(tf.ones([8]), rate=tf.sigmoid(x[0])))
simple("randn-mean", lambda tf, v1, x: tf.random.normal([4], mean=x))
simple("rand-gamma", lambda tf, v1, x: tf.random.gamma([3], tf.sigmoid(x)))
simple(
    "poisson",
    lambda tf, v1, x: (
        tf.random.poisson(shape=[2], lam=tf.sigmoid(x)) if hasattr(tf.random, "poisson") else x
    ),
)
simple("shuffle", lambda tf, v1, x: tf.random.shuffle(x))
simple("stateless", lambda tf, v1, x: x * tf.random.stateless_uniform([4], [1, 2]))
# array ops
simple("stop", lambda tf, v1, x: tf.stop_gradient(x) * x)
simple("stop-only", lambda tf, v1, x: tf.stop_gradient(x) * 2.0)
simple("identity_n", lambda tf, v1, x: tf.identity_n([x, 2.0 * x])[1])
simple("prevent", lambda tf, v1, x: tf.raw_ops.PreventGradient(input=x, message="no"))
simple("guarantee", lambda tf, v1, x: v1.guarantee_const(x))
simple("check_numerics", lambda tf, v1, x: tf.debugging.check_numerics(x, "m"))
simple("print", lambda tf, v1, x: v1.Print(x, [x]))
simple("ensure_shape", lambda tf, v1, x: tf.ensure_shape(x, [4]))
simple("pad", lambda tf, v1, x: tf.pad(x, [[1, 1]]))
simple("pad-mirror", lambda tf, v1, x: tf.pad(x, [[1, 1]], "REFLECT"))
simple("pad-const", lambda tf, v1, x: tf.pad(tf.ones([2]), [[1, 1]], constant_values=x[0]))
simple("space2batch", lambda tf, v1, x: v1.space_to_batch(im(tf, x), [[0, 0], [0, 0]], 2))
simple(
    "reverse_seq", lambda tf, v1, x: tf.reverse_sequence(tf.reshape(x, [2, 2]), [1, 2], seq_axis=1)
)
simple("dyn_part", lambda tf, v1, x: tf.dynamic_partition(x, [0, 1, 0, 1], 2)[1])
simple("dyn_stitch", lambda tf, v1, x: tf.dynamic_stitch([[0, 1, 2, 3]], [x]))
simple(
    "invert_perm", lambda tf, v1, x: tf.cast(tf.math.invert_permutation(tf.argsort(x)), tf.float32)
)
simple("fill", lambda tf, v1, x: tf.fill([3], x[0]))
simple("range", lambda tf, v1, x: tf.range(0.0, tf.abs(x[0]) * 10, 1.0))
simple("linspace", lambda tf, v1, x: tf.linspace(0.0, x[0], 3))
simple("meshgrid", lambda tf, v1, x: tf.meshgrid(x, x)[0])
simple("gather_nd", lambda tf, v1, x: tf.gather_nd(x, [[0], [0]]))
simple("gather-batch", lambda tf, v1, x: tf.gather(tf.reshape(x, [2, 2]), [[0], [1]], batch_dims=1))
simple("strided", lambda tf, v1, x: x[::2])
simple("strided-neg", lambda tf, v1, x: x[::-1])
simple("split", lambda tf, v1, x: tf.split(x, 2)[1])
simple("unstack", lambda tf, v1, x: tf.unstack(x)[2])
simple("cast64", lambda tf, v1, x: tf.cast(tf.cast(x, tf.float64) * 2, tf.float32))
simple("cast16", lambda tf, v1, x: tf.cast(tf.cast(x, tf.float16), tf.float32))
simple("bf16", lambda tf, v1, x: tf.cast(tf.cast(x, tf.bfloat16), tf.float32))
simple(
    "rank",
    lambda tf, v1, x: tf.cast(tf.rank(v1.placeholder_with_default(x, None)), tf.float32) * 1.0,
)
simple("where-both", lambda tf, v1, x: tf.compat.v2.where(x > 0.0, x * 2.0, x * 3.0))
simple("where-cond", lambda tf, v1, x: tf.compat.v2.where(x > 0.0, 1.0, 0.0))
simple(
    "confusion",
    lambda tf, v1, x: tf.cast(
        tf.math.confusion_matrix(tf.cast(x > 0, tf.int32), [0, 1, 0, 1]), tf.float32
    ),
)
simple("pyfunc", lambda tf, v1, x: v1.py_func(lambda a: a, [x], tf.float32))
simple("numpy_func", lambda tf, v1, x: tf.numpy_function(lambda a: a, [x], tf.float32))
simple("py_function", lambda tf, v1, x: tf.py_function(lambda a: a * 2.0, [x], tf.float32))
