"""The tables of versions, ceilings and changes."""

import functools
import pathlib
import re
from typing import NamedTuple, Optional, Tuple

_FOLDER = pathlib.Path(__file__).resolve().parent


class Version(NamedTuple):
    """A version of a package that runs beside today's TensorFlow.

    Fields:
      package, version: as pip knows them.
      pythons: the first and the last Python that has wheels, as (3, 10).
      released: a date, as "2023-01-19".
      needs: the packages that it needs in versions of the same years.
    """

    package: str
    version: str
    pythons: Tuple[Tuple[int, int], Tuple[int, int]]
    released: str
    needs: Tuple[str, ...]

    def runs_on(self, python):
        """Tells whether a Python, as (3, 11), has wheels."""
        return self.pythons[0] <= tuple(python) <= self.pythons[1]


class Ceiling(NamedTuple):
    """A limit of a package's version: ``opencv-python``, ``<5`` and the reason."""

    package: str
    limit: str
    why: str


class Change(NamedTuple):
    """A difference that `run` does not hide.

    Fields:
      root: the module whose import it takes: "pandas".
      name: a dotted name, or ".mean" for an attribute of objects.
      argument: the keyword that a call has; None for any use.
      is_call: whether only calls of the attribute are concerned.
      library, version: since when.
      why: what changed.
      is_silent: whether numbers change without an error.
    """

    root: str
    name: str
    argument: Optional[str]
    is_call: bool
    library: str
    version: str
    why: str
    is_silent: bool = False

    @property
    def package(self):
        """The package that changed, as pip knows it."""
        return self.library.lower()

    @property
    def has_remedy(self):
        """Tells whether an older version of the package is the remedy: no other TensorFlow is."""
        return self.package != "tensorflow"

    @property
    def since(self):
        """As people write it: "pandas 2.0"."""
        return f"{self.library} {self.version}"


def _lines(name):
    text = (_FOLDER / name).read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]


def numbers(version):
    """Returns the numbers of a version, for comparisons."""
    return tuple(int(part) for part in re.findall(r"\d+", version))


@functools.lru_cache(maxsize=None)
def versions():
    """Returns all `Version`, the oldest of a package first."""
    rows = []
    for package, version, pythons, released, needs in _lines("versions.tsv"):
        first, last = pythons.split("-")
        pythons = (numbers(first), numbers(last))
        rows.append(Version(package, version, pythons, released, tuple(needs.split())))
    return rows


@functools.lru_cache(maxsize=None)
def ceilings():
    """Returns {package: its `Ceiling`}."""
    return {row[0]: Ceiling(*row) for row in _lines("ceilings.tsv")}


@functools.lru_cache(maxsize=None)
def changes():
    """Returns all `Change`."""
    return [_change(*row) for row in _lines("changes.tsv")]


_USE = re.compile(r"(?:(\w+) )?([\w.=]+)(\((\w*)\))?$")


def _change(use, since, why, harm=""):
    root, name, call, argument = _USE.match(use).groups()
    library, version = since.rsplit(" ", 1)
    root = root or (library.lower() if name.startswith("numpy.") else name.partition(".")[0])
    is_call, is_silent = call is not None, harm == "numbers"
    return Change(root, name, argument or None, is_call, library, version, why, is_silent)
