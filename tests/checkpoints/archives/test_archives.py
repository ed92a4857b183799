"""Checkpoints as npz and safetensors files, read by NumPy and safetensors themselves; and back."""

import errno
import json
import os
import struct
import zipfile

import numpy as np
import pytest
from checkpoint_files import files_of, make_checkpoints
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tfgraphtools import checkpoints
from tfgraphtools.checkpoints.archives import transfers
from tfgraphtools.checkpoints.format import bundle, dtypes, manifests, npz_files, string_tensors
from tfgraphtools.checkpoints.format.checksums.crc32c import crc32c, mask
from tfgraphtools.cli import main
from tfgraphtools.errors import (
    CheckpointNotFoundError,
    DamagedCheckpointError,
    DestinationError,
    TfgraphtoolsError,
    UnreadableTensorError,
)

WRITE = {
    "npz": checkpoints.to_npz,
    "compressed": lambda *arguments, **named: checkpoints.to_npz(
        *arguments, compress=True, **named
    ),
    "safetensors": checkpoints.to_safetensors,
}
READ = {
    "npz": checkpoints.from_npz,
    "compressed": checkpoints.from_npz,
    "safetensors": checkpoints.from_safetensors,
}

#: Names that are something else to NumPy, to zip, to safetensors or to a file system.
ODD_NAMES = [
    "file",
    "allow_pickle",
    "a",
    "a.npy",
    "a.npy.npy",
    "a.npy/b",
    "../evil",
    "/absolute",
    "x/../../y",
    "x//y",
    "x/./y",
    "x/",
    "..",
    "%2E%2E",
    "100%",
    "back\\slash",
    "nul\0in it",
    "line\nend",
    "é/漢字",
    "byte \udcff",
    "__metadata__",
    "%5F_metadata__",
    "__tfgraphtools__",
    "long/" + "x" * 40000,
]


@pytest.fixture(params=sorted(WRITE))
def kind(request):
    return request.param


def write_raw(prefix, tensors):
    """Writes {name: (type, shape, bytes)} as a checkpoint, byte for byte; returns the prefix."""
    entries, data = {}, b""
    for name, (dtype, shape, values) in tensors.items():
        number = dtypes.by_name(dtype, name).number if dtype != "variant" else dtypes.VARIANT
        values, crc = (
            string_tensors.encode(values) if dtype == "string" else (values, crc32c(values))
        )
        entries[name] = bundle.Entry(number, shape, 0, len(data), len(values), mask(crc))
        data += values
    with open(bundle.shard_path(str(prefix), 0, 1), "wb") as file:
        file.write(data)
    with open(str(prefix) + ".index", "wb") as file:
        file.write(bundle.serialize_index(bundle.Index(bundle.Header(), entries, {})))
    return str(prefix)


def write_floats(prefix, names):
    return write_raw(
        prefix, {name: ("float32", (), struct.pack("<f", i)) for i, name in enumerate(names)}
    )


def bits(ckpt, name):
    """Everything that must come back: type, shape, slices, and the bytes of the values."""
    tensor = ckpt.tensor(name)
    values = ckpt.raw(name)
    values = values.tolist() if values.dtype == object else values.tobytes()
    cut = [part.bounds for part in tensor.parts]
    return tensor.dtype, tensor.shape, tensor.partitioned, cut, values


def assert_same_checkpoint(path, expected):
    with checkpoints.open_checkpoint(path) as a, checkpoints.open_checkpoint(expected) as b:
        assert sorted(a) == sorted(b)
        for name in b:
            if not b.big_endian:
                assert bits(a, name) == bits(b, name), name


def there_and_back(kind, prefix, folder):
    """Converts to an archive and back; returns its path and the new prefix."""
    path = str(folder / ("archive." + ("safetensors" if kind == "safetensors" else "npz")))
    written = WRITE[kind](prefix, path)
    assert written.bytes == os.path.getsize(path)
    READ[kind](path, folder / "back")
    return path, folder / "back"


