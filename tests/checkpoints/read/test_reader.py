"""Reading what TensorFlow wrote: every format, type, shape and path."""

import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import pytest
from checkpoint_files import (
    REAL,
    ROOT,
    assert_same,
    big_endian_copy,
    copy_checkpoint,
    make_checkpoints,
)

from tfgraphtools import checkpoints
from tfgraphtools.checkpoints.format import bundle
from tfgraphtools.errors import (
    ArgumentError,
    CheckpointNotFoundError,
    DamagedCheckpointError,
    TensorNotFoundError,
)

open_checkpoint = checkpoints.open_checkpoint


@pytest.mark.parametrize("case", sorted(make_checkpoints.CASES))
def test_everything_that_tf_wrote_is_read(case, prefix_of):
    with open_checkpoint(prefix_of(case)) as ckpt:
        expected = make_checkpoints.contents(case)
        assert sorted(ckpt) == sorted(expected) and len(ckpt) == len(expected)
        for name, values in expected.items():
            assert_same(ckpt[name], values)


@pytest.mark.parametrize("case", [c for c in sorted(make_checkpoints.CASES) if c[:2] != "v1"])
def test_an_index_is_rewritten_byte_for_byte(case, prefix_of):
    with open(prefix_of(case) + ".index", "rb") as file:
        data = file.read()
    assert bundle.serialize_index(bundle.parse_index(data)) == data


@pytest.mark.quick
@pytest.mark.parametrize(
    "name, count, size",
    [("t2t_2shards", 250, 1670432), ("v1_charrnn", 24, 3463344), ("v1_half_plus_two", 2, 8)],
)
def test_real_checkpoints(name, count, size):
    if not REAL.exists():
        pytest.skip(f"no real checkpoints at {REAL}")
    with open_checkpoint(REAL / name) as ckpt:
        assert len(ckpt) == count and sum(array.nbytes for array in ckpt.values()) == size
        if ckpt.format == "V2":
            with open(ckpt.prefix + ".index", "rb") as file:
                data = file.read()
            assert bundle.serialize_index(bundle.parse_index(data)) == data


@pytest.mark.quick
def test_bfloat16_comes_as_float32(tf, v1, tmp_path):
    values = np.array([1.0, -2.5, 3e38, 0.0, np.inf, 1e-40], np.float32)
    with v1.Graph().as_default(), v1.Session() as session:
        tensor = tf.cast(values, tf.bfloat16)
        back = session.run(
            [
                tf.raw_ops.SaveV2(
                    prefix=str(tmp_path / "b"),
                    tensor_names=["x"],
                    shape_and_slices=[""],
                    tensors=[tensor],
                ),
                tf.cast(tensor, tf.float32),
            ]
        )[1]
    with open_checkpoint(tmp_path / "b") as ckpt:
        assert ckpt.info("x").dtype == "bfloat16" and ckpt.raw("x").dtype == np.uint16
        assert_same(ckpt["x"], back)


# Slices -------------------------------------------------------------------------

INDICES = [
    np.s_[2],
    np.s_[-1],
    np.s_[1:6],
    np.s_[::-1],
    np.s_[5:1:-2],
    np.s_[...],
    np.s_[..., 1],
    np.s_[4:, 0:2],
    np.s_[3:3],
    np.s_[-100:100],
    np.s_[:, ::2],
    np.s_[6, 2],
]


@pytest.mark.parametrize("case", ["v2_sliced", "v1_sliced"])
@pytest.mark.parametrize("index", INDICES, ids=repr)
def test_a_slice_of_a_partitioned_tensor(case, index, this_tf):
    values = make_checkpoints.contents(case)["part/int32"]
    with open_checkpoint(this_tf / make_checkpoints.CASES[case]) as ckpt:
        assert_same(np.asarray(ckpt.read("part/int32", index)), np.asarray(values[index]))


