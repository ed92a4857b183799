"""Files behind a URL, read by ranges: gs://, s3://, hdfs://, https:// and all that fsspec knows.

Small reads go through a cache of blocks; large ones ask for their own range. What a
server returns is counted: a range that is too short is asked for again, and never taken
for the whole. Whole tensors are then compared with their checksums, as those of local files.
"""

import collections
import errno
import importlib
import io
import os
import re
import threading
import time

from tfgraphtools.checkpoints.format.wire import Malformed
from tfgraphtools.checkpoints.read import http_ranges
from tfgraphtools.errors import MissingExtraError, RemoteError, SourceChangedError

#: Bytes of a block of the cache, blocks that a file keeps, and bytes per large request.
BLOCK, KEPT, REQUEST = 1 << 16, 64, 8 << 20
#: Requests for one range before it is given up, and seconds before the second one.
ATTEMPTS, PAUSE = 5, 0.1

_URL = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]+)://")
#: What file systems call the version of a file: S3, HTTP, Google's, Azure's, the others.
_VERSION = ("ETag", "etag", "Last-Modified", "Content-MD5", "LastModified", "generation")
_VERSION += ("last_modified", "mtime", "created")
#: What asking again does not change.
_FINAL = (FileNotFoundError, PermissionError, IsADirectoryError, NotImplementedError)


def is_url(path):
    """Whether a path is a URL and no path of this machine."""
    return isinstance(path, str) and bool(_URL.match(path))


class RemoteFile:
    """One file behind a URL, with the questions of `files.File`.

    Args:
      url: where it is.

    Raises:
      FileNotFoundError: there is none.
      RemoteError: the server does not answer, or does not say how long the file is.
      MissingExtraError: fsspec, or the package that it needs for such URLs, is not installed.
    """

    def __init__(self, url):
        self.path = url
        self._system, self._name = _system(url)
        self._before = self._signature()
        self.size = self._before[0]
        self._blocks = collections.OrderedDict()
        self._lock = threading.Lock()

    def _signature(self):
        info = _asked(self.path, lambda: self._system.info(self._name))
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
        """The bytes of a range, all of them."""
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
            return _asked(self.path, ask)
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
        """A range as one bytes object."""
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
        """Nothing: what was read belongs to the arrays."""

    def source(self):
        """A stream with the methods that zipfile asks of a file."""
        return io.BufferedReader(_Stream(self), BLOCK)

    def read_all(self):
        """The whole file, for one that is small: an index."""
        return self._range(0, self.size)

    def view(self, offset, size):
        """A read-only memoryview of a range."""
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
        """ "same", "written" or "removed": what happened to the file since it was opened."""
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


def exists(url):
    """Whether there is a file at a URL."""
    system, name = _system(url)
    try:
        # Not isfile: over HTTP it asks for the whole file, and takes any failure for its absence.
        return _asked(url, lambda: system.info(name)).get("type") != "directory"
    except FileNotFoundError:
        return False


def folder_names(url):
    """The names in a folder at a URL; nothing where the server does not list."""
    system, name = _system(url)
    try:
        found = _asked(url, lambda: system.ls(name, detail=False))
    except (FileNotFoundError, NotADirectoryError, RemoteError):
        return []
    return sorted(os.path.basename(str(one).rstrip("/")) for one in found)


def upload(path, url):
    """Copies a finished file of this machine to a URL, and checks that all of it is there.

    Raises:
      RemoteError: the server does not take it.
    """
    system, name = _system(url)
    _asked(url, lambda: system.put_file(path, name))
    system.invalidate_cache(name)
    size = _asked(url, lambda: system.info(name))["size"]
    if size != os.path.getsize(path):
        raise RemoteError(
            url, f"{os.path.getsize(path)} bytes after the upload", str(size), "Upload it again."
        )


def _system(url):
    """(the file system of fsspec, the name of the file in it)."""
    try:
        core = importlib.import_module("fsspec.core")
    except ImportError as error:
        raise MissingExtraError(
            url,
            "the package fsspec, which reads URLs",
            "none installed",
            "Install it: pip install 'tfgraphtools[remote]'.",
        ) from error
    try:
        return _asked(url, lambda: core.url_to_fs(url))
    except ImportError as error:
        raise MissingExtraError(
            url,
            "the package with which fsspec reads such URLs",
            str(error),
            "Install it: pip install s3fs, gcsfs or what the message names.",
        ) from error
    except ValueError as error:  # no such protocol
        raise RemoteError(url, "a URL that fsspec knows", str(error), "Correct it.") from error


def _asked(url, function):
    """What a server answers, asked again where it fails for another reason than the request's."""
    for attempt in range(ATTEMPTS):
        try:
            return function()
        except (ImportError, ValueError, RemoteError, http_ranges.NoRanges, http_ranges.Changed):
            raise
        except Exception as error:  # every file system has errors of its own
            error = _cause(error)
            if isinstance(error, FileNotFoundError):
                raise FileNotFoundError(2, "no such file", url) from error
            if isinstance(error, _FINAL) or attempt == ATTEMPTS - 1:
                said = " ".join(str(error).split())[:200] or type(error).__name__
                raise RemoteError(
                    url,
                    "a server that answers",
                    f"{type(error).__name__}: {said}, after {attempt + 1} requests",
                    "Try again later, or copy the files to this machine.",
                ) from error
        time.sleep(PAUSE * 2**attempt)
    raise AssertionError("unreachable")


def _cause(error):
    """What is behind fsspec's FileNotFoundError, which it makes of every answer that is none."""
    cause = error.__cause__ if isinstance(error, FileNotFoundError) else None
    if cause is None or getattr(cause, "status", None) in (None, 404, 410):
        return error
    return cause
