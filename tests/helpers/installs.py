"""Environments that have nothing but an install of the wheel, as a user makes them."""

import os
import pathlib
import shutil
import subprocess
import venv

import pytest


def make(folder, extras="", packages=(), base=None):
    """Installs the wheel under test into a new environment.

    Args:
      folder: where the environment goes.
      extras: the extras of the install, such as ``"tensorflow,run"``.
      packages: what else pip installs there.
      base: the programs of an environment that `make` returned: pip adds to a copy of it what it
        lacks, in seconds. The default is an empty environment.

    Returns:
      The folder of the environment's programs.
    """
    if "TFGRAPHTOOLS_DIST" not in os.environ:
        pytest.skip("there is no wheel: scripts/test builds one")
    (wheel,) = pathlib.Path(os.environ["TFGRAPHTOOLS_DIST"]).glob("*.whl")
    venv.create(str(folder), with_pip=base is None, symlinks=True)
    if base is not None:
        _copy(base.parent, folder)
    requirement = "tfgraphtools{} @ {}".format(f"[{extras}]" if extras else "", wheel.as_uri())
    programs = folder / "bin"
    subprocess.run(
        [str(programs / "python"), "-m", "pip", "install", "--quiet", requirement, *packages],
        check=True,
        capture_output=True,
    )
    return programs


def _copy(environment, folder):
    """Puts the packages and programs of an environment into another one, by hard links."""
    (packages,) = environment.glob("lib/python*/site-packages")
    target = folder / packages.relative_to(environment)
    shutil.copytree(str(packages), str(target), copy_function=os.link, dirs_exist_ok=True)
    shebang = f"#!{environment}/bin/".encode()
    for program in (environment / "bin").iterdir():
        content = b"" if program.is_symlink() else program.read_bytes()
        if content.startswith(shebang):
            copied = folder / "bin" / program.name
            copied.write_bytes(content.replace(shebang, f"#!{folder}/bin/".encode(), 1))
            copied.chmod(program.stat().st_mode)


def run(programs, words, folder, path=()):
    """Runs a program of an environment that knows nothing of this one; returns what it did.

    Args:
      programs: the folder of the environment's programs.
      words: the program and its arguments.
      folder: to run it in.
      path: folders of other programs that it may start.
    """
    return subprocess.run(
        [str(programs / words[0]), *words[1:]],
        cwd=str(folder),
        env={
            "PATH": os.pathsep.join([str(programs), *path]),
            "HOME": str(folder),
            "TFGRAPHTOOLS_CACHE": str(folder / "c"),
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
