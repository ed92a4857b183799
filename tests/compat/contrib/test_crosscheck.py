"""Variables restored by name from a checkpoint of TF 1.15, and outputs that agree with it."""

import pathlib

import numpy as np
import pytest

pytestmark = pytest.mark.slow

SCRIPT = pathlib.Path(__file__).resolve().parent / "crosscheck.py"


def test_variables_are_restored_and_outputs_agree(run_script, tf1_server, tmp_path):
    """In one test: the two runs take long, and workers share no fixture."""
    assert ", 0 failed" in tf1_server.run(tmp_path, SCRIPT, "save", tmp_path).checked()
    printed = run_script(SCRIPT, "load", tmp_path)
    assert "NOT IN THE CHECKPOINT" not in printed
    assert "325 variables, 230 outputs, 0 failed" in printed
    old, new = (
        np.load(str(tmp_path / (side + ".npz")), allow_pickle=True) for side in ("save", "load")
    )
    assert set(old.files) == set(new.files) and len(old.files) > 200
    for name in old.files:
        assert old[name].shape == new[name].shape and old[name].dtype == new[name].dtype, name
        if old[name].dtype.kind == "f":
            np.testing.assert_allclose(new[name], old[name], rtol=1e-6, atol=1e-6, err_msg=name)
        else:
            np.testing.assert_array_equal(new[name], old[name], err_msg=name)
