"""Uses of libraries that give something else today, which `run` does not hide."""

import ast
import functools

from tfgraphtools.analysis import library_uses
from tfgraphtools.analysis.scopes import nodes_of
from tfgraphtools.compat.constraints import choosing, pins, repository_pins, tables
from tfgraphtools.compat.doctor import install
from tfgraphtools.installed import distributions


def in_tree(tree):
    """Yields (`Change`, line) of the changes that a source may meet.

    A name is followed as by `analysis.library_uses`; an attribute counts in files that import its
    library, where it is none of a module.
    """
    by_name, by_attribute = _changes()
    used, calls, _ = library_uses.of(tree)
    roots = {use.name.partition(".")[0] for use in used}
    for use in used:
        for change in _named(by_name, use.name):
            if change.argument is None and change.root in roots:
                yield change, use.line
    for name, call in calls:
        for change in _named(by_name, name):
            if change.argument and _has(call, change.argument):
                yield change, call.lineno
    of_modules = {id(call.func) for _, call in calls}
    for node in nodes_of(tree):
        if isinstance(node, ast.Compare) and _asks_for_objects(node):
            for change in by_attribute.get(_OBJECTS, ()):
                if change.root in roots:
                    yield change, node.lineno
        called = node.func if isinstance(node, ast.Call) else node
        if not isinstance(called, ast.Attribute) or id(called) in of_modules:
            continue
        for change in by_attribute.get(called.attr, ()):
            is_use = change.is_call == isinstance(node, ast.Call) and change.root in roots
            if called.attr == "replace" and _puts_in_text(node):
                continue
            if is_use and (change.argument is None or _has(node, change.argument)):
                yield change, node.lineno


#: The name of the change that comparisons of a dtype with object meet.
_OBJECTS = "dtype==object"


def _asks_for_objects(node):
    """Tells whether it is ``column.dtype == object`` or ``== "O"``, in either order."""
    sides = [node.left, *node.comparators]
    has_dtype = any(isinstance(s, ast.Attribute) and s.attr in ("dtype", "dtypes") for s in sides)
    return has_dtype and any(map(_is_object, sides))


def _is_object(node):
    if isinstance(node, ast.Constant):
        return node.value in ("object", "O")
    names = ("object", "object_", "object0")
    return getattr(node, "id", getattr(node, "attr", None)) in names


class Libraries:
    """The libraries that a codebase uses, and what it says of their versions.

    Args:
      folder: a folder of its repository.
    """

    def __init__(self, folder):
        self._says = repository_pins.read(folder)
        self._files = {}  # file -> (imported packages, changes that it meets, asserted limits)

    def read(self, file, tree):
        """Returns the (`Change`, line) pairs of a file."""
        changes = list(dict.fromkeys(in_tree(tree)))
        self._files[file] = imported(tree), changes, list(asserted(tree))
        return changes

    def command_for(self, module):
        """Returns the command for a missing package that the requirements name, or None."""
        return "pip install " + module if package_of(module) in self._says.packages else None

    def constraints(self, shown):
        """Returns the lines of a constraints file; ``shown(file)`` is how it names a file."""
        of_packages, packages = {}, dict(self._says.packages)
        for file, (modules, changes, limits) in self._files.items():
            for package, line in modules.items():
                of_packages.setdefault(package, choosing.Use(f"{shown(file)}:{line}", []))
            for change, line in changes:
                if not change.has_remedy:
                    continue
                place = f"{shown(file)}:{line}"
                use = of_packages.setdefault(change.package, choosing.Use(place, []))
                use.changes.append((place, change))
            for package, limit, line in limits:
                packages.setdefault(package, pins.Pin(limit, f"{shown(file)}:{line}"))
        return choosing.lines(of_packages, self._says._replace(packages=packages))


def imported(tree):
    """Returns {package: line} of what a source imports."""
    result = {}
    for use in library_uses.of(tree).uses:
        result.setdefault(package_of(use.name.partition(".")[0]), use.line)
    return result


def asserted(tree):
    """Yields (package, limit, line) of the versions that a source asserts."""
    bound = {}
    for node in nodes_of(tree):
        for alias in node.names if isinstance(node, ast.Import) else ():
            bound[alias.asname or alias.name] = alias.name
    return pins.asserted(tree, lambda name: package_of(bound[name]) if name in bound else None)


def package_of(root):
    """Returns the package of a module, as pip compares it."""
    package = (install.command_for(root) or "pip install " + root).split(" ", 2)[2]
    return pins.normalized(package.strip('"').partition("<")[0])


def is_here(change):
    """Tells whether the installed package is as new as the change, or not installed."""
    return _version(change.package) is None or has(change.package, change.version)


def has(package, version):
    """Tells whether a package is installed in this version or a newer one."""
    installed = _version(package)
    return installed is not None and installed >= tables.numbers(version)


def is_above(ceiling):
    """Tells whether the installed package is newer than a `Ceiling` allows, or not installed."""
    version = _version(ceiling.package)
    is_upper = ceiling.limit.startswith("<")
    return version is None or is_upper and version >= tables.numbers(ceiling.limit)


def _version(package):
    if distributions.normalized(package) == "tensorflow":
        package = _tensorflow()
    return distributions.numbers(package)


@functools.lru_cache(maxsize=None)
def _tensorflow():
    """Returns the name of the distribution that is TensorFlow here."""
    names = ["tensorflow", *sorted(distributions.TENSORFLOW)]
    return next((name for name in names if distributions.version(name)), "tensorflow")


@functools.lru_cache(maxsize=None)
def _changes():
    by_name, by_attribute = {}, {}
    for change in tables.changes():
        is_attribute = change.name.startswith(".")
        place = by_attribute if is_attribute else by_name
        place.setdefault(change.name.lstrip("."), []).append(change)
    return by_name, by_attribute


def _named(by_name, name):
    """Yields the changes of a name, or of what it is an attribute of."""
    while name:
        yield from by_name.get(name, ())
        name = name.rpartition(".")[0]


def _puts_in_text(node):
    """Tells whether it is ``x.replace(old, "text")``, or of a text: no column becomes numbers."""
    arguments = node.args if isinstance(node, ast.Call) else ()
    return len(arguments) > 1 and (_is_text(arguments[1]) or _is_text(node.func.value))


def _is_text(node):
    value = getattr(node, "value", None)
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and type(value) is str
    )


def _has(call, argument):
    return any(keyword.arg == argument for keyword in call.keywords)
