"""Packages of gigabytes, which are installed only for files that a command may reach."""

import os
import re
import shlex

from tfgraphtools.revive.declared_packages import modules_of

#: Their wheels for Linux bring CUDA: 2 GB and more.
_LARGE = {"torch", "torchvision", "torchaudio"}

_WHY = "of 2 GB, and no file that a command reaches imports it: pip install {}"


def marked(packages, commands, sources):
    """Returns `Requirement`s; large ones that no command reaches say why they are not installed.

    Args:
      packages: those of a repository.
      commands: `entry_points.Command`s that are to run.
      sources: {name of a Python file from the folder: its text}.
    """
    reached = _reached([c for c in commands if not c.obstacle], sources)
    imported = {m.partition(".")[0] for name in reached for m, _ in modules_of(sources[name])}
    return tuple(
        package._replace(why_not=_WHY.format(package.package))
        if package.package in _LARGE and imported.isdisjoint(package.modules)
        else package
        for package in packages
    )


def are_in(packages):
    """Tells whether a large package is among `Requirement`s."""
    return any(package.package in _LARGE for package in packages)


def _reached(commands, sources):
    """Returns the sources that commands may run: more rather than less.

    They are the scripts, and the files whose own name or folder's name another one of them says.
    All are, where a command names no script of the repository.
    """
    waiting = []
    for command in commands:
        words = _words(command.line)
        scripts = [name for name in sources if any(_is_of(word, name) for word in words)]
        if not scripts:
            return set(sources)
        waiting += scripts
    reached = set()
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            said = set(re.findall(r"\w+", sources[name]))
            waiting += [other for other in sources if said & _names(other)]
    return reached


def _words(line):
    try:
        return [os.path.normpath(word) for word in shlex.split(line)]
    except ValueError:  # a quote that does not end
        return []


def _is_of(word, name):
    """Tells whether a word of a command is a script, its module, or its folder."""
    path = word if word.endswith(".py") else word.replace(".", os.sep) + ".py"
    return name.endswith(path) or name.startswith(os.path.join(word, ""))


def _names(name):
    """Returns the names by which an import says a file: its own, and that of its folder."""
    folder, base = os.path.split(name)
    return {base[: -len(".py")], os.path.basename(folder)} - {"", "__init__"}
