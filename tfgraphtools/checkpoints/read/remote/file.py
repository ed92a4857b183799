"""One file behind a URL, read by ranges: gs://, s3://, hdfs://, https:// and all that fsspec knows.

Small reads go through a cache of blocks; large ones ask for their own range. What a
server returns is counted: a range that is too short is asked for again, and never taken
for the whole. Whole tensors are then compared with their checksums, as those of local files.
"""

import collections
import errno
import io
import threading

from tfgraphtools.checkpoints.format.wire import Malformed
from tfgraphtools.checkpoints.read.remote import http_ranges, requests
from tfgraphtools.errors import RemoteError, SourceChangedError

#: Bytes of a block of the cache, blocks that a file keeps, and bytes per large request.
BLOCK, KEPT, REQUEST = 1 << 16, 64, 8 << 20
#: What file systems call the version of a file: S3, HTTP, Google's, Azure's, the others.
_VERSION = ("ETag", "etag", "Last-Modified", "Content-MD5", "LastModified", "generation")
_VERSION += ("last_modified", "mtime", "created")


class RemoteFile:
    """One file behind a URL, with the questions of `local_files.File`.

    Args:
      url: where it is.

    Raises:
      FileNotFoundError: there is none.
      RemoteError: the server does not answer, or does not say how long the file is.
      MissingExtraError: fsspec, or the package that it needs for such URLs, is not installed.
    """

    def __init__(self, url):
        self.path = url
        self._system, self._name = requests.file_system(url)
        self._before = self._signature()
        self.size = self._before[0]
        self._blocks = collections.OrderedDict()
        self._lock = threading.Lock()

    def _signature(self):
        info = requests.asked(self.path, lambda: self._system.info(self._name))
        if info.get("type") == "directory":
            raise FileNotFoundError(2, "a folder", self.path)
        size = info.get("size")
        if size is None:
            raise RemoteError(
                self.path,
                "a server that says how long the file is",
                "no Content-Length",
                "Copy the file to this machine first.",
            )
        return (int(size), *(str(info.get(key)) for key in _VERSION))

    def _range(self, start, stop):
        """Returns the bytes of a range, all of them."""
        if start >= stop:
            return b""

        def ask():
            data = self._asked_for(start, stop)
            if len(data) == stop - start:
                return bytes(data)
            if len(data) == self.size:
                raise http_ranges.NoRanges()
            raise OSError(f"{len(data)} of {stop - start} bytes")

        try:
            return requests.asked(self.path, ask)
        except http_ranges.NoRanges:
            raise RemoteError(
                self.path,
                "a server that answers requests for ranges",
                "the whole file each time",
                "Copy the file to this machine first.",
            ) from None
        except http_ranges.Changed:
            raise self._changed() from None

    def _asked_for(self, start, stop):
        if not http_ranges.is_http(self._system):
            return self._system.cat_file(self._name, start=start, end=stop)
        version = self._before[1 + _VERSION.index("ETag")]
        version = None if version == "None" else version
        return http_ranges.read(self._system, self._name, start, stop, self.size, version)

    def _block(self, number):
        with self._lock:
            if number in self._blocks:
                self._blocks.move_to_end(number)
                return self._blocks[number]
        data = self._range(number * BLOCK, min((number + 1) * BLOCK, self.size))
        with self._lock:
            self._blocks[number] = data
            while len(self._blocks) > KEPT:
                self._blocks.popitem(last=False)
        return data

    def read(self, offset, size):
        """Returns a range as one bytes object."""
        self.require(offset, size)
        if size > 4 * BLOCK:
            return b"".join(self.chunks(offset, size))
        pieces, end = [], offset + size
        while offset < end:
            number = offset // BLOCK
            start = offset - number * BLOCK
            piece = self._block(number)[start : start + end - offset]
            pieces.append(piece)
            offset += len(piece)
        return b"".join(pieces)

    def release(self):
        """Releases nothing: what was read belongs to the arrays."""

    def source(self):
        """Returns a stream with the methods that zipfile asks of a file."""
        return io.BufferedReader(_Stream(self), BLOCK)

    def read_all(self):
        """Returns the whole file, for one that is small: an index."""
        return self._range(0, self.size)

    def view(self, offset, size):
        """Returns a read-only memoryview of a range."""
        return memoryview(self.read(offset, size))

    def chunks(self, offset, size, multiple=1):
        """Yields a range as bytes objects; all but the last are multiples of ``multiple``."""
        self.require(offset, size)
        step, end = max(multiple, REQUEST // multiple * multiple), offset + size
        while offset < end:
            chunk = self._range(offset, min(offset + step, end))
            offset += len(chunk)
            yield chunk

    passing = chunks

    def state(self):
        """Returns what happened to the file since: "same", "written" or "removed"."""
        self._system.invalidate_cache(self._name)
        try:
            return "same" if self._signature() == self._before else "written"
        except FileNotFoundError:
            return "removed"

    def check_unchanged(self):
        """Raises `SourceChangedError` if what was read may not be what was opened."""
        if self.state() != "same":
            raise self._changed()

    def _changed(self):
        return SourceChangedError(
            self.path,
            "a file that stays as it was opened",
            "one that was written or removed in the meantime",
            "Wait until the writer is done, then start again.",
        )

    def require(self, offset, size):
        """Raises `Malformed` unless the file has these bytes."""
        if offset < 0 or offset + size > self.size:
            raise Malformed(
                f"bytes {offset} to {offset + size} of a file of {self.size}: cut short"
            )

    def close(self):
        """Drops the blocks."""
        self._blocks.clear()


class _Stream(io.RawIOBase):
    """A `RemoteFile` with a position in it."""

    def __init__(self, file):
        super().__init__()
        self._file, self._at = file, 0

    def readable(self):
        return True

    def seekable(self):
        return True

    def tell(self):
        return self._at

    def seek(self, offset, whence=io.SEEK_SET):
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._file.size}[whence]
        if start + offset < 0:
            raise OSError(errno.EINVAL, "a place before the beginning of the file")
        self._at = start + offset
        return self._at

    def readinto(self, buffer):
        size = max(0, min(len(buffer), self._file.size - self._at))
        buffer[:size] = self._file.read(self._at, size)
        self._at += size
        return size
