"""Optimizers x kinds of variable: NumPy's numbers, or an error of ours in one sentence."""

import contextlib
import os
import tempfile

import numpy as np
import pytest

from tfgraphtools.errors import TfgraphtoolsError
from training_cases import same_bits

START = np.array([[1.5, -2.0], [0.25, 4.0]])
RATE = 0.5
RUNS = 2


def variable(v1, value, **options):
    return [v1.get_variable("w", initializer=value, **options)]


def partitioned(tf, v1, axis=0):
    whole = v1.get_variable(
        "w",
        START.shape,
        initializer=v1.constant_initializer(START[0]),
        partitioner=v1.fixed_size_partitioner(2, axis=axis),
    )
    return list(whole)


def of_keras(tf, v1):
    """A variable of Keras 3 in a graph: that of its layers."""
    keras = pytest.importorskip("keras")
    return [keras.Variable(START.astype(np.float32), name="w")]


def of_old_meta(tf, v1):
    """One of a .meta file of before TF 1.4, which does not say what its initial value is."""
    with v1.Graph().as_default():
        (w,) = variable(v1, START.astype(np.float32))
        definition = w.to_proto()
        meta = v1.train.export_meta_graph()
    definition.ClearField("initial_value_name")
    for key in ("variables", "trainable_variables"):
        meta.collection_def[key].bytes_list.value[0] = definition.SerializeToString()
    v1.train.import_meta_graph(meta)
    assert v1.trainable_variables()[0].initial_value is None
    return v1.trainable_variables()


def of_unknown_shape(tf, v1, partly=False):
    value = v1.placeholder_with_default(START.astype(np.float32), [None, 2] if partly else None)
    return [v1.get_variable("w", initializer=value, validate_shape=False)]


#: {id: make(tf, v1)} of the variables of one step
KINDS = {
    "resource": lambda tf, v1: variable(v1, START.astype(np.float32), use_resource=True),
    "ref": lambda tf, v1: variable(v1, START.astype(np.float32), use_resource=False),
    "partitioned": partitioned,
    "partitioned-columns": lambda tf, v1: partitioned(tf, v1, axis=1),
    "keras": of_keras,
    "mirrored": lambda tf, v1: variable(v1, START.astype(np.float32)),
    "old-meta": of_old_meta,
    "float16": lambda tf, v1: variable(v1, START.astype(np.float16)),
    "bfloat16": lambda tf, v1: variable(v1, tf.cast(START, tf.bfloat16)),
    "float64": lambda tf, v1: variable(v1, START),
    "complex64": lambda tf, v1: variable(v1, (START + 1j).astype(np.complex64)),
    "complex128": lambda tf, v1: variable(v1, START - 0.5j),
    "int32": lambda tf, v1: variable(v1, np.int32([[1, 2], [3, 4]])),
    "int64": lambda tf, v1: variable(v1, np.int64([[1, 2], [3, 4]])),
    "bool": lambda tf, v1: variable(v1, np.array([[True, False], [True, True]])),
    "scalar": lambda tf, v1: variable(v1, np.float32(1.5)),
    "vector": lambda tf, v1: variable(v1, np.float32([1.5, -2.0, 0.5])),
    "empty": lambda tf, v1: variable(v1, np.zeros([0], np.float32)),
    "empty-rows": lambda tf, v1: variable(v1, np.zeros([0, 3], np.float32)),
    "unknown-shape": of_unknown_shape,
    "unknown-rows": lambda tf, v1: of_unknown_shape(tf, v1, partly=True),
    "loop": lambda tf, v1: variable(v1, START.astype(np.float32)),
    "branch": lambda tf, v1: variable(v1, START.astype(np.float32)),
    "non-trainable": lambda tf, v1: variable(v1, START.astype(np.float32), trainable=False),
    "local": lambda tf, v1: variable(
        v1, START.astype(np.float32), collections=[v1.GraphKeys.LOCAL_VARIABLES]
    ),
}
#: Kinds that no optimizer of TensorFlow trains.
NOT_TRAINED = ("int32", "int64", "bool")