def test_a_slice_reads_only_the_slice(this_tf, tmp_path):
    """The other slices' bytes may be damaged, or gone."""
    prefix = copy_checkpoint(this_tf / make_checkpoints.CASES["v2_sliced"], tmp_path / "x")
    with open_checkpoint(prefix) as ckpt:
        last = ckpt.info("part/uint8").slices[-1]  # the last tensor of the file
        values = ckpt["part/uint8"]
    with open(bundle.shard_path(prefix, 0, 1), "r+b") as file:
        file.truncate(last.offset)
    with open_checkpoint(prefix) as ckpt:
        assert_same(ckpt.read("part/uint8", np.s_[:5]), values[:5])
        with pytest.raises(DamagedCheckpointError, match="cut short"):
            ckpt.read("part/uint8", np.s_[4:])


@pytest.mark.parametrize("index", [np.s_[7], np.s_[0, 0, 0], [0, 1], "a", None], ids=repr)
def test_a_bad_index_is_an_error(index, this_tf):
    with open_checkpoint(this_tf / make_checkpoints.CASES["v2_sliced"]) as ckpt:
        if index is None:
            assert ckpt.read("part/int32", index).shape == (7, 3)
            return
        with pytest.raises(ArgumentError, match="part/int32"):
            ckpt.read("part/int32", index)


def test_arrays_are_read_only_and_outlive_the_checkpoint(this_tf):
    with open_checkpoint(this_tf / make_checkpoints.CASES["v2"]) as ckpt:
        array = ckpt["float32/matrix"]
    with pytest.raises(ValueError):
        array[0] = 1
    assert_same(array, make_checkpoints.contents("v2")["float32/matrix"])


# Information ----------------------------------------------------------------------


def test_info(this_tf):
    with open_checkpoint(this_tf / make_checkpoints.CASES["v2"]) as ckpt:
        info = ckpt.info("int16/cube")
        assert (info.dtype, info.shape, info.bytes, info.shard, info.slices) == (
            "int16",
            (2, 3, 4),
            48,
            0,
            (),
        )
        assert (ckpt.format, ckpt.num_shards, ckpt.big_endian) == ("V2", 1, False)
    with open_checkpoint(this_tf / make_checkpoints.CASES["v2_sliced"]) as ckpt:
        info = ckpt.info("part/float16")
        assert info.shape == (7, 3) and info.bytes == 42 and info.offset is None
        assert [part.bounds for part in info.slices] == [
            ((0, 3), (0, 3)),
            ((3, 5), (0, 3)),
            ((5, 7), (0, 3)),
        ]


def test_an_unknown_name_is_an_error_with_the_nearest(this_tf):
    with open_checkpoint(this_tf / make_checkpoints.CASES["v2"]) as ckpt:
        assert "float32/matrx" not in ckpt
        for call in (ckpt.__getitem__, ckpt.info, ckpt.raw, ckpt.check):
            with pytest.raises(TensorNotFoundError, match="float32/matrix"):
                call("float32/matrx")


def test_an_index_of_several_blocks(prefix_of):
    from tfgraphtools.checkpoints.format.sstable import Table

    with open(prefix_of("many") + ".index", "rb") as file:
        assert len(Table(file.read()).handles) > 1
    with open_checkpoint(prefix_of("many")) as ckpt:
        assert len({ckpt.info(name).offset for name in ckpt}) == len(make_checkpoints.many())


def test_ten_thousand_variables(model, tf):
    with open(model + ".index", "rb") as file:
        index = bundle.parse_index(file.read())
    entry = index.entries["float32/scalar"]
    entries = {f"model/layer_{i // 20}/block_{i}/kernel": entry for i in range(10000)}
    with open(model + ".index", "wb") as file:
        file.write(bundle.serialize_index(index._replace(entries=entries, slices={})))
    with open_checkpoint(model) as ckpt:
        assert set(ckpt) == set(entries)
    reader = tf.compat.v1.train.NewCheckpointReader(model)
    assert set(reader.get_variable_to_shape_map()) == set(entries)


# Paths --------------------------------------------------------------------------

