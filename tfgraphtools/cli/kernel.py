"""``tfgraphtools kernel``: a Jupyter kernel whose notebooks run on TF 2.x as on TF 1.15."""

import argparse
import contextlib
import json
import os
import re
import sys

from tfgraphtools import environment_variables, files
from tfgraphtools.errors import UsageError

SUMMARY = "install a Jupyter kernel for TF1 notebooks"

#: The argument by which a kernel of ours is recognized.
_EXTENSION = "--ext=tfgraphtools"

#: The key of the mark of this library, which Jupyter ignores.
_WRITTEN_BY = "written_by"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    parser.add_argument("action", choices=["install", "remove"], help="what to do")
    parser.add_argument(
        "--name", default="tfgraphtools", help="name of the kernel (default: tfgraphtools)"
    )
    parser.add_argument(
        "--prefix",
        metavar="DIR",
        help="install for this environment, such as '.venv' (default: for you)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Installs or removes the kernel; prints where it is."""
    _require_name(arguments.name)
    folder = os.path.join(_data_folder(arguments.prefix), "kernels", arguments.name)
    if arguments.action == "remove":
        return _remove(folder, arguments.name)
    _require_ipykernel()
    path = os.path.join(folder, "kernel.json")
    if os.path.lexists(path):
        _require_ours(folder, "install", arguments.name)
    os.makedirs(folder, exist_ok=True)
    data = json.dumps(_specification(), indent=1).encode("ascii")
    files.replace_file("tfgraphtools kernel install", path, data, force=_is_unmarked(path))
    print(folder)
    return 0


def _is_unmarked(path):
    """Tells whether a kernel is what an earlier version installed, for whatever Python."""
    if not os.path.exists(path):
        return False
    with open(path, encoding="utf-8") as file:
        specification = json.load(file)
    expected = _specification()
    del expected["metadata"][_WRITTEN_BY], expected["argv"][0], specification["argv"][0]
    return specification == expected


def _require_name(name):
    """Raises `UsageError` where Jupyter would find no kernel of this name."""
    if not re.fullmatch(r"[\w.-]+", name, re.ASCII) or name in (".", ".."):
        raise UsageError(
            "--name",
            "a name of letters, digits, '.', '_' and '-'",
            repr(name),
            "Leave it out for 'tfgraphtools'.",
        )


def _specification():
    return {
        "argv": [
            sys.executable,
            "-m",
            "ipykernel_launcher",
            _EXTENSION,
            "-f",
            "{connection_file}",
        ],
        "display_name": "TensorFlow 1 on 2.x (tfgraphtools)",
        "language": "python",
        "env": {"TF_USE_LEGACY_KERAS": "1"},
        "metadata": {"debugger": True, _WRITTEN_BY: files.MARK},
    }


def _remove(folder, name):
    from tfgraphtools.errors import ArgumentError

    if not os.path.isfile(os.path.join(folder, "kernel.json")):
        raise ArgumentError(
            "tfgraphtools kernel remove",
            "an installed kernel",
            f"no kernel {name!r} in {os.path.dirname(folder)}",
            "'jupyter kernelspec list' lists the kernels; --prefix names another place.",
        )
    _require_ours(folder, "remove", name)
    os.unlink(os.path.join(folder, "kernel.json"))
    with contextlib.suppress(OSError):  # files of the user's in it, such as a logo, stay
        os.rmdir(folder)
    print("removed " + folder)
    return 0


def _require_ours(folder, action, name):
    """Raises `ArgumentError` where a kernel is none that this command installed."""
    from tfgraphtools.errors import ArgumentError

    path = os.path.join(folder, "kernel.json")
    try:
        with open(path, encoding="utf-8") as file:
            is_ours = _EXTENSION in json.load(file)["argv"]
    except (OSError, ValueError, KeyError, TypeError):
        is_ours = False
    if not is_ours or os.path.islink(path):
        raise ArgumentError(
            f"tfgraphtools kernel {action}",
            "a kernel that 'tfgraphtools kernel install' made, or a free name",
            f"{name!r}, another kernel in {folder}",
            "Nothing was changed. Pass another --name."
            if action == "install"
            else f"Nothing was changed. To remove it: jupyter kernelspec remove {name}",
        )


def _require_ipykernel():
    import importlib.util

    from tfgraphtools.errors import MissingExtraError

    if importlib.util.find_spec("ipykernel") is None:
        raise MissingExtraError(
            "tfgraphtools kernel install",
            "the package ipykernel, which the kernel runs",
            "no such package",
            "Install it: pip install ipykernel",
        )


def _data_folder(prefix):
    """Returns the folder in which Jupyter looks for kernels."""
    if prefix is not None:
        return os.path.join(os.path.abspath(prefix), "share", "jupyter")
    if environment_variables.value_of("JUPYTER_DATA_DIR"):
        return environment_variables.value_of("JUPYTER_DATA_DIR")
    home = os.path.expanduser("~")
    if sys.platform == "darwin":
        return os.path.join(home, "Library", "Jupyter")
    if os.name == "nt":
        return os.path.join(environment_variables.value_of("APPDATA") or home, "jupyter")
    share = environment_variables.value_of("XDG_DATA_HOME") or os.path.join(home, ".local", "share")
    return os.path.join(share, "jupyter")
