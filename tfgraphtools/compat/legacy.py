"""TF 1.15's contrib, fetched from PyPI into the user's cache: install, find, check, remove.

The Python source of ``tensorflow.contrib`` is published in the official TensorFlow
1.15.5 package, the estimator beside it in a package of its own. `install` lets pip
fetch both, checks what came against the hashes below, keeps the little Python that
old scripts import (11 MB of 110), and puts it into place in one step: an
installation is whole or absent. None of it is part of this project.
"""

import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile
from typing import NamedTuple, Tuple

from tfgraphtools.errors import LegacyInstallError

#: The folder of an installation inside the cache, and the list of its files there.
FOLDER = "legacy-1.15.5"
MANIFEST = "MANIFEST.json"


class Package(NamedTuple):
    """A published package and what is kept of it.

    Fields:
      name, version: as pip knows them.
      sha256: of its wheel.
      target: what pip must be told to find this wheel on any platform.
      keep: (path in the wheel, path in the installation) pairs: the Python files whose
        paths begin so.
    """

    name: str
    version: str
    sha256: str
    target: Tuple[str, ...]
    keep: Tuple[Tuple[str, str], ...]


#: Pure Python of TensorFlow's core which contrib or the estimator imports and TF 2.x has
#: dropped: below ``tensorflow/python/``.
CORE_MODULES = (
    "data/experimental/ops/threadpool",
    "distribute/all_reduce",
    "distribute/estimator_training",
    "eager/execution_callbacks",
    "ops/distributions/transformed_distribution",
    "profiler/profile_context",
    "tpu/async_checkpoint",
    "tpu/session_support",
)

#: Of these TF 2.x has modules of the same name without what contrib takes from them; they are
#: kept below ``tensorflow/contrib/_core/``.
CORE_COPIES = ("data/experimental/ops/iterator_ops",)


def _copied(path):
    """Where a module of core is kept whose name TF 2.x uses for another."""
    return "tensorflow/contrib/_core/" + path.rpartition("/")[2]


PACKAGES = (
    Package(
        "tensorflow",
        "1.15.5",
        "29831dda98d668067de75403b2fca0d06a2f026ef6f217fa2ca873c20b4ee4d3",
        ("--python-version", "37", "--platform", "manylinux2010_x86_64"),
        (
            ("tensorflow_core/contrib/", "tensorflow/contrib/"),
            ("tensorflow_core/examples/", "tensorflow/examples/"),
            ("tensorflow_core/python/estimator/", "tensorflow/python/estimator/"),
            *(
                ("tensorflow_core/python/" + path + ".py", "tensorflow/python/" + path + ".py")
                for path in CORE_MODULES
            ),
            *(
                ("tensorflow_core/python/" + path + ".py", _copied(path) + ".py")
                for path in CORE_COPIES
            ),
        ),
    ),
    # The last estimator was written for the public API that TF 2.x still has; contrib's part
    # of it was last published with 1.15.
    Package(
        "tensorflow-estimator",
        "2.15.0",
        "aedf21eec7fb2dc91150fc91a1ce12bc44dbb72278a08b58e79ff87c9e28f153",
        (),
        (("tensorflow_estimator/python/", "tensorflow_estimator/python/"),),
    ),
    Package(
        "tensorflow-estimator",
        "1.15.1",
        "8853bfb7c3c96fbdc80b3d66c37a10af6ccbcd235dc87474764270c02a0f86b9",
        (),
        (("tensorflow_estimator/contrib/", "tensorflow_estimator/contrib/"),),
    ),
)


