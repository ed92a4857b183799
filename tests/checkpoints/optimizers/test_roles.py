"""What each tensor is, against what the live objects of TensorFlow said when it was saved."""

import collections
import json
import os

import pytest
from call_counts import steps_of
from checkpoint_files import ROOT

from tfgraphtools import checkpoints
from tfgraphtools.checkpoints.optimizers import detect
from tfgraphtools.checkpoints.optimizers.slot_groups import counted
from tfgraphtools.checkpoints.optimizers.state_roles import UNCERTAIN, roles
from tfgraphtools.errors import NothingMatchedError, PlanError

#: Cases in which names and shapes alone cannot tell: an optimizer or averages with a name of their
#: own, or weights below a variable of their shape that have no slots which would say that they are.
UNDECIDED = {
    "accumulated-gradients",
    "average-adam-with-a-name",
    "average-called-momentum",
    "average-of-any-name",
    "average-sgd",
    "averages-alone",
    "momentum-with-a-name",
    "nested-sgd",
    "rmsprop-with-a-name",
    "scaled-blocks-sgd",
    "weight-norm-sgd",
}


def _made(folder, server, group):
    script = ROOT / "tests" / "helpers" / "optimizer_corpus.py"
    server.run(folder, script, folder, group).checked()
    return json.loads((folder / "truth.json").read_text())


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=pytest.mark.once) for name in ("core", "old")],
)
def corpus(request, tmp_path_factory):
    """[(case, prefix, {tensor: [role, owner, slot]})]; TF 1.15 writes contrib and some others."""
    server = {"core": "this_server", "old": "tf1_server"}[request.param]
    folder = tmp_path_factory.mktemp("corpus")
    truth = _made(folder, request.getfixturevalue(server), request.param)
    assert len(truth) > 30
    return [(case, os.path.join(folder, case, "model.ckpt"), truth[case]) for case in sorted(truth)]


@pytest.mark.slow(in_ci=1)
def test_every_tensor_has_its_role(corpus):
    wrong = {}
    for case, prefix, truth in corpus:
        with checkpoints.open_checkpoint(prefix) as ckpt:
            role_of = roles({name: ckpt.info(name).shape for name in ckpt})
        for name, (role, owner, _) in truth.items():
            is_known = role_of[name].role == role and (
                role != "slot" or role_of[name].owner == owner
            )
            if not is_known and not (role_of[name].role == UNCERTAIN and case in UNDECIDED):
                wrong[case, name] = role_of[name], role, owner
    assert not wrong


@pytest.mark.slow(in_ci=1)
def test_the_slots_are_in_their_order(corpus):
    """Slot i of an optimizer is the one that it made as its i-th."""
    wrong = {}
    for case, prefix, truth in corpus:
        with checkpoints.open_checkpoint(prefix) as ckpt:
            role_of = roles({name: ckpt.info(name).shape for name in ckpt})
        order = collections.defaultdict(list)
        for name, (role, owner, slot) in truth.items():
            if role == "slot" and role_of[name].role == "slot" and owner:
                order[owner].append((counted(role_of[name].slot), slot))
        orders = {tuple(slot for _, slot in sorted(slots)) for slots in order.values()}
        kinds = {len(names) for names in orders}
        if case not in ("wide-and-deep",) and len(orders) != len(kinds):
            wrong[case] = orders
    assert not wrong


@pytest.mark.slow
def test_strip_drops_no_weight_and_keeps_no_slot(corpus):
    wrong = {}
    for case, prefix, truth in corpus:
        with checkpoints.open_checkpoint(prefix) as ckpt:
            try:
                plan = checkpoints.strip(ckpt, global_step=True)
                dropped, notes = set(plan.dropped), " ".join(plan.notes)
            except NothingMatchedError as error:
                dropped, notes = set(), str(error)
        lost = [n for n in dropped if truth[n][0] in ("weight", "average")]
        kept = [n for n in truth if n not in dropped and truth[n][0] not in ("weight", "average")]
        if case in UNDECIDED:
            assert "may be weights" in notes
            kept = [n for n in kept if truth[n][0] != "slot"]
        if lost or kept:
            wrong[case] = lost, kept
    assert not wrong


