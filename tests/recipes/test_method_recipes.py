"""The recipes on methods by name (GAN, MAML, SAM...) hold the figures that they are there to show.

The oracles are the methods' formulas in NumPy (float64), SciPy alone, and plain optimizers.
"""

import numpy as np
import pytest

from tfgraphtools.compat import legacy


def bits(values):
    return np.asarray(values, np.float32).tobytes()


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def test_h1_gan(recipe, variables):
    """Each step changes its player only; both steps and the averages are NumPy's."""
    module = recipe("h1_gan")
    path = module.main(steps=50)["path"]
    random = np.random.RandomState(0)
    w, gain, shift, moving = np.zeros(3), 1.0, 0.0, np.array([0.0, 1.0])
    for before, after_d, after_g in zip(path[::2], path[1::2], path[2::2]):
        real = random.normal(module.MEAN, module.DEVIATION, module.BATCH)
        noise = random.normal(1, 2, module.BATCH)
        normalised = (noise - noise.mean()) / noise.std()
        fake = gain * normalised + shift
        powers = [np.stack([x**0, x, x**2]) for x in (real, fake)]
        slopes = -sigmoid(-w @ powers[0]) * powers[0] + sigmoid(w @ powers[1]) * powers[1]
        w = w - module.RATE * (slopes.mean(1) + 2 * module.DECAY * w)
        slope = -sigmoid(-w @ powers[1]) * (w[1] + 2 * w[2] * fake)
        gain -= module.RATE * (slope * normalised).mean()
        shift -= module.RATE * slope.mean()
        moving = 0.9 * moving + 0.1 * np.array([noise.mean(), noise.var()])
        np.testing.assert_allclose(after_d["discriminator/w"], w, atol=2e-5)
        for name in ("gain", "shift", "moving"):
            assert bits(after_d["generator/" + name]) == bits(before["generator/" + name])
        assert bits(after_g["discriminator/w"]) == bits(after_d["discriminator/w"])
        np.testing.assert_allclose(after_g["generator/gain"], gain, atol=2e-5)
        np.testing.assert_allclose(after_g["generator/shift"], shift, atol=2e-5)
        np.testing.assert_allclose(after_g["generator/moving"], moving, rtol=1e-5)


@pytest.mark.slow
def test_h1_gan_learns_the_distribution(recipe):
    module = recipe("h1_gan")
    samples = module.main()["samples"]
    assert abs(samples.mean() - module.MEAN) < 0.2 and abs(samples.std() - module.DEVIATION) < 0.1


def convolved(images, kernel):
    """A convolution of stride 1 with zeros around the images: [batch, y, x, channels]."""
    padded = np.pad(images, [(0, 0), (1, 1), (1, 1), (0, 0)])
    rows, columns = images.shape[1:3]
    windows = [padded[:, i : i + rows, j : j + columns] for i in range(3) for j in range(3)]
    return sum(window @ k for window, k in zip(windows, kernel.reshape((9,) + kernel.shape[2:])))


def test_h2_maps(recipe, variables):
    figures = recipe("h2_grad_cam_and_saliency").main()
    inside = figures["inside"]
    assert inside["Grad-CAM"] > inside["guided"] > inside["saliency"] > 3 * inside["chance"]
    assert (figures["scores"].argmax(1) == figures["labels"]).mean() > 0.93
    w1, w2, head = (value.astype(np.float64) for value in figures["weights"])

    def features(images):
        return np.maximum(convolved(np.maximum(convolved(images, w1), 0), w2), 0)

    def score(image, label):
        return (features(image[None, ..., None]).mean((0, 1, 2)) @ head)[label]

    images, labels = figures["images"][:3].astype(np.float64), figures["labels"][:3]
    # With a global average before the last layer, Grad-CAM is CAM: the layer's weights per pixel.
    cam = np.maximum((features(images[..., None]) * head.T[labels][:, None, None]).sum(-1), 0)
    np.testing.assert_allclose(figures["maps"]["Grad-CAM"][:3], cam / 16**2, rtol=1e-3, atol=1e-6)
    for i, (image, label) in enumerate(zip(images, labels)):
        row, column = np.argwhere(figures["where"][i])[0]  # a pixel of the shape
        steps = np.zeros([2, 16, 16])
        steps[:, row, column] = [1e-7, -1e-7]
        slope = np.diff([score(image + step, label) for step in steps])[0] / -2e-7
        assert figures["maps"]["saliency"][i, row, column] == pytest.approx(abs(slope), rel=1e-3)


