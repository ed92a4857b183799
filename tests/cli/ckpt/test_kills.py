"""Every command that writes, killed at random moments: old or new, and no litter."""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys

import pytest
from checkpoint_files import ROOT

pytestmark = pytest.mark.slow

SCRIPT = pathlib.Path(__file__).with_name("kill_commands.py")
_SPEC = importlib.util.spec_from_file_location("kill_commands", str(SCRIPT))
kill_commands = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(kill_commands)
KILLS = os.environ.get("TFGRAPHTOOLS_KILLS", "1")  # of each command
SEED = os.environ.get("TFGRAPHTOOLS_KILLS_SEED", "1")


def killed(folder, group):
    """What was found after each kill, a row for each command."""
    environment = dict(os.environ, PYTHONPATH=str(ROOT), TF_CPP_MIN_LOG_LEVEL="3")
    done = subprocess.run(
        [sys.executable, str(SCRIPT), str(folder), KILLS, SEED, group],
        env=environment,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        pytest.fail(done.stdout + done.stderr[-2000:])
    return [json.loads(line) for line in done.stdout.splitlines() if line[:1] == "{"]


@pytest.mark.once
def test_commands_without_tensorflow(tmp_path):
    rows = killed(tmp_path, "plain")
    print("\n".join(map(str, rows)))
    assert [row["command"] for row in rows if row["wrong"]] == [], rows
    assert len(rows) == len(kill_commands.PLAIN)
    assert {row["old"] + row["new"] for row in rows} == {int(KILLS)}


def test_commands_with_tensorflow(tmp_path, tf):
    if not tf.__version__.startswith("2") or not importlib.util.find_spec("keras"):
        pytest.skip("these need Keras 3")
    rows = killed(tmp_path, "tensorflow")
    print("\n".join(map(str, rows)))
    assert [row["command"] for row in rows if row["wrong"]] == [], rows
    assert len(rows) >= len(kill_commands.WITH_TENSORFLOW) - 1  # torch-pt needs PyTorch
    assert {row["old"] + row["new"] for row in rows} == {int(KILLS)}
