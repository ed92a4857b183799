"""Random checkpoints, written by us and read by TF and the other way; random plans."""

import numpy as np
import pytest
from checkpoint_files import make_checkpoints
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tfgraphtools import checkpoints
from tfgraphtools.errors import CollisionError, NothingMatchedError, PlanError

limited = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
    if hasattr(HealthCheck, "function_scoped_fixture")
    else [HealthCheck.too_slow],
)

# TF takes any UTF-8 without a leading zero byte; lone surrogates are no UTF-8.
names = st.text(
    st.characters(blacklist_categories=("Cs",)),
    min_size=1,
    max_size=12,
).filter(lambda name: name[0] != "\0")
shapes = st.lists(st.integers(0, 4), max_size=4).map(tuple)


@st.composite
def arrays(draw):
    dtype = draw(st.sampled_from(make_checkpoints.NUMERIC + ["string"]))
    shape = draw(shapes)
    if dtype == "string":
        count = int(np.prod(shape, dtype=np.int64))
        flat = draw(st.lists(st.binary(max_size=20), min_size=count, max_size=count))
        array = np.empty(count, object)
        array[:] = flat
        return array.reshape(shape)
    return make_checkpoints.numbers(dtype, shape, draw(st.integers(0, 1000)))


contents = st.dictionaries(names, arrays(), min_size=1, max_size=6)


def are_same(array, expected):
    if expected.dtype == object:
        return array.shape == expected.shape and np.asarray(array).tolist() == expected.tolist()
    return (array.dtype, array.shape, array.tobytes()) == (
        expected.dtype,
        expected.shape,
        expected.tobytes(),
    )


@pytest.fixture
def write(model, tmp_path):
    """Writes tensors with our writer and returns the prefix."""

    def run(tensors, **arguments):
        with checkpoints.open_checkpoint(model) as ckpt:
            checkpoints.plan(ckpt, drop=".*", add=tensors).apply(tmp_path / "plain", overwrite=True)
        with checkpoints.open_checkpoint(tmp_path / "plain") as source:
            checkpoints.plan(source, **arguments).apply(tmp_path / "ours", overwrite=True)
        return str(tmp_path / "ours")

    return run


@limited
@given(data=st.data(), tensors=contents)
def test_written_by_us_read_by_tf(data, tensors, write, v1, tf):
    cut = {}
    for name, array in tensors.items():
        axes = [axis for axis, size in enumerate(array.shape) if size]
        if axes and array.size and data.draw(st.booleans()):
            axis = data.draw(st.sampled_from(axes))
            cut[checkpoints_pattern(name)] = (data.draw(st.integers(1, array.shape[axis])), axis)
    prefix = write(tensors, partition=cut or None)
    reader = v1.train.NewCheckpointReader(prefix)
    assert reader.get_variable_to_shape_map() == {n: list(a.shape) for n, a in tensors.items()}
    for name, array in tensors.items():
        try:
            value = reader.get_tensor(name)
            # Strings as objects: NumPy's own string type drops zero bytes at their end.
            value = np.asarray(value, object if array.dtype == object else None)
        except Exception as error:  # TF reads no slices of float16, uint16, uint32, uint64
            assert checkpoints_pattern(name) in cut and "not supported" in str(error)
            with checkpoints.open_checkpoint(prefix) as ckpt:
                value = ckpt[name]
        if array.dtype == object:
            assert value.reshape(-1).tolist() == array.reshape(-1).tolist()
        else:
            assert are_same(value, array), name


def test_a_scalar_string_that_ends_in_zero_bytes(write, v1):
    """Given back by TF as bytes, and not through NumPy's string type, which drops them."""
    prefix = write({"s": np.array(b"a\x00\x00", object), "z": np.array(b"\x00", object)})
    reader = v1.train.NewCheckpointReader(prefix)
    assert [reader.get_tensor(name) for name in "sz"] == [b"a\x00\x00", b"\x00"]
    with checkpoints.open_checkpoint(prefix) as ckpt:
        assert [ckpt[name].item() for name in "sz"] == [b"a\x00\x00", b"\x00"]


def checkpoints_pattern(name):
    from tfgraphtools.checkpoints.plans.rules import exactly

    return exactly(name)


