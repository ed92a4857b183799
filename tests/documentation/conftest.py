"""The built site."""

import importlib.util
import os
import pathlib
import subprocess
import sys

import pytest
from places import ROOT


def _mkdocs():
    """The command of MkDocs, of this environment or of that of scripts/docs; or None."""
    if importlib.util.find_spec("mkdocs") and importlib.util.find_spec("mkdocstrings"):
        return [sys.executable, "-m", "mkdocs"]
    checkout = os.environ.get("TFGRAPHTOOLS_CHECKOUT", str(ROOT))
    environments = os.environ.get("TFGRAPHTOOLS_ENVS", os.path.join(checkout, ".envs"))
    program = pathlib.Path(environments) / "docs" / "bin" / "mkdocs"
    return [str(program)] if program.exists() else None


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The folder of the site, built strictly: a warning is an error."""
    mkdocs = _mkdocs()
    if mkdocs is None:
        pytest.skip("needs the environment of scripts/docs")
    folder = tmp_path_factory.mktemp("site")
    environment = dict(os.environ, NO_MKDOCS_2_WARNING="1", DISABLE_MKDOCS_2_WARNING="true")
    subprocess.run(
        [*mkdocs, "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=str(ROOT),
        env=environment,
        check=True,
    )
    return folder