def assert_came_back(archive, back, prefix):
    """The archive and what was made of it hold what the checkpoint holds, to the bit."""
    assert_same_checkpoint(back, prefix)
    assert not checkpoints.diff(prefix, archive) and checkpoints.verify(archive).ok


# There and back ---------------------------------------------------------------


@pytest.mark.costly(in_ci=12)
@pytest.mark.parametrize("case", sorted(set(make_checkpoints.CASES) - {"many"}))
def test_what_tensorflow_wrote_comes_back(case, kind, prefix_of, tmp_path):
    archive, back = there_and_back(kind, prefix_of(case), tmp_path)
    assert_came_back(archive, back, prefix_of(case))


FOREIGN = {
    "bfloat16": np.arange(1 << 16, dtype=np.uint16),
    "float8_e5m2": np.arange(256, dtype=np.uint8),
    "float8_e4m3fn": np.arange(256, dtype=np.uint8),
    "float8_e4m3fnuz": np.arange(256, dtype=np.uint8),
    "float8_e4m3b11fnuz": np.arange(256, dtype=np.uint8),
    "float8_e5m2fnuz": np.arange(256, dtype=np.uint8),
    "float4_e2m1fn": np.arange(16, dtype=np.uint8),
    "qint8": np.arange(-128, 128).astype(np.int8),
    "quint8": np.arange(256, dtype=np.uint8),
    "qint16": np.arange(300, dtype=np.int16),
    "quint16": np.arange(300, dtype=np.uint16),
    "qint32": np.arange(300, dtype=np.int32),
    "int4": np.arange(-8, 8).astype(np.int8),
    "uint4": np.arange(16, dtype=np.uint8),
}


