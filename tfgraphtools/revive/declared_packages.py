"""Packages that a repository names: in every form of requirements, and by importing them."""

import ast
import os
import re
import sys
from typing import NamedTuple

from tfgraphtools.analysis import scopes
from tfgraphtools.compat.constraints import pins, requirement_files
from tfgraphtools.compat.doctor import differences, install

#: What `run` has itself, or what the environment has anyway.
PROVIDED = {
    "tensorflow", "tensorflow-gpu", "tensorflow-cpu", "tf-nightly", "tf-nightly-gpu", "keras",
    "tensorflow-estimator", "tensorboard", "tensorflow-tensorboard", "tfgraphtools", "python",
    "pip", "setuptools", "wheel", "cudatoolkit", "cudnn", "argparse", "futures", "enum34",
    "pathlib", "functools32", "subprocess32", "backports-weakref", "ipykernel",
}  # fmt: skip

#: Modules of Python 2's library, and of Python 3's that are no more.
_OLD_STANDARD = set(
    "BaseHTTPServer ConfigParser Cookie HTMLParser Queue SimpleHTTPServer SocketServer StringIO "
    "Tkinter UserDict __builtin__ asynchat asyncore cPickle cStringIO commands copy_reg cookielib "
    "dbm distutils exceptions gdbm htmlentitydefs httplib imp md5 new sets sha string thread "
    "tkMessageBox urllib2 urlparse xmlrpclib typing_extensions".split()
)

#: Names of modules that files ask for; an index has no such package, or one that refuses.
_MODULES = {
    "sklearn": "scikit-learn", "skimage": "scikit-image", "cv2": "opencv-python",
    "opencv": "opencv-python", "pil": "pillow", "yaml": "pyyaml", "pytorch": "torch",
}  # fmt: skip

#: An import in a source that only Python 2 parses, not a sentence that begins so.
_IMPORT = re.compile(
    r"^[ \t]*(?:from +([\w.]+) +import\b|"
    r"import +(\w[\w.]*(?: +as +\w+)?(?: *, *\w[\w.]*(?: +as +\w+)?)*) *(?:[#;].*)?$)",
    re.MULTILINE,
)


class Requirement(NamedTuple):
    """A package that is asked for.

    Fields:
      package: its name, as pip compares names.
      limit: ``==1.13.3``, or "" for any version.
      place: where, "FILE:LINE".
      modules: the names that sources import of it, with dots; empty where only a file names it.
      why_not: why it is not installed; empty for all others.
    """

    package: str
    limit: str
    place: str
    modules: tuple = ()
    why_not: str = ""

    @property
    def is_known(self):
        """Tells whether a table of this library knows the package."""
        return install.is_known(self.package)


def declared(folder, files):
    """Yields the `Requirement`s of files: see `requirement_files.declared`."""
    for package, limit, place in requirement_files.declared(folder, files):
        if package in _MODULES:
            package, limit = _MODULES[package], ""
        yield Requirement(package, limit, place)


def imported(folder, sources):
    """Returns {module's root: (place, dotted names)} of packages that sources import.

    Modules of the standard library and of the repository are none.

    Args:
      folder: the repository.
      sources: {name of a Python file from the folder: its text}.
    """
    own = {part for name in sources for part in re.split(r"[/\\]|\.py$", name)}
    standard = set(getattr(sys, "stdlib_module_names", ())) | _OLD_STANDARD
    result = {}
    for name in sorted(sources):
        for module, line in modules_of(sources[name]):
            root = module.partition(".")[0]
            if root in own or root in standard or root in ("", "__future__"):
                continue
            place = f"{name}:{line}"
            result.setdefault(root, (place, set()))[1].add(module)
    return result


def of_imports(folder, sources, names=()):
    """Returns the `Requirement`s that imports stand for.

    Args:
      folder: the repository.
      sources: {name of a Python file from the folder: its text}.
      names: the packages that files name; a module may be one, as ``scikits.audiolab``.
    """
    requirements = []
    for root, (place, modules) in sorted(imported(folder, sources).items()):
        package = differences.package_of(root)
        if package not in names and not install.is_known(package):
            named = {module for module in modules if pins.normalized(module) in names}
            requirements += [
                Requirement(pins.normalized(module), "", place, (module,)) for module in named
            ]
            modules -= named
            if named and not modules:
                continue
        older = (install.command_for_older(root) or "").strip('"').partition("<")
        limit = older[1] + older[2]  # with the API of the TF 1 years
        requirements.append(Requirement(package, limit, place, tuple(sorted(modules))))
    return requirements


def modules_of(text):
    """Returns [(dotted module, line)] that a source imports; of Python 2's also."""
    try:
        nodes = scopes.nodes_of(scopes.tree_of(text))
    except (SyntaxError, ValueError):
        return [
            (name.split()[0], text.count("\n", 0, match.start()) + 1)
            for match in _IMPORT.finditer(text)
            for name in (match.group(1) or match.group(2)).split(",")
            if name.strip()
        ]
    modules = []
    for node in nodes:
        if isinstance(node, ast.Import):
            modules += [(alias.name, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            modules.append((node.module, node.lineno))
    return modules


def own(folder, files):
    """Returns the names of the packages that a repository itself is.

    Args:
      folder: the repository.
      files: names of its files from the folder.
    """
    names = {
        os.path.basename(os.path.dirname(name))
        for name in files
        if os.path.basename(name) == "__init__.py" and name.count(os.sep) < 3
    }
    for name in ("setup.py", "setup.cfg", "pyproject.toml"):
        if name in files:
            text = "\n".join(pins.lines_of(os.path.join(folder, name)))
            names.update(re.findall(r"\bname\s*=\s*[\"']?([\w.-]+)", text))
    return {pins.normalized(name) for name in names}


def merged(requirements):
    """Returns the first limit of each package, with all modules that are imported of it."""
    result = {}
    for requirement in requirements:
        first = result.get(requirement.package)
        if first is None:
            result[requirement.package] = requirement
            continue
        limit = first.limit or requirement.limit
        place = first.place if first.limit or not requirement.limit else requirement.place
        modules = tuple(sorted(set(first.modules) | set(requirement.modules)))
        result[requirement.package] = Requirement(first.package, limit, place, modules)
    # An index also has packages with names of the library of Python: copies for Python 2.
    provided = PROVIDED.union(getattr(sys, "stdlib_module_names", ()))
    return [result[name] for name in sorted(result) if name not in provided]