@pytest.mark.slow
def test_h3_tickets_are_better_than_random_masks(recipe):
    (_, dense, _), *rows = recipe("h3_lottery_tickets").main()["accuracy"]
    by_part = {part: (ticket, random) for part, ticket, random in rows}
    assert by_part[0.2][0] > dense - 0.04 and by_part[0.2][0] > by_part[0.2][1]
    assert all(by_part[part][0] > by_part[part][1] + 0.02 for part in (0.1, 0.05))


def test_h3_masks_and_first_values(recipe, variables, monkeypatch):
    module = recipe("h3_lottery_tickets")
    monkeypatch.setattr(module, "STEPS", 20)
    figures = module.main(kept=[0.2])
    pruned, before, after = figures["ticket"]
    for name, mask in pruned.items():
        values = np.sort(np.abs(figures["trained"][name]).ravel())
        assert mask.sum() == pytest.approx(0.8 * mask.size, abs=1)
        assert np.abs(figures["trained"][name])[~mask].min() >= values[mask.sum()]
        assert bits(before[name]) == bits(np.where(mask, 0, figures["first"][name]))
        assert not after[name][mask].any() and (after[name] != before[name])[~mask].mean() > 0.8


def test_h3_trains_what_is_left_as_plain_adam(recipe, variables, v1, tf, monkeypatch):
    """Plain Adam on a product with the mask, which starts at 0, gives the same weights."""
    module = recipe("h3_lottery_tickets")
    monkeypatch.setattr(module, "STEPS", 20)
    figures = module.main(kept=[0.2])
    pruned, before, after = figures["ticket"]
    with np.load(str(module.DIGITS)) as file:
        images, labels = file["images"].reshape(-1, 64) / np.float32(16), file["labels"].astype(int)
    half = len(labels) // 2
    with v1.Graph().as_default(), v1.Session() as session:
        weights = [v1.get_variable(name, initializer=value) for name, value in before.items()]
        w1, w2 = (w * np.float32(~pruned[name]) for w, name in zip(weights, before))
        logits = tf.matmul(tf.nn.relu(tf.matmul(images[:half], w1)), w2)
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels[:half], logits=logits)
        step = v1.train.AdamOptimizer(0.01).minimize(tf.reduce_mean(losses))
        session.run(v1.global_variables_initializer())
        for _ in range(20):
            session.run(step)
        for value, name in zip(session.run(weights), before):
            np.testing.assert_allclose(after[name], value, atol=2e-5)


def test_h4_maml(recipe, variables):
    """The meta-gradient is the slope of the loss after a step, by differences in NumPy."""
    module = recipe("h4_maml")
    (weights, gradient), _ = module.train("MAML", steps=1)
    x, y, query, target = module.sample(np.random.RandomState(0))

    def hidden_of(weights, x):
        w1, b1, w2, b2, _ = weights
        first = np.tanh(x @ w1 + b1)
        return first, np.tanh(first @ w2 + b2)

    def after_a_step(weights):
        w1, b1, w2, b2, w3 = weights
        first, second = hidden_of(weights, x)
        error = 2 * (second @ w3 - y) / len(x)
        of_second = error @ w3.T * (1 - second**2)
        of_first = of_second @ w2.T * (1 - first**2)
        grads = [x.T @ of_first, of_first.sum(0), first.T @ of_second, of_second.sum(0)]
        grads.append(second.T @ error)
        moved = [w - module.INNER_RATE * g for w, g in zip(weights, grads)]
        return np.mean((hidden_of(moved, query)[1] @ moved[-1] - target) ** 2)

    weights = [np.float64(w) for w in weights]
    random = np.random.RandomState(1)
    for _ in range(3):
        direction = [random.normal(size=w.shape) for w in weights]
        ends = [[w + e * d for w, d in zip(weights, direction)] for e in (1e-6, -1e-6)]
        slope = (after_a_step(ends[0]) - after_a_step(ends[1])) / 2e-6
        found = sum((g * d).sum() for g, d in zip(gradient, direction))
        assert found == pytest.approx(slope, rel=2e-3)


