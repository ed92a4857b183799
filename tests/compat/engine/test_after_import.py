"""A library is changed when it is loaded, whoever asked where it is before."""

import importlib.util
import sys

import pytest

from tfgraphtools import compat
from tfgraphtools.compat.engine import after_import, state

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

pytestmark = pytest.mark.quick


@pytest.mark.parametrize("questions", [0, 1, 2], ids="asked {} times".format)
@pytest.mark.parametrize("name", ["asked_for", "asked_within.part"])
def test_a_question_is_no_import(name, questions, tmp_path, monkeypatch):
    """``importlib.util.find_spec`` before the import; each change is made once."""
    folder = tmp_path / "asked_within"
    folder.mkdir()
    for path in (tmp_path / "asked_for.py", folder / "__init__.py", folder / "part.py"):
        path.write_text("value = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    changed = []
    try:
        after_import.call(name, changed.append, "a fix")
        for _ in range(questions):
            assert importlib.util.find_spec(name).name == name
        assert changed == []
        assert [importlib.import_module(name)] == changed
    finally:
        state.restore()
        for each in ("asked_for", "asked_within.part", "asked_within"):
            sys.modules.pop(each, None)
