"""Plans: what each rule makes of a checkpoint, and what is refused before anything is written."""

import json
import os

import numpy as np
import pytest
from checkpoint_files import assert_same, copy_checkpoint, files_of, make_checkpoints

from tfgraphtools import checkpoints
from tfgraphtools.checkpoints.format import bundle
from tfgraphtools.errors import (
    ArgumentError,
    CastError,
    CheckpointNotFoundError,
    CollisionError,
    DamagedCheckpointError,
    DestinationError,
    NothingMatchedError,
    PlanError,
    SourceChangedError,
    TfgraphtoolsError,
)


@pytest.fixture
def ckpt(model):
    with checkpoints.open_checkpoint(model) as opened:
        yield opened


CONTENTS = make_checkpoints.contents("v2")
MATRIX = CONTENTS["float32/matrix"]
INT = CONTENTS["int32/matrix"]


def applied(plan, tmp_path, **options):
    """{name: array} of the checkpoint that a plan makes, which must be intact."""
    prefix = str(tmp_path / "result" / "out")
    os.makedirs(os.path.dirname(prefix), exist_ok=True)
    plan.apply(prefix, **options)
    assert checkpoints.verify(prefix).ok
    with checkpoints.open_checkpoint(prefix) as result:
        return {name: np.array(result[name]) for name in result}


# (id, arguments, {name: values of the changed tensors}, names that are gone)
CHANGES = [
    ("nothing", {}, {}, []),
    ("rename-map", {"rename": {"float32/matrix": "m"}}, {"m": MATRIX}, ["float32/matrix"]),
    (
        "rename-swap",
        {"rename": {"float32/matrix": "int32/matrix", "int32/matrix": "float32/matrix"}},
        {"int32/matrix": MATRIX, "float32/matrix": INT},
        [],
    ),
    (
        "rename-rules-in-order",
        {"rename": [("float32/(.*)", r"f/\1"), ("f/(.*)x", r"g/\1")]},
        {"g/matri": MATRIX},
        ["float32/matrix", "f/matrix"],
    ),
    (
        "rename-unicode",
        {"rename": {"float32/matrix": "größe/矩阵 \U0001f600"}},
        {"größe/矩阵 \U0001f600": MATRIX},
        ["float32/matrix"],
    ),
    (
        "drop",
        {"drop": ["float32/.*", "int8/cube"]},
        {},
        ["float32/" + kind for kind in make_checkpoints.SHAPES] + ["int8/cube"],
    ),
    (
        "cast-by-pattern",
        {"cast": {"float32/matrix": "float64"}},
        {"float32/matrix": MATRIX.astype(np.float64)},
        [],
    ),
    ("alias-new-name", {"alias": {"float32/matrix": "copy"}}, {"copy": MATRIX}, []),
    (
        "alias-several-of-one",
        {"alias": [("float32/(matrix)", r"one/\1"), ("float32/(matrix)", r"two/\1")]},
        {"one/matrix": MATRIX, "two/matrix": MATRIX},
        [],
    ),
    (
        "alias-replaces",
        {"alias": [("float32/(matrix)", r"int32/\1")]},
        {"int32/matrix": MATRIX},
        [],
    ),
    (
        "alias-then-drop-the-source",
        {"alias": {"float32/matrix": "w"}, "drop": "float32/matrix"},
        {"w": MATRIX},
        ["float32/matrix"],
    ),
    ("transpose", {"transpose": {"float32/matrix": [1, 0]}}, {"float32/matrix": MATRIX.T}, []),
    (
        "reshape",
        {"reshape": {"float32/matrix": [3, -1]}},
        {"float32/matrix": MATRIX.reshape(3, 8)},
        [],
    ),
    (
        "slice",
        {"slice": {"float32/matrix": np.s_[1:3, ::2]}},
        {"float32/matrix": MATRIX[1:3, ::2]},
        [],
    ),
    (
        "slice-of-strings",
        {"slice": {"string/vector": np.s_[1:3]}},
        {"string/vector": CONTENTS["string/vector"][1:3]},
        [],
    ),
    (
        "slice-transpose-reshape-cast-rename",
        {
            "slice": {"float32/matrix": np.s_[:2]},
            "transpose": {"float32/matrix": [1, 0]},
            "reshape": {"float32/matrix": [12]},
            "cast": {"float32/matrix": "float64"},
            "rename": {"float32/matrix": "m"},
        },
        {"m": MATRIX[:2].T.reshape(12).astype(np.float64)},
        ["float32/matrix"],
    ),
    (
        "concat-rows",
        {"concat": {"both": (["float32/matrix", "float32/matrix"], 0)}},
        {"both": np.concatenate([MATRIX, MATRIX])},
        ["float32/matrix"],
    ),
    (
        "concat-columns-and-rename",
        {"concat": {"both": (["int32/matrix", "int32/matrix"], 1)}, "rename": {"both": "b"}},
        {"b": np.concatenate([INT, INT], 1)},
        ["int32/matrix", "both"],
    ),
    (
        "split",
        {"split": {"float32/matrix": (["a", "b", "c"], 1)}},
        {"a": MATRIX[:, :2], "b": MATRIX[:, 2:4], "c": MATRIX[:, 4:]},
        ["float32/matrix"],
    ),
    ("partition", {"partition": {"float32/matrix": (3, 0)}}, {"float32/matrix": MATRIX}, []),
    (
        "add",
        {"add": {"n": np.arange(3), "s": ["x", b"y"], "t": np.float16(2)}},
        {"n": np.arange(3), "s": np.array([b"x", b"y"], object), "t": np.array(2, np.float16)},
        [],
    ),
]