@pytest.mark.slow
def test_h4_maml_adapts_in_one_step(recipe):
    figures = recipe("h4_maml").main()
    (_, joint), (_, maml) = figures["joint training"], figures["MAML"]
    assert maml[1] < 0.4 * joint[1] and maml[1] < 0.4 * maml[0]


def test_h5_sharpness(recipe, variables, v1):
    module = recipe("h5_sharpness_aware")
    figures = module.main()
    assert figures["SAM"][-1] > figures["plain"][-1] + 0.03 and max(figures["SAM"]) > 0.88
    matrix, point = np.array([[3.0, 1.0], [1.0, 2.0]]), np.array([1.0, -2.0])
    with v1.Graph().as_default(), v1.Session() as session:
        both = [v1.get_variable(n, initializer=np.float32([v])) for n, v in zip("ab", point)]
        w = v1.concat(both, 0)
        loss = v1.reduce_sum(w * v1.squeeze(v1.matmul(np.float32(matrix), w[:, None]), 1)) / 2
        uphill = module.sharpness_aware(loss, both, rho=0.3)
        step = v1.train.GradientDescentOptimizer(0.1).minimize(uphill)
        session.run(v1.global_variables_initializer())
        for _ in range(5):
            session.run(step)
            gradient = matrix @ point
            point = point - 0.1 * matrix @ (point + 0.3 * gradient / np.linalg.norm(gradient))
            np.testing.assert_allclose(np.ravel(session.run(both)), point, rtol=1e-5)


def test_h6_domains(recipe, variables):
    """The weights are NumPy's, with the domain's gradient reversed in front of the features."""
    module = recipe("h6_domain_adversarial")
    figures = module.main()
    assert figures["reversal"][3][1] > figures["no reversal"][3][1] + 0.2
    assert figures["reversal"][3][0] > 0.97
    inputs, labels = module.points(np.random.RandomState(0))
    first = np.arange(2 * module.NUMBER) < module.NUMBER
    for name, largest in (("no reversal", 0.0), ("reversal", 1.0)):
        factors, before, after, _ = figures[name]
        w, b, label, domain, offset = (before[n].astype(np.float64) for n in before)
        for step, factor in enumerate(factors):
            assert factor == pytest.approx(
                largest * (2 / (1 + np.exp(-10 * step / module.STEPS)) - 1), abs=1e-6
            )
            h = np.tanh(inputs @ w + b)
            of_label = np.where(first[:, None], sigmoid(h @ label) - labels[:, None], 0)
            of_label = of_label / module.NUMBER
            of_domain = (sigmoid(h @ domain + offset) - ~first[:, None]) / (2 * module.NUMBER)
            of_h = (of_label @ label.T - factor * of_domain @ domain.T) * (1 - h**2)
            grads = [inputs.T @ of_h, of_h.sum(0), h.T @ of_label, h.T @ of_domain]
            grads.append(of_domain.sum(0))
            state = zip([w, b, label, domain, offset], grads)
            w, b, label, domain, offset = (v - module.RATE * g for v, g in state)
        for value, found in zip([w, b, label, domain, offset], after.values()):
            np.testing.assert_allclose(found, value, atol=5e-3)


def test_h7_precision(recipe, variables):
    """The weights in float32 are NumPy's; a scale halves with each skipped step, and only then."""
    module = recipe("h7_mixed_precision")
    figures = module.main()
    (inputs, targets), w = module.data(), np.zeros([module.INPUTS, 1])
    for found in figures["float32"][0]:
        np.testing.assert_allclose(found, w, atol=1e-8)
        w = w - module.RATE * 2 * inputs.T @ (inputs @ w - targets) / module.EXAMPLES
    ends = {name: module.distances(row[0])[-1] for name, row in figures.items()}
    assert ends["float32"] < 1e-6 < ends["float16, loss scale"] < 1e-3 < 3e-3 < ends["float16"]
    weights, scales, skipped = figures["float16, loss scale"]
    ratios = scales[1:] / scales[:-1]
    assert set(ratios) == {0.5, 1.0, 2.0} and skipped == (ratios == 0.5).sum()
    stays = [bits(after) == bits(before) for before, after in zip(weights, weights[1:])]
    assert [step for step, ratio in enumerate(ratios) if ratio == 0.5] == np.flatnonzero(
        stays
    ).tolist()
    # The first gradients in float16 are finite from this scale on.
    first = 2 * targets / module.EXAMPLES
    largest = max(np.abs(first).max(), np.abs(inputs.T @ first).max())
    fits = 2.0 ** np.floor(np.log2(np.finfo(np.float16).max / largest))
    assert scales[(ratios != 0.5).argmax()] == fits
    # Ten steps that count, then the scale doubles.
    start = (ratios != 0.5).argmax()
    assert ratios[start : start + 10].tolist() == [1.0] * 9 + [2.0]


