"""Graphs of one op each: {name: (dtypes and shapes of the inputs, what builds the output)}.

They are the ops of models of TF 1, with shapes that a batch leaves open where the op allows it.
"""

import numpy as np

F = ("float32", (None, 6))
N = ("int32", (None, 6))
IMAGE = ("float32", (None, 8, 8, 3))
FLAG = ("bool", ())


def graphs(tf):
    """Returns {name: ([(dtype, shape) of x, y, z ...], a function of placeholders)}."""
    v1 = tf.compat.v1
    rows = {}

    def row(name, inputs, build):
        assert name not in rows, name
        rows[name] = (inputs, build)

    def unary(names, *inputs):
        for name in names.split():
            function = _named(tf, v1, name)
            for dtype, shape in inputs:
                row(f"{name}_{dtype}" if len(inputs) > 1 else name, [(dtype, shape)], function)

    def binary(names, *inputs):
        for name in names.split():
            function = _named(tf, v1, name)
            for dtype, shape in inputs:
                suffix = f"_{dtype}" if len(inputs) > 1 else ""
                row(name + suffix, [(dtype, shape)] * 2, function)

    unary("abs negative sign square", F, N)
    unary("exp expm1 sin cos tan sinh cosh tanh atan asinh erf sigmoid", F)
    unary("floor ceil round rint", F)
    unary("math.log math.log1p sqrt math.rsqrt math.reciprocal acos asin acosh atanh", F)
    unary("nn.relu nn.relu6 nn.elu nn.selu nn.softplus nn.softsign nn.swish nn.leaky_relu", F)
    unary("nn.softmax nn.log_softmax nn.l2_loss", F)
    unary("math.is_nan math.is_inf math.is_finite", F)
    unary("math.lgamma math.digamma", F)
    unary("logical_not math.reduce_all math.reduce_any", ("bool", (None, 6)))
    unary("zeros_like ones_like shape size rank identity", F)
    binary("add subtract multiply maximum minimum math.squared_difference", F, N)
    binary("equal not_equal less less_equal greater greater_equal", F, N)
    binary("math.floordiv math.floormod truncatediv truncatemod", F, N)
    binary("realdiv math.divide_no_nan pow atan2", F)
    binary("math.xdivy math.xlogy", F)
    binary("logical_and logical_or math.logical_xor", ("bool", (None, 6)))
    binary("bitwise.bitwise_and bitwise.bitwise_or bitwise.bitwise_xor", N)
    for dtype in ("int8", "uint8", "int16", "int64", "float64", "float16"):
        row(f"add_{dtype}", [(dtype, (None, 6))] * 2, tf.add)
        row(f"maximum_{dtype}", [(dtype, (None, 6))] * 2, tf.maximum)
        row(f"less_{dtype}", [(dtype, (None, 6))] * 2, tf.less)
        row(f"to_float_{dtype}", [(dtype, (None, 6))], lambda x: tf.cast(x, "float32"))
    for dtype in ("int8", "int64", "float64"):
        row(f"floordiv_{dtype}", [(dtype, (None, 6))] * 2, tf.math.floordiv)
        row(f"floormod_{dtype}", [(dtype, (None, 6))] * 2, tf.math.floormod)
    for dtype in ("int32", "int64", "uint8", "bool"):
        row(f"from_float_{dtype}", [F], lambda x, dtype=dtype: tf.cast(x, dtype))
        row(f"to_half_{dtype}", [(dtype, (None, 6))], lambda x: tf.cast(x, "float16"))
    for number in (3, -3):
        row(f"floordiv_by_{number}", [N], lambda x, n=number: x // n)
        row(f"floormod_by_{number}", [N], lambda x, n=number: x % n)
        row(f"float_floormod_by_{number}", [F], lambda x, n=number: x % (n + 0.5))
    row("power_of_integers", [N], lambda x: x**3)
    row("clip", [F], lambda x: tf.clip_by_value(x, -1.5, 2.0))
    row("clip_integers", [N], lambda x: tf.clip_by_value(x, -3, 5))
    row("add_n", [F, F], lambda x, y: tf.add_n([x, y, x]))
    row("bias_add", [F], lambda x: tf.nn.bias_add(x, np.arange(6, dtype="float32")))

    # What is chosen, and guarded.
    row("where", [("bool", (None, 6)), F, F], v1.where)
    row("where_integers", [("bool", (None, 6)), N, N], v1.where)
    row("where_booleans", [("bool", (None, 6))] * 3, v1.where)
    row("where_rows", [("bool", (None,)), F, F], v1.where)
    row("where_broadcast", [("bool", (None, 1)), F], lambda c, x: tf.where(c, x, 0.0))
    row("where_is", [F], lambda x: tf.cast(tf.where(x > 0), "int32"))
    row("guarded_quotient", [F, F], lambda a, m: v1.where(m > 0, a / m, tf.zeros_like(a)))
    row("guarded_log", [F], lambda x: v1.where(x > 0, tf.math.log(x), tf.zeros_like(x)))
    row("guarded_sqrt", [F], lambda x: v1.where(x > 0, tf.sqrt(x), x))
    row("guarded_exp", [F], lambda x: v1.where(x > 50, x, tf.exp(x)))
    infinite = np.float32(-np.inf)
    row(
        "masked_softmax",
        [("bool", (None, 6)), F],
        lambda m, x: tf.nn.softmax(v1.where(m, x, tf.fill(tf.shape(x), infinite))),
    )
    row(
        "softmax_of_a_penalty",
        [("int32", (None, 6)), F],
        lambda m, x: tf.nn.softmax(x + (1.0 - tf.cast(m > 0, "float32")) * -10000.0),
    )
    row("cond", [FLAG, F], lambda flag, x: tf.cond(flag, lambda: x * 2, lambda: x - 1))
    row(
        "cond_in_cond",
        [FLAG, FLAG, F],
        lambda a, b, x: tf.cond(
            a, lambda: tf.cond(b, lambda: x * 2, lambda: x * 3), lambda: tf.exp(-x)
        ),
    )
    row("boolean_mask", [("bool", (None,)), F], lambda m, x: tf.boolean_mask(x, m))
    row(
        "while",
        [("int32", ()), F],
        lambda n, x: tf.while_loop(lambda i, h: i < n, lambda i, h: (i + 1, h * 0.5 + 1), [0, x])[
            1
        ],
    )
    row("sequence_mask", [("int32", (None,))], lambda n: tf.sequence_mask(n, 7))

    # Integers as classes, places and keys.
    for axis in (-1, 0, 1):
        row(f"one_hot_{axis}", [N], lambda x, axis=axis: tf.one_hot(x, 5, axis=axis))
    row("one_hot_values", [N], lambda x: tf.one_hot(x, 5, on_value=3, off_value=-1))
    row("one_hot_bytes", [("uint8", (None,))], lambda x: tf.one_hot(x, 5))
    row("one_hot_vector", [("int64", (None,))], lambda x: tf.one_hot(x, 5, dtype=tf.float64))
    table = np.arange(40, dtype="float32").reshape(10, 4)
    row("gather", [N], lambda x: tf.gather(table, x))
    row("gather_columns", [("int32", (None,))], lambda x: tf.gather(table, x, axis=1))
    row("gather_nd", [("int32", (None, 2))], lambda x: tf.gather_nd(table, x))
    row("embedding", [N], lambda x: tf.nn.embedding_lookup(tf.constant(table), x))
    parts = [table[:4], table[4:7], table[7:]]
    for strategy in ("div", "mod"):
        row(
            f"embedding_of_parts_{strategy}",
            [N],
            lambda x, strategy=strategy: v1.nn.embedding_lookup(
                parts, tf.clip_by_value(x, 0, 9 if strategy == "div" else 8), strategy
            ),
        )
    row(
        "dynamic_partition",
        [F, ("int32", (None,))],
        lambda x, y: tf.dynamic_partition(x, tf.math.floormod(y, 3), 3)[1],
    )
    row(
        "embedding_of_padding",
        [N],
        lambda x: tf.gather(table, tf.maximum(x, 0)) * tf.cast(x >= 0, "float32")[..., None],
    )
    row("scatter_nd", [("int32", (None, 1)), F], lambda i, x: tf.scatter_nd(i, x, [8, 6]))
    for kind in ("sum", "mean", "max", "min", "prod"):
        row(
            f"segment_{kind}",
            [F],
            lambda x, kind=kind: getattr(tf.math, f"segment_{kind}")(x[:2], [0, 1]),
        )
    for kind in ("sum", "max", "mean"):
        row(
            f"unsorted_segment_{kind}",
            [F, ("int32", (None,))],
            lambda x, ids, kind=kind: getattr(tf.math, f"unsorted_segment_{kind}")(x, ids, 8),
        )
    for dtype in ("float32", "int32", "int64", "uint8", "float16"):
        row(f"top_k_{dtype}", [(dtype, (None, 6))], lambda x: tf.nn.top_k(x, 3).values)
        row(f"top_k_places_{dtype}", [(dtype, (None, 6))], lambda x: tf.nn.top_k(x, 3).indices)
        row(f"argmax_{dtype}", [(dtype, (None, 6))], lambda x: tf.argmax(x, 1))
    row("argmin", [F], lambda x: tf.argmin(x, 1, output_type=tf.int32))
    row("in_top_k", [F, ("int32", (None,))], lambda x, y: tf.nn.in_top_k(y, x, 2))
    row("unique", [("int32", (None,))], lambda x: tf.unique(x)[0])
    row("sort", [F], lambda x: tf.sort(x, direction="DESCENDING"))
    row("argsort", [N], lambda x: tf.argsort(x))
    row("cumsum", [F], lambda x: tf.cumsum(x, 1))
    row("cumsum_backward", [N], lambda x: tf.cumsum(x, 1, exclusive=True, reverse=True))
    row("cumprod", [F], lambda x: tf.math.cumprod(x, 1))
    row("cumprod_first", [IMAGE], lambda x: tf.math.cumprod(x, -3, exclusive=True))
    row("cumprod_reversed", [F], lambda x: tf.math.cumprod(x, 0, exclusive=True, reverse=True))
    row("cumprod_of_last", [F], lambda x: tf.math.cumprod(x + 1, -1, reverse=True))
    row("mod", [F, F], lambda x, y: tf.raw_ops.Mod(x=x, y=y))
    row("mod_integers", [N, N], lambda x, y: tf.raw_ops.Mod(x=x, y=y))
    row("bincount", [("int32", (None,))], lambda x: tf.math.bincount(x, minlength=5, maxlength=9))
    row("confusion", [("int32", (None,))] * 2, lambda x, y: tf.math.confusion_matrix(x, y, 8))
    row("invert_permutation", [("int32", (None,))], tf.math.invert_permutation)

    # Reductions.
    for kind in ("sum", "mean", "max", "min", "prod", "logsumexp", "euclidean_norm", "variance"):
        function = getattr(tf.math, "reduce_" + kind)
        row(f"reduce_{kind}", [F], lambda x, f=function: f(x, 1))
        row(f"reduce_{kind}_all", [F], lambda x, f=function: f(x))
    for kind in ("sum", "max", "prod", "mean"):
        function = getattr(tf.math, "reduce_" + kind)
        row(f"reduce_{kind}_integers", [N], lambda x, f=function: f(x, 1, keepdims=True))
    row("moments", [F], lambda x: tf.concat(tf.nn.moments(x, [0]), 0))
    row("l2_normalize", [F], lambda x: tf.math.l2_normalize(x, 1))
    row("layer_norm_by_hand", [F], lambda x: _normalised(tf, x))

    # Losses.
    labels = np.eye(6, dtype="float32")[[0, 5]]
    row(
        "softmax_cross_entropy",
        [("float32", (2, 6))],
        lambda x: tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=x),
    )
    row(
        "sparse_softmax_cross_entropy",
        [F, ("int32", (None,))],
        lambda x, y: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=x),
    )
    row(
        "sigmoid_cross_entropy",
        [F, F],
        lambda x, y: tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.sigmoid(y), logits=x),
    )
    row(
        "weighted_cross_entropy",
        [F, F],
        lambda x, y: tf.nn.weighted_cross_entropy_with_logits(tf.sigmoid(y), x, 3.0),
    )
    row("huber", [F, F], lambda x, y: v1.losses.huber_loss(x, y, delta=2.0))
    row("log_of_softmax", [F], lambda x: tf.math.log(tf.nn.softmax(x) + 1e-8))

    # Shapes.
    row("reshape", [F], lambda x: tf.reshape(x, [-1, 3, 2]))
    row("transpose", [F], tf.transpose)
    row("expand", [F], lambda x: tf.expand_dims(x, -1))
    row("squeeze", [("float32", (None, 1, 6))], lambda x: tf.squeeze(x, 1))
    row("concat", [F, F], lambda x, y: tf.concat([x, y], 1))
    row("stack", [F, F], lambda x, y: tf.stack([x, y], 1))
    row("unstack", [F], lambda x: tf.unstack(x, axis=1)[2])
    row("split", [F], lambda x: tf.split(x, 3, 1)[1])
    row("split_sizes", [F], lambda x: tf.split(x, [1, 2, 3], 1)[2])
    row("tile", [F], lambda x: tf.tile(x, [1, 3]))
    row("repeat", [F], lambda x: tf.repeat(x, 2, 1))
    row("pad", [F], lambda x: tf.pad(x, [[0, 0], [1, 2]]))
    row("pad_value", [F], lambda x: tf.pad(x, [[0, 0], [1, 2]], constant_values=-7.0))
    row("pad_reflect", [F], lambda x: tf.pad(x, [[0, 0], [1, 2]], "REFLECT"))
    row("pad_symmetric", [F], lambda x: tf.pad(x, [[0, 0], [1, 2]], "SYMMETRIC"))
    row("slice", [F], lambda x: tf.slice(x, [0, 1], [-1, 3]))
    row("strided", [F], lambda x: x[:, ::-2])
    row("strided_ends", [F], lambda x: x[:, -3:-1])
    row("new_axis", [F], lambda x: x[..., tf.newaxis, 1:])
    row("reverse", [F], lambda x: tf.reverse(x, [1]))
    row("reverse_sequence", [F], lambda x: tf.reverse_sequence(x[:2], [3, 6], seq_axis=1))
    row("roll", [F], lambda x: tf.roll(x, 2, 1))
    row("fill", [F], lambda x: tf.fill(tf.shape(x), 2.5))
    row("range", [("int32", ())], lambda n: tf.range(tf.clip_by_value(n, 0, 9)))
    row("linspace", [("float32", ())], lambda x: tf.linspace(x, x + 1, 5))
    row("meshgrid", [("float32", (4,))], lambda x: tf.meshgrid(x, x)[0])
    row("broadcast_to", [("float32", (1, 6))], lambda x: tf.broadcast_to(x, [3, 6]))
    row("band_part", [("float32", (5, 5))], lambda x: tf.linalg.band_part(x, 1, 0))
    row("diag", [("float32", (5,))], tf.linalg.diag)
    row("diag_part", [("float32", (None, 5, 5))], tf.linalg.diag_part)
    row("trace", [("float32", (None, 5, 5))], tf.linalg.trace)
    row("space_to_depth", [IMAGE], lambda x: tf.nn.space_to_depth(x, 2))
    row("depth_to_space", [("float32", (None, 4, 4, 8))], lambda x: tf.nn.depth_to_space(x, 2))
    row("batch_to_space", [("float32", (4, 4, 4, 3))], _batch_to_space(tf))
    row("space_to_batch", [IMAGE], lambda x: tf.space_to_batch(x, [2, 2], [[0, 0], [0, 0]]))

    # Products and layers.
    random = np.random.RandomState(7)
    matrix = random.standard_normal([6, 4]).astype("float32")
    row("matmul", [F], lambda x: tf.matmul(x, matrix))
    row("matmul_transposed", [F], lambda x: tf.matmul(x, matrix.T.copy(), transpose_b=True))
    row("batch_matmul", [("float32", (None, 3, 6))], lambda x: tf.matmul(x, x, transpose_b=True))
    row("einsum", [("float32", (None, 3, 6))], lambda x: tf.einsum("bti,io->bto", x, matrix))
    row("tensordot", [("float32", (None, 3, 6))], lambda x: tf.tensordot(x, matrix, 1))
    row("matmul_integers", [("int32", (None, 6))], lambda x: tf.matmul(x, np.ones([6, 2], "int32")))
    kernel = random.standard_normal([3, 3, 3, 4]).astype("float32")
    for padding in ("SAME", "VALID"):
        for stride in (1, 2):
            row(
                f"conv_{padding}_{stride}",
                [IMAGE],
                lambda x, p=padding, s=stride: tf.nn.conv2d(x, kernel, s, p),
            )
            row(
                f"max_pool_{padding}_{stride}",
                [IMAGE],
                lambda x, p=padding, s=stride: tf.nn.max_pool2d(x, 3, s, p),
            )
            row(
                f"avg_pool_{padding}_{stride}",
                [IMAGE],
                lambda x, p=padding, s=stride: tf.nn.avg_pool2d(x, 3, s, p),
            )
    row("conv_dilated", [IMAGE], lambda x: tf.nn.conv2d(x, kernel, 1, "SAME", dilations=2))
    row("atrous", [IMAGE], lambda x: tf.nn.atrous_conv2d(x, kernel, 2, "SAME"))
    row(
        "depthwise",
        [IMAGE],
        lambda x: tf.nn.depthwise_conv2d(x, kernel[..., :2], [1, 1, 1, 1], "SAME"),
    )
    row(
        "separable",
        [IMAGE],
        lambda x: tf.nn.separable_conv2d(
            x, kernel[..., :2], np.ones([1, 1, 6, 4], "float32"), [1, 1, 1, 1], "SAME"
        ),
    )
    row("conv_transposed", [IMAGE], _conv_transposed(tf, random))
    row("conv1d", [("float32", (None, 8, 3))], lambda x: tf.nn.conv1d(x, kernel[0], 1, "SAME"))
    row("conv3d", [("float32", (None, 5, 5, 5, 3))], _conv3d(tf, random))
    row("lrn", [IMAGE], lambda x: tf.nn.lrn(x, 2))
    row("global_pool", [IMAGE], lambda x: tf.reduce_mean(x, [1, 2]))
    row("batch_norm", [IMAGE], _batch_norm(tf))
    row("fused_batch_norm", [IMAGE], _fused_batch_norm(v1))
    row("crop", [IMAGE], lambda x: tf.image.crop_to_bounding_box(x, 1, 2, 4, 5))
    row("flip", [IMAGE], tf.image.flip_left_right)
    row("standardize", [("float32", (8, 8, 3))], tf.image.per_image_standardization)
    row("rgb_to_grayscale", [IMAGE], tf.image.rgb_to_grayscale)
    for name in ("bilinear", "nearest_neighbor", "bicubic"):
        for corners in (False, True):
            function = getattr(v1.image, "resize_" + name)
            row(
                f"resize_{name}{'_corners' * corners}",
                [IMAGE],
                lambda x, f=function, c=corners: f(x, [5, 12], align_corners=c),
            )
    row("resize_half_pixel", [IMAGE], lambda x: tf.image.resize(x, [5, 12]))
    row("crop_and_resize", [IMAGE], _crop_and_resize(tf))
    row("non_max_suppression", [("float32", (7, 4)), ("float32", (7,))], _suppression(tf))

    # Words.
    row("string_length", [("int32", (None,))], lambda x: tf.strings.length(tf.as_string(x)))
    return rows