@pytest.mark.parametrize("compact", [False, True], ids=["linked", "compact"])
@pytest.mark.parametrize(
    "arguments, changed, dropped", [c[1:] for c in CHANGES], ids=[c[0] for c in CHANGES]
)
def test_changes(ckpt, tmp_path, arguments, changed, dropped, compact):
    expected = {name: values for name, values in CONTENTS.items() if name not in dropped}
    if "drop" not in arguments and any(name.startswith("f/") for name in dropped):
        for name in list(expected):
            if name.startswith("float32/"):
                expected["f/" + name[8:]] = expected.pop(name)
    expected.update(changed)
    arrays = applied(checkpoints.plan(ckpt, **arguments), tmp_path, compact=compact)
    assert sorted(arrays) == sorted(expected)
    for name, values in expected.items():
        assert_same(arrays[name], values)


def test_tf_reads_and_restores_what_we_write(ckpt, tmp_path, tf, v1, this_tf):
    """Every type, partitioned tensors, an overlay: by TF's own reader and by Saver.restore."""
    with checkpoints.open_checkpoint(this_tf / make_checkpoints.CASES["v2_sliced"]) as sliced:
        plan = checkpoints.plan(
            sliced,
            rename=[("part/(.*)", r"new/\1")],
            cast={"part/float64": "float32"},
            partition={"part/int32": (2, 1), "part/int8": (1, 0)},
        )
        plan.apply(tmp_path / "sliced")
    checkpoints.plan(ckpt, add={"bf": np.float32([1, 2])}, cast={"float32/cube": "bfloat16"}).apply(
        tmp_path / "whole"
    )
    with v1.Graph().as_default(), v1.Session() as session:
        reader = v1.train.NewCheckpointReader(str(tmp_path / "whole"))
        assert len(reader.get_variable_to_shape_map()) == len(ckpt) + 1
        for name, values in CONTENTS.items():
            value = reader.get_tensor(name)
            if name == "float32/cube":
                assert np.allclose(value.astype(np.float32), values, rtol=1e-2)
            else:
                assert np.array_equal(value, values)
        wanted = make_checkpoints.contents("v2_sliced")
        free = [
            restored_in_slices(session, tf, str(tmp_path / "sliced"), name, values)
            for name, values in wanted.items()
        ]
        assert free.count(True) >= 9


def restored_in_slices(session, tf, prefix, name, values):
    """Compares what TF restores; True if it can cut this type anew, as for most types."""
    dtype = tf.string if values.dtype == object else tf.as_dtype(values.dtype)
    dtype = tf.float32 if name == "part/float64" else dtype
    columns = "-" if name < "part/f" else "0,3"
    for specs, cuts in [
        (["7 3 0,4:-", "7 3 4,3:0,3", ""], [np.s_[:4], np.s_[4:], np.s_[:]]),
        # as it was saved: strings, float16, uint16, uint32, uint64
        (["7 3 4,3:" + columns], [np.s_[4:]])
        if values.dtype == object
        else (["7 3 3,2:" + columns], [np.s_[3:5]]),
    ]:
        try:
            restored = session.run(
                tf.raw_ops.RestoreV2(
                    prefix=prefix,
                    tensor_names=["new" + name[4:]] * len(specs),
                    shape_and_slices=specs,
                    dtypes=[dtype] * len(specs),
                )
            )
        except tf.errors.InvalidArgumentError as error:
            assert "not supported" in str(error)
            continue
        for part, cut in zip(restored, cuts):
            assert np.array_equal(part, values[cut].astype(part.dtype)), name
        return len(specs) > 1
    raise AssertionError("TF restores no slice of " + name)


