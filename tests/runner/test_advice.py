"""Which errors are followed by a line of advice."""

import pytest

from tfgraphtools.compat import legacy
from tfgraphtools.runner import advice

pytestmark = pytest.mark.quick

ERRORS = [
    (ImportError("No module named 'tensorflow.contrib'"), True, None),
    (ImportError("No module named 'tensorflow.contrib'"), False, "legacy install"),
    (AttributeError("module 'tensorflow' has no attribute 'contrib'"), False, "legacy install"),
    (ImportError("No module named 'tensorflow.examples.mine'"), True, None),
    (ImportError("No module named 'tensorflow.models'"), True, "tensorflow/models"),
    (AttributeError("module 'tensorflow' has no attribute 'Session'"), True, None),
    (TypeError("'float' object cannot be interpreted as an integer"), True, "--python2"),
    (
        TypeError(
            "Value passed to parameter 'shape' has DataType float32 not in list of allowed "
            "values: int32, int64"
        ),
        True,
        "--python2",
    ),
    (TypeError("'map' object is not subscriptable"), True, "--python2"),
    (TypeError("'int' object is not subscriptable"), True, None),
    (ImportError("cannot import name 'l1l2' from 'keras.regularizers' (/a)"), True, "l1_l2"),
    (ModuleNotFoundError("No module named 'keras.initializations'"), True, "keras.initializers"),
    (AttributeError("module 'keras.models' has no attribute 'Graph'"), True, "models.Model"),
    (ImportError("cannot import name 'Model2' from 'keras.models' (/a)"), True, None),
    (ValueError("something else"), True, None),
]


@pytest.mark.parametrize(
    "error, is_installed, words", ERRORS, ids=[f"{e} {i}" for e, i, _ in ERRORS]
)
def test_line(monkeypatch, error, is_installed, words):
    monkeypatch.setattr(legacy, "find", lambda: "there" if is_installed else None)
    line = advice.line_for(error)
    assert line is None if words is None else words in line


def test_a_module_above_the_script(tmp_path):
    files = {
        "top/lib.py": "",
        "top/here/main.py": "import lib",
        "top/here/other.py": "import json_",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)

    def line_for(path):
        with pytest.raises(ModuleNotFoundError) as caught:
            exec(compile(path.read_text(), str(path), "exec"), {})
        return advice.line_for(caught.value)

    line = line_for(tmp_path / "top/here/main.py")
    assert line == "the module 'lib' is in {0}. Run: PYTHONPATH={0} tfgraphtools run ...".format(
        tmp_path / "top"
    )
    assert line_for(tmp_path / "top/here/other.py") is None
    (tmp_path / "top/here/.git").mkdir()  # the folder of the repository: above it is not its own
    assert line_for(tmp_path / "top/here/main.py") is None
