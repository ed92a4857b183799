"""TF 1 checkpoints as object-based ones of TF 2: what goes where, restored by TF, and refused."""

import subprocess
import sys

import numpy as np
import pytest
from call_counts import steps_of
from checkpoint_files import ROOT, assert_same, files_of, make_checkpoints, write_first

from tfgraphtools import checkpoints
from tfgraphtools.checkpoints.objects import object_groups, object_places
from tfgraphtools.checkpoints.read.checkpoint import GRAPH_KEY
from tfgraphtools.errors import (
    ArgumentError,
    CollisionError,
    DamagedCheckpointError,
    NothingMatchedError,
    PlanError,
    UnmatchedError,
)

KEY = "/.ATTRIBUTES/VARIABLE_VALUE"
KERNEL = np.arange(6, dtype=np.float32).reshape(2, 3)
BIAS = np.float32([7, 8, 9])
STEP = np.int64(20)


@pytest.fixture
def write(tmp_path):
    """A function that writes tensors as a checkpoint and opens it."""
    opened = []

    def make(tensors, name="source"):
        seed = write_first(tmp_path / "seed")
        with checkpoints.open_checkpoint(seed) as ckpt:
            prefix = str(tmp_path / name)
            checkpoints.plan(ckpt, drop="first", add=tensors).apply(prefix)
        opened.append(checkpoints.open_checkpoint(prefix))
        return opened[-1]

    yield make
    for opened_ckpt in opened:
        opened_ckpt.close()


def with_slots(*names, **others):
    """The tensors of a dense layer, with slots under these names."""
    tensors = dict({"dense/kernel": KERNEL, "dense/bias": BIAS}, **others)
    for i, name in enumerate(names):
        tensors["dense/kernel/" + name] = KERNEL + 10 * (i + 1)
        tensors["dense/bias/" + name] = BIAS + 10 * (i + 1)
    return tensors


ADAM = with_slots(
    "Adam",
    "Adam_1",
    beta1_power=np.float32(0.9**21),
    beta2_power=np.float32(0.999**21),
    global_step=STEP,
)
TO_NET = [("(.*)", r"net/\1")]


# Rules alone --------------------------------------------------------------------


def test_rules_alone(write, tmp_path):
    checkpoints.to_object_based(write(ADAM), tmp_path / "out", rules=TO_NET)
    assert checkpoints.verify(tmp_path / "out").ok
    with checkpoints.open_checkpoint(tmp_path / "out") as out:
        assert set(out.object_graph.paths()) <= set(out)
        slot = "net/dense/bias/.OPTIMIZER_SLOT/optimizer/v" + KEY
        assert_same(out["net/dense/kernel" + KEY], KERNEL)
        assert_same(out[slot], BIAS + 20)
        assert out["optimizer/iter" + KEY] == 20 and out["optimizer/learning_rate" + KEY] > 0
        assert out.object_graph.slots()[slot] == ("net/dense/bias" + KEY, "v")
        roles = {place.path: place.role for place in object_places.places(out.object_graph)}
        assert roles["optimizer/iter"] == object_places.STEPS
        assert roles["net/dense/bias/v"] == object_places.SLOT


def test_names_that_need_escaping(write, tmp_path):
    source = write({"a.b/c": BIAS})
    checkpoints.to_object_based(source, tmp_path / "out", rules={"a.b/c": "x/a.b"})
    with checkpoints.open_checkpoint(tmp_path / "out") as out:
        assert_same(out["x/a..b" + KEY], BIAS)


def test_shards_are_linked(write, tmp_path):
    result = checkpoints.to_object_based(write(ADAM), tmp_path / "out", rules=TO_NET)
    assert result.linked > 0 and result.written < 4096
    before = files_of(tmp_path)
    write(ADAM, "again")
    assert all(files_of(tmp_path)[name] == data for name, data in before.items())


def test_tables(write, tmp_path):
    tensors = {"vocab-keys": np.array([b"a", b"b"], object), "vocab-values": np.int64([1, 2])}
    source = write(dict(tensors, w=BIAS))
    checkpoints.to_object_based(source, tmp_path / "out", rules={"vocab": "net/t", "w": "net/w"})
    with checkpoints.open_checkpoint(tmp_path / "out") as out:
        assert out["net/t/.ATTRIBUTES/table-keys"].tolist() == [b"a", b"b"]
        assert out["net/t/.ATTRIBUTES/table-values"].tolist() == [1, 2]
    checkpoints.to_name_based(tmp_path / "out", tmp_path / "back")
    with checkpoints.open_checkpoint(tmp_path / "back") as back:
        assert sorted(back) == sorted(source)