@pytest.mark.parametrize("partitions", [0, 2, 3])
def test_saver_restores_a_renamed_partitioned_variable(v1, tf, tmp_path, partitions):
    def variable(name, parts):
        partitioner = v1.fixed_size_partitioner(parts) if parts else None
        return v1.get_variable(
            name, (7, 3), partitioner=partitioner, initializer=v1.random_normal_initializer(seed=3)
        )

    with v1.Graph().as_default(), v1.Session() as session:
        tensor = tf.convert_to_tensor(variable("old/w", 3))
        session.run(v1.global_variables_initializer())
        values = session.run(tensor)
        v1.train.Saver().save(session, str(tmp_path / "a"))
    with checkpoints.open_checkpoint(tmp_path / "a") as saved:
        checkpoints.plan(saved, rename=[("old/(.*)", r"new/\1")]).apply(tmp_path / "b")
    with v1.Graph().as_default(), v1.Session() as session:
        tensor = tf.convert_to_tensor(variable("new/w", partitions))
        v1.train.Saver().restore(session, str(tmp_path / "b"))
        assert np.array_equal(session.run(tensor), values)


@pytest.mark.parametrize("case", ["v1", "v1_sliced", "v1_shards"])
def test_v1_becomes_v2(case, this_tf, tmp_path):
    prefix = copy_checkpoint(this_tf / make_checkpoints.CASES[case], tmp_path / "in")
    with checkpoints.open_checkpoint(prefix) as old:
        arrays = applied(checkpoints.plan(old), tmp_path)
    expected = make_checkpoints.contents(case)
    assert sorted(arrays) == sorted(expected)
    for name, values in expected.items():
        assert_same(arrays[name], values)


def test_a_v1_file_is_not_written_over(this_tf, tmp_path):
    prefix = copy_checkpoint(this_tf / make_checkpoints.CASES["v1"], tmp_path / "in")
    with checkpoints.open_checkpoint(prefix) as old:
        with pytest.raises(DestinationError):
            checkpoints.plan(old).apply(prefix, overwrite=True)


# What is not copied -----------------------------------------------------------------


def test_a_rename_links_the_shards(ckpt, model, tmp_path):
    result = checkpoints.plan(ckpt, rename={"float32/matrix": "m"}).apply(tmp_path / "out")
    assert result.written == 0 and result.dead == 0
    assert os.path.samefile(*(bundle.shard_path(p, 0, 1) for p in (model, str(tmp_path / "out"))))


def test_link_false_copies(ckpt, model, tmp_path):
    checkpoints.plan(ckpt).apply(tmp_path / "out", link=False)
    first, second = (bundle.shard_path(p, 0, 1) for p in (model, str(tmp_path / "out")))
    assert not os.path.samefile(first, second)
    assert open(first, "rb").read() == open(second, "rb").read()


def test_another_file_system_gets_a_copy(ckpt, tmp_path, monkeypatch):
    import errno

    def refuse(*unused):
        raise OSError(errno.EXDEV, "Invalid cross-device link")

    monkeypatch.setattr(os, "link", refuse)
    checkpoints.plan(ckpt, rename={"float32/matrix": "m"}).apply(tmp_path / "out")
    assert checkpoints.verify(tmp_path / "out").ok


def test_dropping_frees_nothing_until_compacted(ckpt, tmp_path):
    plan = checkpoints.plan(ckpt, drop="float64/.*")
    result = plan.apply(tmp_path / "out")
    assert result.dead == sum(CONTENTS[n].nbytes for n in CONTENTS if n.startswith("float64/"))
    compact = plan.apply(tmp_path / "small", compact=True)
    assert compact.dead == 0 and compact.written == result.linked - result.dead


def test_copies_and_casts_in_one_overlay(ckpt, tmp_path):
    plan = checkpoints.plan(ckpt, drop="int8/.*", cast={"float32/.*": "float64"})
    arrays = applied(plan, tmp_path, compact=True)
    assert_same(arrays["float32/matrix"], MATRIX.astype(np.float64))
    assert_same(arrays["uint8/cube"], CONTENTS["uint8/cube"])


