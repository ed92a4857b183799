"""The versions are installed together beside today's TensorFlow, where an index is reachable."""

import subprocess
import sys

import pytest

from tfgraphtools import compat
from tfgraphtools.compat.constraints import tables

pytestmark = [pytest.mark.slow(in_ci=1), pytest.mark.once]

if compat.is_tf1():
    pytest.skip("the versions are for TF 2.x", allow_module_level=True)

#: Packages of which two versions are listed: the first and the last.
ENDS = {"oldest": 0, "newest": -1}


@pytest.mark.parametrize("end", ENDS)
def test_pip_finds_wheels_of_all_of_them(end, tmp_path):
    """Markers of packages are those of the running Python, so that another is not asked about."""
    here, chosen = sys.version_info[:2], {}
    for version in tables.versions():
        if version.runs_on(here):
            chosen.setdefault(version.package, []).append(f"{version.package}=={version.version}")
    if not chosen:
        pytest.skip("this Python has no older versions")
    words = [versions[ENDS[end]] for versions in chosen.values()]
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed"]
    command += ["--only-binary=:all:", "--no-binary=resampy", "--target", str(tmp_path)]
    done = subprocess.run(
        [*command, "tensorflow==2.21.*", "setuptools<81", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    text = done.stdout.decode()
    if "No matching distribution found for tensorflow" in text or "Connection" in text:
        pytest.skip("no index of packages is reachable")
    assert done.returncode == 0, text[-3000:]
