"""Optimizers that TensorFlow lacks in graph mode, judged by NumPy in float64, PyTorch and Keras."""

import json

import numpy as np
import pytest

from tfgraphtools import _tf
from training_cases import same_bits

STEPS = 100
RATE = 0.0625  # the same in float32 and float64
SHAPE = (4, 16)


class _Oracle:
    """NumPy's twin of an optimizer, in float64."""

    def __init__(self):
        self.t = 0
        self.state = {}

    def step(self, w, g):
        self.t += 1
        return self.update(w, g)

    def mixed(self, name, new, beta):
        self.state[name] = beta * self.state.get(name, np.zeros_like(new)) + (1 - beta) * new
        return self.state[name]


class AMSGrad(_Oracle):
    def update(self, w, g):
        m, v = self.mixed("m", g, 0.9), self.mixed("v", g * g, 0.999)
        self.state["vhat"] = np.maximum(self.state.get("vhat", 0), v)
        root = np.sqrt(self.state["vhat"] / (1 - 0.999**self.t)) + 1e-8
        return w - RATE * m / (1 - 0.9**self.t) / root


class AdamW(_Oracle):
    def update(self, w, g):
        m, v = self.mixed("m", g, 0.9), self.mixed("v", g * g, 0.999)
        root = np.sqrt(v / (1 - 0.999**self.t)) + 1e-8
        return w - RATE * 0.1 * w - RATE * m / (1 - 0.9**self.t) / root


class Nadam(_Oracle):
    product = 1.0

    def update(self, w, g):
        now, following = (0.9 * (1 - 0.5 * 0.96 ** (t * 0.004)) for t in (self.t, self.t + 1))
        self.product *= now
        m, v = self.mixed("m", g, 0.9), self.mixed("v", g * g, 0.999)
        root = np.sqrt(v / (1 - 0.999**self.t)) + 1e-8
        ahead = (1 - now) / (1 - self.product) * g + following / (1 - self.product * following) * m
        return w - RATE * ahead / root


class RAdam(_Oracle):
    def update(self, w, g):
        m, v = self.mixed("m", g, 0.9), self.mixed("v", g * g, 0.999)
        mean, bias = m / (1 - 0.9**self.t), 1 - 0.999**self.t
        longest = 2 / (1 - 0.999) - 1
        length = longest - 2 * self.t * 0.999**self.t / bias
        if length <= 5:
            return w - RATE * mean
        ratio = (length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length)
        return w - RATE * mean * np.sqrt(ratio * bias) / (np.sqrt(v) + 1e-8)


class Lion(_Oracle):
    def update(self, w, g):
        direction = np.sign(0.9 * self.state.get("m", 0) + (1 - 0.9) * g)
        self.mixed("m", g, 0.99)
        return w - RATE * (direction + 0.1 * w)


class Adafactor(_Oracle):
    factored = True

    def update(self, w, g):
        beta = 1 - self.t**-0.8
        if self.factored:
            rows = self.mixed("vr", (g * g).mean(-1, keepdims=True), beta)
            columns = self.mixed("vc", (g * g).mean(-2, keepdims=True), beta)
            estimate = rows * columns / rows.mean(-2, keepdims=True)
        else:
            estimate = self.mixed("v", g * g, beta)
        step = g / np.sqrt(estimate)
        step /= max(1, np.sqrt((step**2).mean()))
        rate = min(RATE, self.t**-0.5) * max(1e-3, np.sqrt((w * w).mean()))
        return w - rate * step


class WholeAdafactor(Adafactor):
    factored = False


#: {id: (how it is made, its NumPy twin, PyTorch's)}
CASES = {
    "amsgrad": (
        lambda t, r: t.AMSGradOptimizer(r),
        AMSGrad,
        lambda o, w: o.Adam(w, lr=RATE, amsgrad=True),
    ),
    "adamw": (
        lambda t, r: t.AdamWOptimizer(r, weight_decay=0.1),
        AdamW,
        lambda o, w: o.AdamW(w, lr=RATE, weight_decay=0.1),
    ),
    "nadam": (lambda t, r: t.NadamOptimizer(r), Nadam, lambda o, w: o.NAdam(w, lr=RATE)),
    "radam": (lambda t, r: t.RAdamOptimizer(r), RAdam, lambda o, w: o.RAdam(w, lr=RATE)),
    "lion": (lambda t, r: t.LionOptimizer(r, weight_decay=0.1), Lion, None),
    "adafactor": (
        lambda t, r: t.AdafactorOptimizer(r),
        Adafactor,
        lambda o, w: o.Adafactor(w, lr=RATE, weight_decay=0.0),
    ),
    "adafactor-whole": (lambda t, r: t.AdafactorOptimizer(r, factored=False), WholeAdafactor, None),
}


