"""300 random stacks of wrappers: a run that skips, a restore in a graph that differs, and NumPy.

All of them: ``TFGRAPHTOOLS_WHOLE=1 pytest tests/training/test_random_stacks.py``; one:
``STACKS=17:18 pytest ...``.
"""

import os

import numpy as np
import pytest
import random_stacks
from random_stacks import CHANGES, RUNS, SHAPES, Stack

from tfgraphtools.errors import ArgumentError, OptimizerKindError

BATCH = 10


def batches():
    """The seeds, in a few tests: each stack needs little."""
    first, last = map(int, os.environ.get("STACKS", "0:300").split(":"))
    seeds = list(range(first, last))
    cases = [seeds[i : i + BATCH] for i in range(0, len(seeds), BATCH)]
    return [pytest.param(c, marks=[pytest.mark.slow] if i > 1 else []) for i, c in enumerate(cases)]


def options_of(spec, change):
    """Returns the arguments of the stack that is saved, and of the one that is restored."""
    fewer = list(SHAPES)
    fewer.remove(("b", "t", "s")[spec.seed % 3])
    one = spec.wrappers[spec.seed // 7 % len(spec.wrappers)].name
    return {
        "same": ({}, {}),
        "variable-more": ({"names": fewer}, {}),
        "variable-less": ({}, {"names": fewer}),
        "wrapper-more": ({"without": [one]}, {}),
        "wrapper-less": ({}, {"without": [one]}),
        "group": ({"groups": 2}, {"groups": 3}),
    }[change]


def restore(v1, training, session, path, fits):
    """Restores what the checkpoint has: by our function, or by a stock Saver of these names."""
    if fits:
        training.restore_what_fits(session, path)
        return
    known = {name for name, _ in v1.train.list_variables(path)}
    session.run(v1.global_variables_initializer())
    v1.train.Saver([v for v in v1.global_variables() if v.op.name in known]).restore(session, path)


def holds(tf, training, seed, path):
    """Tells whether a stack is exact; False is refused by name, and anything else raises."""
    v1, spec = tf.compat.v1, random_stacks.draw(seed)
    change = CHANGES[seed % len(CHANGES)]
    first, second = options_of(spec, change)
    try:
        with v1.Graph().as_default(), v1.Session() as session:
            earlier = Stack(tf, training, spec, **first)
            session.run(v1.global_variables_initializer())
            earlier.take_runs(session, 0, RUNS[0])
            v1.train.Saver().save(session, path)
        with v1.Graph().as_default(), v1.Session() as session:
            later = Stack(tf, training, spec, **second)
            restore(v1, training, session, path, fits=seed % 2)
            later.carry(earlier)
            later.take_runs(session, *RUNS)
    except (ArgumentError, OptimizerKindError) as error:
        if os.environ.get("STACKS"):
            print(f"\n{seed} {change}: {error}")
        return False
    return True


@pytest.mark.parametrize("seeds", batches(), ids=lambda seeds: f"from-{seeds[0]}")
def test_exact_or_refused(seeds, tf, training, tmp_path):
    exact, wrong = [], {}
    for seed in seeds:
        try:
            exact.append(holds(tf, training, seed, str(tmp_path / f"model{seed}")))
        except Exception as error:  # pylint: disable=broad-except
            wrong[seed] = f"{type(error).__name__}: {error}"
    assert not wrong, "\n".join(wrong.values())
    print(f"exact: {sum(exact)} of {len(seeds)}")
    assert np.mean(exact) >= 0.5  # what is refused is the exception
