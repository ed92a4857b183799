"""learning_rates: the rate of each group and multiplier, by label."""

import pytest

from tfgraphtools.errors import OptimizerKindError

pytestmark = pytest.mark.quick


def examples(t, train, rate):
    """{id: (optimizer, {label: rate})}"""
    adam, group = train.AdamOptimizer, t.Group
    multiplied = t.LRMultiplierOptimizer(adam(0.5), {"a": 0.5, "b.*": 3})
    return {
        "adam": (adam(0.5), {"AdamOptimizer": 0.5}),
        "function": (adam(lambda: 0.25), {"AdamOptimizer": 0.25}),
        "tensor": (train.RMSPropOptimizer(rate), {"RMSPropOptimizer": 2.0}),
        "ftrl": (train.FtrlOptimizer(0.5), {"FtrlOptimizer": 0.5}),
        "wrapped": (t.FreezeOptimizer(adam(0.5), {"a": True}), {"AdamOptimizer": 0.5}),
        "multiplied": (
            multiplied,
            {"AdamOptimizer": 0.5, "AdamOptimizer*'a'": 0.25, "AdamOptimizer*'b.*'": 1.5},
        ),
        "groups": (
            t.PartitionOptimizer(
                [
                    group("low", "a", train.GradientDescentOptimizer(rate)),
                    group("head", "b", multiplied),
                    group("rest", "c", None),
                ]
            ),
            {"low": 2.0, "head": 0.5, "head*'a'": 0.25, "head*'b.*'": 1.5},
        ),
    }


CASES = ["adam", "function", "tensor", "ftrl", "wrapped", "multiplied", "groups"]


@pytest.mark.parametrize("case", CASES)
def test_labels_and_rates(case, graph, v1, tf, training):
    optimizer, wanted = examples(training, v1.train, tf.constant(2.0))[case]
    rates = training.learning_rates(optimizer)
    with v1.Session() as run:
        assert run.run(rates) == wanted


def test_in_the_middle_of_an_accumulation(variables, graph, v1, tf, training, session):
    """The rate that the optimizer prepared is not there in a run that takes no step."""
    w = v1.get_variable("w", initializer=1.0)
    optimizer = training.GradientAccumulationOptimizer(v1.train.AdamOptimizer(0.5), 2)
    step = optimizer.minimize(w)
    rates = training.learning_rates(optimizer)
    assert session().run([rates, step])[0] == {"AdamOptimizer": 0.5}


def test_an_optimizer_without_a_rate(v1, training):
    class Own(v1.train.Optimizer):
        pass

    with pytest.raises(OptimizerKindError, match="got Own"):
        training.learning_rates(Own(False, "Own"))
    with pytest.raises(OptimizerKindError, match="learning_rates.*0.1"):
        training.learning_rates(0.1)
