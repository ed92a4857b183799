"""The files of a checkpoint, open for reading: memory maps for views, plain reads for streams.

A map makes slices of huge tensors cheap. Whatever passes over whole tensors
(checks, copies, casts) reads through a buffer instead, so that the memory of the
process stays flat however large the checkpoint is.
"""

import mmap
import os

from tfgraphtools import regular_files
from tfgraphtools.checkpoints.format.wire import Malformed
from tfgraphtools.checkpoints.read import positioned
from tfgraphtools.errors import SourceChangedError

#: Bytes per read of a stream: large enough to be fast, small enough to stay in the cache.
CHUNK = 1 << 20


class File:
    """One file, opened at once and mapped on first use. It remembers what it was like."""

    def __init__(self, path):
        self.path = path
        regular_files.require(path)  # to open a pipe waits for a writer
        self._descriptor = os.open(path, positioned.READ)
        self._before = _signature(os.fstat(self._descriptor))
        self.size = self._before[2]
        self._map = None

    def view(self, offset, size):
        """Returns a read-only memoryview of a range."""
        self.require(offset, size)
        if not size:
            return memoryview(b"")
        if self._map is None:
            self._map = memoryview(mmap.mmap(self._descriptor, self.size, access=mmap.ACCESS_READ))
        return self._map[offset : offset + size]

    def chunks(self, offset, size, multiple=1):
        """Yields a range as bytes objects; all but the last are multiples of ``multiple``."""
        self.require(offset, size)
        step = max(multiple, CHUNK // multiple * multiple)
        end = offset + size
        while offset < end:
            chunk = positioned.pread(self._descriptor, min(step, end - offset), offset)
            if not chunk:
                raise Malformed("a file that became shorter while it was read")
            if len(chunk) < min(step, end - offset):  # a read may give less than was asked for
                chunk = self._rest_of(chunk, offset, min(step, end - offset))
            offset += len(chunk)
            yield chunk

    def passing(self, offset, size):
        """Yields a range as views of one buffer, each of which the next one overwrites.

        For what is written elsewhere at once: memory of this size is given back to the system and
        taken again for every chunk, which takes longer than the copy.
        """
        if not hasattr(os, "preadv"):
            yield from self.chunks(offset, size)
            return
        self.require(offset, size)
        buffer = memoryview(bytearray(min(CHUNK, size)))
        while size:
            count = os.preadv(self._descriptor, [buffer[: min(len(buffer), size)]], offset)
            if not count:
                raise Malformed("a file that became shorter while it was read")
            yield buffer[:count]
            offset, size = offset + count, size - count

    def _rest_of(self, chunk, offset, size):
        pieces, have = [chunk], len(chunk)
        while have < size:
            piece = positioned.pread(self._descriptor, size - have, offset + have)
            if not piece:
                raise Malformed("a file that became shorter while it was read")
            pieces.append(piece)
            have += len(piece)
        return b"".join(pieces)

    def read(self, offset, size):
        """Returns a range as one bytes object."""
        return b"".join(self.chunks(offset, size))

    def release(self):
        """Lets go of the map: its memory is free when no array views it any more."""
        self._map = None

    def source(self):
        """Returns what zipfile opens: the path of a local file, a stream of a remote one."""
        return self.path

    def read_all(self):
        """Returns the whole file, for one that is small: an index."""
        return self.read(0, self.size)

    def state(self):
        """Returns what happened to the file since: "same", "written" or "removed"."""
        if self._descriptor is not None and _signature(os.fstat(self._descriptor)) != self._before:
            return "written"
        try:
            return "same" if _signature(os.stat(self.path)) == self._before else "written"
        except OSError:
            return "removed"

    def check_unchanged(self):
        """Raises `SourceChangedError` if what was read may not be what was opened.

        A file that was removed is still what it was: it stays readable while it is open.
        """
        if self.state() == "written":
            raise SourceChangedError(
                self.path,
                "a file that stays as it was opened",
                "one that was written in the meantime",
                "Wait until the writer is done, then start again.",
            )

    def require(self, offset, size):
        """Raises `Malformed` unless the file has these bytes."""
        if offset < 0 or offset + size > self.size:
            raise Malformed(
                f"bytes {offset} to {offset + size} of a file of {self.size}: cut short"
            )

    def close(self):
        """Gives the descriptor back; arrays that view the map keep the map alive."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = self._map = None

    def __del__(self):
        if getattr(self, "_descriptor", None) is not None:
            self.close()


def opened(path):
    """Returns the open `File` of a path, or the `RemoteFile` of a URL.

    Raises:
      FileNotFoundError: there is none.
    """
    if "://" in path:
        from tfgraphtools.checkpoints.read.remote import file, urls

        if urls.is_url(path):
            return file.RemoteFile(path)
    return File(path)


def exists(path):
    """Tells whether there is a file at a path or a URL."""
    if "://" in path:
        from tfgraphtools.checkpoints.read.remote import urls

        if urls.is_url(path):
            return urls.exists(path)
    return os.path.isfile(path)


def _signature(stat):
    """Returns what a writer must change. Links to a file do not change it, so no ctime."""
    return stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns
