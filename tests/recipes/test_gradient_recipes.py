"""The recipes on gradients hold the figures that they are there to show."""

import sys

import numpy as np
import pytest


def test_c1_where_and_cond(recipe, variables, control_flow):
    figures = recipe("c1_how_where_and_cond_split").main()
    assert figures["where"] == ([2.0, 0.0], [0.0, 3.0])
    assert figures["cond"] == ([2.0, 2.0], [0.0, 0.0])
    assert "condition is True, zeros elsewhere" in figures["explained"]["where"]
    assert "predicate is True, zeros when it is False" in figures["explained"]["cond"]
    for text in figures["explained"].values():
        assert "a condition only chooses" in text


def test_c2_assign(recipe, variables):
    figures = recipe("c2_assign_breaks_the_gradient").main()
    assert figures["assigned"]["loss"] == figures["pure"]["loss"] == 24.0
    assert figures["assigned"]["gradient"] is None and figures["pure"]["gradient"] == 24.0
    assert figures["assigned"]["causes"] == ["assign"]
    assert "Assign" in figures["assigned"]["ops"][0]
    assert figures["pure"]["causes"] == []


def test_c3_hessian_norm(recipe, variables):
    figures = recipe("c3_hessian_norm").main()
    assert figures["usual"] is None
    np.testing.assert_allclose(figures["moved"], [18.75, 15.0])
    np.testing.assert_allclose(figures["scalar"], [6.0, 6.0], rtol=1e-5)
    assert 2.0 < figures["norm"] < figures["spectral norm"]  # a mean of |H d| / |d|
    np.testing.assert_allclose(figures["hessian"], [[2, 1, 0], [1, 3, 0], [0, 0, 5]])


def test_c4_straight_through(recipe, variables):
    figures = recipe("c4_straight_through").main()
    before, after, _ = figures["trained"]["tf.floor"]
    assert before == after  # it never learns
    for name in ("floor", "ceil", "round", "to_integer"):
        before, after, whole = figures["trained"]["gradients." + name]
        assert whole and after < 0.05 * before
    assert figures["checked"][2.0][:4] == ("jump", 1.0, 1.0, True)
    assert figures["checked"][1.6][0] == "surrogate" and figures["checked"][1.6][2:4] == (1.0, True)


def test_c5_which_ops(recipe):
    figures = recipe("c5_which_ops_an_override_touches").main()
    assert figures["floor under 'Floor'"] == "reached Hits(Floor: ['Floor'])"
    assert "Did you mean 'Floor'" in figures["floor under 'floor'"]
    assert "Mean (1)" in figures["reduce_mean under 'Floor'"]
    assert "Did you mean 'FloorDiv'" in figures["x // 1 under 'Floor'"]
    assert "Did you mean 'AddV2'" in figures["x + 2 under 'Add'"]


def test_c6_five_times(recipe):
    figures = recipe("c6_a_gradient_of_ones_own").main()
    assert figures["same bits"] and figures["gradient / (2 x)"] == [5.0, 5.0, 5.0]
    assert figures["ops"] == ["Identity"]


def test_c7_smooth_steps(recipe):
    figures = recipe("c7_smooth_steps").main()
    for name in ("soft_step", "linear_ramp", "soft_floor", "smooth"):
        distances = [figures[name, k][0] for k in (2.0, 20.0, 2000.0)]
        assert distances[0] >= distances[1] >= distances[2] and distances[2] < 2e-3
        assert all(figures[name, k][2] for k in (2.0, 20.0, 2000.0))


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_c8_less_memory(recipe):
    figures = recipe("c8_less_memory").main(depths=(16, 48))
    plain, ours = figures["peaks"]["plain"], figures["peaks"]["recomputed"]
    assert figures["same gradients"] and plain[-1] > 75
    assert ours[-1] < 0.5 * plain[-1]
    assert (ours[-1] - ours[-2]) < 0.6 * (plain[-1] - plain[-2])


def test_c9_each_example(recipe):
    figures = recipe("c9_each_example").main()
    assert figures["found"] >= 30
    accuracy = figures["accuracy"]
    assert accuracy["noise 0"] > accuracy["plain"] - 0.05
    assert accuracy["noise 32"] < accuracy["noise 4"] - 0.1


def test_e5_two_tasks(recipe):
    figures = recipe("e5_two_tasks").main()
    assert figures["projected"][2] == 0 and figures["sum"][2] > 20
    assert figures["projected"][1][-1].sum() < 0.02 < 0.3 < figures["sum"][1][-1].sum()
    assert figures["sum"][1][:, 1].max() > 4 * figures["sum"][1][0, 1]


def test_d1_probe(recipe, variables):
    figures = recipe("d1_adversarial_probe").main()
    assert figures["steps"] == 100 and figures["largest sign"] == 1.0
    assert figures["identical with the probe"]
    assert not figures["identical in the usual way"]
    assert figures["largest difference in the usual way"] > 1e-3


def test_e4_scale(recipe):
    figures = recipe("e4_scale_a_gradient").main()
    assert figures["scale_gradient"]["changed"] == 0 < figures["stop_gradient"]["changed"]
    assert figures["scale_gradient"]["ratio"] == pytest.approx(0.01, rel=1e-6)
    np.testing.assert_allclose(
        figures["scale_gradient"]["gradient"], 0.01 * figures["plain"]["gradient"], rtol=1e-4
    )
