"""The plan of a repository, read from its files: nothing of it is executed."""

import glob
import os
import re
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from tfgraphtools import deep_recursion, garbage_collector, regular_files
from tfgraphtools.analysis import scopes
from tfgraphtools.compat.constraints import repository_pins, requirement_files
from tfgraphtools.errors import ArgumentError
from tfgraphtools.revive import declared_packages, entry_points, expected_files
from tfgraphtools.runs import tree_copies

_LARGEST_SOURCE = 1 << 20
_PYTHON2 = re.compile(
    r"^[ \t]*print\s+[\"'\w%]|^[ \t]*except\s+[\w.]+\s*,\s*\w+\s*:|\bxrange\("
    r"|^import (?:cPickle|urllib2)|\.iteritems\(|\braise \w+, ",
    re.MULTILINE,
)
_TENSORFLOW = re.compile(r"tensorflow(?:-gpu)?\W{0,4}(?:v|version)?\W{0,3}([012]\.\d+)", re.I)


class Plan(NamedTuple):
    """What is known of a repository, each with its place.

    Fields:
      folder: the repository.
      date: the day of its last commit, or None.
      python, tensorflow: (what it was written for, "FILE:LINE" or why); None if nothing says it.
      packages: `declared_packages.Requirement`s.
      urls: (URL, place) of requirements that are no names of packages.
      commands: `entry_points.Command`s.
      tests, notebooks: names of files.
      files: `expected_files.ExpectedFile`s.
      is_of_tf1: whether its sources have anything to upgrade; None if that is not known.
      links: (link, where it leads) of those that lead outside; no command runs behind them.
    """

    folder: str
    date: Optional[str]
    python: Tuple[str, str]
    tensorflow: Optional[Tuple[str, str]]
    packages: Tuple
    urls: Tuple
    commands: Tuple
    tests: Tuple
    notebooks: Tuple
    files: Tuple
    is_of_tf1: Optional[bool]
    links: Tuple = ()

    def as_dict(self) -> Dict[str, Any]:
        """Returns the plan as plain data, for JSON."""
        lists = {
            name: [entry._asdict() if hasattr(entry, "_asdict") else entry for entry in value]
            for name, value in self._asdict().items()
            if isinstance(value, tuple) and name not in ("python", "tensorflow")
        }
        return dict(self._asdict(), **lists)

    def lines(self) -> List[str]:
        """Returns the plan as text, each line with its source."""
        shown = [f"repository: {self.folder} (last commit: {self.date or 'unknown, no git'})"]
        shown.append("written for: {} ({})".format(*self.python))
        if self.tensorflow:
            shown.append("written for: TensorFlow {} ({})".format(*self.tensorflow))
        shown += _section("packages", [
            (package.package + package.limit, package.place + _remark(package))
            for package in self.packages
        ])  # fmt: skip
        shown += _section("requirements that are not installed: they are URLs", self.urls)
        shown += _section("commands", [
            (command.line, command.place + (command.obstacle and f"; not run: {command.obstacle}"))
            for command in self.commands
        ])  # fmt: skip
        shown += _section("tests", [(name, "") for name in self.tests])
        shown += _section("notebooks, not run", [(name, "") for name in self.notebooks])
        shown += _section("files that it reads", [
            (file.path, file.place + ("" if file.is_here else "; not here"))
            for file in self.files
        ])  # fmt: skip
        shown += _section("links that lead outside: no command runs there", self.links)
        return shown


def _section(title, rows):
    if not rows:
        return []
    width = min(60, max(len(name) for name, _ in rows))
    return [f"{title}:"] + [f"  {name:<{width}}  {place}".rstrip() for name, place in rows]


def _remark(package):
    return "" if package.is_known else "; in no table, installed with --yes"


@garbage_collector.rare()
@deep_recursion.retried
def read(folder: str, examines_code: bool = True) -> Plan:
    """Returns the `Plan` of a repository.

    Args:
      folder: its folder; it is only read.
      examines_code: whether to tell what `upgrade` would do, which takes longest.

    Raises:
      ArgumentError: there is no such folder, or no Python file in it.
    """
    folder = os.path.abspath(os.fspath(folder))
    files = _files(folder) if os.path.isdir(folder) else []
    sources = _sources(folder, files)
    if not sources and not entry_points.notebooks(files):
        raise ArgumentError(
            f"revive {folder}",
            "the folder of a repository with Python files",
            "no Python file in it" if os.path.isdir(folder) else "no such folder",
            "Give the folder of the code.",
        )
    requirements = list(declared_packages.declared(folder, files))
    names = {requirement.package for requirement in requirements}
    requirements += declared_packages.of_imports(folder, sources, names)
    tests = tuple(name for name in sorted(sources) if entry_points.is_test(name))
    own = declared_packages.own(folder, files)
    requirements = [r for r in requirements if r.modules or r.package not in own]
    return Plan(
        folder,
        repository_pins.read(folder).date,
        _python_of(sources),
        _tensorflow_of(folder, files, requirements),
        with_pytest(declared_packages.merged(requirements), _commands_of(tests)),
        tuple(requirement_files.urls(folder, files)),
        tuple(entry_points.commands(folder, files, sources)),
        tests,
        tuple(entry_points.notebooks(files)),
        tuple(expected_files.expected(folder, sources)),
        _is_of_tf1(folder, files, sources) if examines_code else None,
        tuple(_links_outside(folder)),
    )