def test_the_source_never_changes(ckpt, model, tmp_path):
    (tmp_path / "away").mkdir()
    before = files_of(tmp_path)
    for arguments in (c[1] for c in CHANGES):
        checkpoints.plan(ckpt, **arguments).apply(tmp_path / "away" / "x", overwrite=True)
    after = files_of(tmp_path)
    assert before == {name: after[name] for name in before}


def test_a_plan_is_pure_and_repeats(ckpt, tmp_path):
    arguments = {"rename": {"float32/matrix": "m"}, "cast": {"float32/cube": "float64"}}
    kept = json.dumps(arguments)
    plan = checkpoints.plan(ckpt, **arguments)
    assert json.dumps(arguments) == kept
    assert "m float32 [4, 6] <- float32/matrix" in str(plan)
    assert "float32/cube float64 [2, 3, 4] (float32 to float64)" in str(plan)
    first, second = plan.apply(tmp_path / "one"), plan.apply(tmp_path / "two")
    assert first[1:] == second[1:]
    assert open(first.prefix + ".index", "rb").read() == open(second.prefix + ".index", "rb").read()


def test_an_added_array_may_change_afterwards(ckpt, tmp_path):
    array = np.zeros(3)
    plan = checkpoints.plan(ckpt, add={"n": array})
    array[:] = 7
    assert (applied(plan, tmp_path)["n"] == 0).all()


@pytest.mark.parametrize("value", [b"a\0", "a\0", [b"\0", b"b\0\0"]], ids=repr)
def test_added_strings_keep_zero_bytes_at_their_end(ckpt, tmp_path, value):
    array = applied(checkpoints.plan(ckpt, add={"n": value}), tmp_path)["n"]
    assert array.reshape(-1).tolist() == ([b"a\0"] if isinstance(value, (bytes, str)) else value)


# What is refused ----------------------------------------------------------------------

REFUSED = [
    (
        "two-into-one-by-rules",
        {"rename": [("(float32|int32)/matrix", "x")]},
        CollisionError,
        "'float32/matrix' and 'int32/matrix'",
    ),
    (
        "onto-a-kept-one",
        {"rename": {"float32/matrix": "int32/matrix"}},
        CollisionError,
        "int32/matrix",
    ),
    ("added-onto-a-kept-one", {"add": {"int32/matrix": [1]}}, CollisionError, "added array"),
    ("an-empty-name", {"rename": {"float32/matrix": ""}}, PlanError, "float32/matrix"),
    ("a-name-like-a-slice-key", {"rename": {"float32/matrix": "\0x"}}, PlanError, "zero byte"),
    (
        "rename-key-unknown",
        {"rename": {"float32/matrx": "x"}},
        NothingMatchedError,
        "float32/matrix",
    ),
    ("rename-rule-unused", {"rename": [("float31/.*", "x")]}, NothingMatchedError, "float31"),
    ("a-pattern-is-no-prefix", {"drop": "float32"}, NothingMatchedError, "whole name"),
    ("drop-unused", {"drop": ["float32/.*", "nothing"]}, NothingMatchedError, "nothing"),
    ("cast-unused", {"cast": {"nothing": "float16"}}, NothingMatchedError, "nothing"),
    ("alias-unused", {"alias": {"nothing": "x"}}, NothingMatchedError, "nothing"),
    (
        "two-aliases-of-one-name",
        {"alias": [("(float32|int32)/matrix", "x")]},
        PlanError,
        "int32/matrix",
    ),
    ("a-bad-pattern", {"drop": "("}, PlanError, "regular expression"),
    ("a-bad-group", {"rename": [("float32/matrix", r"\1")]}, PlanError, "group"),
    ("a-rule-that-is-no-pair", {"rename": ["ab"]}, PlanError, "pairs"),
    ("cast-to-nonsense", {"cast": "float17"}, ArgumentError, "float17"),
    ("cast-to-a-string", {"cast": {"float32/.*": "string"}}, PlanError, "string"),
    ("cast-of-a-string", {"cast": {"string/.*": "float32"}}, PlanError, "string"),
    ("transpose-misfit", {"transpose": {"float32/matrix": [0, 0]}}, PlanError, "permutation"),
    ("reshape-misfit", {"reshape": {"float32/matrix": [5, -1]}}, PlanError, "24 elements"),
    ("slice-misfit", {"slice": {"float32/matrix": np.s_[0, 0, 0]}}, PlanError, "index"),
    (
        "concat-misfit",
        {"concat": {"x": (["float32/matrix", "int32/matrix"], 0)}},
        PlanError,
        "one type",
    ),
    (
        "concat-unknown",
        {"concat": {"x": (["float32/matrx"], 0)}},
        NothingMatchedError,
        "float32/matrix",
    ),
    ("split-uneven", {"split": {"float32/matrix": (["a", "b", "c"], 0)}}, PlanError, "divide"),
    (
        "split-onto-a-kept-one",
        {"split": {"float32/matrix": (["a", "int32/matrix"], 0)}},
        CollisionError,
        "int32/matrix",
    ),
    ("too-many-partitions", {"partition": {"float32/matrix": (5, 0)}}, PlanError, "5 parts"),
    ("added-object", {"add": {"x": np.array([object()])}}, ArgumentError, "numbers or strings"),
]


