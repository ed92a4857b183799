"""What programs use of setuptools' ``pkg_resources``, where it is no longer installed.

Distributions are found by ``importlib.metadata``; resources are files beside the
modules of a package.
"""

import importlib
import os
import re
import sys


class ResolutionError(Exception):
    """A requirement that is not met."""


class DistributionNotFound(ResolutionError):
    """No such distribution is installed."""


class VersionConflict(ResolutionError):
    """Another version is installed than the one asked for."""


class Requirement:
    """A name with limits of its version, such as ``numpy>=1.18,<3``.

    Args:
      text: the requirement; extras and markers count for nothing.
    """

    def __init__(self, text):
        found = re.match(r"\s*([\w.-]+)\s*(?:\[[^\]]*\])?\s*([^;]*)", str(text))
        if found is None:
            raise ValueError(f"expected a requirement such as 'numpy>=1.18', got {text!r}")
        self.project_name = found.group(1)
        self.key = self.project_name.lower()
        self.specs = re.findall(r"([<>=!~]=?)\s*([^,\s]+)", found.group(2))

    @classmethod
    def parse(cls, text):
        """The requirement that a text states."""
        return cls(text)

    def __contains__(self, version):
        version = parse_version(getattr(version, "version", version))
        return all(_holds(version, sign, limit) for sign, limit in self.specs)

    def __str__(self):
        return self.project_name + ",".join(map("".join, self.specs))


def _holds(version, sign, text):
    limit = parse_version(text.rstrip(".*"))
    if text.endswith(".*"):
        starts = str(version).startswith(text[:-1])
        return not starts if sign == "!=" else starts
    return {
        "==": version == limit,
        "!=": version != limit,
        "<": version < limit,
        "<=": version <= limit,
        ">": version > limit,
        ">=": version >= limit,
        "~=": version >= limit,
    }[sign]


def parse_version(text):
    """A version that compares as versions do (PEP 440)."""
    try:
        from packaging.version import parse
    except ImportError:
        return _Version(text)
    return parse(str(text))


class _Version(tuple):
    """The numbers of a version; one with letters after them comes before the plain one."""

    def __new__(cls, text):
        parts = re.findall(r"\d+|[a-z]+", str(text).lower().partition("+")[0])
        key = [(1, int(part), "") if part.isdigit() else (-1, 0, part) for part in parts]
        while key and key[-1] == (1, 0, ""):
            key.pop()
        version = super().__new__(cls, [*key, (0, 0, "")])
        version._text = str(text)
        return version

    def __str__(self):
        return self._text


class Distribution:
    """An installed distribution.

    Args:
      found: the distribution of ``importlib.metadata``.
    """

    def __init__(self, found):
        self._found = found
        self.project_name = found.metadata["Name"]
        self.key = self.project_name.lower()
        self.version = found.version
        self.parsed_version = parse_version(found.version)
        self.location = str(found.locate_file(""))

    def get_metadata(self, name):
        """The text of one of its files of metadata."""
        return self._found.read_text(name)

    def has_version(self):
        """Whether its version is known."""
        return bool(self.version)

    def requires(self, extras=()):
        """What it requires, without what only extras do."""
        texts = self._found.requires or []
        return [Requirement(text) for text in texts if "extra ==" not in text]

    def __str__(self):
        return f"{self.project_name} {self.version}"


def get_distribution(name):
    """The distribution of this name, or of this requirement.

    Raises:
      DistributionNotFound: it is not installed.
      VersionConflict: another version is.
    """
    import importlib.metadata

    wanted = name if isinstance(name, Requirement) else Requirement(name)
    try:
        found = Distribution(importlib.metadata.distribution(wanted.project_name))
    except importlib.metadata.PackageNotFoundError:
        raise DistributionNotFound(wanted, None) from None
    if found not in wanted:
        raise VersionConflict(found, wanted)
    return found


def require(*requirements):
    """The distributions that meet these requirements.

    Raises:
      ResolutionError: one of them is not met.
    """
    texts = [one for item in requirements for one in ([item] if isinstance(item, str) else item)]
    return [get_distribution(text) for text in texts]


class EntryPoint:
    """An entry point: `load` imports what it names.

    Args:
      found: the entry point of ``importlib.metadata``.
    """

    def __init__(self, found):
        self._found = found
        self.name = found.name
        self.module_name, _, attributes = found.value.partition(":")
        self.attrs = tuple(filter(None, attributes.split(".")))

    def load(self, *ignored, **options):
        """The object that it names."""
        return self._found.load()

    resolve = load


def iter_entry_points(group, name=None):
    """The entry points of a group."""
    import importlib.metadata

    found = importlib.metadata.entry_points()
    points = found.select(group=group) if hasattr(found, "select") else found.get(group, ())
    return iter([EntryPoint(one) for one in points if name in (None, one.name)])


def load_entry_point(distribution, group, name):
    """What an entry point names.

    Raises:
      ImportError: there is none of this name.
    """
    for point in iter_entry_points(group, name):
        return point.load()
    raise ImportError(f"Entry point {(group, name)!r} not found")


class WorkingSet:
    """The distributions that are installed."""

    def __iter__(self):
        import importlib.metadata

        return iter([Distribution(one) for one in importlib.metadata.distributions()])

    @property
    def by_key(self):
        """{name in small letters: distribution}"""
        return {one.key: one for one in self}

    iter_entry_points = staticmethod(iter_entry_points)
    require = staticmethod(require)


working_set = WorkingSet()


def resource_filename(package, name):
    """The file of this name beside a package's modules, or beside a module."""
    if isinstance(package, Requirement):
        return os.path.join(get_distribution(package).location, *name.split("/"))
    module = sys.modules.get(package) or importlib.import_module(package)
    paths = list(getattr(module, "__path__", [])) or [os.path.dirname(module.__file__ or "")]
    places = [os.path.join(path, *filter(None, name.split("/"))) for path in paths]
    return next(filter(os.path.exists, places), places[0])


def resource_exists(package, name):
    """Whether there is such a file or folder."""
    return os.path.exists(resource_filename(package, name))


def resource_isdir(package, name):
    """Whether there is such a folder."""
    return os.path.isdir(resource_filename(package, name))


def resource_listdir(package, name):
    """The names in a folder."""
    return os.listdir(resource_filename(package, name))


def resource_stream(package, name):
    """The open file, binary."""
    return open(resource_filename(package, name), "rb")


def resource_string(package, name):
    """The bytes of the file."""
    with resource_stream(package, name) as file:
        return file.read()


def declare_namespace(name):
    """Makes a package one that lies in several folders."""
    import pkgutil

    module = sys.modules[name]
    module.__path__ = pkgutil.extend_path(list(module.__path__), name)


def cleanup_resources(force=False):
    """Nothing: no file was unpacked."""


def ensure_directory(path):
    """Makes the folder in which a file will lie."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