def test_every_value_of_the_types_that_numpy_lacks(kind, tmp_path):
    """Signalling NaNs, NaNs of every pattern and both zeros included."""
    prefix = write_raw(
        tmp_path / "model",
        {name: (name, (2, a.size // 2), a.tobytes()) for name, a in FOREIGN.items()},
    )
    path, back = there_and_back(kind, prefix, tmp_path)
    assert_came_back(path, back, prefix)
    if kind != "safetensors":
        with checkpoints.open_checkpoint(prefix) as ckpt, np.load(path) as arrays:
            for name in FOREIGN:  # what np.load shows are the values
                np.testing.assert_array_equal(arrays[name], ckpt[name], name)


def test_a_float4_with_something_in_its_other_half_is_refused(tmp_path):
    prefix = write_raw(tmp_path / "model", {"w": ("float4_e2m1fn", (1,), b"\x31")})
    with pytest.raises(UnreadableTensorError, match="float4"):
        checkpoints.to_npz(prefix, tmp_path / "a.npz")
    assert not (tmp_path / "a.npz").exists()


def test_odd_names(kind, tmp_path):
    prefix = write_floats(tmp_path / "model", ODD_NAMES)
    path, back = there_and_back(kind, prefix, tmp_path)
    assert_came_back(path, back, prefix)
    if kind == "safetensors":
        return
    with np.load(path) as arrays:
        for name in ("file", "allow_pickle", "a", "é/漢字"):
            assert arrays[name] == ODD_NAMES.index(name)
        values = [float(array) for array in arrays.values() if not array.ndim]
        assert sorted(values) == list(range(len(ODD_NAMES)))
    (tmp_path / "below").mkdir()
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if len(name) < 200:
                archive.extract(name, str(tmp_path / "below" / "folder"))
        assert not [n for n in archive.namelist() if ".." in n.split("/") or n.startswith("/")]
    assert os.listdir(str(tmp_path / "below")) == ["folder"]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(alphabet="%2E./npy_a\\\0\udcff", max_size=8), unique=True))
def test_no_two_names_get_one_key(names):
    for make in (manifests.npz_key, manifests.safetensors_key):
        keys = [make(name, i) for i, name in enumerate(names)]
        assert len(set(keys)) == len(names)
        assert manifests.KEY not in keys
    assert "__metadata__" not in keys


names = st.text(st.characters(blacklist_categories=("Cs",)), min_size=1, max_size=12).filter(
    lambda name: name[0] != "\0"
)


@st.composite
def tensors(draw):
    dtype = draw(st.sampled_from(make_checkpoints.NUMERIC + ["string", "bfloat16", "qint8"]))
    shape = tuple(draw(st.lists(st.integers(0, 4), max_size=4)))
    count = int(np.prod(shape, dtype=np.int64))
    if dtype == "string":
        return dtype, shape, draw(st.lists(st.binary(max_size=9), min_size=count, max_size=count))
    size = dtypes.by_name(dtype, "").size * count
    values = draw(st.binary(min_size=size, max_size=size))
    return dtype, shape, bytes(b & 1 for b in values) if dtype == "bool" else values


@settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow]
    + [HealthCheck.function_scoped_fixture] * hasattr(HealthCheck, "function_scoped_fixture"),
)
@given(contents=st.dictionaries(names, tensors(), min_size=1, max_size=5), data=st.data())
def test_random_checkpoints_come_back(contents, data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("random")
    prefix = write_raw(folder / "model", contents)
    archive, back = there_and_back(data.draw(st.sampled_from(sorted(WRITE))), prefix, folder)
    assert_came_back(archive, back, prefix)


def test_tensorflow_restores_what_comes_back(kind, prefix_of, tmp_path, v1):
    prefix = prefix_of("v2")
    path = str(tmp_path / "archive")
    WRITE[kind](prefix, path)
    READ[kind](path, str(tmp_path / "back"))
    reader, original = v1.train.NewCheckpointReader(str(tmp_path / "back")), prefix
    with checkpoints.open_checkpoint(original) as ckpt:
        assert set(reader.get_variable_to_shape_map()) == set(ckpt)
        for name in ckpt:
            if ckpt.info(name).dtype not in ("uint16", "uint32", "uint64"):
                value = np.asarray(reader.get_tensor(name))
                assert (
                    value.tobytes() == ckpt[name].tobytes() or value.tolist() == ckpt[name].tolist()
                )


# What other programs see --------------------------------------------------------


def assert_shows(arrays, prefix, encoded):
    with checkpoints.open_checkpoint(prefix) as ckpt:
        for name in set(ckpt) - set(encoded):
            array = arrays[name]
            assert (array.dtype, array.shape, array.tobytes()) == (
                ckpt[name].dtype,
                ckpt[name].shape,
                ckpt[name].tobytes(),
            )


@pytest.mark.parametrize("kind", ["npz", "compressed"])
def test_numpy_reads_it_without_pickle(kind, prefix_of, tmp_path):
    written = WRITE[kind](prefix_of("v2"), tmp_path / "a.npz")
    assert set(written.encoded) == {"string/vector", "string/scalar", "string/empty"}
    with np.load(str(tmp_path / "a.npz"), allow_pickle=False) as arrays:
        assert_shows(arrays, prefix_of("v2"), written.encoded)
    with zipfile.ZipFile(str(tmp_path / "a.npz")) as archive:
        assert archive.testzip() is None


def test_arrays_begin_at_multiples_of_64(prefix_of, tmp_path):
    checkpoints.to_npz(prefix_of("v2"), tmp_path / "a.npz")
    with checkpoints.open_archive(tmp_path / "a.npz") as archive:
        for name in ("float64/matrix", "complex128/cube", "int8/vector"):
            assert archive.raw(name).ctypes.data % 64 == 0


def test_the_library_reads_safetensors(prefix_of, tmp_path):
    library = pytest.importorskip("safetensors.numpy")
    written = checkpoints.to_safetensors(prefix_of("v2"), tmp_path / "a.safetensors")
    assert {name.split("/")[0] for name in written.encoded} == {"string", "complex64", "complex128"}
    arrays = library.load_file(str(tmp_path / "a.safetensors"))
    assert_shows(arrays, prefix_of("v2"), written.encoded)
    prefix = write_floats(tmp_path / "odd", ODD_NAMES)
    written = checkpoints.to_safetensors(prefix, tmp_path / "odd.safetensors")
    arrays = library.load_file(str(tmp_path / "odd.safetensors"))
    assert sorted(map(float, arrays.values())) == list(range(len(ODD_NAMES)))
    assert arrays["../evil"] == ODD_NAMES.index("../evil") and len(written.encoded) == 7


def test_a_plain_checkpoint_has_no_manifest(tmp_path):
    prefix = write_floats(tmp_path / "model", ["dense/kernel", "dense/bias"])
    assert not checkpoints.to_npz(prefix, tmp_path / "a.npz").encoded
    with np.load(str(tmp_path / "a.npz")) as arrays:
        assert sorted(arrays) == ["dense/bias", "dense/kernel"]
    checkpoints.to_safetensors(prefix, tmp_path / "a.safetensors")
    assert b"__metadata__" not in (tmp_path / "a.safetensors").read_bytes()


def test_equal_checkpoints_give_equal_files(kind, prefix_of, tmp_path):
    for name in ("one", "two"):
        WRITE[kind](prefix_of("v2"), tmp_path / name)
    if kind != "compressed":  # zipfile writes the time
        assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.parametrize("limit", [0, 500, 4000])
def test_large_members_and_large_files_take_64_bits(limit, prefix_of, tmp_path, monkeypatch):
    """As a file of more than 4 GiB would have it, at a smaller limit."""
    monkeypatch.setattr(npz_files, "_LIMIT", limit)
    monkeypatch.setattr(npz_files, "_MOST_MEMBERS", 3)
    path, back = there_and_back("npz", prefix_of("v2"), tmp_path)
    assert_came_back(path, back, prefix_of("v2"))
    with open(path, "rb") as file:
        data = file.read()
    assert (
        b"PK\6\6" in data and data[18:26] == b"\xff" * 8
    )  # sizes of the first member: see 64 bits
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None and len(archive.namelist()) > 90


def test_many_blocks(kind, tmp_path, monkeypatch):
    """A tensor of many blocks, whose checksums are joined: sizes that are no power of two."""
    monkeypatch.setattr(transfers, "CHUNK", 1000)
    values = np.random.RandomState(0).bytes(4 * 5003)
    prefix = write_raw(tmp_path / "m", {"w": ("float32", (5003,), values)})
    archive, back = there_and_back(kind, prefix, tmp_path)
    assert_came_back(archive, back, prefix)


# Files of other programs ----------------------------------------------------------


def foreign():
    matrix = np.arange(12, dtype=np.float32).reshape(3, 4)
    return {
        "w": matrix,
        "transposed": matrix.T,
        "strided": matrix[::2, ::3],
        "big": matrix.astype(">f4"),
        "scalar": np.array(3, np.int64),
        "empty": np.zeros((0, 3), np.float64),
        "bool": matrix > 5,
        "%41": np.ones(2, np.complex64),
    }


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed], ids=["stored", "deflated"])
def test_an_npz_of_numpy(save, tmp_path):
    text = {
        "bytes": np.array([b"a", b"", b"ccc"]),
        "text": np.array([["é", "b"]]),
        "nothing": np.zeros(3, "S0"),
    }
    save(str(tmp_path / "a.npz"), **dict(foreign(), **text))
    checkpoints.from_npz(tmp_path / "a.npz", tmp_path / "model")
    with checkpoints.open_checkpoint(tmp_path / "model") as ckpt:
        for name, array in foreign().items():
            np.testing.assert_array_equal(ckpt[name], array)
            assert (
                ckpt[name].dtype == array.dtype.newbyteorder("=")
                and ckpt[name].shape == array.shape
            )
        assert ckpt["bytes"].tolist() == [b"a", b"", b"ccc"]
        assert ckpt["text"].tolist() == [["é".encode(), b"b"]]
        assert ckpt["nothing"].tolist() == [b"", b"", b""]