@pytest.mark.parametrize(
    "arguments, error, words", [r[1:] for r in REFUSED], ids=[r[0] for r in REFUSED]
)
def test_refused_before_anything_is_written(ckpt, arguments, error, words):
    with pytest.raises(error, match="(?s).*" + words) as raised:
        checkpoints.plan(ckpt, **arguments)
    assert isinstance(raised.value, TfgraphtoolsError)


def test_names_that_differ_in_case_are_two(ckpt, tmp_path):
    arrays = applied(checkpoints.plan(ckpt, rename={"net/W": "x/W", "net/w": "x/w"}), tmp_path)
    assert arrays["x/W"][0] == 2 and arrays["x/w"][0] == 3


@pytest.mark.parametrize("taken", ["out", "out.index"])
def test_a_destination_that_is_taken(ckpt, tmp_path, taken):
    (tmp_path / taken).write_text("precious")
    with pytest.raises(DestinationError, match="exists"):
        checkpoints.plan(ckpt).apply(tmp_path / "out")
    assert (tmp_path / taken).read_text() == "precious"


@pytest.mark.parametrize("path", ["no/such/folder/x", ""])
def test_a_destination_without_a_folder(ckpt, tmp_path, path):
    with pytest.raises(DestinationError):
        checkpoints.plan(ckpt).apply(os.path.join(str(tmp_path), path))


# Casts ---------------------------------------------------------------------------------

CASTS = [  # (from, to, values, what is lost)
    ("float32", "float16", [70000.0, 65520.0, 1.0], "2 finite values"),
    ("float32", "float16", [65504.0, 65519.0, -1.0, 0.0, 6e-8, np.inf, np.nan], None),
    ("float32", "float16", [1e-8, 2.0], "1 values that would become zero"),
    ("float64", "float32", [1e39], "1 finite values"),
    ("float64", "float32", [1e-50], "become zero"),
    ("float64", "bfloat16", [1.0, 3.3e38], None),
    ("float64", "bfloat16", [3.4e38, 1.0], "1 finite values"),
    ("int64", "int32", [2**31, 2**31 - 1, -(2**31)], "1 values outside"),
    ("int64", "uint64", [-1], "1 values outside"),
    ("uint64", "int64", [2**63], "1 values outside"),
    ("int64", "float32", [2**40 + 1], None),
    ("float32", "int32", [1.0, -7.0], None),
    ("float32", "int32", [1.5], "lose their fraction"),
    ("float32", "int32", [np.nan, 2.0**31], "2 values outside"),
    ("float32", "int64", [2.0**63], "1 values outside"),
    ("complex64", "float32", [1 + 1j], "imaginary"),
    ("float32", "bool", [0, 1, 2], "1 values outside"),
    ("bool", "float16", [True, False], None),
]


@pytest.mark.parametrize(
    "source, target, values, lost", CASTS, ids=["{}-{}-{}".format(*c[:3]) for c in CASTS]
)
def test_a_cast_that_loses_values_is_refused_with_counts(
    ckpt, tmp_path, source, target, values, lost
):
    array = np.array(values).astype(source)
    checkpoints.plan(ckpt, add={"x": array}).apply(tmp_path / "in")
    with checkpoints.open_checkpoint(tmp_path / "in") as added:
        plan = checkpoints.plan(added, cast={"x": target})
        if lost is None:
            plan.check()
            cast_values = applied(plan, tmp_path)["x"]
            if target != "bfloat16":
                assert_same(cast_values, array.astype(target))
            return
        before = files_of(tmp_path)
        for call in (plan.check, lambda: plan.apply(tmp_path / "out")):
            with pytest.raises(CastError, match=lost):
                call()
        assert files_of(tmp_path) == before  # nothing is written
        allow = ["overflow", "underflow", "wrap", "fraction", "imaginary"]
        applied(checkpoints.plan(added, cast={"x": target}, allow=allow), tmp_path)