@pytest.mark.parametrize("case", sorted(set(make_checkpoints.CASES) - {"many"}))
def test_round_trip(prefix_of, tmp_path, case):
    """Every type and shape, slices, shards, V1 and strings: the same bits under the same names."""
    with checkpoints.open_checkpoint(prefix_of(case)) as source:
        checkpoints.to_object_based(source, tmp_path / "object", rules=[("(.*)", r"a/\1/b")])
        checkpoints.to_name_based(tmp_path / "object", tmp_path / "back")
        with checkpoints.open_checkpoint(tmp_path / "back") as back:
            assert sorted(back) == sorted(source)
            for name in source:
                assert back.tensor(name).dtype == source.tensor(name).dtype
                assert_same(np.asarray(back[name]), np.asarray(source[name]))


# Restored by TensorFlow ---------------------------------------------------------


def a_model(v1, fill):
    """(tf.train.Checkpoint, its variables)"""
    kernel = v1.get_variable("k", initializer=np.full((2, 3), fill, np.float32), use_resource=True)
    bias = v1.get_variable("b", initializer=np.full(3, fill, np.float32), use_resource=True)
    layer = v1.train.Checkpoint(kernel=kernel, bias=bias)
    return v1.train.Checkpoint(net=v1.train.Checkpoint(dense=layer)), [kernel, bias]


def test_tensorflow_restores_it(write, tmp_path, v1, graph):
    source = write(with_slots())
    checkpoints.to_object_based(source, tmp_path / "out", rules=TO_NET)
    root, variables = a_model(v1, 0.0)
    with v1.Session() as session:
        status = root.restore(str(tmp_path / "out"))
        status.assert_consumed()
        status.run_restore_ops(session)
        values = session.run(variables)
    assert_same(values[0], KERNEL)
    assert_same(values[1], BIAS)


def test_a_tf1_saver_restores_it(write, tmp_path, v1, graph):
    """TensorFlow looks for the full names of an object graph when a name is no key."""
    checkpoints.to_object_based(write(ADAM), tmp_path / "out", rules=TO_NET)
    kernel = v1.get_variable("dense/kernel", shape=(2, 3))
    slot = v1.get_variable("dense/kernel/Adam_1", shape=(2, 3))
    with v1.Session() as session:
        v1.train.Saver([kernel, slot]).restore(session, str(tmp_path / "out"))
        assert_same(session.run(kernel), KERNEL)
        assert_same(session.run(slot), KERNEL + 20)


@pytest.fixture
def like_tf1_adam(tf, v1, tmp_path):
    """The checkpoint of an object with TF 1's Adam, and a function that restores into one."""

    def build(fill):
        root, variables = a_model(v1, fill)
        root.optimizer = v1.train.AdamOptimizer()
        loss = tf.reduce_sum(variables[0] ** 2) + tf.reduce_sum(variables[1] ** 2)
        root.optimizer.minimize(loss, var_list=variables)
        slots = [
            root.optimizer.get_slot(variable, name) for variable in variables for name in ("m", "v")
        ]
        return root, variables + slots

    def restored(prefix):
        with v1.Graph().as_default(), v1.Session() as session:
            root, variables = build(0.0)
            session.run(v1.global_variables_initializer())
            status = root.restore(str(prefix))
            status.assert_consumed()
            status.run_restore_ops(session)
            return session.run(variables)

    with v1.Graph().as_default(), v1.Session() as session:
        root, _ = build(1.0)
        session.run(v1.global_variables_initializer())
        return root.save(str(tmp_path / "like"), session=session), restored


