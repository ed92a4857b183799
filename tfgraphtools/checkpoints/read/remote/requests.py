"""Requests to the servers behind fsspec, asked again where they fail."""

import importlib
import time

from tfgraphtools.checkpoints.read.remote import http_ranges
from tfgraphtools.errors import MissingExtraError, RemoteError

#: Requests for one range before it is given up, and seconds before the second one.
ATTEMPTS, PAUSE = 5, 0.1
#: What asking again does not change.
_FINAL = (FileNotFoundError, PermissionError, IsADirectoryError, NotImplementedError)


def file_system(url):
    """Returns (the file system of fsspec, the name of the file in it)."""
    try:
        core = importlib.import_module("fsspec.core")
    except ImportError as error:
        raise MissingExtraError(
            url,
            "the package fsspec, which reads URLs",
            "none installed",
            "Install it: pip install fsspec aiohttp.",
        ) from error
    try:
        return asked(url, lambda: core.url_to_fs(url))
    except ImportError as error:
        raise MissingExtraError(
            url,
            "the package with which fsspec reads such URLs",
            str(error),
            "Install it: pip install s3fs, gcsfs or what the message names.",
        ) from error
    except ValueError as error:  # no such protocol
        raise RemoteError(url, "a URL that fsspec knows", str(error), "Correct it.") from error


def asked(url, function):
    """Returns a server's answer; asks again where the request was not the reason to fail."""
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
                reason = " ".join(str(error).split())[:200] or type(error).__name__
                raise RemoteError(
                    url,
                    "a server that answers",
                    f"{type(error).__name__}: {reason}, after {attempt + 1} requests",
                    "Try again later, or copy the files to this machine.",
                ) from error
        time.sleep(PAUSE * 2**attempt)
    raise AssertionError("unreachable")


def _cause(error):
    """Returns the cause of fsspec's FileNotFoundError, which any failed answer becomes."""
    cause = error.__cause__ if isinstance(error, FileNotFoundError) else None
    if cause is None or getattr(cause, "status", None) in (None, 404, 410):
        return error
    return cause
