"""Trained in TF 1.15, converted, trained on in Keras: the numbers of TF 1 going on.

The optimizers are those of `optimizer_runs`, which says how far off each may be: ten times
what was measured once. The ways that are known to be wrong must be far off.
"""

import importlib.util
import json
import os
import re

import numpy as np
import pytest
from checkpoint_files import assert_same

import optimizer_runs
from optimizer_runs import CASES, STEPS
from tfgraphtools import checkpoints

pytestmark = pytest.mark.slow

SCRIPT = os.path.abspath(optimizer_runs.__file__)
FLAVOURS = ["keras", "legacy"]


@pytest.fixture(scope="module")
def trained(tmp_path_factory, tf1_server):
    """The folder with a checkpoint of TF 1.15 for every optimizer."""
    folder = tmp_path_factory.mktemp("trained")
    tf1_server.run(folder, SCRIPT, "train", folder).checked()
    return folder


@pytest.fixture(scope="module")
def outcome(trained, this_server):
    """What `optimizer_runs.go_on` found."""
    if not (importlib.util.find_spec("keras") and importlib.util.find_spec("tf_keras")):
        pytest.skip("needs Keras 3 and tf_keras, and so TF 2")
    return json.loads(this_server.run(trained, SCRIPT, "go-on", trained).checked())


@pytest.fixture(scope="module")
def differences(outcome):
    """{case: {flavour: {variant: the largest difference from TF 1 going on}}}"""
    return outcome["differences"]


@pytest.mark.parametrize("flavour", FLAVOURS)
@pytest.mark.parametrize("case", sorted(CASES))
def test_it_goes_on_as_tf1_would(differences, case, flavour):
    difference, allowed = differences[case][flavour], 10 * CASES[case][2]
    assert difference["converted"] <= allowed
    assert difference["without global_step"] <= allowed


@pytest.mark.parametrize("flavour", FLAVOURS)
@pytest.mark.parametrize("case", sorted(set(CASES) - {"SGD"}))
def test_without_its_state_it_does_not(differences, case, flavour):
    assert differences[case][flavour]["fresh"] > 1000 * CASES[case][2]


@pytest.mark.parametrize("flavour", FLAVOURS)
@pytest.mark.parametrize(
    "case, variant",
    [("Momentum", "plain copy"), ("Nesterov", "plain copy"), ("Adam", "iterations=0")],
)
def test_the_known_wrong_ways_are_caught(differences, case, variant, flavour):
    assert differences[case][flavour][variant] > 1000 * CASES[case][2]


#: {what is wrong with a live optimizer: what the error says}
WRONG = {
    "epsilon": r"epsilon=1e-08.*got Adam\(epsilon=1e-07\)",
    "class": r"got AdamW\(\)",
    "slots": "the slots for Adam: momentum, velocity, got momentum",
    "no slots": "a place for it in the live object",
    "not built": "optimizer.build",
    "rho": r"rho=0.9.*rho=0.5",
}


@pytest.mark.parametrize("case", [case[0] for case in optimizer_runs.REFUSED])
def test_a_live_optimizer_that_would_go_on_otherwise_is_refused(outcome, trained, case):
    assert re.search("PlanError.*" + WRONG[case], outcome["refused"][case])
    assert not list(trained.glob("refused*"))


# Without Keras, under both TensorFlows --------------------------------------------

RULES = [("(.*)", r"net/\1")]


@pytest.mark.parametrize("case", sorted(CASES))
def test_there_and_back(trained, tmp_path, case):
    """All of TF 1.15's state comes back bit for bit, under its names."""
    kind, arguments, _ = CASES[case]
    source = str(trained / case / "model.ckpt")
    plan_options = {"rules": RULES, "hyper": arguments, "kind": kind}
    checkpoints.to_object_based(source, tmp_path / "object", **plan_options)
    checkpoints.to_name_based(tmp_path / "object", tmp_path / "back", hyper={})
    with checkpoints.open_checkpoint(source) as a:
        with checkpoints.open_checkpoint(tmp_path / "back") as b:
            assert sorted(a) == sorted(b)
            for name in a:
                assert_same(np.asarray(b[name]), np.asarray(a[name]))


@pytest.mark.parametrize("case", sorted(CASES))
def test_the_conversion_is_proved_through_its_map(trained, tmp_path, case):
    kind, arguments, _ = CASES[case]
    with checkpoints.open_checkpoint(trained / case / "model.ckpt") as source:
        plan = checkpoints.plan_object_based(source, rules=RULES, hyper=arguments, kind=kind)
        plan.apply(tmp_path / "object")
        comparison = checkpoints.verify_against(
            source, tmp_path / "object", checkpoints.map_of(plan)
        )
        assert comparison.ok and len(comparison.same) >= len(source)


@pytest.mark.parametrize("case", sorted(CASES))
def test_the_notes_say_how_to_go_on(trained, case):
    kind, arguments, _ = CASES[case]
    with checkpoints.open_checkpoint(trained / case / "model.ckpt") as source:
        plan = checkpoints.plan_object_based(source, rules=RULES, hyper=arguments, kind=kind)
    note, *others = plan.notes
    assert [("NadamOptimizer" in note_of_another) for note_of_another in others] == [True] * (
        kind == "Adam"
    )
    assert "tf_keras.optimizers.legacy." in note and "=..." not in note
    assert "learning_rate={:g}".format(arguments["learning_rate"]) in note


def test_the_steps_are_found_without_global_step(trained):
    with checkpoints.open_checkpoint(trained / "Adam" / "model.ckpt") as source:
        plan = checkpoints.plan_object_based(source, rules=RULES, drop="global_step")
    steps = {row[0]: row[4] for row in plan.rows()}
    assert steps["optimizer/iter/.ATTRIBUTES/VARIABLE_VALUE"] == (f"{STEPS} steps",)