def test_like_an_object_with_tf1s_optimizer(write, tmp_path, like_tf1_adam):
    """TF 1's optimizers are in TF 2, too: their slots are the same numbers."""
    prefix, restored = like_tf1_adam
    source = write(ADAM)
    plan = checkpoints.plan_object_based(source, like=prefix, drop="global_step")
    assert {row[0]: row[4] for row in plan.rows()}["net/dense/kernel" + KEY] == ("by name",)
    plan.apply(tmp_path / "out")
    kernel, bias, kernel_m, kernel_v, bias_m, bias_v = restored(tmp_path / "out")
    assert_same(kernel, KERNEL)
    assert_same(kernel_v, KERNEL + 20)
    assert_same(bias_m, BIAS + 10)
    checkpoints.to_name_based(tmp_path / "out", tmp_path / "back")
    with checkpoints.open_checkpoint(tmp_path / "back") as back:
        assert sorted(back) == sorted(set(source) - {"global_step"})
        for name in back:
            assert_same(back[name], source[name])


def test_the_optimizer_is_left_behind(write, tmp_path, like_tf1_adam):
    prefix, restored = like_tf1_adam
    source = write(ADAM)
    checkpoints.to_object_based(source, tmp_path / "out", like=prefix, drop_optimizer=True)
    assert_same(restored(tmp_path / "out")[0], KERNEL)
    with checkpoints.open_checkpoint(tmp_path / "out") as out:
        assert not any("SLOT" in name or "Adam" in name or "beta" in name for name in out)


# How a tensor finds its variable ------------------------------------------------

#: (id, tensors of the source, tensors of the model, {tensor: (object, how)})
MATCHES = [
    ("the-same-name", {"a/w": BIAS}, {"a/w": BIAS}, {"a/w": ("a/w", "name")}),
    (
        "a-scope-in-front",
        {"w/kernel": BIAS},
        {"x/w/kernel": BIAS},
        {"w/kernel": ("x/w/kernel", "name")},
    ),
    (
        "a-scope-less",
        {"x/w/kernel": BIAS},
        {"w/kernel": BIAS},
        {"x/w/kernel": ("w/kernel", "name")},
    ),
    ("the-only-one-of-its-shape", {"a/w": BIAS}, {"b/w": BIAS}, {"a/w": ("b/w", "shape")}),
    (
        "in-order",
        {"fc_2/w": BIAS, "fc_10/w": BIAS, "fc/w": BIAS},
        {"x1/w": BIAS, "x2/w": BIAS, "x3/w": BIAS},
        {"fc/w": ("x1/w", "order"), "fc_2/w": ("x2/w", "order"), "fc_10/w": ("x3/w", "order")},
    ),
    (
        "a-layer-stays-together",
        {"z/k": KERNEL, "z/b": BIAS, "y/k": KERNEL[:1], "y/b": BIAS},
        {"l1/k": KERNEL, "l1/b": BIAS, "l2/k": KERNEL[:1], "l2/b": BIAS},
        {
            "z/k": ("l1/k", "shape"),
            "z/b": ("l1/b", "layer"),
            "y/k": ("l2/k", "shape"),
            "y/b": ("l2/b", "layer"),
        },
    ),
    (
        "slim-to-keras",
        {"net/fc/weights": KERNEL, "net/fc/biases": BIAS, "net/out/weights": KERNEL},
        {"l1/kernel": KERNEL, "l1/bias": BIAS, "net/out/kernel": KERNEL},
        {
            "net/fc/weights": ("l1/kernel", "layer"),
            "net/fc/biases": ("l1/bias", "shape"),
            "net/out/weights": ("net/out/kernel", "shape"),
        },
    ),
    (
        "synonyms-in-order",
        {"fc/weights": KERNEL, "fc_1/weights": KERNEL},
        {"a1/w": KERNEL, "a2/w": KERNEL},
        {"fc/weights": ("a1/w", "order"), "fc_1/weights": ("a2/w", "order")},
    ),
    (  # Keras counts its layers on from another model: by name alone, fc_1 would be wrong
        "counted-on",
        {"fc/w": BIAS, "fc_1/w": BIAS},
        {"fc_1/w": BIAS, "fc_2/w": BIAS},
        {"fc/w": ("fc_1/w", "order"), "fc_1/w": ("fc_2/w", "order")},
    ),
]


@pytest.mark.parametrize(
    "source, model, expected",
    [pytest.param(*case[1:], id=case[0]) for case in MATCHES],
)
def test_matches(write, tmp_path, source, model, expected):
    like = str(tmp_path / "like")
    checkpoints.to_object_based(write(model, "model"), like, rules=[("(.*)", r"\1")])
    plan = checkpoints.plan_object_based(write(source), like=like)
    pairs = {
        row[3][0]: (row[0][: -len(KEY)], row[4][-1][len("by ") :]) for row in plan.rows() if row[3]
    }
    assert pairs == expected


