"""Ranges of a file over HTTP, and what the server says that it sent: fsspec gives the bytes alone.

Without a checksum nobody would notice the right number of other bytes.
"""

import importlib


class NoRanges(Exception):
    """A server that sends the whole file where a range of it is asked for."""


class Changed(Exception):
    """A file that is not the one that was opened."""


def is_http(system):
    """Tells whether a file system of fsspec is the one for HTTP."""
    protocol = system.protocol
    return "http" in ((protocol,) if isinstance(protocol, str) else protocol)


def read(system, url, start, stop, size, version):
    """Returns the bytes of a range.

    Args:
      system: fsspec's file system for HTTP.
      url: the file.
      start, stop: the range.
      size: of the file.
      version: the ETag that the file had when it was opened, or None.

    Raises:
      NoRanges, Changed: as they say.
      OSError: another range than the one asked for, or one that is packed.
    """
    sync = importlib.import_module("fsspec.asyn").sync
    return sync(system.loop, _read, system, url, start, stop, size, version)


async def _read(system, url, start, stop, size, version):
    options = dict(system.kwargs)
    options["headers"] = dict(
        options.get("headers") or {},
        **{"Range": f"bytes={start}-{stop - 1}", "Accept-Encoding": "identity"},
    )
    session = await system.set_session()
    async with session.get(system.encode_url(url), **options) as answer:
        system._raise_not_found_for_status(answer, url)
        _check(answer.status, answer.headers, start, stop, size, version)
        return await answer.read()


def _check(status, headers, start, stop, size, version):
    """Raises unless an answer is the range that was asked for, of the same file."""
    if version is not None and headers.get("ETag", version) != version:
        raise Changed()
    if headers.get("Content-Encoding", "identity") != "identity":
        raise OSError("a range packed by {}".format(headers["Content-Encoding"]))
    if status != 206:
        if (start, stop) == (0, size) and status == 200:
            return
        raise NoRanges()
    range_header = headers.get("Content-Range", "none").replace("bytes", "").strip()
    span, _, whole = range_header.partition("/")
    if whole not in ("*", str(size)) and whole.isdigit():
        raise Changed()
    if span != f"{start}-{stop - 1}":
        raise OSError(f"the bytes {range_header} where {start}-{stop - 1} were asked for")
