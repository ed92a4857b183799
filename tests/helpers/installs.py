"""Environments that have nothing but an install of the wheel, as a user makes them."""

import os
import pathlib
import subprocess
import venv

import pytest


def make(folder, extras="", packages=()):
    """Installs the wheel under test into a new environment.

    Args:
      folder: where the environment goes.
      extras: the extras of the install, such as ``"tensorflow,run"``.
      packages: what else pip installs there.

    Returns:
      The folder of the environment's programs.
    """
    if "TFGRAPHTOOLS_DIST" not in os.environ:
        pytest.skip("there is no wheel: scripts/test builds one")
    (wheel,) = pathlib.Path(os.environ["TFGRAPHTOOLS_DIST"]).glob("*.whl")
    venv.create(str(folder), with_pip=True, symlinks=True)
    requirement = "tfgraphtools{} @ {}".format(f"[{extras}]" if extras else "", wheel.as_uri())
    programs = folder / "bin"
    subprocess.run(
        [str(programs / "python"), "-m", "pip", "install", "--quiet", requirement, *packages],
        check=True,
        capture_output=True,
    )
    return programs


def run(programs, words, folder):
    """Runs a program of an environment that knows nothing of this one; returns what it did."""
    return subprocess.run(
        [str(programs / words[0]), *words[1:]],
        cwd=str(folder),
        env={"PATH": str(programs), "HOME": str(folder), "TFGRAPHTOOLS_CACHE": str(folder / "c")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