PATHS = {
    "prefix": "model.ckpt",
    "index": "model.ckpt.index",
    "meta": "model.ckpt.meta",
    "data": "model.ckpt.data-00000-of-00001",
    "folder": ".",
    "state": "checkpoint",
}


@pytest.mark.parametrize("kind", sorted(PATHS))
@pytest.mark.parametrize("folder", ["plain", "run[1]", "what?*", "\u00e9 x"])
def test_every_path_finds_the_prefix(kind, folder, this_tf, tmp_path):
    prefix = copy_checkpoint(
        this_tf / make_checkpoints.CASES["v2"], tmp_path / folder / "model.ckpt"
    )
    (tmp_path / folder / "checkpoint").write_text(
        'model_checkpoint_path: "/moved/away/model.ckpt"\nall_model_checkpoint_paths: "other"\n'
    )
    with open_checkpoint(os.path.join(os.path.dirname(prefix), PATHS[kind])) as ckpt:
        assert os.path.normpath(ckpt.prefix) == os.path.normpath(prefix)


@pytest.mark.parametrize("path", ["model.ckpt", "model.ckpt-00001-of-00002", "."])
def test_sharded_v1_is_found(path, this_tf, tmp_path):
    copy_checkpoint(this_tf / make_checkpoints.CASES["v1_shards"], tmp_path / "model.ckpt")
    with open_checkpoint(tmp_path / path) as ckpt:
        assert ckpt.format == "V1" and ckpt.num_shards == 2
        assert len(ckpt) == len(make_checkpoints.contents("v1"))


def test_a_state_file_with_escapes(this_tf, tmp_path):
    copy_checkpoint(this_tf / make_checkpoints.CASES["v2"], tmp_path / 'a"\u00e9')
    (tmp_path / "checkpoint").write_text('model_checkpoint_path: "a\\"\\303\\251"\n')
    assert open_checkpoint(tmp_path).prefix == str(tmp_path / 'a"\u00e9')


def test_what_is_not_there_is_an_error(this_tf, tmp_path):
    prefix = copy_checkpoint(this_tf / make_checkpoints.CASES["v2"], tmp_path / "model.ckpt-5")
    with pytest.raises(CheckpointNotFoundError, match="Did you mean .*model.ckpt-5"):
        open_checkpoint(tmp_path / "model.ckpt-6")
    (tmp_path / "empty").mkdir()
    with pytest.raises(FileNotFoundError):
        open_checkpoint(tmp_path / "empty")
    copy_checkpoint(prefix, tmp_path / "model.ckpt-7")
    with pytest.raises(CheckpointNotFoundError, match="model.ckpt-7"):
        open_checkpoint(tmp_path)  # which of the two?


def test_a_missing_shard_is_an_error_before_any_work(this_tf, tmp_path):
    prefix = copy_checkpoint(this_tf / make_checkpoints.CASES["v2_shards"], tmp_path / "m")
    os.remove(bundle.shard_path(prefix, 1, 2))
    with pytest.raises(CheckpointNotFoundError, match="data-00001-of-00002"):
        open_checkpoint(prefix)
    with open_checkpoint(prefix, allow_missing_shards=True) as ckpt:
        assert ckpt["bool/cube"].shape == (2, 3, 4)  # in the shard that is left


def test_a_missing_v1_shard_is_an_error(this_tf, tmp_path):
    prefix = copy_checkpoint(this_tf / make_checkpoints.CASES["v1_shards"], tmp_path / "m")
    os.remove(prefix + "-00000-of-00002")
    with pytest.raises(CheckpointNotFoundError, match="number 0"):
        open_checkpoint(prefix)


