"""Checkpoint files for tests: where they are, copies of them, and some written by hand."""

import pathlib
import sys

from places import CHECKOUT, ROOT

from tfgraphtools import checkpoints
from tfgraphtools.checkpoints.format import bundle, string_tensors
from tfgraphtools.checkpoints.format.checksums.crc32c import crc32c, mask

sys.path.insert(0, str(ROOT / "scripts" / "generate"))

import make_checkpoints  # noqa: E402, F401  (tests take it from here)

#: Real checkpoints from public repositories, beside the project if they are there.
REAL = CHECKOUT.parent / "shared" / "data" / "checkpoints"


def copy_checkpoint(source, destination):
    """Copies the files of a prefix and returns the new prefix."""
    source, destination = pathlib.Path(str(source)), pathlib.Path(str(destination))
    destination.parent.mkdir(parents=True, exist_ok=True)
    for path in source.parent.iterdir():
        if path.name == source.name or path.name.startswith((source.name + ".", source.name + "-")):
            target = destination.parent / (destination.name + path.name[len(source.name) :])
            target.write_bytes(path.read_bytes())
    return str(destination)


def files_of(folder):
    """{relative path: bytes} of everything below a folder."""
    folder = pathlib.Path(str(folder))
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def assert_same(found, expected):
    """Equal in type, shape and every bit."""
    assert found.shape == expected.shape
    if expected.dtype == object:
        assert found.tolist() == expected.tolist()
    else:
        assert found.dtype == expected.dtype and found.tobytes() == expected.tobytes()


def write_first(prefix):
    """The smallest checkpoint: one scalar."""
    with open(bundle.shard_path(str(prefix), 0, 1), "wb") as file:
        file.write(b"\0\0\0\0")
    entry = bundle.Entry(1, (), 0, 0, 4, mask(crc32c(b"\0\0\0\0")))
    with open(str(prefix) + ".index", "wb") as file:
        file.write(bundle.serialize_index(bundle.Index(bundle.Header(), {"first": entry}, {})))
    return str(prefix)


def big_endian_copy(source, prefix):
    """What a big-endian machine would have written, as TF's reader expects it."""
    with checkpoints.open_checkpoint(source) as ckpt:
        index, data = ckpt.store.index, bytearray()
        for name, entry in index.entries.items():
            if entry.dtype == 7:
                payload, crc = string_tensors.encode(ckpt[name].ravel().tolist(), big_endian=True)
            else:
                array = ckpt[name]
                payload = array.astype(array.dtype.newbyteorder(">")).tobytes()
                crc = crc32c(payload)
            index.entries[name] = entry._replace(offset=len(data), size=len(payload), crc=mask(crc))
            data += payload
        index = index._replace(header=index.header._replace(big_endian=True))
    with open(bundle.shard_path(prefix, 0, 1), "wb") as file:
        file.write(data)
    with open(prefix + ".index", "wb") as file:
        file.write(bundle.serialize_index(index))
