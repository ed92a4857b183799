"""The recipes on training hold the figures that they are there to show.

The oracles are published figures, Adam's formula in NumPy, and plain optimizers.
"""

import numpy as np
import pytest


def bits(values):
    return np.asarray(values, np.float32).tobytes()


def adam_steps(w, m, v, gradients, start=0, rate=0.1):
    """Adam in float64: (w, m, v) after steps start+1, start+2... (Kingma and Ba, 2015)."""
    for t, g in enumerate(gradients, start + 1):
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        w -= rate * np.sqrt(1 - 0.999**t) / (1 - 0.9**t) * m / (np.sqrt(v) + 1e-8)
    return w, m, v


def test_a1_elements(recipe, variables):
    figures = recipe("a1_mask_elements").main()
    masked, frozen = figures["forward mask"], figures["FreezeOptimizer"]
    # What the forward mask does: gradient zero, and yet Adam moves on.
    wanted = [0.80041, 0.72343, 0.66037, 0.60707, 0.56114, 0.52102]
    np.testing.assert_allclose([w[0] for w in masked[1:]], wanted, atol=5e-6)
    for w, reference in zip(frozen[2:], masked[2:]):
        assert bits(w[[0, 3]]) == bits(frozen[1][[0, 3]])  # frozen: not a bit
        assert bits(w[[1, 2]]) == bits(reference[[1, 2]])  # trained: as ever


def test_a2_moments(recipe, variables):
    figures = recipe("a2_moments_of_frozen_elements").main()
    trained = adam_steps(0, 0, 0, [1, 1, 1])
    frozen_m_and_v = {
        "keep": trained[1:],
        "reset": (0, 0),
        "advance": adam_steps(0, 0, 0, [1] * 7)[1:],
    }
    for slots, (m, v) in frozen_m_and_v.items():
        before, during, after = figures[slots]
        np.testing.assert_allclose(before, trained, rtol=1e-4)
        assert bits(during[0]) == bits(before[0])
        np.testing.assert_allclose(during[1:], [m, v], rtol=1e-4)
        np.testing.assert_allclose(after, adam_steps(during[0], m, v, [1], start=7), rtol=1e-4)
    assert bits(figures["keep"][1]) == bits(figures["keep"][0])


def test_a3_subsets(recipe, variables):
    module = recipe("a3_another_subset_each_step")
    figures = module.main()
    assert figures["moved"] == module.SUBSETS
    assert figures["slots_moved"] == module.SUBSETS
    assert len(figures["statistics"]) == 2 * len(module.NAMES) + 2  # m, v; and two clocks in all


def test_b1_constant_masks(recipe, variables):
    assert recipe("b1_constant_mask").main() == {
        "all but [0,0] and [1,1]": [[1, 2], [2, 1]],
        "the first row, shape (2, 1)": [[2, 2], [1, 1]],
        "the first column, shape (2,)": [[2, 1], [2, 1]],
        "everything, a scalar": [[2, 2], [2, 2]],
    }


def test_b2_statistics(recipe, variables):
    figures = recipe("b2_shared_or_separate_statistics").main()
    slots = ["v1/Adam", "v1/Adam_1", "v2/Adam", "v2/Adam_1"]
    assert figures["shared"]["state"] == ["beta1_power", "beta2_power", *slots]
    assert len(figures["separate"]["state"]) == len(slots) + 4
    for kind, clock_of_v2 in (("shared", 2), ("separate", 0)):  # steps on it before v2's first
        one, _, _ = adam_steps(1, 0, 0, [2])
        two, m, v = adam_steps(1, 0, 0, [2])
        two, _, _ = adam_steps(two, m, v, [2 * two], start=1)
        v2, _, _ = adam_steps(1, 0, 0, [2], start=clock_of_v2)
        wanted = [[one, 1], [two, 1], [two, v2]]
        np.testing.assert_allclose(figures[kind]["values"], wanted, rtol=1e-4)
    assert list(figures["shared"]["clocks"].values()) == [pytest.approx(0.9**4)]
    assert sorted(figures["separate"]["clocks"].values()) == pytest.approx([0.9**3, 0.9**2])


def test_b3_read(recipe, variables):
    figures = recipe("b3_pinned_read").main(runs=30)
    assert figures["up_to_date"] == 30
    assert figures["read"] == [30] * 4
    assert figures["slope"] == [0, 60, 60, 0]


