"""A checkpoint as ``.npz`` or ``.safetensors``, in a few megabytes of memory."""

import collections
import os
import zlib
from typing import Any, Optional

from tfgraphtools.checkpoints.archives import archive_shards
from tfgraphtools.checkpoints.archives import contents as _contents
from tfgraphtools.checkpoints.archives.transfers import Transfer, write_at
from tfgraphtools.checkpoints.format import (
    dtypes,
    manifests,
    npz_files,
    safetensors_files,
)
from tfgraphtools.checkpoints.format.checksums import joined_crc
from tfgraphtools.checkpoints.format.type_hints import Path, Progress
from tfgraphtools.checkpoints.plans.replacement import replacing
from tfgraphtools.checkpoints.read import positioned
from tfgraphtools.checkpoints.read.checkpoint import Checkpoint, Source
from tfgraphtools.checkpoints.read.opening import as_checkpoint, opened

#: What was written. ``encoded`` are the names of the tensors that only the manifest explains:
#: {name: how the archive stores it}.
Archive = collections.namedtuple("Archive", "path tensors bytes encoded")

NPZ = _contents.Style(manifests.npz_key, dtypes.IN_NUMPY, wide=dtypes.FOREIGN_FLOATS)
SAFETENSORS = _contents.Style(
    manifests.safetensors_key, safetensors_files.CODES, complex_as_pairs=True
)


def to_npz(
    checkpoint: Source,
    path: Path,
    compress: bool = False,
    overwrite: bool = False,
    progress: Progress = None,
) -> Any:
    """Writes a checkpoint as an ``.npz`` file that ``np.load`` reads without pickle.

    Every array is under its tensor's name, in its type and shape. What an npz cannot say is in
    one more array, ``__tfgraphtools__`` (JSON, there only if needed), from which `from_npz`
    makes the very same checkpoint: names that are no safe path (``../a``, ``a.npy``), bfloat16
    and float8 (stored as float32, exactly), strings (stored as uint8), slices of partitioned
    variables (stored in one piece), quantized types.

    Args:
      checkpoint: as in `open_checkpoint`, or an open one.
      path: the file to write; the name is taken as it is.
      compress: deflate the arrays, which takes some 30 times as long; trained weights hardly
        become smaller.
      overwrite: replace a file that is there.
      progress: called now and then with (bytes done, bytes in all).

    Returns:
      An `Archive`: path, number of tensors, bytes, and {name: how it is stored} of those that
      are not stored plainly.

    Example:
      >>> to_npz("model.ckpt-1000", "model.npz")                       # doctest: +SKIP
      >>> np.load("model.npz")["dense/kernel"]

    Raises:
      UnreadableTensorError: a variant or a resource, which has no array.
      DamagedCheckpointError: a tensor's bytes are not what was written.
      DestinationError: the path is taken, its folder is missing, or the disk is full.
    """
    write = _write_compressed if compress else _write_npz
    return _export(checkpoint, path, NPZ, write, overwrite, progress)


def to_safetensors(
    checkpoint: Source,
    path: Path,
    overwrite: bool = False,
    progress: Progress = None,
    max_shard_size: Optional[int] = None,
) -> Any:
    """Writes a checkpoint as a ``.safetensors`` file, which the library of that name reads.

    Every tensor is under its name, in its type (bfloat16 and two float8 included) and shape.
    What the format cannot say is in its metadata, under ``__tfgraphtools__`` (JSON, there only
    if needed), from which `from_safetensors` makes the very same checkpoint: a tensor called
    ``__metadata__``, complex numbers (stored as pairs), strings (stored as U8), slices of
    partitioned variables (stored in one piece), quantized types.

    Args:
      checkpoint, path, overwrite, progress: as in `to_npz`.
      max_shard_size: in bytes. The path is then a folder, of ``model.safetensors`` or of several
        files and their index; a tensor that is larger gets a file of its own.

    Returns:
      An `Archive`, as `to_npz`.

    Example:
      >>> to_safetensors("model.ckpt-1000", "model.safetensors")       # doctest: +SKIP

    Raises:
      UnreadableTensorError, DamagedCheckpointError, DestinationError: as `to_npz`.
    """
    if max_shard_size is not None:
        return _export_shards(checkpoint, path, max_shard_size, overwrite, progress)
    return _export(checkpoint, path, SAFETENSORS, _write_safetensors, overwrite, progress)


