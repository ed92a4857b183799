"""TF 1.15's contrib, fetched from PyPI into the user's cache: install, find, check, remove.

The Python source of ``tensorflow.contrib`` is published in the official TensorFlow
1.15.5 package, the estimator beside it in a package of its own. `install` lets pip
fetch both, checks what came (see `legacy_packages`), keeps the little Python that
old scripts import (10 MB of 110), and puts it into place in one step: an
installation is whole or absent. None of it is part of this project.
"""

import functools
import hashlib
import json
import os
import pathlib
import zipfile
from typing import NamedTuple, Tuple

from tfgraphtools.compat import legacy_packages as published
from tfgraphtools.compat.engine.translate import code_cache
from tfgraphtools.errors import LegacyInstallError

#: The folder of an installation inside the cache, and the list of its files there.
FOLDER = "legacy-1.15.5"
MANIFEST = "MANIFEST.json"


class Status(NamedTuple):
    """The state of an installation.

    Fields:
      folder: where the installation is, or would be.
      packages: "name version" of each package in it; empty when nothing is installed.
      files, bytes: how much there is.
      damaged: the files that are missing or are not what was installed.
    """

    folder: pathlib.Path
    packages: Tuple[str, ...]
    files: int
    bytes: int
    damaged: Tuple[str, ...]


def cache_folder(folder=None):
    """Returns the cache: `folder`, $TFGRAPHTOOLS_CACHE, or ``tfgraphtools`` in the platform's."""
    return pathlib.Path(folder or code_cache.folder()).expanduser().absolute()


def find(folder=None):
    """Returns the path of the installation, or None.

    Args:
      folder: the cache to look in; the user's (see `cache_folder`) if None.
    """
    place = cache_folder(folder) / FOLDER
    return place if (place / MANIFEST).is_file() else None


def file_of(place, name):
    """Returns (the file of a module of an installation, is it a package); (None, False) for none.

    Args:
      place: the path of the installation.
      name: the module's dotted name.
    """
    stem = os.path.join(place, *name.split("."))
    for file, is_package in ((os.path.join(stem, "__init__.py"), True), (stem + ".py", False)):
        if os.path.isfile(file):
            return file, is_package
    return None, False


def is_of_another_version():
    """Tells whether another version of tfgraphtools made the installation: it kept other files."""
    return _manifest(str(cache_folder() / FOLDER)).get("selection") != published.selection()


def check_file(path, data):
    """Compares a file of the installation with what was installed, before it is run.

    Args:
      path: the file.
      data: its bytes.

    Raises:
      LegacyInstallError: it was altered since.
    """
    place = cache_folder() / FOLDER
    try:
        name = pathlib.Path(path).relative_to(place).as_posix()
    except ValueError:
        return
    expected = _manifest(str(place))["files"].get(name)
    got = hashlib.sha256(data).hexdigest()
    if expected not in (None, got):
        raise LegacyInstallError(
            f"{path}: the file was altered after it was installed",
            f"SHA-256 {expected[:16]}...",
            f"{got[:16]}...",
            "Install it again: tfgraphtools legacy install",
        )


@functools.lru_cache(maxsize=None)
def _manifest(place):
    """Returns the list of an installation: "files", {name: SHA-256}, and "selection" of files."""
    return _read_manifest(pathlib.Path(place))


def _read_manifest(place):
    return json.loads((place / MANIFEST).read_text(encoding="utf-8"))


def install(wheels=(), folder=None):
    """Installs the Python of contrib, the examples and the estimator.

    Does nothing if a complete installation exists; a damaged one is installed again.

    Args:
      wheels: files of packages that are here already; pip fetches the others.
      folder: the cache to install into; the user's (see `cache_folder`) if None.

    Returns:
      The `Status` of the installation.

    Raises:
      LegacyInstallError: a wheel is not one of those whose contents are known, pip
        could not fetch one, the cache cannot be written, or a folder of the user's has
        the name of the installation. Nothing is left behind.

    Example:
      >>> legacy.install(["tensorflow-1.15.5-cp37-cp37m-manylinux2010_x86_64.whl"]).files
      1159
    """
    wheel_of = dict(published.identified(pathlib.Path(wheel)) for wheel in wheels)
    current = status(folder)
    if current.packages and not current.damaged:
        return current
    import tempfile  # slow to import, as every run would notice

    cache = cache_folder(folder)
    _require_ours(cache / FOLDER)
    try:
        cache.mkdir(parents=True, exist_ok=True)
        scratch = tempfile.TemporaryDirectory(prefix=FOLDER + ".", dir=str(cache))
    except OSError as error:
        raise _unwritable(cache, error) from error
    with scratch as name:
        tree = pathlib.Path(name) / "tree"
        for package in published.PACKAGES:
            wheel = wheel_of.get(package) or published.fetched(
                package, pathlib.Path(name) / "wheels"
            )
            _unpack(package, wheel, tree)
        _write_manifest(tree)
        _put_in_place(tree, cache / FOLDER, pathlib.Path(name) / "before")
    return status(folder)


def status(folder=None):
    """Returns the `Status`: what is installed, and whether it is whole.

    Args:
      folder: the cache to look in; the user's (see `cache_folder`) if None.
    """
    place = cache_folder(folder) / FOLDER
    try:
        manifest = _read_manifest(place)
        files, packages = manifest["files"], tuple(manifest["packages"])
    except FileNotFoundError:
        return Status(place, (), 0, 0, ())
    except (ValueError, KeyError, TypeError, OSError):
        return Status(place, ("unknown",), 0, 0, (MANIFEST,))
    damaged = [name for name in sorted(files) if published.sha256(place / name) != files[name]]
    if manifest.get("selection") != published.selection():  # of another version of tfgraphtools
        damaged.insert(0, MANIFEST)
    size = sum((place / name).stat().st_size for name in files if (place / name).is_file())
    return Status(place, packages, len(files), size, tuple(damaged))


def remove(folder=None):
    """Removes the installation; returns where it was, or None when there was none.

    Args:
      folder: the cache to look in; the user's (see `cache_folder`) if None.

    Raises:
      LegacyInstallError: it cannot be removed, or holds files that were not installed.
    """
    place = cache_folder(folder) / FOLDER
    if not os.path.lexists(str(place)):
        return None
    import tempfile

    _require_ours(place)
    try:
        with tempfile.TemporaryDirectory(prefix=FOLDER + ".", dir=str(place.parent)) as name:
            os.rename(str(place), os.path.join(name, "removed"))  # gone in one step, then deleted
    except OSError as error:
        raise _unwritable(place, error) from error
    return place


# Writing ----------------------------------------------------------------------


def _require_ours(place):
    """Raises `LegacyInstallError` where replacing a folder would remove a file of the user's."""
    if not os.path.lexists(str(place)):
        return
    try:
        manifest = {} if place.is_symlink() else _read_manifest(place)
        installed = manifest["packages"] and set(manifest["files"].keys())
    except (ValueError, KeyError, TypeError, AttributeError, OSError):
        installed = None
    if installed is None:
        got = f"a link or a folder without a {MANIFEST} that can be read: it may be yours"
    else:
        others = [name for name in _names_below(place) if name not in installed | {MANIFEST}]
        if not others:
            return
        got = f"{_counted(others)} that tfgraphtools did not install: {others[0]}"
    raise LegacyInstallError(
        f"legacy: {place}",
        "a folder that 'tfgraphtools legacy install' made",
        got,
        "Nothing was changed. Move it elsewhere, or name another cache with --folder DIR.",
    )


def _names_below(place):
    """Yields the names of the files and links below a folder; compiled Python does not count."""
    for parent, folders, names in os.walk(str(place)):
        links = [name for name in folders if os.path.islink(os.path.join(parent, name))]
        is_compiled = os.path.basename(parent) == "__pycache__"
        for name in sorted(names + links):
            if not (is_compiled and name.endswith(".pyc")):
                yield pathlib.Path(parent, name).relative_to(place).as_posix()


def _counted(names):
    return "a file" if len(names) == 1 else f"{len(names)} files"


def _unpack(package, wheel, tree):
    """Writes what is kept of a wheel below `tree`."""
    try:
        with zipfile.ZipFile(str(wheel)) as archive:
            for info in archive.infolist():
                kept_as = published.kept_as(package, info.filename)
                if kept_as is not None:
                    path = tree / kept_as
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(archive.read(info))
    except OSError as error:
        raise _unwritable(tree.parent.parent, error) from error


def _write_manifest(tree):
    files = sorted(path for path in tree.rglob("*") if path.is_file())
    manifest = {
        "selection": published.selection(),
        "packages": published.names(),
        "source": "Copyright The TensorFlow Authors; licensed under the Apache License, Version "
        "2.0. Unpacked from the wheels named in 'packages'; not part of tfgraphtools.",
        "files": {path.relative_to(tree).as_posix(): published.sha256(path) for path in files},
    }
    (tree / MANIFEST).write_text(json.dumps(manifest, indent=1), encoding="utf-8")


def _put_in_place(tree, place, before):
    """Makes `tree` the installation; what was there goes to `before`."""
    try:
        if place.exists():
            os.rename(str(place), str(before))
        os.rename(str(tree), str(place))
    except OSError as error:
        if before.exists() and not place.exists():
            os.rename(str(before), str(place))
        if not (place / MANIFEST).is_file():  # else another process was faster: as good
            raise _unwritable(place, error) from error


def _unwritable(place, error):
    return LegacyInstallError(
        "legacy: " + str(place),
        "a folder that can be written",
        error.strerror or str(error),
        "Name another with --folder DIR (and TFGRAPHTOOLS_CACHE=DIR for 'run').",
    )