def sgd(v1):
    return v1.train.GradientDescentOptimizer(RATE)


def adam(v1):
    return v1.train.AdamOptimizer(RATE, beta1=0.5, beta2=0.5)  # exact in every dtype


def stepped(update):
    """Returns the oracle of ``update(value, gradient)``, taken in each run."""

    def oracle(value, grad):
        for _ in range(RUNS):
            value = update(value, grad)
        return value

    return oracle


def moved(share=1.0):
    """Returns the oracle of plain steps times a share."""
    return stepped(lambda value, grad: value - RATE * share * grad)


def norm(array):
    return np.sqrt((np.abs(array) ** 2).sum())


def by_ratio(value, grad):
    ratio = norm(value) / norm(grad) if norm(value) and norm(grad) else 1.0
    return value - RATE * ratio * grad


def clipped(value, grad):
    return value - RATE * grad * min(1.0, 0.125 / norm(grad) if norm(grad) else 1.0)


def centred(value, grad):
    axes = tuple(range(grad.ndim - 1))
    mean = grad.mean(axis=axes, keepdims=True) if grad.ndim > 1 and grad.size else 0
    return value - RATE * (grad - mean)


def by_sign(value, grad):
    """Adam's step on a gradient that stays the same."""
    return value - RATE * grad / np.sqrt(grad * grad)  # as the kernel has it for complex ones


def mask_of(weights):
    """One for the whole variable that freezes the first column, or all where there is none."""
    shape = tf_shape(weights[0])
    is_matrix = len(weights) > 1 or shape is None or (len(shape) == 2 and shape[1] == 2)
    return [True, False] if is_matrix else True


def tf_shape(weight):
    """Returns the shape as a list, or None where its rank is unknown."""
    if isinstance(weight.shape, tuple):  # of Keras
        return list(weight.shape)
    return None if weight.shape.rank is None else weight.shape.as_list()


def frozen(t, optimizer, weights, fed=None, **options):
    mask = mask_of(weights)
    if fed is not None:
        mask = fed.placeholder_with_default(mask, np.shape(mask))
    return t.FreezeOptimizer(optimizer, [(weights, mask)], **options)


def where_trained(oracle):
    """Returns the oracle of a freeze: what another one says where `mask_of` does not freeze."""

    def kept(value, grad):
        mask = value.ndim != 2 or value.shape[-1] != 2 or np.array([True, False])
        return np.where(mask, value, oracle(value, grad))

    kept.freezes = True
    return kept


def transformed(make):
    return lambda t, v1, ws: t.GradientTransformOptimizer(sgd(v1), make(t.transforms, ws))


