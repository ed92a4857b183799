"""Whole training set-ups drawn at random, against NumPy: exact, or refused by name.

A bigger draw by hand: ``TFGRAPHTOOLS_SETUPS="7 300" pytest tests/training/test_setups.py``, or
the helper as a script, which goes on after a failure.
"""

import os

import setups

SEED, COUNT = map(int, os.environ.get("TFGRAPHTOOLS_SETUPS", "6 4").split())


def test_exact_or_refused(tf, training, control_flow):
    functions = control_flow == "v2"
    outcomes = [
        setups.outcome(tf, training, *draw, functions) for draw in setups.draws(SEED, COUNT)
    ]
    assert outcomes.count("exact") >= 0.7 * COUNT  # what is refused is the exception
