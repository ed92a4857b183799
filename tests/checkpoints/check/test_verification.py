"""Verify names exactly what is damaged; salvage keeps exactly the rest."""

import os

import pytest
from checkpoint_files import assert_same, copy_checkpoint, files_of, make_checkpoints

from tfgraphtools import checkpoints
from tfgraphtools.checkpoints.format import bundle
from tfgraphtools.errors import CheckpointNotFoundError, DamagedCheckpointError, SourceChangedError

CONTENTS = make_checkpoints.contents("v2")


def shard(prefix, number=0, count=1):
    return bundle.shard_path(prefix, number, count)


def flip(path, offset):
    with open(path, "r+b") as file:
        file.seek(offset)
        byte = file.read(1)[0]
        file.seek(offset)
        file.write(bytes([byte ^ 0x40]))


@pytest.mark.parametrize("case", sorted(make_checkpoints.CASES))
def test_what_tf_wrote_is_intact(case, prefix_of):
    before = files_of(os.path.dirname(prefix_of(case)))
    report = checkpoints.verify(prefix_of(case))
    assert report.ok and report.tensors == len(make_checkpoints.contents(case))
    assert files_of(os.path.dirname(prefix_of(case))) == before


def test_variants_and_their_names(tf, v1, tmp_path):
    """A list of tensors is a variant: reported, checked, kept, and never an array."""
    with v1.Graph().as_default(), v1.Session() as session:
        items = tf.raw_ops.TensorListFromTensor(
            tensor=tf.constant([[1.0, 2.0], [3.0, 4.0]]), element_shape=tf.constant([2])
        )
        try:
            session.run(
                tf.raw_ops.SaveV2(
                    prefix=str(tmp_path / "v"),
                    tensor_names=["list", "n"],
                    shape_and_slices=["", ""],
                    tensors=[items, tf.constant(1)],
                )
            )
        except tf.errors.OpError as error:
            pytest.skip(f"this TensorFlow saves no lists: {error}")
    assert checkpoints.verify(tmp_path / "v").ok
    with checkpoints.open_checkpoint(tmp_path / "v") as ckpt:
        assert ckpt.info("list").dtype == "variant" and ckpt["n"] == 1
        with pytest.raises(TypeError, match="variant"):
            ckpt["list"]
        checkpoints.plan(ckpt, rename={"list": "renamed"}).apply(tmp_path / "w")
        offset = ckpt.info("list").offset
    assert checkpoints.verify(tmp_path / "w").ok
    flip(shard(str(tmp_path / "v")), offset + 5)
    assert checkpoints.verify(tmp_path / "v").damaged == ["list"]


