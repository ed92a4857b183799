"""Masks, clipping, decay and multipliers together, against NumPy, over random cases."""

import copy

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from training_cases import CORE, same_bits

SHAPES = {"a": (3,), "net/b": (2, 2)}
RATE, STEPS = 0.1, 4

#: The elementwise state of the oracles; the powers of Adam's betas are of all elements.
STATE = "accumulator updates m v mean_square mean moving linear".split()

numbers = st.integers(-8, 8).map(lambda n: n / 4)


def arrays(elements, shape):
    return st.lists(elements, min_size=int(np.prod(shape)), max_size=int(np.prod(shape))).map(
        lambda flat: np.array(flat).reshape(shape)
    )


def of_each_variable(make):
    return st.fixed_dictionaries({name: make(shape) for name, shape in SHAPES.items()})


CASES = st.fixed_dictionaries(
    {
        "resource": st.booleans(),
        "start": of_each_variable(lambda shape: arrays(numbers, shape)),
        "grads": st.lists(
            of_each_variable(lambda shape: arrays(numbers, shape)), min_size=STEPS, max_size=STEPS
        ),
        "frozen": st.lists(
            of_each_variable(lambda shape: arrays(st.booleans(), shape)),
            min_size=STEPS,
            max_size=STEPS,
        ),
        "norm": st.sampled_from([0.5, 2.0, 100.0]),
        "decays": of_each_variable(lambda _: st.sampled_from([0.0, 0.01, 0.25])),
        "multipliers": of_each_variable(lambda _: st.sampled_from([0.01, 0.5, 1.0, 3.0])),
    }
)


def expected(oracle_class, case):
    """The values after each step, in float64."""
    values = {name: start.astype(np.float64) for name, start in case["start"].items()}
    oracles = {name: oracle_class() for name in values}
    seen = []
    for grads, frozen in zip(case["grads"], case["frozen"]):
        zeroed = {name: np.where(frozen[name], 0.0, grad) for name, grad in grads.items()}
        norm = np.sqrt(sum(np.sum(grad**2) for grad in zeroed.values()))
        factor = min(1.0, case["norm"] / norm) if norm else 1.0
        for name, old in values.items():
            before = copy.copy(oracles[name])
            decayed = old - case["decays"][name] * old
            rate = RATE * case["multipliers"][name]
            new = oracles[name].step(decayed, zeroed[name] * factor, rate)
            for attribute in set(STATE) & set(vars(before)):
                kept, moved = (getattr(one, attribute) for one in (before, oracles[name]))
                setattr(oracles[name], attribute, np.where(frozen[name], kept, moved))
            values[name] = np.where(frozen[name], old, new)
        seen.append(dict(values))
    return seen


def build(v1, training, optimizer, case):
    """(step, variables, placeholders of gradients, placeholders of masks)"""
    variables = {
        name: v1.get_variable(name, initializer=np.float32(start), use_resource=case["resource"])
        for name, start in case["start"].items()
    }
    grads = {name: v1.placeholder("float32", shape) for name, shape in SHAPES.items()}
    masks = {name: v1.placeholder("bool", shape) for name, shape in SHAPES.items()}
    t = training.transforms
    optimizer = training.LRMultiplierOptimizer(optimizer, case["multipliers"])
    optimizer = training.DecoupledWeightDecayOptimizer(optimizer, case["decays"])
    optimizer = training.FreezeOptimizer(optimizer, masks)
    optimizer = training.GradientTransformOptimizer(
        optimizer, t.chain(t.zero_frozen(masks), t.clip_by_global_norm(case["norm"]))
    )
    step = optimizer.apply_gradients([(grads[name], variables[name]) for name in SHAPES])
    return step, variables, grads, masks


@pytest.mark.parametrize("name", [name for name, case in CORE.items() if case.oracle])
@settings(
    max_examples=6,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(case=CASES)
def test_as_numpy(name, v1, training, case):
    with v1.Graph().as_default() as graph, v1.Session() as run:
        optimizer = CORE[name].build(v1.train, RATE)
        step, variables, grads, masks = build(v1, training, optimizer, case)
        run.run(v1.global_variables_initializer())
        graph.finalize()
        before = run.run(variables)
        wanted = expected(CORE[name].oracle, case)
        for fed, frozen, values in zip(case["grads"], case["frozen"], wanted):
            feed = {grads[n]: np.where(frozen[n], np.nan, fed[n]) for n in SHAPES}
            feed.update({masks[n]: frozen[n] for n in SHAPES})
            run.run(step, feed)
            after = run.run(variables)
            for n in SHAPES:
                assert same_bits(after[n][frozen[n]], before[n][frozen[n]])
                np.testing.assert_allclose(after[n], values[n], rtol=2e-4, atol=2e-5)
            before = after