@pytest.mark.slow
def test_a_detection_says_which_optimizer_or_refuses(corpus):
    """No optimizer is taken for another one."""
    kinds = {
        "adam": "Adam",
        "adam-in-a-scope": "Adam",
        "gan": "Adam",
        "momentum-partitioned": "Momentum",
        "rmsprop-centered": "CenteredRMSProp",
        "nested-rmsprop": "RMSProp",
        "misleading-adagrad": "Adagrad",
        "keras-adam": "tf.keras Adam",
        "keras-momentum": "tf.keras Momentum",
        "contrib-optimize-loss": "RMSProp",
        "opt-moving-average": "Momentum",
    }
    refused = {"bert-adam", "lamb", "adafactor", "keras-adamax", "opt-adamw", "keras-1-adam"}
    for case, prefix, truth in corpus:
        with checkpoints.open_checkpoint(prefix) as ckpt:
            if case in refused:
                with pytest.raises(PlanError, match="drop.optimizer"):
                    detect(ckpt)
            elif case in kinds:
                slot_sets = detect(ckpt).by_variable
                assert {slot_set.kind for slot_set in slot_sets.values()} == {kinds[case]}, case
                slots = {name: owner for name, (role, owner, _) in truth.items() if role == "slot"}
                assert {
                    n: v for v, slot_set in slot_sets.items() for n in slot_set.slots.values()
                } == slots


# Without TensorFlow ---------------------------------------------------------------

#: (id, {name: shape} besides w [3] and u [3], the names that must be slots, and those uncertain)
SMALL = [
    ("nothing", {}, [], []),
    ("a-scalar-beside", {"w/Momentum": ()}, [], []),
    ("another-shape", {"w/Momentum": (4,), "u/Momentum": (3,)}, ["u/Momentum"], []),
    ("one-of-many", {"a": (2,), "b": (2,), "c": (2,), "w/Momentum": (3,)}, [], ["w/Momentum"]),
    ("powers-of-another-shape", {"beta1_power": (2,), "beta2_power": (2,)}, [], []),
    ("no-variable", {"x/Adam": (3,), "x/Adam_1": (3,)}, [], []),
    ("deep", {"/".join("abcdefghijklmnopqrstuvwxyz") + "/w/Adam": (3,)}, [], []),
    ("empty-parts", {"/": (3,), "w/": (3,), "/w": (3,), "w//Adam": (3,)}, [], ["w//Adam"]),
]


@pytest.mark.parametrize("others, slots, uncertain", [pytest.param(*c[1:], id=c[0]) for c in SMALL])
def test_small_checkpoints(others, slots, uncertain):
    role_of = roles(dict({"w": (3,), "u": (3,)}, **others))
    by_role = collections.defaultdict(list)
    for name, role in role_of.items():
        by_role[role.role].append(name)
    assert by_role["slot"] == slots and by_role["uncertain"] == uncertain
    assert by_role["weight"][:2] == ["w", "u"]


def test_long_names_take_no_time():
    """A hostile name of a hundred thousand scopes; a test of time is one of its order."""
    name = "a/" * 100_000 + "Adam"
    assert roles({"w": (3,), name: (3,)})[name].role == "weight"


@pytest.mark.parametrize("parts", [("/vr", "/vc"), ("_slot_vr", "_slot_vc")], ids=str)
def test_thousands_of_factored_slots_take_linear_time(parts):
    def steps(count):
        shapes = {f"model/layer_{i}/w": (8, 6) for i in range(count)}
        for name in list(shapes):
            shapes.update(zip((name + part for part in parts), [(8,), (6,)]))
        assert sum(role.role == "slot" for role in roles(shapes).values()) == 2 * count
        return steps_of(lambda: roles(shapes))

    assert steps(4000) < 12 * steps(500)  # eight times as many; 64 times if quadratic
