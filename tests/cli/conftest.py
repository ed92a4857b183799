"""A checkpoint for the command line, and the command line itself."""

import pytest
from checkpoint_files import write_first

from tfgraphtools import checkpoints, cli


@pytest.fixture
def written(tmp_path):
    """A function that writes {name: values} as a checkpoint and returns its prefix."""

    def write(tensors):
        with checkpoints.open_checkpoint(write_first(tmp_path / "seed")) as ckpt:
            checkpoints.plan(ckpt, drop=".*", add=tensors).apply(tmp_path / "m")
        for path in tmp_path.glob("seed*"):
            path.unlink()
        return str(tmp_path / "m")

    return write


@pytest.fixture
def run(capsys):
    """Runs ``ckpt`` with some words; returns (exit code, stdout, stderr)."""

    def call(*words):
        code = cli.main(["ckpt"] + [str(word) for word in words])
        out, err = capsys.readouterr()
        return code, out, err

    return call
