"""The published packages that a legacy installation is made of: which, from where, what of them.

Each is known by the hash of its wheel. pip downloads it, or the user provides it.
"""

import hashlib
import os
import pathlib
import subprocess
import sys
from typing import NamedTuple, Tuple

from tfgraphtools import child_python
from tfgraphtools.errors import LegacyInstallError


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


def _modules(kind):
    """Returns the paths of one kind in ``legacy_modules.tsv``, whose head explains the kinds."""
    text = pathlib.Path(__file__).with_name("legacy_modules.tsv").read_text(encoding="utf-8")
    lines = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    return tuple(path for line_kind, path in lines if line_kind == kind)


CORE_MODULES = _modules("core")
CORE_COPIES = _modules("copy")
EARLY_MODULES = _modules("early")


def _copied(path):
    """Returns where a module of core is kept whose name TF 2.x uses for another."""
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
    # What contrib had lost by 1.15: tensors that are samples.
    Package(
        "tensorflow",
        "1.0.1",
        "1fbc3c142f8c0dc0f41ad625f45ee0b10dc9512bc974ebbf49aae6ffab4bc5c1",
        ("--python-version", "36", "--platform", "manylinux1_x86_64"),
        tuple(
            (
                "tensorflow-1.0.1.data/purelib/tensorflow/contrib/" + path + ".py",
                "tensorflow/contrib/" + path + ".py",
            )
            for path in EARLY_MODULES
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
    # What ``import keras`` was on TensorFlow 1: see `fixes.keras.standalone`.
    Package(
        "Keras",
        "2.2.4",
        "794d0c92c6c4122f1f0fcf3a7bc2f49054c6a54ddbef8d8ffafca62795d760b6",
        (),
        (("keras/", "keras/"),),
    ),
    Package(
        "Keras_Applications",
        "1.0.8",
        "df4323692b8c1174af821bf906f1e442e63fa7589bf0f1230a0b6bdc5a810c95",
        (),
        (("keras_applications/", "keras_applications/"),),
    ),
    Package(
        "Keras_Preprocessing",
        "1.1.2",
        "7b82029b130ff61cc99b55f3bd27427df4838576838c5b2f65940e4fcec99a7b",
        (),
        (("keras_preprocessing/", "keras_preprocessing/"),),
    ),
)


def names():
    """Returns name and version of each package."""
    return tuple(package.name + " " + package.version for package in PACKAGES)


def selection():
    """Returns a text that tells a choice of packages and of their files from any other."""
    return hashlib.sha256(repr(PACKAGES).encode()).hexdigest()[:16]


def sha256(path):
    """Returns the hash of a file in hexadecimal digits; None when it cannot be read."""
    digest = hashlib.sha256()
    try:
        with open(str(path), "rb") as file:
            for block in iter(lambda: file.read(1 << 20), b""):
                digest.update(block)
    except OSError:
        return None
    return digest.hexdigest()


def identified(wheel):
    """Returns (the package whose wheel this is, the path): known by its hash, never by its name."""
    digest = sha256(wheel)
    for package in PACKAGES:
        if package.sha256 == digest:
            return package, wheel
    raise LegacyInstallError(
        "--wheel " + str(wheel),
        "the wheel of {} (sha256 {}...)".format(
            " or of ".join(names()), " or ".join(p.sha256[:12] for p in PACKAGES)
        ),
        _without_hash(wheel) if digest is None else "a file with sha256 " + digest,
        "Other builds and versions cannot be checked: leave out --wheel and pip fetches the "
        "right one, or get it with '" + " ".join(_pip_words(PACKAGES[0], ".")) + "'.",
    )


def _without_hash(path):
    return "a folder" if os.path.isdir(str(path)) else "no such file"


def _pip_words(package, folder):
    words = ["pip", "download", package.name + "==" + package.version, "--no-deps"]
    return words + ["--only-binary=:all:", *package.target, "--dest", str(folder)]


def fetched(package, folder):
    """Downloads a package with pip; returns its wheel, checked."""
    words = [*_pip_words(package, folder), "--quiet", "--disable-pip-version-check"]
    done = subprocess.run(
        child_python.module_command(sys.executable, *words),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    wheels = sorted(folder.glob("*.whl")) if folder.is_dir() else []
    stem = "{}-{}-".format(package.name.replace("-", "_"), package.version)
    of_package = [wheel for wheel in wheels if wheel.name.startswith(stem)]
    if done.returncode or not of_package:
        lines = done.stdout.decode("utf-8", "replace").strip().splitlines()
        raise LegacyInstallError(
            "legacy install",
            f"{package.name} {package.version} from the package index",
            "pip's answer: " + (lines[-1] if lines else f"exit code {done.returncode}"),
            "Without a network, download the wheel elsewhere and pass its path: "
            "'tfgraphtools legacy install --wheel FILE'.",
        )
    if sha256(of_package[0]) != package.sha256:
        raise LegacyInstallError(
            "legacy install",
            f"{package.name} {package.version} with sha256 {package.sha256}",
            f"a download with sha256 {sha256(of_package[0])}",
            "The package index serves something else under this name: look at pip's settings.",
        )
    return of_package[0]


def kept_as(package, name):
    """Returns where a file of the wheel belongs in the installation; None when it is not kept."""
    if not name.endswith((".py", ".csv")):  # contrib.learn has four small tables
        return None
    for source, target in package.keep:
        if name.startswith(source):
            return target + name[len(source) :]
    return None