def test_d2_factor(recipe, variables, tmp_path):
    module = recipe("d2_train_one_factor")
    ways = module.main(["--out", str(tmp_path)])
    target = np.multiply(module.START["w2"], module.START["w3"])
    for way in ("stop_gradient", "var_list=[w1]"):
        np.testing.assert_allclose(ways[way]["w1"][-1], target, atol=1e-4)
        for name in ("w2", "w3"):
            assert bits(ways[way][name]) == bits([module.START[name]] * (module.STEPS + 1))
    assert bits(ways["stop_gradient"]["w1"]) == bits(ways["var_list=[w1]"]["w1"])
    assert all((history[-1] != history[0]).all() for history in ways["neither"].values())
    assert (tmp_path / "parameters.png").read_bytes().startswith(b"\x89PNG")


def test_e1_groups(recipe, variables):
    figures = recipe("e1_rates_by_group").main([])["PartitionOptimizer"]
    for name, size in figures["step"].items():  # Adam's first step is its rate
        assert size == pytest.approx(1e-3 if name.startswith("head") else 1e-5, rel=0.05)
    assert figures["backward_matmuls"] == 2 * 6  # of the weights and of the input of each layer
    assert figures["global_step"] == 1
    assert figures["wrong"] == [0, 0]


@pytest.mark.parametrize("grappler", [True, False], ids=["grappler-on", "grappler-off"])
def test_e1_gradients_that_nobody_gated(recipe, variables, v1, grappler):
    """`minimize` gates the gradients of one op; the race of `tf.gradients` is ours to stop."""
    module = recipe("e1_rates_by_group")

    def build(loss, make_lower, make_head, global_step):
        variables = v1.trainable_variables()
        pairs = zip(v1.gradients(loss, variables), variables)
        return module.make_partition(make_lower, make_head).apply_gradients(pairs, global_step)

    assert module.wrong_steps(build, grappler, runs=100) == 0


def test_e2_twice(recipe, variables):
    figures = recipe("e2_twice_the_rate").main()
    wanted = [[0.8, 0.4], [0.72, 0.56], [0.688, 0.624], [0.6752, 0.6496], [0.67008, 0.65984]]
    found = [[float(f"{value:.5g}") for value in pair] for pair in figures.pop("published")]
    assert found == wanted
    assert len(figures) == 13
    for name, found in figures.items():
        assert found["as_the_plain_optimizer"], name
        assert found["by_rate"] == pytest.approx(10, rel=1e-4), name
    for name, ratio in {"GradientDescent": 10, "Momentum": 10, "Nesterov": 10, "Adam": 1}.items():
        assert figures[name]["by_gradient"] == pytest.approx(ratio, abs=0.01)  # the trap


def test_e3_names(recipe, variables, tmp_path):
    figures = recipe("e3_multipliers_by_name").main(["--out", str(tmp_path), "--steps", "3"])
    rates = {"conv1/kernel": 1e-3, "conv2/kernel": 1e-3, "conv1/bias": 2e-3, "conv2/bias": 2e-3}
    assert figures["moved"] == pytest.approx(dict(rates, **{"head/kernel": 0.1}), rel=1e-4)
    tags = [kind + "/" + name for name in figures["moved"] for kind in ("variables", "gradients")]
    assert figures["histograms"] == {tag: 3 for tag in tags}
    for key in ("head/kernle", "head/kernel:0", "kernel"):
        assert "Did you mean" in figures["typos"][key] and "'head/kernel'" in figures["typos"][key]


def test_g1_averages(recipe, variables):
    figures = {name: np.mean(found[-50:]) for name, found in recipe("g1_averages").main().items()}
    plain = figures.pop("SGD")
    # SGD's variance around the minimum is rate / (2 - rate) of the noise, of 100 elements.
    np.testing.assert_allclose(plain, np.sqrt(100 * 0.3 / 1.7), rtol=0.05)
    assert figures.pop("LookaheadOptimizer") < 0.9 * plain
    assert all(found < 0.6 * plain for found in figures.values()), figures


def test_g2_trust_ratio(recipe, variables):
    module = recipe("g2_trust_ratio")
    figures = module.main()
    for name, scale in module.SCALES.items():
        np.testing.assert_allclose(figures["LAMB"][name], module.RATE, rtol=1e-3)
        np.testing.assert_allclose(figures["Adam"][name], module.RATE / scale, rtol=0.2)
    assert figures["LAMB"]["bias"] == figures["Adam"]["bias"]


def test_g3_accumulation(recipe, variables):
    figures = recipe("g3_accumulate_and_flush").main()
    assert figures["w"] == [0.0] * 4 + [2.5] * 4 + [9.0] * 3  # means of 1..4 and of 5..8
    assert figures["flushed"] == 9.0 + 9.5 and figures["steps"] == 3