def gradients_of(random):
    """Gradients of many sizes, whose signs no rounding turns."""
    g = random.normal(size=SHAPE) * 10.0 ** random.randint(-3, 2, size=SHAPE)
    return np.where(np.abs(g) < 1e-4, 1e-4, g).astype(np.float32)


@pytest.mark.parametrize("case", CASES)
def test_a_hundred_steps(case, variables, graph, v1, tf, training, session):
    build, oracle, _ = CASES[case]
    random = np.random.RandomState(0)
    start = random.normal(size=SHAPE).astype(np.float32)
    w = v1.get_variable("w", initializer=start)
    wide = v1.get_variable("wide", initializer=start.astype(np.float64))
    grad = v1.placeholder(tf.float32, SHAPE)
    pairs = [(grad, w), (tf.cast(grad, tf.float64), wide)]
    step = build(training, RATE).apply_gradients(pairs)
    expected, twin = start.astype(np.float64), oracle()
    for _ in range(STEPS):
        g = gradients_of(random)
        session().run(step, {grad: g})
        expected = twin.step(expected, g.astype(np.float64))
    np.testing.assert_allclose(session().run(wide), expected, rtol=0, atol=1e-11)
    np.testing.assert_allclose(session().run(w), expected, rtol=0, atol=3e-6)


@pytest.mark.parametrize("case", [case for case in CASES if CASES[case][2]])
def test_the_oracles_are_pytorch(case):
    torch = pytest.importorskip("torch")
    _, oracle, reference = CASES[case]
    random = np.random.RandomState(1)
    expected = random.normal(size=SHAPE)
    w = torch.nn.Parameter(torch.tensor(expected))
    optimizer, twin = reference(torch.optim, [w]), oracle()
    for _ in range(STEPS):
        g = gradients_of(random).astype(np.float64)
        w.grad = torch.tensor(g)
        optimizer.step()
        expected = twin.step(expected, g)
    np.testing.assert_allclose(w.detach().numpy(), expected, rtol=0, atol=1e-8)


def test_the_oracle_of_lion_is_keras(this_server, tmp_path):
    if _tf.IS_TF1:
        pytest.skip("Keras of TF 1.15 has no Lion")
    script = tmp_path / "lion.py"
    script.write_text(
        "import keras, numpy as np\n"
        "w = keras.Variable(np.linspace(-1, 1, 8).astype('float32'))\n"
        "lion = keras.optimizers.Lion(0.0625, weight_decay=0.1)\n"
        "for step in range(20):\n"
        "    lion.apply([np.cos(np.arange(8) + step).astype('float32')], [w])\n"
        "print(np.array(w).tolist())\n"
    )
    printed = this_server.run(tmp_path, "lion.py").checked()
    expected, twin = np.linspace(-1, 1, 8), Lion()
    for step in range(20):
        expected = twin.step(expected, np.cos(np.arange(8) + step))
    values = np.array(json.loads(printed.strip().splitlines()[-1]))
    np.testing.assert_allclose(values, expected, atol=2e-6)


MASKS = {
    "elements": lambda random: random.rand(*SHAPE) < 0.5,
    "rows": lambda random: random.rand(SHAPE[0], 1) < 0.5,
    "whole": lambda random: np.array(True),
}


@pytest.mark.costly(in_ci=6)
@pytest.mark.parametrize("known", [True, False], ids=["array", "fed"])
@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("case", [case for case in CASES if case != "adafactor"])
def test_frozen_elements_stay(case, mask, known, variables, graph, v1, tf, training, session):
    random = np.random.RandomState(2)
    frozen = MASKS[mask](random)
    start = random.normal(size=SHAPE).astype(np.float32)
    w = v1.get_variable("w", initializer=start)
    grad = v1.placeholder(tf.float32, SHAPE)
    fed = frozen if known else v1.placeholder(tf.bool, frozen.shape)
    inner = CASES[case][0](training, RATE)
    step = training.FreezeOptimizer(inner, {"w": fed}).apply_gradients([(grad, w)])
    states = [w] + [inner.get_slot(w, name) for name in inner.get_slot_names()]
    states = [state for state in states if state is not None]
    before, where = session().run(states), np.broadcast_to(frozen, SHAPE)
    for _ in range(3):
        feed = {grad: np.where(where, np.nan, gradients_of(random))}
        session().run(step, feed if known else {**feed, fed: frozen})
    for old, new in zip(before, session().run(states)):
        assert same_bits(old[where], new[where])
    if not where.all():
        assert (session().run(w)[~where] != start[~where]).all()