#: {id: (build(training, v1, weights), the oracle)}
OPTIMIZERS = {
    "freeze": (lambda t, v1, ws: frozen(t, sgd(v1), ws), where_trained(moved())),
    "freeze-fed": (lambda t, v1, ws: frozen(t, sgd(v1), ws, fed=v1), where_trained(moved())),
    "freeze-adam": (lambda t, v1, ws: frozen(t, adam(v1), ws), where_trained(stepped(by_sign))),
    "freeze-reset": (
        lambda t, v1, ws: frozen(t, adam(v1), ws, slots="reset"),
        where_trained(stepped(by_sign)),
    ),
    "freeze-advance": (
        lambda t, v1, ws: frozen(t, adam(v1), ws, slots="advance"),
        where_trained(stepped(by_sign)),
    ),
    "freeze-compact": (
        lambda t, v1, ws: frozen(t, adam(v1), ws, slots="compact"),
        where_trained(stepped(by_sign)),
    ),
    "freeze-clock": (
        lambda t, v1, ws: frozen(t, adam(v1), ws, fed=v1, clock="element"),
        where_trained(stepped(by_sign)),
    ),
    "freeze-fused": (
        lambda t, v1, ws: frozen(t, adam(v1), ws, fused=True),
        where_trained(stepped(by_sign)),
    ),
    "freeze-readers": (
        lambda t, v1, ws: frozen(t, sgd(v1), ws, fed=v1, readers="any"),
        where_trained(moved()),
    ),
    "rates": (lambda t, v1, ws: t.LRMultiplierOptimizer(sgd(v1), [(ws, 0.5)]), moved(0.5)),
    "partition": (
        lambda t, v1, ws: t.PartitionOptimizer([t.Group("all", ws, sgd(v1))]),
        moved(),
    ),
    "decay": (
        lambda t, v1, ws: t.DecoupledWeightDecayOptimizer(sgd(v1), [(ws, 0.25)]),
        stepped(lambda value, grad: 0.75 * value - RATE * grad),
    ),
    "accumulation": (
        lambda t, v1, ws: t.GradientAccumulationOptimizer(sgd(v1), RUNS),
        moved(1 / RUNS),
    ),
    "master": (lambda t, v1, ws: t.MasterWeightsOptimizer(sgd(v1)), moved()),
    "master-adam": (lambda t, v1, ws: t.MasterWeightsOptimizer(adam(v1)), stepped(by_sign)),
    "master-freeze": (
        lambda t, v1, ws: frozen(t, t.MasterWeightsOptimizer(sgd(v1)), ws, fed=v1),
        where_trained(moved()),
    ),
    "average-fused": (
        lambda t, v1, ws: t.ExponentialAverageOptimizer(sgd(v1), 0.5, fused=True),
        moved(),
    ),
    "decay-fused": (
        lambda t, v1, ws: t.DecoupledWeightDecayOptimizer(sgd(v1), [(ws, 0.25)], fused=True),
        stepped(lambda value, grad: 0.75 * value - RATE * grad),
    ),
    "average": (lambda t, v1, ws: t.ExponentialAverageOptimizer(sgd(v1), 0.5), moved()),
    "weight-average": (lambda t, v1, ws: t.WeightAverageOptimizer(sgd(v1)), moved()),
    "lookahead": (lambda t, v1, ws: t.LookaheadOptimizer(sgd(v1), RUNS), moved(0.5)),
    "trust": (lambda t, v1, ws: t.TrustRatioOptimizer(sgd(v1)), stepped(by_ratio)),
    "trust-of-gradient": (
        lambda t, v1, ws: t.TrustRatioOptimizer(sgd(v1), of="gradient", coefficient=1.0),
        stepped(by_ratio),
    ),
    "skip": (lambda t, v1, ws: t.SkipNonFiniteOptimizer(sgd(v1)), moved()),
    "loss-scale": (lambda t, v1, ws: t.LossScaleOptimizer(sgd(v1)), moved()),
    "scale": (transformed(lambda t, ws: t.scale(0.5)), moved(0.5)),
    "clip-by-value": (
        transformed(lambda t, ws: t.clip_by_value(-0.25, 0.25)),
        stepped(lambda value, grad: value - RATE * np.clip(grad, -0.25, 0.25)),
    ),
    "clip-by-norm": (transformed(lambda t, ws: t.clip_by_norm(0.125)), stepped(clipped)),
    "clip-by-global-norm": (
        transformed(lambda t, ws: t.clip_by_global_norm(0.125)),
        stepped(clipped),
    ),
    "clip-adaptively": (transformed(lambda t, ws: t.clip_adaptively(1e3, 1.0)), moved()),
    "centralize": (transformed(lambda t, ws: t.centralize()), stepped(centred)),
    "add-weight-decay": (
        transformed(lambda t, ws: t.add_weight_decay([(ws, 0.25)])),
        stepped(lambda value, grad: value - RATE * (grad + 0.25 * value)),
    ),
    "zero-frozen": (
        transformed(lambda t, ws: t.zero_frozen([(ws, mask_of(ws))])),
        where_trained(moved()),
    ),
    "summarize-global-norm": (transformed(lambda t, ws: t.summarize_global_norm()), moved()),
    "amsgrad": (lambda t, v1, ws: t.AMSGradOptimizer(RATE), stepped(by_sign)),
    "adamw": (lambda t, v1, ws: t.AdamWOptimizer(RATE, weight_decay=0.0), stepped(by_sign)),
    "nadam": (lambda t, v1, ws: t.NadamOptimizer(RATE), None),
    "radam": (lambda t, v1, ws: t.RAdamOptimizer(RATE), moved()),
    "lion": (lambda t, v1, ws: t.LionOptimizer(RATE), stepped(by_sign)),
    "adafactor": (lambda t, v1, ws: t.AdafactorOptimizer(RATE), None),
}


