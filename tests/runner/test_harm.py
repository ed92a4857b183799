"""The first notice of a run names the line whose numbers change silently, and what restores it."""

import pytest

from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

#: name -> (program, the line of the notice, what it says).
PROGRAMS = {
    "dates": (
        """
        import numpy as np
        import pandas as pd
        frame = pd.DataFrame({"t": ["2020-01-01", "2020-01-02"]})
        print(pd.to_datetime(frame["t"]).astype(np.int64).tolist())
        """,
        5,
        "pandas<2.0",
    ),
    "deviations": (
        """
        import numpy as np
        import pandas as pd
        frame = pd.DataFrame({"a": [1, 1, 2, 2], "b": [1.0, 2.0, 3.0, 5.0]})
        print(frame.set_index("a")["b"].agg(np.std))
        """,
        5,
        "pandas<3.0",
    ),
    "texts": (
        """
        import pandas as pd
        frame = pd.DataFrame({"a": ["x", "y"], "b": [1.0, 2.0]})
        print([name for name in frame.columns if frame[name].dtype == "object"])
        """,
        4,
        "pandas<3.0",
    ),
    "missing values": (
        """
        import io
        import pandas as pd
        frame = pd.DataFrame({"a": ["x"]})
        print(pd.read_csv(io.StringIO(u"a,b\\nNone,1\\n"))["a"].isnull().sum())
        """,
        5,
        "pandas<2.0",
    ),
    "categories": (
        """
        import pandas as pd
        kinds = pd.Categorical(["a", "b"], categories=["a", "b", "c"])
        frame = pd.DataFrame({"k": kinds, "v": [1.0, 2.0]})
        totals = frame.groupby("k")["v"].sum()
        print(len(totals))
        """,
        5,
        "pandas<2.0",
    ),
    "equal values": (
        """
        import numpy as np
        import pandas as pd
        frame = pd.DataFrame({"a": np.arange(40) % 3, "b": np.arange(40)})
        frame["c"] = 1.0
        print(frame.sort_values("a")["b"].tolist()[:5])
        """,
        6,
        "pandas<2.0",
    ),
    "gaps": (
        """
        import pandas as pd
        prices = pd.Series([1.0, None, 3.0, 6.0])
        returns = prices.pct_change()
        print(returns.sum())
        """,
        4,
        "pandas<3.0",
    ),
    "times": (
        """
        import numpy as np
        import pandas as pd
        frame = pd.DataFrame({"a": [1.0, 2.0]})
        frame.index = pd.date_range("2020-01-01", periods=2)
        print(frame.index.values.astype(np.int64).tolist())
        """,
        5,
        "pandas<3.0",
    ),
    "a pivot table": (
        """
        import numpy as np
        import pandas as pd
        frame = pd.DataFrame({"a": [1, 1, 2, 2], "b": [1.0, 2.0, 3.0, 5.0]})
        print(frame.pivot_table("b", "a", aggfunc=np.std))
        """,
        5,
        "pandas<3.0",
    ),
}


@pytest.mark.parametrize("source, line, constraint", PROGRAMS.values(), ids=PROGRAMS)
def test_numbers_come_first(compat_server, tmp_path, source, line, constraint):
    pytest.importorskip("pandas", minversion="3")
    lines = [text[8:] for text in source.strip("\n").splitlines()]
    (tmp_path / "script.py").write_text("\n" + "\n".join(lines) + "\n")
    done = compat_server.run(tmp_path, "script.py")
    assert done.code == 0, done.err[-2000:]
    notices = [text for text in done.err.splitlines() if "differs since" in text]
    assert f"script.py:{line}: " in notices[0] and constraint in notices[0], done.err


FORK = """
import os
import tensorflow as tf
with tf.Session() as session:
    print(session.run(tf.constant(1)))
child = os.fork() if {forks} else 1
if child == 0:
    os._exit(0)
if {forks}:
    os.waitpid(child, 0)
"""


@pytest.mark.parametrize("forks", [True, False])
def test_a_fork_after_a_session_is_told(compat_server, tmp_path, forks):
    (tmp_path / "script.py").write_text(FORK.format(forks=forks))
    done = compat_server.run(tmp_path, "script.py")
    assert (done.code, done.out) == (0, "1\n"), done.err
    assert ("forked after a tf.Session" in done.err and "spawn" in done.err) == forks


def test_a_missing_package_has_its_command(compat_server, tmp_path):
    (tmp_path / "script.py").write_text("import tensorflow as tf\nimport tflearn\n")
    done = compat_server.run(tmp_path, "script.py")
    assert done.code == 1 and "pip install tflearn" in done.err, done.err[-1500:]