def test_a_cast_of_everything_spares_the_optimizer_and_integers(ckpt, tmp_path):
    add = {
        "w": np.ones((2, 2), "f4"),
        "w/Adam": np.ones((2, 2), "f4"),
        "beta1_power": np.float32(1),
        "global_step": np.int64(7),
        "w/ExponentialMovingAverage": np.ones((2, 2), "f4"),
    }
    checkpoints.plan(ckpt, add=add, drop=".*").apply(tmp_path / "in")
    with checkpoints.open_checkpoint(tmp_path / "in") as added:
        arrays = applied(checkpoints.plan(added, cast="float16"), tmp_path)
    assert {name: str(array.dtype) for name, array in arrays.items()} == {
        "w": "float16",
        "w/Adam": "float32",
        "beta1_power": "float32",
        "global_step": "int64",
        "w/ExponentialMovingAverage": "float16",
    }


def test_a_partitioned_tensor_stays_partitioned_when_cast(this_tf, tmp_path):
    with checkpoints.open_checkpoint(this_tf / make_checkpoints.CASES["v2_sliced"]) as ckpt:
        checkpoints.plan(ckpt, cast={"part/float32": "float64"}).apply(tmp_path / "out")
    with checkpoints.open_checkpoint(tmp_path / "out") as result:
        assert len(result.info("part/float32").slices) == 3
        assert result["part/float32"].dtype == np.float64


# Damage and writers at work ----------------------------------------------------------------


def test_damaged_bytes_do_not_get_a_new_checksum(ckpt, model, tmp_path):
    offset = ckpt.info("float32/matrix").offset
    with open(bundle.shard_path(model, 0, 1), "r+b") as file:
        file.seek(offset)
        file.write(b"\xff")
    with checkpoints.open_checkpoint(model) as damaged:
        for arguments in (
            {"cast": {"float32/matrix": "float64"}},
            {"transpose": {"float32/matrix": [1, 0]}},
            {"partition": {"float32/matrix": (2, 0)}},
        ):
            with pytest.raises(DamagedCheckpointError, match="float32/matrix"):
                checkpoints.plan(damaged, **arguments).apply(tmp_path / "out")


@pytest.mark.parametrize("compact", [False, True])
def test_a_shard_that_is_cut_short_is_noticed(ckpt, model, tmp_path, compact):
    shard = bundle.shard_path(model, 0, 1)
    with open(shard, "r+b") as file:
        file.truncate(os.path.getsize(shard) - 1)
    with checkpoints.open_checkpoint(model) as damaged:
        with pytest.raises(DamagedCheckpointError, match="cut short"):
            checkpoints.plan(damaged).apply(tmp_path / "out", compact=compact)
    assert not (tmp_path / "out.index").exists()


@pytest.mark.parametrize("ending", [".index", ".data-00000-of-00001"])
def test_a_writer_at_work_on_the_input_is_noticed(ckpt, model, tmp_path, ending):
    plan = checkpoints.plan(ckpt, rename={"float32/matrix": "m"})
    os.utime(model + ending, ns=(1, 1))
    before = files_of(tmp_path)
    with pytest.raises(SourceChangedError, match="written"):
        plan.apply(tmp_path / "out")
    assert files_of(tmp_path) == before


def test_an_old_meta_is_noted(ckpt, model):
    open(model + ".meta", "w").close()
    assert not checkpoints.plan(ckpt).notes
    assert "old names" in checkpoints.plan(ckpt, rename={"float32/matrix": "m"}).notes[0]


def test_a_plan_of_a_path(tmp_path):
    np.savez(str(tmp_path / "m.npz"), a=np.ones(2, np.float32))
    checkpoints.from_npz(str(tmp_path / "m.npz"), str(tmp_path / "m"))
    checkpoints.plan(str(tmp_path / "m"), rename={"a": "b"}).apply(str(tmp_path / "out"))
    checkpoints.plan(tmp_path / "m.index").apply(str(tmp_path / "again"))
    with checkpoints.open_checkpoint(str(tmp_path / "out")) as ckpt:
        assert list(ckpt) == ["b"] and ckpt["b"].sum() == 2
    with pytest.raises(CheckpointNotFoundError):
        checkpoints.plan(str(tmp_path / "none"))