def _export_shards(checkpoint, path, max_shard_size, overwrite, progress):
    path = os.fspath(path)
    with opened(checkpoint) as ckpt:
        contents = _contents.contents(ckpt, SAFETENSORS)

        def write_file(at, group):
            _write_file(at, group, _write_safetensors, ckpt.prefix, progress)

        folder_with = (archive_shards.WEIGHTS, archive_shards.INDEX)
        with replacing(path, overwrite, folder_with=folder_with) as staged:
            os.mkdir(staged)
            archive_shards.write(
                staged, contents, lambda entry: entry.bytes, max_shard_size, write_file
            )
            size = sum(entry.stat().st_size for entry in os.scandir(staged))
            ckpt.check_unchanged()
    return Archive(path, len(contents), size, _encoded(contents))


def _export(checkpoint, path, style, write, overwrite, progress):
    path, ckpt = os.fspath(path), as_checkpoint(checkpoint)
    try:
        contents = _contents.contents(ckpt, style)
        with replacing(path, overwrite) as staged:
            size = _write_file(staged, contents, write, ckpt.prefix, progress)
            ckpt.check_unchanged()
    finally:
        if not isinstance(checkpoint, Checkpoint):
            ckpt.close()
    return Archive(path, len(contents), size, _encoded(contents))


def _write_file(path, contents, write, place, progress):
    """Writes one new file; returns its size."""
    manifest = manifests.dump({content.key: content.note for content in contents})
    descriptor = os.open(path, positioned.CREATE, 0o666)
    try:
        write(descriptor, contents, manifest, place, progress or _silent)
        return os.fstat(descriptor).st_size
    finally:
        os.close(descriptor)


#: A tensor that would be written; ``words`` say how if not plainly.
Preview = collections.namedtuple("Preview", "name dtype shape words")


def preview(checkpoint, kind):
    """Returns [`Preview`] of every tensor, without writing; ``kind`` is "npz" or "safetensors"."""
    ckpt = as_checkpoint(checkpoint)
    try:
        contents = _contents.contents(ckpt, NPZ if kind == "npz" else SAFETENSORS)
        words = _encoded(contents)
        return [
            Preview(name, info.dtype, info.shape, words.get(name, ""))
            for name, info in ((content.name, ckpt.info(content.name)) for content in contents)
        ]
    finally:
        if not isinstance(checkpoint, Checkpoint):
            ckpt.close()


def _silent(done, total):
    pass


def _encoded(contents):
    """Returns {name: how it is stored}, of the tensors that are not stored plainly."""
    out = collections.OrderedDict()
    for content in contents:
        note, words = content.note, []
        if note.name is not None:
            words.append(f"under {content.key!r}")
        if note.dtype is not None:
            words.append(f"{note.dtype} as {content.dtype.name}")
        if note.slices is not None:
            words.append(f"{len(note.slices)} slices in one piece")
        if words:
            out[content.name] = ", ".join(words)
    return out


def _write_safetensors(descriptor, contents, manifest, place, progress):
    metadata = {manifests.KEY: manifest} if manifest else {}
    begin, placed = safetensors_files.layout(contents, metadata, place)
    Transfer(descriptor, place, False, progress).run(placed)
    write_at(descriptor, begin, 0)


def _with_manifest(contents, manifest):
    """Returns the contents and, if there is one, the manifest as an array of its bytes."""
    if not manifest:
        return contents
    data, uint8 = manifest.encode("ascii"), dtypes.by_number(4)
    shape, nothing = (len(data),), manifests.NOTHING
    blocks = [data]
    last = _contents.Content(
        "", manifests.KEY, uint8, shape, len(data), None, lambda: blocks, nothing
    )
    return contents + [last]


def _write_npz(descriptor, contents, manifest, place, progress):
    layout, placed, headers = npz_files.Layout(), [], []
    for content in _with_manifest(contents, manifest):
        offset, header = layout.add(content.key, content.dtype, content.shape)
        placed.append((content, offset))
        headers.append(header)
    sums = Transfer(descriptor, place, True, progress).run(placed)
    sums = [
        joined_crc.joined(joined_crc.CRC32, zlib.crc32(header), crc, content.bytes)
        for (content, _), header, crc in zip(placed, headers, sums)
    ]
    for offset, record in layout.records(sums):
        write_at(descriptor, record, offset)


def _write_compressed(descriptor, contents, manifest, place, progress):
    import zipfile

    contents = _with_manifest(contents, manifest)
    total, done = sum(content.bytes for content in contents), 0
    with open(descriptor, "wb", closefd=False) as out, zipfile.ZipFile(out, "w") as archive:
        for content in contents:
            info = zipfile.ZipInfo(content.key + ".npy")
            info.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(info, "w", force_zip64=True) as member:
                member.write(npz_files.array_header(content.dtype, content.shape))
                for data in _contents.checked_blocks(content, place):
                    member.write(data)
                    done += len(data)
                    progress(done, total)