def test_a_missing_slice_is_named(this_tf, tmp_path):
    prefix = copy_checkpoint(this_tf / make_checkpoints.CASES["v2_sliced"], tmp_path / "m")
    with open(prefix + ".index", "rb") as file:
        index = bundle.parse_index(file.read())
    for extents in list(index.slices["part/int8"])[1:]:
        del index.slices["part/int8"][extents]
    with open(prefix + ".index", "wb") as file:
        file.write(bundle.serialize_index(index))
    with open_checkpoint(prefix) as ckpt:
        with pytest.raises(DamagedCheckpointError, match=r"\[3:5, 0:3\], \[5:7, 0:3\]"):
            ckpt["part/int8"]
        with pytest.raises(DamagedCheckpointError, match=r"\[5:7, 0:3\]"):
            ckpt.read("part/int8", np.s_[6:])  # never filled with zeros
        assert ckpt.read("part/int8", np.s_[:3]).shape == (3, 3)
        assert ckpt["part/int16"].shape == (7, 3)


@pytest.mark.quick
@pytest.mark.parametrize("shape", [(5,), (4, 7), (), (1 << 62, 1 << 62)])
def test_a_size_that_does_not_fit_the_shape(model, shape):
    with open(model + ".index", "rb") as file:
        index = bundle.parse_index(file.read())
    index.entries["float32/matrix"] = index.entries["float32/matrix"]._replace(shape=shape)
    with open(model + ".index", "wb") as file:
        file.write(bundle.serialize_index(index))
    with open_checkpoint(model) as ckpt:
        for call in (ckpt.__getitem__, ckpt.raw, ckpt.check):
            with pytest.raises(DamagedCheckpointError, match="96 bytes for float32"):
                call("float32/matrix")


def snappy_table(data):
    """The same table with its blocks compressed, if only as literals: valid snappy all the same."""
    from tfgraphtools.checkpoints.format.checksums.crc32c import crc32c, mask
    from tfgraphtools.checkpoints.format.sstable import MAGIC, Table, _BlockBuilder
    from tfgraphtools.checkpoints.format.wire import varint

    out = bytearray()

    def append(block, kind):
        handle = varint(len(out)) + varint(len(block))
        contents = block + bytes([kind])
        out.extend(contents + mask(crc32c(contents)).to_bytes(4, "little"))
        return handle

    table, index = Table(data), _BlockBuilder(interval=1)
    for number, handle in enumerate(table.handles):
        uncompressed = bytes(table.block(number))
        pieces = [uncompressed[i : i + 65536] for i in range(0, len(uncompressed), 65536)]
        literals = b"".join(
            b"\xf4" + (len(piece) - 1).to_bytes(2, "little") + piece for piece in pieces
        )
        index.add(handle.last_key, append(varint(len(uncompressed)) + literals, 1))
    footer = append(_BlockBuilder(interval=16).finish(), 0) + append(index.finish(), 0)
    return bytes(out) + footer.ljust(40, b"\0") + MAGIC.to_bytes(8, "little")


@pytest.mark.parametrize("case", ["v2", "many"])
def test_a_compressed_index(case, this_tf, tmp_path, tf):
    prefix = copy_checkpoint(this_tf / make_checkpoints.CASES[case], tmp_path / "m")
    with open(prefix + ".index", "rb") as file:
        compressed = snappy_table(file.read())
    with open(prefix + ".index", "wb") as file:
        file.write(compressed)
    reader = tf.compat.v1.train.NewCheckpointReader(prefix)
    expected = make_checkpoints.contents(case)
    with open_checkpoint(prefix) as ckpt:
        assert set(ckpt) == set(expected) == set(reader.get_variable_to_shape_map())
        for name in list(expected)[:20]:
            assert_same(ckpt[name], expected[name])


# Byte order -----------------------------------------------------------------------


def test_a_big_endian_checkpoint(this_tf, tmp_path, tf):
    prefix = str(tmp_path / "big")
    big_endian_copy(this_tf / make_checkpoints.CASES["v2"], prefix)
    reader = tf.compat.v1.train.NewCheckpointReader(prefix)
    with open_checkpoint(prefix) as ckpt:
        assert ckpt.big_endian
        for name, values in make_checkpoints.contents("v2").items():
            assert np.array_equal(ckpt[name], values)
            if values.dtype.kind not in "cO":  # TF swaps no complex numbers
                assert np.array_equal(reader.get_tensor(name), values), name


# Imports ------------------------------------------------------------------------


