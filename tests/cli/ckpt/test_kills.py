"""Every command that writes, killed at random moments: old or new, and no litter."""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys

import pytest
from checkpoint_files import ROOT

SCRIPT = pathlib.Path(__file__).with_name("kill_commands.py")
KILLS = os.environ.get("TFGRAPHTOOLS_KILLS", "2")  # of each command
SEED = os.environ.get("TFGRAPHTOOLS_KILLS_SEED", "1")


def killed(folder, group):
    environment = dict(os.environ, PYTHONPATH=str(ROOT), TF_CPP_MIN_LOG_LEVEL="3")
    done = subprocess.run(
        [sys.executable, str(SCRIPT), str(folder), KILLS, SEED, group],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    found = [json.loads(line) for line in done.stdout.splitlines() if line[:1] == "{"]
    print("\n".join(map(str, found)))
    assert found and all(row["old"] + row["new"] == int(KILLS) for row in found)


def test_commands_without_tensorflow(tmp_path):
    killed(tmp_path, "plain")


def test_commands_with_tensorflow(tmp_path, tf):
    if not tf.__version__.startswith("2") or not importlib.util.find_spec("keras"):
        pytest.skip("these need Keras 3")
    killed(tmp_path, "tensorflow")