def layers(*names):
    """A kernel and a bias of equal shapes for each name."""
    return {f"{name}/{role}": array for name in names for role, array in TWO}


TWO = (("kernel", KERNEL), ("bias", BIAS))
#: (id, layers of the source, layers of the model): equal shapes, and nothing says which is which.
UNSURE = [
    ("shorter-names", ("encoder", "decoder"), ("enc", "dec")),
    ("query-key-value", ("query", "key", "value"), ("q_proj", "k_proj", "v_proj")),
    ("one-name-agrees", ("b", "c"), ("b", "a")),
    ("numbers-on-one-side", ("fc", "fc_1"), ("a", "b")),
    ("numbers-on-the-other-side", ("a", "b"), ("fc", "fc_1")),
    ("two-families", ("fc_1", "out_2"), ("x_1", "x_2")),
]


@pytest.mark.parametrize("source, model", [pytest.param(*case[1:], id=case[0]) for case in UNSURE])
def test_what_could_be_each_of_several_is_refused(write, tmp_path, source, model):
    like = str(tmp_path / "like")
    checkpoints.to_object_based(write(layers(*model), "model"), like, rules=[("(.*)", r"\1")])
    source = write(layers(*source))
    before = files_of(tmp_path)
    with pytest.raises(UnmatchedError, match="could each be any of .*--rule"):
        checkpoints.to_object_based(source, tmp_path / "out", like=like)
    assert files_of(tmp_path) == before
    names = [name.partition("/")[0] for name in source if name.endswith("kernel")]
    rules = [(f"{name}/(.*)", rf"{other}/\1") for name, other in zip(names, sorted(model))]
    checkpoints.to_object_based(source, tmp_path / "out", like=like, rules=rules)


def test_a_variable_of_another_layer_is_not_what_is_left():
    """enc and dec go by name: the bias of the one is none of the other."""
    source = {"enc/k": (2, 3), "dec/k": (2, 3), "enc/b": (3,)}
    model = ["enc/k", "dec/k", "dec/b"]
    places = {
        object_places.Place(n, n, n, n, "variable"): (3,) if n[-1] == "b" else (2, 3) for n in model
    }
    assert {name for name, _, _ in object_groups.pairs(source, places)} == {"enc/k", "dec/k"}


def test_thousands_of_tensors_are_matched_in_linear_time():
    def steps(count):
        shapes = {f"net/block_{i}/dense/{role}": (4,) for i in range(count) for role in "wb"}
        expected = {
            object_places.Place(f"k{n}", f"l/{name[4:]}", "", n, "variable"): (4,)
            for n, name in enumerate(shapes)
        }
        assert len(object_groups.pairs(shapes, expected)) == 2 * count
        return steps_of(lambda: object_groups.pairs(shapes, expected))

    assert steps(4000) < 12 * steps(500)  # eight times as many; 64 times if quadratic


def test_a_rule_comes_first(write, tmp_path):
    like = str(tmp_path / "like")
    model = {"a/w": BIAS, "b/w": BIAS}
    checkpoints.to_object_based(write(model, "model"), like, rules=[("(.*)", r"net/\1")])
    source = write({"a/w": BIAS, "b/w": BIAS + 1})
    for words in ("net/a/w", "net/a/w" + KEY, "a/w"):  # a path, a key, a variable's name
        plan = checkpoints.plan_object_based(source, {"b/w": words, "a/w": "b/w"}, like=like)
        rows = {row[0]: row for row in plan.rows()}
        assert rows["net/a/w" + KEY][3:] == (("b/w",), ("by rule",))


def test_what_is_kept_keeps_its_value(write, tmp_path):
    like = str(tmp_path / "like")
    checkpoints.to_object_based(
        write({"w": BIAS, "seed": np.int64([3, 4])}, "model"), like, rules=[("(.*)", r"net/\1")]
    )
    source = write({"w": BIAS + 1})
    with pytest.raises(NothingMatchedError, match="net/seed.*keep="):
        checkpoints.plan_object_based(source, like=like)
    checkpoints.to_object_based(source, tmp_path / "out", like=like, keep="net/seed")
    with checkpoints.open_checkpoint(tmp_path / "out") as out:
        assert out["net/seed" + KEY].tolist() == [3, 4]
        assert_same(out["net/w" + KEY], BIAS + 1)