def gradients(tf, weights, kind):
    """Returns a gradient for each variable, the same in every run: 1/2 of alternating sign."""

    def gradient(w):
        value = w.value if kind == "keras" else w.read_value()
        value = tf.convert_to_tensor(value)
        if kind in NOT_TRAINED:
            return tf.ones_like(value)
        size = tf.range(tf.size(value)) % 2
        signs = tf.reshape(tf.cast(1 - 2 * size, tf.float64), tf.shape(value))
        if value.dtype.is_complex:
            return tf.cast(tf.complex(signs, -signs) * (0.5 + 0.25j), value.dtype)
        return tf.ensure_shape(tf.cast(0.5 * signs, value.dtype), value.shape)

    return [gradient(w) for w in weights]


def step_of(tf, v1, kind, optimizer, weights):
    """Returns the op of one step, in the place that the kind names."""

    def build():
        return tf.group(optimizer.apply_gradients(list(zip(gradients(tf, weights, kind), weights))))

    if kind == "mirrored":
        strategy = tf.distribute.get_strategy()
        run_in = strategy.run if hasattr(strategy, "run") else strategy.experimental_run_v2
        return strategy.group(run_in(build))
    if kind == "branch":
        return v1.cond(v1.placeholder_with_default(True, []), build, tf.no_op)
    if kind == "loop":

        def body(i):
            with v1.control_dependencies([build()]):
                return i + 1

        loop = v1.while_loop(lambda i: i < 1, body, [tf.constant(0)], back_prop=False)
        return loop.op
    return build()


def values_of(tf, weights):
    """Returns the values as one array each, wide enough to compare, and as they are."""
    tensors = [tf.convert_to_tensor(w) for w in weights]
    wide = [tf.cast(t, tf.complex128 if t.dtype.is_complex else tf.float64) for t in tensors]
    return wide, tensors


@contextlib.contextmanager
def place_of(tf, v1, kind):
    with v1.Graph().as_default():
        if kind != "mirrored":
            yield
            return
        with tf.distribute.MirroredStrategy(["/cpu:0"]).scope():
            yield


def joined(kind, arrays):
    """Returns one array of the slices of a variable."""
    if len(arrays) == 1:
        return arrays[0]
    return np.concatenate(arrays, axis=1 if kind.endswith("columns") else 0)


def check(tf, training, name, kind):
    """Raises unless an optimizer's runs over one kind of variable are those of its oracle."""
    v1 = tf.compat.v1
    build, oracle = OPTIMIZERS[name]
    with place_of(tf, v1, kind):
        weights = KINDS[kind](tf, v1)
        optimizer = build(training, v1, weights)
        grads = gradients(tf, weights, kind)
        step = step_of(tf, v1, kind, optimizer, weights)
        assert optimizer.describe() if hasattr(optimizer, "describe") else True
        reads, raw = values_of(tf, weights)
        wide_grads = [tf.cast(grad, read.dtype) for grad, read in zip(grads, reads)]
        initialize = [v1.global_variables_initializer(), v1.local_variables_initializer()]
        with v1.Session() as session:
            session.run(initialize[1])
            session.run(initialize[0])
            old, raw_old, fed = session.run([reads, raw, wide_grads])
            for _ in range(RUNS):
                session.run(step)
            new, raw_new = session.run([reads, raw])
    old, new, grad = joined(kind, old), joined(kind, new), joined(kind, fed)
    rtol = {"float16": 2e-3, "bfloat16": 2e-2}.get(kind, 1e-3 if "adam" in str(oracle) else 1e-5)
    if oracle is None:
        assert np.isfinite(new).all()
        return
    np.testing.assert_allclose(new, oracle(old, grad), rtol=rtol, atol=rtol, err_msg=name)
    if hasattr(oracle, "freezes"):
        before, after = joined(kind, raw_old), joined(kind, raw_new)
        still = [..., 0] if old.ndim == 2 and old.shape[-1] == 2 else [...]
        assert same_bits(before[tuple(still)], after[tuple(still)])