def test_h8_lbfgs(recipe, variables):
    optimize = pytest.importorskip("scipy.optimize")
    module = recipe("h8_lbfgs")
    figures = module.main()
    for method, more in {"L-BFGS-B": {}, "trust-ncg": {"hess": optimize.rosen_hess}}.items():
        alone = optimize.minimize(
            optimize.rosen, module.START, jac=optimize.rosen_der, method=method, **more
        )
        losses, minimum = figures[method]
        np.testing.assert_allclose(minimum, alone.x, atol=1e-6)
        np.testing.assert_allclose(minimum, 1, atol=1e-4)
        assert len(losses) == pytest.approx(alone.nfev, abs=2 if method == "L-BFGS-B" else 60)
    assert figures["gradient descent"][0][-1] > 1e-2


INTERFACE = """
import sys
import tensorflow as tf
x = tf.get_variable("x", initializer=tf.constant([-1.2, 1.0, -0.5, 0.8], tf.float64))
loss = tf.reduce_sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)
optimizer = tf.contrib.opt.ScipyOptimizerInterface(loss, method="L-BFGS-B")
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    optimizer.minimize(session)
    print("\\nx:", *session.run(x))
"""


@pytest.mark.slow
@pytest.mark.once
def test_h8_the_old_interface_under_run(recipe, compat_server, tmp_path):
    """It finds the point that the recipe finds."""
    if legacy.find() is None:
        pytest.skip("needs the legacy installation")
    (tmp_path / "old.py").write_text(INTERFACE)
    printed = compat_server.run_python(tmp_path, "-m", "tfgraphtools", "run", "old.py").checked()
    values = printed.rpartition("x: ")[2].split()
    _, minimum = recipe("h8_lbfgs").main()["L-BFGS-B"]
    np.testing.assert_allclose([float(value) for value in values], minimum, atol=1e-6)


def test_h9_threads(recipe, variables):
    module = recipe("h9_hogwild")
    for _, steps, right in module.main().values():
        assert steps == module.THREADS * module.STEPS and right > 0.95


@pytest.mark.parametrize("method", ["Hogwild", "A3C"])
def test_h9_one_thread_is_plain_descent(recipe, variables, method):
    module = recipe("h9_hogwild")
    weights = np.zeros(module.SIZE)
    for x, y in module.batches(0):
        weights -= module.RATE * x.T @ (sigmoid(x @ weights) - y) / module.BATCH
    np.testing.assert_allclose(module.train(method, threads=1)[0], weights, atol=1e-5)


def test_a4_rows(recipe, variables):
    """Frozen rows keep every bit; the new tokens' rows are those of plain Adam, to the bit."""
    module = recipe("a4_embedding_rows")
    figures = module.main()
    plain, frozen = figures["plain Adam"], figures["frozen rows"]
    assert bits(frozen[:, : -module.NEW]) == bits([frozen[0][: -module.NEW]] * len(frozen))
    assert bits(frozen[:, -module.NEW :]) == bits(plain[:, -module.NEW :])
    assert (frozen[-1] != frozen[0])[-module.NEW :].all()
    tokens = np.random.RandomState(0)
    tokens.normal(size=[module.TOKENS, module.WIDTH]), tokens.normal(size=module.WIDTH)
    batches = [set(tokens.randint(module.TOKENS, size=10)) for _ in range(len(plain) - 1)]
    moved = [  # the rows of a token that the second batch does not have
        (after != before).any(1)[sorted(batches[0] - batches[1])].all()
        for before, after in [plain[1:3]]
    ]
    assert moved == [True]