# What is refused, before anything is written --------------------------------------

LIKE = {"net/dense/kernel": KERNEL, "net/dense/bias": BIAS}
MOMENTUM = with_slots("Momentum", global_step=STEP)

#: (id, tensors, arguments, error, what it says)
REFUSED = [
    ("nothing-said", LIKE, {}, PlanError, "rules=, like= or live="),
    ("two-skeletons", LIKE, {"like": 1, "live": 1}, PlanError, "got both"),
    ("a-rule-for-nothing", LIKE, {"rules": {"net/dens/bias": "x"}}, NothingMatchedError, "Did you"),
    (
        "a-tensor-without-rule",
        LIKE,
        {"rules": {"net/dense/bias": "x"}},
        NothingMatchedError,
        "dense/kernel",
    ),
    ("an-empty-path", LIKE, {"rules": [("(.*)", r"x//\1")]}, PlanError, "a path of names"),
    ("two-for-one", LIKE, {"rules": [(".*", "x")]}, CollisionError, "one tensor for each"),
    ("a-rate-not-given", MOMENTUM, {"rules": TO_NET}, ArgumentError, "learning_rate|momentum"),
    (
        "a-hyper-parameter-of-another",
        ADAM,
        {"rules": TO_NET, "hyper": {"beta_1": 0.9}},
        ArgumentError,
        "Did you mean 'beta1'",
    ),
    ("no-number", ADAM, {"rules": TO_NET, "hyper": {"beta1": "x"}}, ArgumentError, "a number"),
    (
        "steps-that-contradict",
        dict(ADAM, global_step=np.int64(500)),
        {"rules": TO_NET},
        PlanError,
        "20 steps.*global_step after 500",
    ),
    (
        "betas-of-another-training",
        {name: value for name, value in ADAM.items() if name != "global_step"},
        {"rules": TO_NET, "hyper": {"beta1": 0.5}},
        PlanError,
        "to agree",
    ),
    (
        "no-step-at-all",
        with_slots("Adam", "Adam_1"),
        {"rules": TO_NET},
        PlanError,
        "--steps",
    ),
    ("adamax", with_slots("AdaMax", "AdaMax_1"), {"rules": TO_NET}, PlanError, "drop-optimizer"),
    ("adamw", with_slots("AdamW", "AdamW_1"), {"rules": TO_NET}, PlanError, "weight_decay"),
    ("unknown", with_slots("Mine"), {"rules": TO_NET}, PlanError, "names="),
    ("a-slot-missing", with_slots("Adam"), {"rules": TO_NET}, PlanError, "names="),
    (
        "two-of-one-name",
        with_slots("Adam", "Adam_1", "Adam_2", "Adam_3"),
        {"rules": TO_NET},
        PlanError,
        "two optimizers",
    ),
    (
        "two-kinds-by-rules",
        {"a": BIAS, "a/Adagrad": BIAS, "b": BIAS, "b/Ftrl": BIAS, "b/Ftrl_1": BIAS},
        {"rules": TO_NET},
        PlanError,
        "one kind",
    ),
]


@pytest.mark.parametrize(
    "tensors, arguments, error, words", [pytest.param(*case[1:], id=case[0]) for case in REFUSED]
)
def test_refused(write, tmp_path, tensors, arguments, error, words):
    source = write(tensors)
    before = files_of(tmp_path)
    with pytest.raises(error, match=words):
        checkpoints.to_object_based(source, tmp_path / "out", **arguments)
    assert files_of(tmp_path) == before


