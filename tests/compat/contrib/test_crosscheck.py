"""Variables restored by name from a checkpoint of TF 1.15, and outputs that agree with it."""

import pathlib
import subprocess

import numpy as np
import pytest

SCRIPT = pathlib.Path(__file__).resolve().parent / "crosscheck.py"


@pytest.fixture(scope="module")
def outputs(run_script, tf1_python, tmp_path_factory):
    """(what TF 1.15 gives, what compat gives, what the script printed under compat)."""
    folder = tmp_path_factory.mktemp("crosscheck")
    done = subprocess.run(
        [tf1_python, str(SCRIPT), "save", str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert b", 0 failed" in done.stdout, done.stdout[-2000:]
    printed = run_script(SCRIPT, "load", folder)
    return (
        np.load(str(folder / "save.npz"), allow_pickle=True),
        np.load(str(folder / "load.npz"), allow_pickle=True),
        printed,
    )


def test_every_variable_is_restored(outputs):
    printed = outputs[2]
    assert "NOT IN THE CHECKPOINT" not in printed
    assert "325 variables, 237 outputs, 0 failed" in printed


def test_outputs_agree(outputs):
    old, new, _ = outputs
    assert set(old.files) == set(new.files) and len(old.files) > 200
    for name in old.files:
        assert old[name].shape == new[name].shape and old[name].dtype == new[name].dtype, name
        if old[name].dtype.kind == "f":
            np.testing.assert_allclose(new[name], old[name], rtol=1e-6, atol=1e-6, err_msg=name)
        else:
            np.testing.assert_array_equal(new[name], old[name], err_msg=name)
