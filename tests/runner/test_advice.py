"""Which errors are followed by a line of advice."""

import pytest

from tfgraphtools.compat import legacy
from tfgraphtools.runner import advice

ERRORS = [
    (ImportError("No module named 'tensorflow.contrib'"), True, None),
    (ImportError("No module named 'tensorflow.contrib'"), False, "legacy install"),
    (AttributeError("module 'tensorflow' has no attribute 'contrib'"), False, "legacy install"),
    (ImportError("No module named 'tensorflow.examples.mine'"), True, None),
    (ImportError("No module named 'tensorflow.models'"), True, "tensorflow/models"),
    (AttributeError("module 'tensorflow' has no attribute 'Session'"), True, None),
    (ValueError("something else"), True, None),
]


@pytest.mark.parametrize(
    "error, is_installed, words", ERRORS, ids=[f"{e} {i}" for e, i, _ in ERRORS]
)
def test_line(monkeypatch, error, is_installed, words):
    monkeypatch.setattr(legacy, "find", lambda: "there" if is_installed else None)
    line = advice.line_for(error)
    assert line is None if words is None else words in line
