"""One cell for all buckets, as scripts before TF 1.1 had it; 1.15 itself cannot copy a used one."""

import pathlib

import pytest

import row_scripts

SCRIPT = pathlib.Path(__file__).resolve().parent / "buckets.py"


@pytest.mark.slow
def test_one_cell_is_as_good_as_one_for_each_bucket_on_1_15(run_script, tf1_server, tmp_path):
    wanted = tf1_server.run(tmp_path, SCRIPT, "new").checked()
    assert wanted.count("[") > 40
    printed = run_script(SCRIPT, "one")
    assert row_scripts.difference(printed, wanted, 1e-6) is None