def test_adafactor_that_mixes_elements_is_refused(graph, v1, tf, training):
    w = v1.get_variable("w", initializer=np.ones(SHAPE, np.float32))
    frozen = training.FreezeOptimizer(training.AdafactorOptimizer(), {"w": np.eye(*SHAPE) > 0})
    with pytest.raises(training_errors().OptimizerKindError, match="Adafactor/vc"):
        frozen.apply_gradients([(tf.ones(SHAPE), w)])


def training_errors():
    from tfgraphtools import errors

    return errors


@pytest.mark.parametrize("case", CASES)
def test_a_sparse_gradient_is_the_dense_one(case, variables, graph, v1, tf, training, session):
    random = np.random.RandomState(3)
    start = random.normal(size=SHAPE).astype(np.float32)
    dense, sparse = (v1.get_variable(name, initializer=start) for name in ("dense", "sparse"))
    values = random.normal(size=(3, SHAPE[1])).astype(np.float32)
    rows = [2, 0, 2]
    whole = np.zeros(SHAPE, np.float32)
    np.add.at(whole, rows, values)
    slices = tf.IndexedSlices(tf.constant(values), tf.constant(rows), tf.constant(SHAPE))
    build = CASES[case][0]
    steps = [
        build(training, RATE).apply_gradients([(tf.constant(whole), dense)]),
        build(training, RATE).apply_gradients([(slices, sparse)]),
    ]
    for _ in range(3):
        session().run(steps)
    np.testing.assert_allclose(session().run(dense), session().run(sparse), atol=1e-6)


@pytest.mark.parametrize("case", CASES)
def test_halves_keep_slots_of_float32(case, graph, v1, tf, training, session):
    w = v1.get_variable("w", initializer=np.ones(SHAPE, np.float16))
    optimizer = CASES[case][0](training, RATE)
    step = optimizer.apply_gradients([(tf.cast(tf.fill(SHAPE, 0.5), tf.float16), w)])
    session().run(step)
    assert np.isfinite(session().run(w)).all() and (session().run(w) < 1).all()
    slots = [v for v in optimizer.variables() if v.shape.rank]
    assert {v.dtype.base_dtype for v in slots} == {tf.float32}


@pytest.mark.parametrize("case", CASES)
def test_a_run_goes_on_from_a_checkpoint(case, v1, tf, training, tmp_path):
    """A stock Saver saves and restores everything: five steps are two and three."""

    def run(steps, saved=None, restored=None):
        with tf.Graph().as_default(), v1.Session() as session:
            w = v1.get_variable("w", initializer=np.ones(SHAPE, np.float32))
            step = CASES[case][0](training, RATE).minimize(tf.reduce_sum(tf.sin(w)))
            saver = v1.train.Saver()
            session.run(v1.global_variables_initializer())
            if restored:
                saver.restore(session, restored)
            for _ in range(steps):
                session.run(step)
            if saved:
                saver.save(session, saved)
            return session.run(w)

    path = str(tmp_path / "model")
    run(2, saved=path)
    assert same_bits(run(5), run(3, restored=path))


@pytest.mark.parametrize(
    "build, place",
    [
        (lambda t: t.AdamWOptimizer(-1), "AdamWOptimizer learning_rate"),
        (lambda t: t.AdamWOptimizer(1, weight_decay=-1), "AdamWOptimizer weight_decay"),
        (lambda t: t.RAdamOptimizer(beta2=1), "RAdamOptimizer beta2"),
        (lambda t: t.LionOptimizer(beta1=1.5), "LionOptimizer beta1"),
        (lambda t: t.NadamOptimizer(momentum_decay=-1), "NadamOptimizer momentum_decay"),
        (lambda t: t.AdafactorOptimizer(decay=0.8), "AdafactorOptimizer decay"),
        (lambda t: t.AMSGradOptimizer(epsilon=float("nan")), "AMSGradOptimizer epsilon"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_numbers_out_of_their_range(build, place, training):
    with pytest.raises(training_errors().ArgumentError, match=place):
        build(training)
