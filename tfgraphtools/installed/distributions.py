"""The versions of installed distributions, read from the names of their metadata.

It takes a tenth of the time of `importlib.metadata`, which Python 3.7 does not have, and imports no
package. The names are exact: of ``tensorflow_probability`` nothing tells the version of TensorFlow.
"""

import functools
import os
import re
import sys

#: The distributions that are TensorFlow itself. Their metadata tells its version.
TENSORFLOW = frozenset(
    "tensorflow tensorflow-aarch64 tensorflow-cpu tensorflow-cpu-aws tensorflow-directml "
    "tensorflow-gpu tensorflow-intel tensorflow-macos tensorflow-rocm tf-nightly tf-nightly-cpu "
    "tf-nightly-gpu tf-nightly-intel tf-nightly-macos tf-nightly-rocm intel-tensorflow "
    "intel-tensorflow-avx512".split()
)

#: A build of one's own has another name, with one of these in it.
_LIKE_TENSORFLOW = re.compile("tensorflow|tf-nightly")

#: The folders of its package: of TF 2.x, and beside TF 1.15 what has its modules.
_PACKAGES = ("tensorflow", "tensorflow_core")

#: The metadata of a distribution: "numpy-2.4.0.dist-info", "six-1.16.0-py3.7.egg-info".
_METADATA = re.compile(r"(.+?)-(\d[^-]*)(?:-py[\d.]+)?(?:-[\w.-]+)?\.(?:dist-info|egg-info|egg)$")

#: The metadata of one that is developed: "package.egg-info", whose PKG-INFO has the version.
_DEVELOPED = re.compile(r"([\w.]+)\.egg-info$")
_VERSION = re.compile(r"^Version: *(\S+)", re.MULTILINE)


@functools.lru_cache(maxsize=None)
def normalized(name):
    """Returns the name of a distribution as all spellings of it are compared.

    Example:
      >>> normalized("Scikit_Learn")
      'scikit-learn'
    """
    return re.sub("[-_.]+", "-", name).lower()


def version(name):
    """Returns the version of an installed distribution as text, or None.

    Args:
      name: its name, in any spelling.
    """
    return _versions().get(normalized(name))


def numbers(name, count=None):
    """Returns the numbers of the version of a distribution, or None.

    Args:
      name: its name, in any spelling.
      count: how many.
    """
    text = version(name)
    return text and tuple(int(part) for part in re.findall(r"\d+", text)[:count])


def forget():
    """Forgets what was read, as after an installation."""
    _versions.cache_clear()
    tensorflow_version.cache_clear()


@functools.lru_cache(maxsize=None)
def _versions():
    versions = {}
    for folder in reversed(sys.path):
        versions.update({name: text for name, text, _ in _in_folder(folder or os.curdir)})
    return versions


def _in_folder(folder):
    """Yields (normalized name, version, metadata) of the distributions of a folder."""
    try:
        entries = sorted(os.listdir(folder))
    except OSError:
        return
    for entry in entries:
        match = _METADATA.match(entry)
        if match:
            yield normalized(match.group(1)), match.group(2), os.path.join(folder, entry)
        elif _DEVELOPED.match(entry):
            text = _version_in(os.path.join(folder, entry, "PKG-INFO"))
            if text:
                yield normalized(entry[: -len(".egg-info")]), text, os.path.join(folder, entry)


def _version_in(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            match = _VERSION.search(file.read(1 << 16))
    except OSError:
        return None
    return match and match.group(1)


@functools.lru_cache(maxsize=None)
def tensorflow_version(folder):
    """Returns the version of the TensorFlow in a folder of packages as text, or None.

    It is that of the distribution to which the files belong: of one with another name, too, and
    where several claim them, of the one that installed them last.

    Args:
      folder: the folder that has the folder ``tensorflow``.
    """
    exact, similar = [], []
    for name, text, metadata in _in_folder(folder):
        if name in TENSORFLOW:
            exact.append((text, metadata))
        elif _LIKE_TENSORFLOW.search(name):
            similar.append((text, metadata))
    recorded = [
        (digest == _digest(os.path.join(folder, file)), text)
        for candidates in (exact, similar)
        for text, metadata in candidates
        for file, digest in _recorded(metadata)
    ]
    owners = [text for is_same, text in recorded if is_same] or [text for _, text in recorded]
    return (owners or [text for text, _ in exact] or [None])[0]


def _recorded(metadata):
    """Yields (file, digest) of TensorFlow's package as the metadata of a distribution has it."""
    path = os.path.join(metadata, "RECORD")
    if not os.path.isfile(path):
        return
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            name, _, details = line.partition(",")
            if name in _INITS:
                yield name, details.partition(",")[0]


_INITS = {package + "/__init__.py" for package in _PACKAGES}


def _digest(path):
    """Returns the digest of a file as RECORD spells it."""
    import base64  # here: not at the start of every program
    import hashlib

    try:
        with open(path, "rb") as file:
            data = hashlib.sha256(file.read()).digest()
    except OSError:
        return None
    return "sha256=" + base64.urlsafe_b64encode(data).decode().rstrip("=")