def test_a_safetensors_of_the_library(tmp_path):
    library = pytest.importorskip("safetensors.numpy")
    arrays = {
        name: np.ascontiguousarray(a).reshape(a.shape)
        for name, a in foreign().items()
        # The versions for Python 3.8 and older know no complex numbers.
        if name != "big" and (a.dtype.kind != "c" or "C64" in library._TYPES)
    }
    library.save_file(arrays, str(tmp_path / "a.safetensors"), {"format": "np"})
    checkpoints.from_safetensors(tmp_path / "a.safetensors", tmp_path / "model")
    with checkpoints.open_checkpoint(tmp_path / "model") as ckpt:
        assert set(ckpt) == set(arrays)
        for name, array in arrays.items():
            assert ckpt[name].tobytes() == array.tobytes() and ckpt[name].shape == array.shape


@pytest.mark.parametrize(
    "array, said_of_type",
    [
        (np.array([{}], object), "pickle"),
        (np.zeros(2, "M8[s]"), "M8"),
        (np.zeros(2, "f4,i4"), "V8"),
        (np.zeros(2, "V2"), "V2"),
    ],
    ids=["objects", "dates", "records", "bfloat16 as bytes"],
)
def test_arrays_that_no_checkpoint_holds_are_refused_by_name(array, said_of_type, tmp_path):
    np.savez(str(tmp_path / "a.npz"), good=np.ones(2), bad=array)
    with pytest.raises(UnreadableTensorError, match=f"'bad.npy'.*{said_of_type}"):
        checkpoints.from_npz(tmp_path / "a.npz", tmp_path / "model")
    assert os.listdir(str(tmp_path)) == ["a.npz"]