def _named(tf, v1, name):
    for module in (tf, v1, tf.raw_ops):
        function = module
        for part in name.split("."):
            function = getattr(function, part, None)
        if function is not None:
            return function
    raise AttributeError(name)


def _normalised(tf, x):
    mean, variance = tf.nn.moments(x, [-1], keepdims=True)
    return tf.nn.batch_normalization(x, mean, variance, None, None, 1e-3)


def _batch_to_space(tf):
    return lambda x: tf.batch_to_space(x, [2, 2], [[0, 0], [0, 0]])


def _conv_transposed(tf, random):
    kernel = random.standard_normal([3, 3, 4, 3]).astype("float32")
    return lambda x: tf.nn.conv2d_transpose(x, kernel, [tf.shape(x)[0], 16, 16, 4], 2, "SAME")


def _conv3d(tf, random):
    kernel = random.standard_normal([2, 2, 2, 3, 4]).astype("float32")
    return lambda x: tf.nn.conv3d(x, kernel, [1, 1, 1, 1, 1], "SAME")


def _batch_norm(tf):
    mean, variance, offset, scale = np.float32([[1, 2, 3], [4, 5, 6], [0, 1, 2], [3, 2, 1]])
    return lambda x: tf.nn.batch_normalization(x, mean, variance, offset, scale, 1e-3)


def _fused_batch_norm(v1):
    scale, offset, mean, variance = np.float32([[1, 2, 3], [4, 5, 6], [0, 1, 2], [3, 2, 1]])
    return lambda x: v1.nn.fused_batch_norm(x, scale, offset, mean, variance, is_training=False)[0]


def _crop_and_resize(tf):
    boxes = np.float32([[0, 0, 0.5, 0.5], [0.2, 0.1, 0.9, 1.3]])
    return lambda x: tf.image.crop_and_resize(x, boxes, [0, 1], [4, 4])


def _suppression(tf):
    return lambda boxes, scores: tf.image.non_max_suppression(boxes, scores, 4)