#: {kind: the optimizers that refuse it}; all others are exact
SHAPELESS = {"freeze-compact", "freeze-clock", "accumulation", "trust", "centralize"}
SHAPELESS |= {"clip-adaptively", "amsgrad", "adamw", "nadam", "radam", "lion", "adafactor"}
ONE_PASS = {"average-fused", "decay-fused"}
REFUSED = {
    "partitioned": {"clip-adaptively", "centralize"},  # slices hold parts of units
    "partitioned-columns": {"freeze-compact"},  # one slice is frozen as a whole
    "mirrored": {"freeze-compact", "freeze-clock", "freeze-fused", "freeze-readers", "loss-scale"}
    | {"master", "master-adam", "master-freeze"}
    | ONE_PASS,
    "complex64": {"clip-by-value", "amsgrad", "adamw", "nadam", "radam", "lion", "adafactor"}
    | ONE_PASS,
    "float16": ONE_PASS,
    "bfloat16": ONE_PASS,
    "scalar": {"freeze-compact"},
    "vector": {"freeze-compact"},
    "unknown-shape": SHAPELESS | {"freeze-readers"} | ONE_PASS,
    "unknown-rows": SHAPELESS | {"freeze-readers"} | ONE_PASS,
    "ref": {"freeze-fused"} | ONE_PASS,
}
REFUSED["complex128"] = REFUSED["complex64"]
REFUSED.update((kind, set(OPTIMIZERS)) for kind in NOT_TRAINED)


def outcomes(tf, training, kind):
    """Returns {optimizer: "exact", our error, or what went wrong}."""
    told = {}
    for name in OPTIMIZERS:
        try:
            check(tf, training, name, kind)
            told[name] = "exact"
        except TfgraphtoolsError as error:
            told[name] = error
        except Exception as error:  # pylint: disable=broad-except
            told[name] = f"{type(error).__name__}: {error}"[:400]
    return told


def check_told(told, refused):
    """Raises unless the optimizers that refuse are those listed, and all others are exact."""
    wrong = {name: text for name, text in told.items() if text != "exact" and isinstance(text, str)}
    assert wrong == {}
    errors = {name: str(error) for name, error in told.items() if error != "exact"}
    assert set(errors) == set(refused)
    assert all(len(text.splitlines()) == 1 for text in errors.values())


def skip_without_kernels(tf, kind):
    if tf.__version__.startswith("1.") and kind.startswith("complex"):
        pytest.skip("no optimizer of TF 1.15 has a kernel for complex variables on a CPU")


@pytest.mark.costly(in_ci=4)
@pytest.mark.parametrize("kind", KINDS)
def test_exact_or_refused(kind, tf, training):
    refused = set(REFUSED.get(kind, ()))
    is_tf1 = tf.__version__.startswith("1.")
    skip_without_kernels(tf, kind)
    if is_tf1:
        refused |= ONE_PASS if kind.startswith("empty") else ONE_PASS | {"freeze-fused"}
    check_told(outcomes(tf, training, kind), refused)


def averages_of(t, tf, v1, weights, pairs):
    optimizer = t.ExponentialAverageOptimizer(sgd(v1), 0.5)
    yield optimizer.apply_gradients(pairs)
    averages = [optimizer.average(w) for w in weights]
    assert all(average is not None for average in averages)
    assert optimizer.variables_to_restore(weights)
    yield lambda session: [session.run(averages), swapped(optimizer, session)]


def swapped(optimizer, session):
    with optimizer.swapped(session):
        pass


def slow_of(t, tf, v1, weights, pairs):
    optimizer = t.LookaheadOptimizer(sgd(v1), 2)
    yield optimizer.apply_gradients(pairs)
    assert all(optimizer.slow(w) is not None for w in weights)
    assert [optimizer.get_slot(w, "slow") for w in weights]