def test_other_files_are_refused(tmp_path):
    with pytest.raises(CheckpointNotFoundError, match="no file"):
        checkpoints.open_archive(tmp_path / "none.npz")
    for data in (b"", b"PK\3\4", b"hello, world", b"\x02\0\0\0\0\0\0\0[]", b"\xff" * 20):
        (tmp_path / "a.npz").write_bytes(data)
        with pytest.raises(DamagedCheckpointError):
            checkpoints.open_archive(tmp_path / "a.npz")
    with zipfile.ZipFile(str(tmp_path / "a.npz"), "w") as archive:
        archive.writestr("model.json", "{}")
    with pytest.raises(UnreadableTensorError, match="model.json"):
        checkpoints.open_archive(tmp_path / "a.npz")


# Damage -------------------------------------------------------------------------


def test_a_damaged_tensor_is_not_exported(kind, model, tmp_path):
    shard = bundle.shard_path(model, 0, 1)
    data = bytearray(open(shard, "rb").read())
    with checkpoints.open_checkpoint(model) as ckpt:
        data[ckpt.info("float32/matrix").offset] ^= 1
    with open(shard, "wb") as file:
        file.write(data)
    before = files_of(tmp_path)
    with pytest.raises(DamagedCheckpointError, match="float32/matrix.*checksum"):
        WRITE[kind](model, tmp_path / "archive")
    assert files_of(tmp_path) == before


def test_every_flipped_byte_of_an_array_is_found(tmp_path):
    prefix = write_raw(tmp_path / "model", {"w": ("float32", (5,), b"abcd" * 5)})
    checkpoints.to_npz(prefix, tmp_path / "a.npz")
    good = (tmp_path / "a.npz").read_bytes()
    start = good.index(b"abcd")
    for at in range(start, start + 20):
        data = bytearray(good)
        data[at] ^= 0x10
        (tmp_path / "b.npz").write_bytes(bytes(data))
        with pytest.raises(DamagedCheckpointError, match="checksum"):
            checkpoints.from_npz(tmp_path / "b.npz", tmp_path / "back")
        assert checkpoints.verify(tmp_path / "b.npz").damaged == ["w"]