#: (id, tensors of the source, arguments, error, what it says)
REFUSED_LIKE = [
    (
        "a-wrong-place",
        LIKE,
        {"rules": {"net/dense/bias": "net/dense/bia"}},
        NothingMatchedError,
        "Did you mean 'net/dense/bias'",
    ),
    (
        "another-shape",
        dict(LIKE, **{"net/dense/bias": KERNEL}),
        {},
        PlanError,
        r"\[3\].*got \[2, 3\]",
    ),
    (
        "another-type",
        dict(LIKE, **{"net/dense/bias": np.float64([1, 2, 3])}),
        {},
        PlanError,
        "Cast it",
    ),
    ("a-variable-left", {"net/dense/bias": BIAS}, {}, NothingMatchedError, "net/dense/kernel"),
    ("a-tensor-left", dict(LIKE, other=BIAS), {}, NothingMatchedError, "--drop"),
    ("no-optimizer-there", dict(LIKE, global_step=STEP), {}, NothingMatchedError, "global_step"),
    ("drop-of-nothing", LIKE, {"drop": "x"}, NothingMatchedError, "drop="),
    ("keep-of-nothing", LIKE, {"keep": "x"}, NothingMatchedError, "keep="),
    ("two-for-one", LIKE, {"rules": [(".*", "net/dense/bias")]}, CollisionError, "one tensor"),
    (
        "a-table-for-a-variable",
        {"net/dense/kernel": KERNEL, "t-keys": BIAS, "t-values": BIAS},
        {"rules": {"t": "net/dense/bias"}},
        PlanError,
        "a table",
    ),
]


@pytest.mark.parametrize(
    "tensors, arguments, error, words",
    [pytest.param(*case[1:], id=case[0]) for case in REFUSED_LIKE],
)
def test_refused_like(write, tmp_path, tensors, arguments, error, words):
    like = str(tmp_path / "like")
    checkpoints.to_object_based(write(LIKE, "model"), like, rules=[("(.*)", r"\1")])
    source = write(tensors)
    before = files_of(tmp_path)
    with pytest.raises(error, match=words):
        checkpoints.to_object_based(source, tmp_path / "out", like=like, **arguments)
    assert files_of(tmp_path) == before


def test_an_optimizer_of_another_kind(write, tmp_path):
    checkpoints.to_object_based(write(ADAM), tmp_path / "like", rules=TO_NET)
    source = write(MOMENTUM, "momentum")
    before = files_of(tmp_path)
    with pytest.raises(PlanError, match="slots for Momentum: momentum, got m, v"):
        checkpoints.to_object_based(source, tmp_path / "out", like=tmp_path / "like")
    assert files_of(tmp_path) == before


def test_the_wrong_kind_of_checkpoint(write, tmp_path):
    source = write(LIKE)
    with pytest.raises(PlanError, match="name-based"):
        checkpoints.plan_object_based(source, like=source.prefix)
    with pytest.raises(PlanError, match="name-based already"):
        checkpoints.plan_name_based(source)
    checkpoints.to_object_based(source, tmp_path / "out", rules=TO_NET)
    with checkpoints.open_checkpoint(tmp_path / "out") as out:
        with pytest.raises(PlanError, match="to_name_based"):
            checkpoints.plan_object_based(out, rules=TO_NET)


def test_a_damaged_slot_stops_the_write(write, tmp_path):
    """Momentum's slot is read, because its numbers change; nothing is left behind."""
    source = write(MOMENTUM)
    info = source.info("dense/kernel/Momentum")
    path = source.store.path(info.shard)
    with open(path, "r+b") as file:
        file.seek(info.offset)
        file.write(b"\xff")
    source = checkpoints.open_checkpoint(source.prefix)
    before = files_of(tmp_path)
    with pytest.raises(DamagedCheckpointError, match="Momentum"):
        checkpoints.to_object_based(
            source, tmp_path / "out", rules=TO_NET, hyper={"learning_rate": 0.1, "momentum": 0.9}
        )
    assert files_of(tmp_path) == before
    source.close()


# The way back ---------------------------------------------------------------------


def test_a_velocity_of_another_training_is_not_the_one_that_was_kept(write, tmp_path):
    """What was kept beside is taken only while it still is what the graph holds."""
    hyper = {"learning_rate": 0.5, "momentum": 0.9}
    checkpoints.to_object_based(write(MOMENTUM), tmp_path / "a", rules=TO_NET, hyper=hyper)
    velocity = "net/dense/bias/.OPTIMIZER_SLOT/optimizer/momentum" + KEY
    with checkpoints.open_checkpoint(tmp_path / "a") as ckpt:
        assert_same(ckpt[velocity], (BIAS + 10) * np.float32(-0.5))
        graph = ckpt[GRAPH_KEY].item()
        checkpoints.plan(
            ckpt,
            drop=[velocity.replace(".", "[.]"), GRAPH_KEY],
            add={velocity: BIAS, GRAPH_KEY: graph},
        ).apply(tmp_path / "trained-on")
    checkpoints.to_name_based(tmp_path / "trained-on", tmp_path / "back")
    with checkpoints.open_checkpoint(tmp_path / "back") as back:
        assert_same(back["dense/bias/Momentum"], BIAS * np.float32(-2))
        assert_same(back["dense/kernel/Momentum"], KERNEL + 10)


