"""What of pandas 1 is not restored is said, once, with the line of the user's code."""

import pytest

from tfgraphtools import compat

pytest.importorskip("pandas", minversion="3.0")
if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

pytestmark = pytest.mark.quick

SCRIPT = """\
import pandas as pd
df = pd.DataFrame({"a": [1, 2], "b": [3, 4]})
df["a"][0] = 5
alone = pd.Series([1, 2])
alone[0] = 3
column = df["b"]
column[0] = 6
column[1] = 7
print(df.values.tolist(), alone.tolist())
"""


def test_a_column_that_is_changed_apart_from_its_frame_is_said(tf1_run, tmp_path):
    script = tmp_path / "data.py"
    script.write_text(SCRIPT)
    done = tf1_run(script)
    assert done.stdout == "[[5, 3], [2, 4]] [3, 2]\n", done.stderr
    said = [line for line in done.stderr.splitlines() if "shares its data" in line]
    assert len(said) == 1 and f"{script}:7: " in said[0]