@pytest.mark.parametrize("kind", ["npz", "safetensors"])
def test_damaged_files_never_crash(kind, tmp_path):
    """Cut anywhere, or a byte changed anywhere: one of our errors, or a checkpoint."""
    prefix = write_raw(
        tmp_path / "model",
        {
            "w": ("float32", (2,), b"abcdefgh"),
            "s": ("string", (2,), [b"x", b"yz"]),
            "%": ("qint8", (), b"1"),
        },
    )
    WRITE[kind](prefix, tmp_path / "a")
    good = (tmp_path / "a").read_bytes()
    random = np.random.RandomState(0)
    cases = [good[:size] for size in range(0, len(good), 7)]
    for at in random.randint(0, len(good), 300):
        cases.append(good[:at] + bytes([random.randint(256)]) + good[at + 1 :])
    outcomes = set()
    for data in cases:
        (tmp_path / "b").write_bytes(data)
        try:
            READ[kind](tmp_path / "b", tmp_path / "back", overwrite=True)
            outcomes.add("read")
        except TfgraphtoolsError as error:
            outcomes.add(type(error).__name__)
    assert {"read", "DamagedCheckpointError"} <= outcomes


@pytest.mark.parametrize(
    "note",
    [
        {"w": {"dtype": "string"}},
        {"w": {"shape": [3]}},
        {"w": {"shape": [-2]}},
        {"w": {"dtype": "float64"}},
        {"w": {"dtype": "bfloat16"}},
        {"w": {"slices": [[[0, 1]]]}},
        {"w": {"slices": [[[0, 2]], [[1, 1]]]}},
        {"w": {"name": "v"}},
        {"w": {"name": 3}},
        {"w": {"other": 3}},
        {"u": {"name": "x"}},
    ],
    ids=json.dumps,
)
def test_a_manifest_that_contradicts_the_arrays(note, tmp_path):
    text = json.dumps({"version": 1, "tensors": note}).encode()
    arrays = {"w": np.array([1.1, 2.2], np.float32), "v": np.zeros(1, np.float32)}
    np.savez(
        str(tmp_path / "a.npz"), **dict(arrays, __tfgraphtools__=np.frombuffer(text, np.uint8))
    )
    with pytest.raises(TfgraphtoolsError):
        checkpoints.from_npz(tmp_path / "a.npz", tmp_path / "model")
    assert os.listdir(str(tmp_path)) == ["a.npz"]


# Destinations -------------------------------------------------------------------


def test_destinations(kind, prefix_of, tmp_path, monkeypatch):
    path = tmp_path / "archive"
    path.write_bytes(b"old")
    with pytest.raises(DestinationError, match="overwrite=True"):
        WRITE[kind](prefix_of("v2"), path)
    with pytest.raises(DestinationError, match="mkdir -p"):
        WRITE[kind](prefix_of("v2"), tmp_path / "none" / "archive")
    with pytest.raises(DestinationError, match="folder"):
        WRITE[kind](prefix_of("v2"), tmp_path, overwrite=True)
    with monkeypatch.context() as patch:

        def full(*unused, **named):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        patch.setattr(os, "pwrite", full)
        patch.setattr(zipfile.ZipFile, "open", full)
        with pytest.raises(DestinationError, match="No space left.*Nothing was changed"):
            WRITE[kind](prefix_of("v2"), path, overwrite=True)
    assert files_of(tmp_path) == {"archive": b"old"}
    WRITE[kind](prefix_of("v2"), path, overwrite=True)
    assert list(files_of(tmp_path)) == ["archive"] and path.read_bytes() != b"old"


