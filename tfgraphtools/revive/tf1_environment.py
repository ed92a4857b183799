"""An environment with TF 1.15 and the packages of the code, made from a bare Python 3.7."""

import os
import subprocess

from tfgraphtools import child_python
from tfgraphtools.errors import ArgumentError
from tfgraphtools.revive import environments, version_ladder

#: The last releases that work with TF 1.15; packages of the code may not replace them.
_BASE = ("tensorflow==1.15.5", "protobuf==3.20.3", "h5py==2.10.0", "numpy<1.19", "keras==2.3.1")


def lacks_tensorflow(python):
    """Tells whether a program is a Python 3.7 without TensorFlow.

    Args:
      python: its path.
    """
    question = (
        "import sys, importlib.util as u; "
        "print(sys.version_info[:2] == (3, 7) and u.find_spec('tensorflow') is None)"
    )
    try:
        command = child_python.code_command(python, question)
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError:
        return False
    return done.stdout.strip() == "True"


def make(folder, python, packages, log):
    """Makes the environment, in place of one that was not finished.

    Each package gets the version that the repository asks for, else the nearest one, as
    `version_ladder` has it, else the newest for Python 3.7. One that cannot be installed is in the
    log; the command that imports it then names it.

    Args:
      folder: where.
      python: a Python 3.7.
      packages: `declared_packages.Requirement`s.
      log: a file.

    Returns:
      the path of its Python.

    Raises:
      ArgumentError: TF 1.15 cannot be installed.
    """
    environment = environments.Environment(folder)
    command = [python, "-m", "venv", "--clear", folder]
    code, text = environments.call(command, log, os.path.dirname(folder))
    if code == 0:
        code, text = environment.install(_BASE, log)
    if code:
        raise ArgumentError(
            f"revive --tf1 {python}",
            "a Python 3.7 in whose virtual environments TF 1.15 can be installed",
            environments.last_line(text),
            "Name a Python that has TF 1.15, or leave --tf1 out.",
        )
    limits = [package.package + package.limit for package in packages]
    if limits and environment.install([*limits, *_BASE], log)[0]:
        for package in packages:
            near = version_ladder.nearest(package.package, package.limit)
            specs = (package.package + package.limit, *near, package.package)
            any(environment.install([spec, *_BASE], log)[0] == 0 for spec in specs)
    return environment.python