@limited
@given(tensors=contents)
def test_written_by_tf_read_by_us(tensors, v1, tf, tmp_path):
    prefix = str(tmp_path / "theirs")
    with v1.Graph().as_default(), v1.Session() as session:
        session.run(
            tf.raw_ops.SaveV2(
                prefix=prefix,
                tensor_names=list(tensors),
                shape_and_slices=[""] * len(tensors),
                tensors=[make_checkpoints._constant(tf, array) for array in tensors.values()],
            )
        )
    with checkpoints.open_checkpoint(prefix) as ckpt:
        assert sorted(ckpt) == sorted(tensors)
        for name, array in tensors.items():
            assert are_same(ckpt[name], array), name
    assert checkpoints.verify(prefix).ok


# Plans against a dict of arrays ---------------------------------------------------------------

PARTS = ["a", "b", "a/x", "a/y", "b/x", "c"]


@st.composite
def plans(draw):
    """Arguments of a plan over names from `PARTS`, and what they do to a dict of arrays."""
    arguments = {}
    if draw(st.booleans()):
        arguments["alias"] = {draw(st.sampled_from(PARTS)): draw(st.sampled_from(PARTS + ["n"]))}
    if draw(st.booleans()):
        arguments["drop"] = draw(
            st.lists(st.sampled_from(PARTS + ["a/.*"]), min_size=1, max_size=2)
        )
    if draw(st.booleans()):
        arguments["transpose"] = {draw(st.sampled_from(PARTS)): [1, 0]}
    if draw(st.booleans()):
        arguments["cast"] = {draw(st.sampled_from(PARTS)): "float64"}
    if draw(st.booleans()):
        arguments["partition"] = {draw(st.sampled_from(PARTS)): (2, draw(st.integers(0, 1)))}
    if draw(st.booleans()):
        arguments["rename"] = draw(
            st.dictionaries(st.sampled_from(PARTS), st.sampled_from(PARTS + ["n", "m"]), max_size=3)
        )
    if draw(st.booleans()):
        arguments["add"] = {draw(st.sampled_from(PARTS + ["new"])): np.arange(3)}
    return arguments


def modelled(tensors, arguments):
    """What the plan should give, on a plain dict; an error where it should refuse."""
    import re

    out = dict(tensors)

    def pick(pattern):
        hits = [name for name in out if re.fullmatch(pattern, name)]
        if not hits:
            raise NothingMatchedError("", "", "", "")
        return hits

    for old, new in arguments.get("alias", {}).items():
        out[new] = out[old]
    dropped = [name for pattern in arguments.get("drop", []) for name in pick(pattern)]
    for name in set(dropped):
        del out[name]
    for pattern in arguments.get("transpose", {}):
        pick(pattern)
        out[pattern] = out[pattern].T
    for pattern in arguments.get("cast", {}):
        pick(pattern)
        out[pattern] = out[pattern].astype(np.float64)
    for pattern in arguments.get("partition", {}):
        pick(pattern)
    for old in arguments.get("rename", {}):
        pick(re.escape(old))
    final = [(arguments.get("rename", {}).get(name, name), array) for name, array in out.items()]
    final += list(arguments.get("add", {}).items())
    if len({name for name, _ in final}) < len(final):
        raise CollisionError("", "", "", "")
    return dict(final)


@settings(limited, max_examples=60)
@given(arguments=plans(), compact=st.booleans())
def test_plans_against_a_dict_of_arrays(arguments, compact, write, tmp_path):
    tensors = {
        name: np.full((2, 3 + i), i, np.float32) + np.arange(3 + i, dtype=np.float32)
        for i, name in enumerate(PARTS)
    }
    with checkpoints.open_checkpoint(write(tensors)) as ckpt:
        try:
            expected = modelled(tensors, arguments)
        except (CollisionError, NothingMatchedError) as error:
            with pytest.raises((type(error), PlanError)):
                checkpoints.plan(ckpt, **arguments)
            return
        checkpoints.plan(ckpt, **arguments).apply(tmp_path / "out", compact=compact, overwrite=True)
    assert checkpoints.verify(tmp_path / "out").ok
    with checkpoints.open_checkpoint(tmp_path / "out") as written:
        assert sorted(written) == sorted(expected)
        for name, array in expected.items():
            assert are_same(written[name], array), name