def test_a_variant_is_refused_before_anything_is_written(kind, tmp_path):
    prefix = write_raw(
        tmp_path / "model", {"w": ("float32", (), b"abcd"), "v": ("variant", (), b"")}
    )
    before = files_of(tmp_path)
    with pytest.raises(UnreadableTensorError, match=r"'v' \(variant\).*ckpt strip"):
        WRITE[kind](prefix, tmp_path / "archive")
    assert files_of(tmp_path) == before


def test_progress_ends_at_the_whole(kind, prefix_of, tmp_path):
    seen = []
    WRITE[kind](prefix_of("v2"), tmp_path / "a", progress=lambda *amounts: seen.append(amounts))
    assert seen[-1][0] == seen[-1][1] > 0 and seen == sorted(seen)


def test_diff_finds_what_differs_from_an_archive(kind, prefix_of, tmp_path):
    path = str(tmp_path / "a.npz")
    WRITE[kind](prefix_of("v2"), path)
    with checkpoints.open_checkpoint(prefix_of("v2")) as ckpt:
        other = ckpt["float32/matrix"] + 1
        changed = checkpoints.plan(ckpt, drop="float32/matrix", add={})
        changed.apply(tmp_path / "less")
        checkpoints.plan(ckpt, drop="int8/.*").apply(tmp_path / "fewer")
    assert checkpoints.diff(path, tmp_path / "less").missing == ["float32/matrix"]
    with checkpoints.open_checkpoint(tmp_path / "less") as ckpt:
        checkpoints.plan(ckpt, add={"float32/matrix": other}).apply(tmp_path / "more")
    assert [c.name for c in checkpoints.diff(path, tmp_path / "more").changed] == ["float32/matrix"]


# The command line -----------------------------------------------------------------


@pytest.mark.parametrize("form", ["npz", "safetensors"])
def test_convert_there_and_back(form, model, tmp_path, capsys):
    archive, back = str(tmp_path / ("a." + form)), str(tmp_path / "back")
    assert main(["ckpt", "convert", model, archive, "--to", form, "--dry-run"]) == 0
    assert "string as uint8" in capsys.readouterr().out and not os.path.exists(archive)
    assert main(["ckpt", "convert", model, archive, "--to", form]) == 0
    assert "93 tensors" in capsys.readouterr().out
    assert main(["ckpt", "convert", archive, back, "--to", "tf1"]) == 0
    assert main(["ckpt", "diff", model, back]) == 0 and main(["ckpt", "diff", model, archive]) == 0
    capsys.readouterr()
    assert main(["ckpt", "convert", model, archive, "--to", form]) == 2
    assert "--force" in capsys.readouterr().err
    assert main(["ckpt", "convert", model, archive, "--to", "frozen"]) == 2
    assert "--outputs" in capsys.readouterr().err


def test_shards_and_their_index(tmp_path):
    arrays = {f"net/w{i}": np.full((10, i + 1), i, np.float32) for i in range(5)}
    np.savez(str(tmp_path / "in.npz"), **arrays)
    folder = tmp_path / "shards"
    checkpoints.to_safetensors(tmp_path / "in.npz", folder, max_shard_size=200)
    index = json.loads((folder / "model.safetensors.index.json").read_text())
    assert index["metadata"]["total_size"] == sum(array.nbytes for array in arrays.values())
    assert sorted(index["weight_map"]) == sorted(arrays)
    assert len(set(index["weight_map"].values())) == 4
    for name, file in index["weight_map"].items():
        with checkpoints.open_archive(folder / file) as shard:
            assert np.array_equal(shard[name], arrays[name])
    checkpoints.to_safetensors(tmp_path / "in.npz", folder, overwrite=True, max_shard_size=10**6)
    assert [path.name for path in folder.iterdir()] == ["model.safetensors"]