def flushed(t, tf, v1, weights, pairs):
    optimizer = t.GradientAccumulationOptimizer(sgd(v1), 3)
    yield optimizer.apply_gradients(pairs)
    yield optimizer.flush()


def saved(t, tf, v1, weights, pairs):
    yield t.FreezeOptimizer(adam(v1), [(weights, mask_of(weights))]).apply_gradients(pairs)
    yield lambda session: t.restore_what_fits(session, saved_by(t, session))


def saved_by(t, session):
    path = os.path.join(tempfile.mkdtemp(), "model")
    return t.ConsistentSaver(max_to_keep=1).save(session, path)


def read(t, tf, v1, weights, pairs):
    yield [t.frozen_read(w, mask_of([w])) for w in weights]


def transform(make):
    def build(t, tf, v1, weights, pairs):
        changed = make(t.transforms, weights)(pairs)
        yield [grad for grad, _ in changed]
        yield sgd(v1).apply_gradients(changed)

    return build


def normed(t, tf, v1, weights, pairs):
    yield t.transforms.global_norm(pairs)


def minimized(t, tf, v1, weights, pairs):
    """By names and by the variables themselves, as var_list and as selectors."""
    loss = tf.add_n([tf.reduce_sum(tf.abs(tf.cast(grad, tf.float32))) for grad, _ in pairs])
    for w in weights:
        value = tf.convert_to_tensor(w)
        if value.dtype != tf.bool:
            loss += tf.reduce_sum(tf.cast(tf.math.real(value), tf.float32))
    optimizer = t.LRMultiplierOptimizer(adam(v1), [(weights, 0.5)])
    yield optimizer.minimize(loss, var_list=weights)
    assert t.learning_rates(optimizer)


#: {id: function(training, tf, v1, weights, pairs)}, which yields what a session then runs
FUNCTIONS = {
    "average": averages_of,
    "slow": slow_of,
    "flush": flushed,
    "restore_what_fits": saved,
    "frozen_read": read,
    "global_norm": normed,
    "minimize": minimized,
    "scale": transform(lambda t, ws: t.scale(0.5)),
    "clip_by_value": transform(lambda t, ws: t.clip_by_value(-1.0, 1.0)),
    "clip_by_norm": transform(lambda t, ws: t.clip_by_norm(1.0)),
    "clip_by_global_norm": transform(lambda t, ws: t.clip_by_global_norm(1.0)),
    "clip_adaptively": transform(lambda t, ws: t.clip_adaptively()),
    "centralize": transform(lambda t, ws: t.centralize()),
    "add_weight_decay": transform(lambda t, ws: t.add_weight_decay([(ws, 0.1)])),
    "zero_frozen": transform(lambda t, ws: t.zero_frozen([(ws, mask_of(ws))])),
    "summarize_global_norm": transform(lambda t, ws: t.summarize_global_norm()),
}


def use(tf, training, name, kind):
    """Builds and runs what a function yields for variables of one kind."""
    v1 = tf.compat.v1
    with place_of(tf, v1, kind):
        weights = KINDS[kind](tf, v1)
        pairs = list(zip(gradients(tf, weights, kind), weights))
        uses = list(FUNCTIONS[name](training, tf, v1, weights, pairs))
        with v1.Session() as session:
            session.run(v1.local_variables_initializer())
            session.run(v1.global_variables_initializer())
            for target in uses:
                target(session) if callable(target) else session.run(target)


@pytest.mark.costly(in_ci=4)
@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"mirrored", "loop", "branch"}))
def test_no_raw_error(kind, tf, training):
    skip_without_kernels(tf, kind)
    raw = {}
    for name in FUNCTIONS:
        try:
            use(tf, training, name, kind)
        except TfgraphtoolsError as error:
            assert len(str(error).splitlines()) == 1
        except Exception as error:  # pylint: disable=broad-except
            raw[name] = f"{type(error).__name__}: {error}"[:300]
    assert raw == {}