class Status(NamedTuple):
    """What is installed.

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
    """The user's cache: `folder`, $TFGRAPHTOOLS_CACHE, or ``tfgraphtools`` in the platform's."""
    if folder or os.environ.get("TFGRAPHTOOLS_CACHE"):
        return pathlib.Path(folder or os.environ["TFGRAPHTOOLS_CACHE"]).expanduser().absolute()
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join("~", ".cache")
    return pathlib.Path(base).expanduser().absolute() / "tfgraphtools"


def find(folder=None):
    """The path of the installation, or None.

    Args:
      folder: the cache to look in; the user's (see `cache_folder`) if None.
    """
    place = cache_folder(folder) / FOLDER
    return place if (place / MANIFEST).is_file() else None


def install(wheels=(), folder=None):
    """Installs the Python of contrib, the examples and the estimator.

    Does nothing when the installation is there already and whole; a damaged one is
    made anew.

    Args:
      wheels: files of packages that are here already; pip fetches the others.
      folder: the cache to install into; the user's (see `cache_folder`) if None.

    Returns:
      The `Status` of the installation.

    Raises:
      LegacyInstallError: a wheel is not one of those whose contents are known, pip
        could not fetch one, or the cache cannot be written. Nothing is left behind.

    Example:
      >>> legacy.install(["tensorflow-1.15.5-cp37-cp37m-manylinux2010_x86_64.whl"]).files
      1120
    """
    given = dict(_identified(pathlib.Path(wheel)) for wheel in wheels)
    found = status(folder)
    if found.packages and not found.damaged:
        return found
    cache = cache_folder(folder)
    try:
        cache.mkdir(parents=True, exist_ok=True)
        scratch = tempfile.TemporaryDirectory(prefix=FOLDER + ".", dir=str(cache))
    except OSError as error:
        raise _unwritable(cache, error) from error
    with scratch as name:
        tree = pathlib.Path(name) / "tree"
        for package in PACKAGES:
            wheel = given.get(package) or _fetched(package, pathlib.Path(name) / "wheels")
            _unpack(package, wheel, tree)
        _write_manifest(tree)
        _put_in_place(tree, cache / FOLDER, pathlib.Path(name) / "before")
    return status(folder)


def status(folder=None):
    """What is installed, and whether it is whole: a `Status`.

    Args:
      folder: the cache to look in; the user's (see `cache_folder`) if None.
    """
    place = cache_folder(folder) / FOLDER
    try:
        manifest = json.loads((place / MANIFEST).read_text(encoding="utf-8"))
        files, packages = manifest["files"], tuple(manifest["packages"])
    except FileNotFoundError:
        return Status(place, (), 0, 0, ())
    except (ValueError, KeyError, OSError):
        return Status(place, ("unknown",), 0, 0, (MANIFEST,))
    damaged = [name for name in sorted(files) if _sha256(place / name) != files[name]]
    if manifest.get("selection") != _selection():  # of another version of tfgraphtools
        damaged.insert(0, MANIFEST)
    size = sum((place / name).stat().st_size for name in files if (place / name).is_file())
    return Status(place, packages, len(files), size, tuple(damaged))


def remove(folder=None):
    """Removes the installation; returns where it was, or None when there was none.

    Args:
      folder: the cache to look in; the user's (see `cache_folder`) if None.
    """
    place = cache_folder(folder) / FOLDER
    if not place.exists():
        return None
    try:
        with tempfile.TemporaryDirectory(prefix=FOLDER + ".", dir=str(place.parent)) as name:
            os.rename(str(place), os.path.join(name, "removed"))  # gone in one step, then deleted
    except OSError as error:
        raise _unwritable(place, error) from error
    return place


# Fetching and checking --------------------------------------------------------


def _names():
    return tuple(package.name + " " + package.version for package in PACKAGES)


def _selection():
    """What tells a choice of packages and of their files from any other."""
    return hashlib.sha256(repr(PACKAGES).encode()).hexdigest()[:16]


def _sha256(path):
    """The hash of a file in hexadecimal digits; None when it cannot be read."""
    digest = hashlib.sha256()
    try:
        with open(str(path), "rb") as file:
            for block in iter(lambda: file.read(1 << 20), b""):
                digest.update(block)
    except OSError:
        return None
    return digest.hexdigest()


def _identified(wheel):
    """(the package whose wheel this is, the path): known by its hash, never by its name."""
    found = _sha256(wheel)
    for package in PACKAGES:
        if package.sha256 == found:
            return package, wheel
    raise LegacyInstallError(
        "--wheel " + str(wheel),
        "the wheel of {} (sha256 {}...)".format(
            " or of ".join(_names()), " or ".join(p.sha256[:12] for p in PACKAGES)
        ),
        "no such file" if found is None else "a file with sha256 " + found,
        "Other builds and versions cannot be checked: leave out --wheel and pip fetches the "
        "right one, or get it with '" + _pip_words(PACKAGES[0], ".") + "'.",
    )


def _pip_words(package, folder):
    words = ["pip", "download", package.name + "==" + package.version, "--no-deps"]
    return " ".join(words + ["--only-binary=:all:", *package.target, "--dest", str(folder)])


def _fetched(package, folder):
    """Has pip download a package; returns its wheel, checked."""
    words = _pip_words(package, folder).split(" ")
    words[-1] = str(folder)  # its name may have spaces
    done = subprocess.run(
        [sys.executable, "-m", *words, "--quiet", "--disable-pip-version-check"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    wheels = sorted(folder.glob("*.whl")) if folder.is_dir() else []
    stem = "{}-{}-".format(package.name.replace("-", "_"), package.version)
    of_package = [wheel for wheel in wheels if wheel.name.startswith(stem)]
    if done.returncode or not of_package:
        said = done.stdout.decode("utf-8", "replace").strip().splitlines()
        raise LegacyInstallError(
            "legacy install",
            f"{package.name} {package.version} from the package index",
            "pip's answer: " + (said[-1] if said else f"exit code {done.returncode}"),
            "Where there is no network, bring the wheel and name it: "
            "'tfgraphtools legacy install --wheel FILE'.",
        )
    if _sha256(of_package[0]) != package.sha256:
        raise LegacyInstallError(
            "legacy install",
            f"{package.name} {package.version} with sha256 {package.sha256}",
            f"a download with sha256 {_sha256(of_package[0])}",
            "The package index serves something else under this name: look at pip's settings.",
        )
    return of_package[0]


# Writing ----------------------------------------------------------------------


def _unpack(package, wheel, tree):
    """Writes what is kept of a wheel below `tree`."""
    try:
        with zipfile.ZipFile(str(wheel)) as archive:
            for info in archive.infolist():
                kept_as = _kept_as(package, info.filename)
                if kept_as is not None:
                    path = tree / kept_as
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(archive.read(info))
    except OSError as error:
        raise _unwritable(tree.parent.parent, error) from error


def _kept_as(package, name):
    """Where a file of the wheel belongs in the installation; None when it is not kept."""
    if not name.endswith((".py", ".csv")):  # contrib.learn has four small tables
        return None
    for source, target in package.keep:
        if name.startswith(source):
            return target + name[len(source) :]
    return None


def _write_manifest(tree):
    files = sorted(path for path in tree.rglob("*") if path.is_file())
    manifest = {
        "selection": _selection(),
        "packages": _names(),
        "source": "Copyright The TensorFlow Authors; licensed under the Apache License, Version "
        "2.0. Unpacked from the wheels named in 'packages'; not part of tfgraphtools.",
        "files": {path.relative_to(tree).as_posix(): _sha256(path) for path in files},
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
