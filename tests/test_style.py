"""The checkout passes the linter and the formatter, as ruff.toml sets them."""

import importlib.util
import subprocess
import sys

import pytest
from places import CHECKOUT

#: It reads source, which is the same under every TensorFlow.
pytestmark = [pytest.mark.once, pytest.mark.quick]


def _ruff(*words, text=None):
    if not (CHECKOUT / "ruff.toml").exists():
        pytest.skip("there is no checkout here: TFGRAPHTOOLS_CHECKOUT names one")
    if not importlib.util.find_spec("ruff"):
        pytest.skip("needs ruff: pip install .[test]")
    return subprocess.run(
        [sys.executable, "-m", "ruff", *words],
        cwd=str(CHECKOUT),
        input=text,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.mark.parametrize(
    "words", [["check", "--output-format=concise"], ["format", "--check"]], ids=lambda w: w[0]
)
def test_the_checkout_passes(words):
    done = _ruff(*words, "--no-cache", ".")
    assert done.returncode == 0, done.stdout


def test_an_unused_import_is_an_error():
    done = _ruff("check", "--no-cache", "--stdin-filename=tests/x.py", "-", text="import os\n")
    assert done.returncode == 1 and "F401" in done.stdout
