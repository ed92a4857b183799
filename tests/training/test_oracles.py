"""Masks, multipliers and groups together against NumPy, on random cases."""

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from training_cases import CORE, same_bits

WITH_ORACLE = [name for name, case in CORE.items() if case.oracle]
SIZE = 6
RATE = 0.05

cases = st.fixed_dictionaries(
    {
        "optimizers": st.tuples(st.sampled_from(WITH_ORACLE), st.sampled_from(WITH_ORACLE)),
        "resource": st.booleans(),
        "multiplier": st.sampled_from([0, 0.1, 1, 3.5]),
        "mask": st.lists(st.booleans(), min_size=SIZE, max_size=SIZE),
        "masks_fed": st.booleans(),
        "steps": st.integers(1, 5),
        "seed": st.integers(0, 99),
    }
)


def build(case, v1, training):
    """Two groups with optimizers of their own; "a" has a multiplier and a mask."""
    start = np.random.RandomState(case["seed"]).normal(size=SIZE).astype(np.float32)
    a, b = (v1.get_variable(name, initializer=start) for name in "ab")
    grad = v1.placeholder(v1.float32, [SIZE])
    groups = [
        training.Group(name, name, CORE[kind].build(v1.train, RATE))
        for name, kind in zip("ab", case["optimizers"])
    ]
    mask = np.array(case["mask"])
    if case["masks_fed"]:
        mask = v1.placeholder_with_default(mask, [SIZE])
    optimizer = training.FreezeOptimizer(
        training.LRMultiplierOptimizer(
            training.PartitionOptimizer(groups), {"a": case["multiplier"]}
        ),
        {"a": mask},
    )
    return a, b, grad, start, optimizer.apply_gradients([(grad, a), (grad, b)])


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(case=cases)
def test_against_numpy(case, v1, training):
    mask = np.array(case["mask"])
    with v1.Graph().as_default() as graph, v1.Session() as run:
        (v1.enable_resource_variables if case["resource"] else v1.disable_resource_variables)()
        a, b, grad, start, step = build(case, v1, training)
        run.run(v1.global_variables_initializer())
        graph.finalize()
        oracles = [CORE[kind].oracle() for kind in case["optimizers"]]
        wanted_a = wanted_b = start.astype(np.float64)
        random = np.random.RandomState(case["seed"] + 1)
        for _ in range(case["steps"]):
            g = random.normal(size=SIZE)
            run.run(step, {grad: g})
            if case["multiplier"]:
                wanted_a = oracles[0].step(wanted_a, g, RATE * case["multiplier"])
            wanted_b = oracles[1].step(wanted_b, g, RATE)
        found_a, found_b = run.run([a, b])
    assert same_bits(found_a[mask], start[mask])
    np.testing.assert_allclose(found_a[~mask], wanted_a[~mask], rtol=2e-4, atol=2e-5)
    np.testing.assert_allclose(found_b, wanted_b, rtol=2e-4, atol=2e-5)