def test_opening_needs_neither_numpy_nor_tensorflow(this_tf):
    code = (
        "import sys; from tfgraphtools import checkpoints;"
        "c = checkpoints.open_checkpoint(sys.argv[1]); c.info('float32/matrix');"
        "sys.exit(3 if {'numpy', 'tensorflow'} & set(sys.modules) else 0)"
    )
    prefix = str(this_tf / make_checkpoints.CASES["v2"])
    assert subprocess.run([sys.executable, "-c", code, prefix], cwd=str(ROOT)).returncode == 0


@pytest.mark.quick
def test_closing_twice_is_fine(model, tmp_path):
    ckpt = open_checkpoint(model)
    ckpt.close()
    ckpt.close()
    shutil.rmtree(str(tmp_path))


# Files that are no checkpoint ---------------------------------------------------------

LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n"
PAGE = b"\n<!DOCTYPE html><html>Sign in</html>"
#: (id, {file: bytes}, the path given, what the error says); a checkpoint called parms is beside.
NO_CHECKPOINTS = [
    ("a-graph-alone", {"m.meta": b"graph"}, "m.meta", "the graph alone: m.meta. Copy m.index"),
    ("a-prefix-of-a-graph", {"m.meta": b"graph"}, "m", "the graph alone: m.meta"),
    (
        "data-alone",
        {"m.data-00000-of-00001": b"x"},
        "m.data-00000-of-00001",
        "data without an index: m.data-00000-of-00001. Copy m.index",
    ),
    ("an-array", {"params_0.npy": b"\x93NUMPY\x01\x00"}, "params_0.npy", "one NumPy array.*savez"),
    ("near-what-does-not-open", {"params_0.npy": b"x"}, "params", "Did you mean [^ ]*/parms[?]$"),
    ("a-pointer", {"m.index": LFS, "m.data-00000-of-00001": LFS}, "m", "Git LFS.*git lfs pull"),
    ("an-archive-s-pointer", {"m.h5": LFS}, "m.h5", "Git LFS.*git lfs pull"),
    ("a-page", {"m.npz": PAGE}, "m.npz", "a web page"),
    ("a-page-as-index", {"m.index": PAGE, "m.data-00000-of-00001": PAGE}, "m", "a web page"),
]


@pytest.mark.quick
@pytest.mark.parametrize(
    "files, path, says", [pytest.param(*case[1:], id=case[0]) for case in NO_CHECKPOINTS]
)
def test_what_a_file_holds_is_said(model, tmp_path, files, path, says):
    folder = tmp_path / "folder"
    folder.mkdir()
    for ending in (".index", ".data-00000-of-00001"):
        shutil.copy(model + ending, str(folder / ("parms" + ending)))
    for name, data in files.items():
        (folder / name).write_bytes(data)
    with pytest.raises((CheckpointNotFoundError, DamagedCheckpointError), match=says):
        open_checkpoint(folder / path)


@pytest.mark.quick
def test_data_that_is_a_pointer(model):
    with open(model + ".data-00000-of-00001", "wb") as file:
        file.write(LFS)
    with pytest.raises(DamagedCheckpointError, match="git lfs pull"):
        open_checkpoint(model)


@pytest.mark.quick
@pytest.mark.parametrize("key", [0, None, ("a", 0), np.int64(1)], ids=str)
def test_a_key_that_is_no_name(tmp_path, key):
    np.savez(str(tmp_path / "m.npz"), a=np.ones(2))
    with checkpoints.open_archive(str(tmp_path / "m.npz")) as ckpt:
        with pytest.raises(KeyError, match="the name of a tensor, got .*Write ckpt\\['a'\\]"):
            ckpt[key]
        assert ckpt.get(key) is None and key not in ckpt


@pytest.mark.quick
@pytest.mark.parametrize("kind", [str, pathlib.Path])
def test_a_path_is_no_store(kind):
    with pytest.raises(ArgumentError, match=r"Call open_checkpoint\('model.ckpt-9'\)"):
        checkpoints.Checkpoint(kind("model.ckpt-9"))