def test_accumulators_come_back_bit_for_bit(write, tmp_path):
    """-0.1 * a / -0.1 is not always a: what was kept beside is."""
    accumulator = np.random.RandomState(0).normal(size=100).astype(np.float32)
    source = write({"w": accumulator, "w/Momentum": accumulator, "global_step": STEP})
    hyper = {"learning_rate": 0.1, "momentum": 0.9}
    checkpoints.to_object_based(source, tmp_path / "a", rules=TO_NET, hyper=hyper)
    checkpoints.to_name_based(tmp_path / "a", tmp_path / "back")
    assert not checkpoints.diff(source, tmp_path / "back")


def test_names_by_rules(write, tmp_path):
    checkpoints.to_object_based(write(ADAM), tmp_path / "a", rules=TO_NET)
    with checkpoints.open_checkpoint(tmp_path / "a") as ckpt:
        by_path = checkpoints.plan_name_based(ckpt, [("net/dense/(.*)", r"fc/\1")])
        names = [target.name for target in by_path.targets]
        assert "fc/kernel" in names and "fc/kernel/Adam_1" in names
        exact = checkpoints.plan_name_based(ckpt, {"net/dense/bias": "b"}, drop_optimizer=True)
        assert sorted(target.name for target in exact.targets if "beta" not in target.name) == [
            "b",
            "dense/kernel",
        ]
        with pytest.raises(NothingMatchedError):
            checkpoints.plan_name_based(ckpt, {"net/dense/x": "b"})
        with pytest.raises(CollisionError):
            checkpoints.plan_name_based(ckpt, {"net/dense/bias": "dense/kernel"})


# Tables of TensorFlow ---------------------------------------------------------------


def a_table(tf, v1):
    """A hash table from words to numbers, called vocab."""
    return tf.lookup.experimental.DenseHashTable(
        v1.string, v1.int64, default_value=-1, empty_key="", deleted_key="-", name="vocab"
    )


def test_a_table_goes_from_saver_to_object(tf, v1, tmp_path):
    words = np.array([b"the", b"cat"], object)
    with v1.Graph().as_default(), v1.Session() as session:
        table, _ = a_table(tf, v1), v1.get_variable("w", initializer=[1.0])
        session.run(v1.global_variables_initializer())
        session.run(table.insert(words, np.int64([5, 7])))
        prefix = v1.train.Saver().save(session, str(tmp_path / "source"))
    checkpoints.to_object_based(prefix, tmp_path / "out", rules=[("(.*)", r"net/\1")])
    with v1.Graph().as_default(), v1.Session() as session:
        table, w = a_table(tf, v1), v1.get_variable("w", initializer=[0.0], use_resource=True)
        root = v1.train.Checkpoint(net=v1.train.Checkpoint(vocab=table, w=w))
        status = root.restore(str(tmp_path / "out"))
        status.assert_consumed()
        status.run_restore_ops(session)
        assert session.run(table.lookup(words)).tolist() == [5, 7]


# Without TensorFlow -----------------------------------------------------------------

_ALONE = """
import sys
for name in ("tensorflow", "keras", "tf_keras", "h5py", "safetensors"):
    sys.modules[name] = None  # importing it fails
from tfgraphtools.checkpoints import to_name_based, to_object_based
to_object_based(sys.argv[1], sys.argv[2], rules=[("(.*)", r"net/\\1")])
to_name_based(sys.argv[2], sys.argv[3])
"""


def test_no_tensorflow_is_needed(write, tmp_path):
    paths = [write(ADAM).prefix, str(tmp_path / "object"), str(tmp_path / "back")]
    subprocess.run([sys.executable, "-c", _ALONE] + paths, check=True, cwd=str(ROOT))
    assert not checkpoints.diff(paths[0], paths[2])


def test_a_live_object_needs_eager_execution(write, tf, tmp_path):
    with pytest.raises(ArgumentError, match="like=PREFIX"):
        checkpoints.plan_object_based(write(ADAM), live=object())