def _commands_of(tests):
    """Returns the commands that run tests: `revive` does with pytest, whoever they are for."""
    return [entry_points.Command("pytest " + name, name) for name in tests]


def with_pytest(packages, commands):
    """Returns a tuple of `Requirement`s, with pytest if a command runs tests.

    Args:
      packages: those of a repository.
      commands: `entry_points.Command`s.
    """
    places = [command.place for command in commands if command.runs_tests]
    if not places or any(package.package == "pytest" for package in packages):
        return tuple(packages)
    pytest = declared_packages.Requirement("pytest", "", places[0], ("pytest",))
    return tuple(sorted((*packages, pytest)))


def sources(folder):
    """Returns {name of a Python file from a folder: its text}."""
    return _sources(folder, _files(folder))


def _sources(folder, files):
    texts = {name: _text(folder, name) for name in files if name.endswith(".py")}
    return {name: text for name, text in texts.items() if text is not None}


def _files(folder):
    return sorted(
        name
        for name in tree_copies.names(folder)
        if os.path.isfile(os.path.join(folder, name))
    )  # fmt: skip


def _text(folder, name):
    path = os.path.join(folder, name)
    if os.path.getsize(path) > _LARGEST_SOURCE:
        return None
    return regular_files.text(path)


def _python_of(sources):
    """Returns (the Python that sources were written for, the place that says so)."""
    for name, text in sorted(sources.items()):
        try:
            scopes.tree_of(text)
        except (SyntaxError, ValueError) as error:
            return "Python 2", f"{name}:{getattr(error, 'lineno', 0)}: no Python 3 parses it"
    for name, text in sorted(sources.items()):
        match = _PYTHON2.search(text)
        if match and "six" not in text and "xrange =" not in text:
            line = text.count("\n", 0, match.end()) + 1
            return "Python 2", f"{name}:{line}: {match.group().strip()}"
    return "Python 3", "every file parses"


def _tensorflow_of(folder, files, requirements):
    for requirement in requirements:
        version = re.search(r"<?=?\d+(?:\.\d+)?", requirement.limit)
        if requirement.package in ("tensorflow", "tensorflow-gpu") and version:
            return version.group().lstrip("="), requirement.place  # "<2" is a limit, no version
    for name in files:
        if os.path.basename(name).lower().startswith("readme"):
            for number, line in enumerate((_text(folder, name) or "").splitlines(), 1):
                match = _TENSORFLOW.search(line)
                if match:
                    return match.group(1), f"{name}:{number}"
    return None


def _is_of_tf1(folder, files, sources):
    """Tells whether `upgrade` would change or leave anything; None where not all can be read."""
    from tfgraphtools import upgrade

    if not sources:
        return None
    report = upgrade.examine([folder])
    has_any = bool(report.changed or report.left or report.errors)
    return has_any or (None if _has_unread_code(folder, files) else False)


def _has_unread_code(folder, files):
    """Tells whether there are scripts without a suffix, or code behind a link that leads outside.

    `upgrade` reads neither.
    """
    for name in files:
        if not os.path.splitext(name)[1]:
            with open(os.path.join(folder, name), "rb") as file:
                if re.match(rb"#!.*\bpython", file.readline(200)):
                    return True
    outside = [target for _, target in _links_outside(folder)]
    return any(glob.glob(os.path.join(glob.escape(path), "*.py")) for path in outside)


def _links_outside(folder):
    """Yields (name from the folder, where it leads) of the links that lead out of it."""
    real = os.path.realpath(folder)
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in tree_copies.NOT_COPIED)
        for path in (os.path.join(place, name) for name in folders + sorted(names)):
            target = os.path.realpath(path) if os.path.islink(path) else real
            if target != real and not target.startswith(real + os.sep):
                yield os.path.relpath(path, folder), target
