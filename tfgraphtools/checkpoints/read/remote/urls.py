"""Files and folders at a URL: which there are, and files that are put there."""

import os
import re

from tfgraphtools.checkpoints.read.remote import requests
from tfgraphtools.errors import RemoteError

_URL = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]+)://")


def is_url(path):
    """Tells whether a path is a URL and no path of this machine."""
    return isinstance(path, str) and bool(_URL.match(path))


def exists(url):
    """Tells whether there is a file at a URL."""
    system, name = requests.file_system(url)
    try:
        # Not isfile: over HTTP it asks for the whole file, and takes any failure for its absence.
        return requests.asked(url, lambda: system.info(name)).get("type") != "directory"
    except FileNotFoundError:
        return False


def folder_names(url):
    """Returns the names in a folder at a URL; nothing where the server does not list."""
    system, name = requests.file_system(url)
    try:
        entries = requests.asked(url, lambda: system.ls(name, detail=False))
    except (FileNotFoundError, NotADirectoryError, RemoteError):
        return []
    return sorted(os.path.basename(str(entry).rstrip("/")) for entry in entries)


def upload(path, url):
    """Copies a finished file of this machine to a URL, and checks that all of it is there.

    Raises:
      RemoteError: the server does not take it.
    """
    system, name = requests.file_system(url)
    requests.asked(url, lambda: system.put_file(path, name))
    system.invalidate_cache(name)
    size = requests.asked(url, lambda: system.info(name))["size"]
    if size != os.path.getsize(path):
        raise RemoteError(
            url, f"{os.path.getsize(path)} bytes after the upload", str(size), "Upload it again."
        )


def move(url, there):
    """Moves a file at a URL to another of the same server, in the place of what is there.

    Raises:
      RemoteError: the server does not do it.
    """
    system, name = requests.file_system(url)
    _, new_name = requests.file_system(there)
    requests.asked(url, lambda: system.copy(name, new_name))
    system.invalidate_cache(new_name)
    remove(url)


def remove(url):
    """Removes a file at a URL, if the server lets it be removed."""
    system, name = requests.file_system(url)
    try:
        requests.asked(url, lambda: system.rm_file(name))
    except (FileNotFoundError, RemoteError):
        pass
    system.invalidate_cache(name)
