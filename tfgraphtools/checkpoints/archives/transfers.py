"""The bytes of the contents, checked and copied by two threads some megabytes at a time.

Reading, both checksums and writing let other Python threads run meanwhile, so that
two of them are as fast as `cp`, which computes no checksum.
"""

import zlib

from tfgraphtools.checkpoints.format.checksums import joined_crc
from tfgraphtools.checkpoints.format.checksums.crc32c import crc32c, mask
from tfgraphtools.checkpoints.format.wire import Malformed, reading
from tfgraphtools.checkpoints.plans.streams import mapped_ahead
from tfgraphtools.checkpoints.read import positioned
from tfgraphtools.checkpoints.read.local_files import CHUNK


class _Block:
    """A piece of a content: where it goes, and its data or where they are read."""

    __slots__ = ("at", "size", "data", "file", "offset")

    def __init__(self, at, size, data=None, file=None, offset=0):
        self.at, self.size, self.data, self.file, self.offset = at, size, data, file, offset


class Transfer:
    """Writes contents to places in an open file.

    Args:
      descriptor: of the file.
      place: the checkpoint's prefix, for errors.
      zip_checksums: compute those too.
      progress: called with (bytes done, bytes in all).
    """

    def __init__(self, descriptor, place, zip_checksums, progress):
        self._descriptor, self._place = descriptor, place
        self._zip_checksums, self._progress = zip_checksums, progress

    def run(self, placed):
        """Writes [(content, offset)]; returns the zip checksum of each, or 0."""
        total = sum(content.bytes for content, _ in placed)
        results = mapped_ahead(self._write, self._blocks(placed))
        checksums, done = [], 0
        for content, _ in placed:
            crc = crc_32 = size = 0
            while size < content.bytes:
                with reading(f"{self._place}: {content.name!r}"):
                    block_size, block_crc, block_crc_32 = next(results)
                crc = joined_crc.joined(joined_crc.CRC32C, crc, block_crc, block_size)
                crc_32 = joined_crc.joined(joined_crc.CRC32, crc_32, block_crc_32, block_size)
                size += block_size
                done += block_size
                self._progress(done, total)
            with reading(f"{self._place}: {content.name!r}"):
                if content.source and mask(crc) != content.source[2]:
                    raise Malformed("checksum")
            checksums.append(crc_32)
        return checksums

    def _blocks(self, placed):
        for content, at in placed:
            if content.source is None:
                for data in content.blocks():
                    size = len(data) if isinstance(data, bytes) else data.nbytes
                    if size:
                        yield _Block(at, size, data=data)
                    at += size
                continue
            file, offset, _ = content.source
            for start in range(0, content.bytes, CHUNK):
                size = min(CHUNK, content.bytes - start)
                yield _Block(at + start, size, file=file, offset=offset + start)

    def _write(self, block):
        """Returns (size, crc32c, crc32) of a written block; the first two threads do this."""
        data = block.data if block.file is None else block.file.read(block.offset, block.size)
        crc = crc32c(data) if block.file is not None else 0
        crc_32 = zlib.crc32(data) if self._zip_checksums else 0
        write_at(self._descriptor, data, block.at)
        return block.size, crc, crc_32


def write_at(descriptor, data, offset):
    """Writes all of a buffer at an offset: one call may write less."""
    view = memoryview(data).cast("B")
    while len(view):
        written = positioned.pwrite(descriptor, view, offset)
        view, offset = view[written:], offset + written
