"""Conversions that need TensorFlow, Keras or PyTorch, on damaged files: one line at most.

`TFGRAPHTOOLS_FUZZ_CONVERSIONS` sets the number of inputs, `TFGRAPHTOOLS_FUZZ_SEED` the seed.
"""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

SCRIPT = pathlib.Path(__file__).with_name("fuzz_conversions.py")
INPUTS = os.environ.get("TFGRAPHTOOLS_FUZZ_CONVERSIONS", "7")
SEED = os.environ.get("TFGRAPHTOOLS_FUZZ_SEED", "1")


def test_conversions_of_damaged_files(tmp_path, tf):
    if not tf.__version__.startswith("2"):
        pytest.skip("Keras 3 needs TF 2.16")
    for package in ("keras", "torch", "safetensors"):
        if not importlib.util.find_spec(package):
            pytest.skip(f"needs {package}")
    done = subprocess.run(
        [sys.executable, str(SCRIPT), str(tmp_path), INPUTS, SEED],
        env=dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES=""),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    rows = [json.loads(line) for line in done.stdout.splitlines() if line[:1] == "{"]
    culprits = [row for row in rows if "culprit" in row]
    assert culprits == []
    codes = rows[-1]["codes"]
    assert sum(codes.values()) == int(INPUTS) and codes["0"] > 0
    print(codes)
