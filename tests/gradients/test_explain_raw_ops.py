"""explain_gradient against tf.gradients on generated calls of raw ops.

A small fixed draw; ``TFGRAPHTOOLS_RAW_OPS="seed draws"`` takes all differentiable ops.
Each op has a process of its own: some kernels end the process on odd arguments.
"""

import os
import pathlib
import re
import subprocess
import sys

import pytest
import raw_ops

#: The values decide here, and no rule: the points drawn may happen to give zeros.
BY_VALUE = re.compile(r"QuantizeAndDequantize|ApproxTopK")
DRAW = os.environ.get("TFGRAPHTOOLS_RAW_OPS", "3 1 16")


@pytest.mark.slow
def test_a_draw():
    command = [sys.executable, str(pathlib.Path(raw_ops.__file__))] + DRAW.split()
    environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3")
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    lines = done.stdout.splitlines()
    wrong = [line for line in lines if line.startswith("  ") or " failed: " in line]
    assert not [line for line in wrong if not BY_VALUE.search(line)], done.stdout
    counts = re.findall(r"^\w+ (\d+) \d+$", done.stdout, re.MULTILINE)
    assert sum(map(int, counts)) > 5, done.stdout + done.stderr
