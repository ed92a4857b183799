"""`compat.activate()` in an environment that has no TensorFlow."""

import importlib.util

import pytest

from tfgraphtools import compat
from tfgraphtools.compat.engine import environment
from tfgraphtools.errors import MissingExtraError

pytestmark = [pytest.mark.quick, pytest.mark.once]


def test_it_says_what_is_missing(monkeypatch):
    find = importlib.util.find_spec
    absent = lambda name, *args: None if name == "tensorflow" else find(name, *args)  # noqa: E731
    monkeypatch.setattr(importlib.util, "find_spec", absent)
    monkeypatch.delitem(environment.sys.modules, "tensorflow", raising=False)
    with pytest.raises(MissingExtraError, match=r"^tfgraphtools.compat.activate\(\): .* pip"):
        compat.activate()