@pytest.mark.quick
@pytest.mark.parametrize(
    "name", ["float32/matrix", "string/vector", "bool/scalar", "complex128/cube"]
)
def test_one_flipped_byte_names_that_tensor(model, name):
    with checkpoints.open_checkpoint(model) as ckpt:
        info = ckpt.info(name)
    flip(shard(model), info.offset + info.bytes // 2)
    report = checkpoints.verify(model)
    assert report.damaged == [name] and not report.ok
    with checkpoints.open_checkpoint(model) as ckpt:
        with pytest.raises(DamagedCheckpointError):
            ckpt[name]
        for other in CONTENTS:
            if other != name:
                assert_same(ckpt[other], CONTENTS[other])


@pytest.mark.quick
def test_every_single_byte_of_a_shard_belongs_to_a_tensor(model):
    """Each flip is seen, and blamed on the tensor that holds the byte."""
    with checkpoints.open_checkpoint(model) as ckpt:
        owner = {}
        for name in ckpt:
            info = ckpt.info(name)
            owner.update((info.offset + i, name) for i in range(info.bytes))
    for offset in range(0, os.path.getsize(shard(model)), 97):
        flip(shard(model), offset)
        assert checkpoints.verify(model).damaged == [owner[offset]]
        flip(shard(model), offset)


@pytest.mark.quick
def test_data_cut_short_names_exactly_what_is_gone(model):
    with checkpoints.open_checkpoint(model) as ckpt:
        infos = [ckpt.info(name) for name in ckpt]
    size = sorted(info.offset for info in infos)[len(infos) // 2] + 1
    with open(shard(model), "r+b") as file:
        file.truncate(size)
    with checkpoints.open_checkpoint(model) as ckpt:
        assert len(ckpt) == len(CONTENTS)  # the listing looks fine
    expected = sorted(i.name for i in infos if i.offset + i.bytes > size)
    assert checkpoints.verify(model).damaged == expected


@pytest.mark.quick
@pytest.mark.parametrize("offset", [0, 3, 100])
def test_a_flipped_index_byte(model, offset):
    flip(model + ".index", offset)
    report = checkpoints.verify(model)
    assert not report.ok and report.damages[0].name is None
    assert report.damages[0].what == "index block 0: checksum"
    with pytest.raises(DamagedCheckpointError, match="index block 0: checksum"):
        checkpoints.open_checkpoint(model)


def test_new_data_under_an_old_index(model, this_tf):
    with open(shard(model), "r+b") as file:
        file.write(os.urandom(os.path.getsize(shard(model))))
    nonempty = {name for name, values in CONTENTS.items() if values.size or values.dtype == object}
    assert set(checkpoints.verify(model).damaged) >= {n for n in nonempty if CONTENTS[n].nbytes > 8}


def test_a_missing_shard(this_tf, tmp_path):
    prefix = copy_checkpoint(this_tf / make_checkpoints.CASES["v2_shards"], tmp_path / "m")
    os.remove(shard(prefix, 1, 2))
    report = checkpoints.verify(prefix)
    with checkpoints.open_checkpoint(prefix, allow_missing_shards=True) as ckpt:
        assert report.damaged == [name for name in ckpt if ckpt.info(name).shard == 1]
    assert "data-00001-of-00002" in report.damages[0].what


def test_a_damaged_slice_is_named(this_tf, tmp_path):
    prefix = copy_checkpoint(this_tf / make_checkpoints.CASES["v2_sliced"], tmp_path / "m")
    with checkpoints.open_checkpoint(prefix) as ckpt:
        flip(shard(prefix), ckpt.info("part/int8").slices[1].offset)
    report = checkpoints.verify(prefix)
    assert [(d.name, d.what) for d in report.damages] == [("part/int8", "checksum [3:5, 0:3]")]


def test_a_v1_file_with_a_flipped_byte(this_tf, tmp_path):
    prefix = copy_checkpoint(this_tf / make_checkpoints.CASES["v1"], tmp_path / "m")
    flip(prefix, os.path.getsize(prefix) // 3)
    report = checkpoints.verify(prefix)
    assert not report.ok and "checksum" in report.damages[0].what


@pytest.mark.quick
def test_salvage_writes_the_intact_ones(model, tmp_path):
    with checkpoints.open_checkpoint(model) as ckpt:
        flip(shard(model), ckpt.info("float32/matrix").offset)
    report = checkpoints.salvage(model, tmp_path / "saved")
    assert report.damaged == ["float32/matrix"]
    assert checkpoints.verify(tmp_path / "saved").ok
    with checkpoints.open_checkpoint(tmp_path / "saved") as saved:
        assert sorted(saved) == sorted(set(CONTENTS) - {"float32/matrix"})
        assert_same(saved["int32/matrix"], CONTENTS["int32/matrix"])


def test_salvage_with_a_missing_shard(this_tf, tmp_path):
    prefix = copy_checkpoint(this_tf / make_checkpoints.CASES["v2_shards"], tmp_path / "m")
    os.remove(shard(prefix, 0, 2))
    report = checkpoints.salvage(prefix, tmp_path / "saved")
    with checkpoints.open_checkpoint(tmp_path / "saved") as saved:
        assert sorted(list(saved) + report.damaged) == sorted(CONTENTS)


@pytest.mark.quick
def test_nothing_to_salvage_is_an_error(model, tmp_path):
    flip(model + ".index", 0)
    with pytest.raises(DamagedCheckpointError):
        checkpoints.salvage(model, tmp_path / "saved")


@pytest.mark.quick
def test_a_writer_at_work_is_noticed(model):
    def touch(done, total):
        os.utime(shard(model), ns=(1, 1))

    with pytest.raises(SourceChangedError):
        checkpoints.verify(model, touch)


@pytest.mark.quick
def test_progress_and_no_checkpoint(model, tmp_path):
    calls = []
    checkpoints.verify(model, lambda done, total: calls.append((done, total)))
    assert calls[-1][0] == calls[-1][1] == os.path.getsize(shard(model))
    with pytest.raises(CheckpointNotFoundError):
        checkpoints.verify(tmp_path / "none")


@pytest.mark.quick
def test_shared_bytes_are_checked_once_and_blamed_on_all(model, tmp_path):
    with checkpoints.open_checkpoint(model) as ckpt:
        checkpoints.plan(ckpt, alias={"float32/matrix": "copy"}).apply(tmp_path / "x")
        offset = ckpt.info("float32/matrix").offset
    flip(shard(str(tmp_path / "x")), offset)
    assert checkpoints.verify(tmp_path / "x").damaged == ["copy", "float32/matrix"]
